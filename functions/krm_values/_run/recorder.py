"""Undo records of a function: reverts the items that carry one before the plan, and records the inverse patch of each result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import data_edits
from krm_values._data.data_edits import Remove
from krm_values._data.errors import EditError
from krm_values._data.limits import DEFAULT
from krm_values._data.pointer import ABSENT, get, to_pointer
from krm_values._data.record import record, replace
from krm_values._krm import hosts, names, taint
from krm_values._krm import undo_record as undo
from krm_values._krm.findings import Report
from krm_values._krm.item import Header, Item, is_secret
from krm_values._krm.plan import Finding
from krm_values._krm.taint import MARK, covers, from_pointer, holds_secret, in_nested, mark, touches
from krm_values._krm.undo_record import Record
from krm_values._run import stack as stacks
from krm_values._run.generated import BY, FROM, written_for
from krm_values._run.state import takes_secret, whole
from krm_values._run.step_position import EARLIER, LATER, LEFT, OWN, STALE, UNKNOWN, about_left

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    from krm_values._data.limits import Limits
    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._krm.item import Reading
    from krm_values._krm.plan import Origin, Severity
    from krm_values._krm.undo_record import UndoEntry
    from krm_values._run.engine import Run
    from krm_values._run.stack import Keyed, Level
    from krm_values._run.state import Decision, State
    from krm_values._run.step_position import StepPosition


_ANNOTATIONS = ("metadata", "annotations")
_CALLED = (("apiVersion",), ("kind",), ("metadata", "namespace"), ("metadata", "name"))
_TAKEN_BACK = (OWN, LATER, STALE)
_CHANGED_ELEMENT = "has an element of an earlier run that was changed by hand, and would get another: delete the changed one"
_LOST_ELEMENT = (
    "was edited by hand, and an earlier run added an element out of a Secret, which has no digest by which to find it: "
    "put the list back as it was, or delete that element and the annotation `{}`"
)


@record
class _UndoneItem:
    """A reverted item: as the planner sees it, its reading in the input, and what its records say, the oldest first.

    own: the records of this step. later: those of later steps, which are put back on the result. earlier: those of earlier steps, which stay.
    gone: the annotations of all records in the input. held: the places of values from Secrets by the records of earlier steps.
    """

    seen: Item
    reading: Reading
    own: tuple[Level, ...]
    later: tuple[Level, ...]
    earlier: tuple[Keyed, ...]
    gone: tuple[str, ...]
    held: tuple[Path, ...]

    @property
    def by(self) -> tuple[str, ...]:
        return tuple(writer for level in self.own for writer in level.found.by)


class Recorder:
    """The reverted items of one run."""

    __slots__ = ("_has_secrets", "_label", "_marks", "_position", "_report", "_undone")

    def __init__(self, position: StepPosition) -> None:
        self._position, self._label = position, position.called.label
        self._undone: dict[int, _UndoneItem] = {}
        self._report = Report()
        self._marks = False

    def undo(self, items: Iterable[Item]) -> dict[int, Item]:
        """Return, by number, the items that this step or a later one has written to, as they were before.

        The items themselves do not change: only this step sees them so.
        """
        for item in items:
            if any(key.startswith(names.RECORD) for key in item.reading.annotations):
                try:
                    self._undo(item)
                except EditError as error:
                    self._say("error", item, (*_ANNOTATIONS, self._position.key(item)), error.message)
        return {number: undone.seen for number, undone in self._undone.items()}

    def write_records(self, run: Run, *, keeps: bool, beside: bool, marks: bool) -> None:
        """After the plan, set the edits of each reverted item to those between the input and the result.

        keeps: whether new records are written. beside: whether they are in any case where another step has one. marks: whether the places of
        values from Secrets are marked instead.
        """
        self._marks, self._has_secrets = marks, run.source.contains("Secret")  # asked once: it looks through all items
        states = {state.item.number: state.item for state in run.states.values() if isinstance(state.item, Item)}
        touched = states | {number: undone.seen for number, undone in self._undone.items()}
        for number in sorted(touched.keys() - run.removed):
            item = touched[number]
            try:
                released = () if number in self._undone else released_writers(item)
                if released and self._position.released_as(item) in released:
                    self._released(run, item)
                else:
                    self._write_record(run, item, keeps=keeps or (beside and self._has_others(item)))
            except EditError as error:
                self._say("error", item, (), error.message)
        run.findings += self._report.findings

    def _undo(self, item: Item) -> None:
        """Revert an item to what it was before this step: take back all records from the lowest OWN, LATER or STALE one on.

        Those of earlier steps among them are put back at once, those of later steps after the plan (`_rebase`), stale ones never. A record that
        cannot be read is an error where it is this step's, or may lie over what this step wrote.
        """
        records, wrong = stacks.read(item.reading.annotations)
        stack = self._stack(item, records)
        owners = self._owners(item, stack)
        first = next((number for number, owner in enumerate(owners) if owner in _TAKEN_BACK), None)
        for key in wrong if first is not None else wrong.keys() & {self._position.key(item)}:
            self._say("error", item, (*_ANNOTATIONS, key), wrong[key])
        if first is None or wrong:
            return
        levels = stacks.taken_back(stack[first:], item.data)
        data = levels[0].done.data
        earlier, own, later = stack[:first], [], []
        for level, owner in zip(levels, owners[first:], strict=True):
            if owner == OWN:
                own.append(level)
            elif owner == LATER:
                later.append(level)
            elif owner == EARLIER:
                again = stacks.put_back(level, data, in_secret=is_secret(item))
                data = again.data
                earlier += [(level.key, again.found)] if again.found else []
        if not _can_be_annotated(data):
            self._say("error", item, (*_ANNOTATIONS, self._position.key(item)), undo.NOT_A_RECORD)
            return
        reading = item.reading
        by = frozenset(writer for level in own if self._position.is_only(item) for writer in level.found.by)
        seen = item.seen_as(_reading_before(reading, data), _header(reading.data, data), by)
        gone = tuple(key for key, _ in records)
        hidden = {key: text for key, text in reading.annotations.items() if key not in gone}
        hidden |= {key: undo.to_text(found) for key, found in earlier}
        seen.withhold(hidden, data)
        self._undone[item.number] = _UndoneItem(seen, reading, tuple(own), tuple(later), tuple(earlier), gone, seen.withheld)
        if left := {one.key: undo.to_text(one.found) for one in levels if one.done.edited and one.found.has_secrets}:
            seen.withhold({**left, **hidden}, data)  # a value that is not found any more may be there still
        for level in own:
            self._edited(seen, level)

    def _stack(self, item: Item, records: list[Keyed]) -> list[Keyed]:
        return stacks.in_order([self._position.current(key, found, item) for key, found in records], item.data)

    def _owners(self, item: Item, stack: list[Keyed]) -> list[str]:
        """Return whose each record of a stack is: OWN, EARLIER, LATER or STALE. Where no pipeline tells, a record above this step's is LATER.

        In a Secret all others are EARLIER, so that they stay: its earlier values are not kept.
        """
        owners = [self._position.owner_of(key, found, item) for key, found in stack]
        for (key, _), owner in zip(stack, owners, strict=True):
            if owner == LEFT and self._position.is_last(item):
                self._say("info", item, (), about_left(key, "keeps what a step wrote that no pipeline here has"))
        if is_secret(item):
            return [owner if owner == OWN else EARLIER for owner in owners]
        own = owners.index(OWN) if OWN in owners else len(owners)
        by_order = [LATER if number > own else EARLIER for number in range(len(owners))]
        return [other if owner in (LEFT, UNKNOWN) else owner for owner, other in zip(owners, by_order, strict=True)]

    def _edited(self, item: Item, level: Level) -> None:
        for path in level.done.edited:
            text = (
                f"was edited by hand where {level.found.title} had written; the current value now counts as the resource's own"
            )
            self._say("warning", item, path, text)

    def _has_others(self, item: Item) -> bool:
        """Return whether other steps have records in an item."""
        if undone := self._undone.get(item.number):
            return bool(undone.earlier or undone.later)
        return any(key.startswith(names.RECORD) for key in item.reading.annotations)

    def _released(self, run: Run, item: Item) -> None:
        """Refuse to change a resource whose record was removed by `clean`, because it would get no new one."""
        try:
            check_released(item, run.state(item).data, self._position.released_as(item))
        except EditError as error:
            self._report.add(Finding("error", "released", None, error.message, item))

    def _write_record(self, run: Run, item: Item, *, keeps: bool) -> None:
        """Take the states before and after the plan, make the record that leads from one to the other, and write both."""
        state, undone = run.state(item), self._undone.get(item.number)
        pristine, (seen, hidden) = data_edits.copy(item.data), hosts.hide(state.data)
        result = data_edits.copy(seen)
        self._unkept(item, (undone.reading if undone else item.reading).data, pristine, result)
        entries = self._entries(run, item, (pristine, result), keeps=keeps)
        hidden = {**hosts.hide(state.data)[1], **hidden}  # with the mark, if it has its first one now
        own = Record(self._by(state), entries, 0, self._position.path(item)) if entries else None
        given, wrong = stacks.read(item.reading.annotations) if own and not undone else ([], {})
        for key, text in wrong.items():  # the next run could not tell whether that lies over this step's record
            self._say("error", item, (*_ANNOTATIONS, key), text)
        below = [found.number for _, found in given]
        if undone or data_edits.same(pristine, result) or 0 in below:
            self._rebase(run, item, (pristine, result), hidden, own)
        elif own:
            key = self._position.key(item)
            state.mark(key, undo.to_text(replace(own, number=1 + max(below, default=0))))

    def _entries(self, run: Run, item: Item, states: tuple[JSON, JSON], *, keeps: bool) -> tuple[UndoEntry, ...]:
        """Return the entries that lead from the result of this step back to what it saw. states: before and after."""
        pristine, result = states
        state = run.state(item)
        secret = _out_of_secrets(state)
        earlier = _earlier(item, result) if item.withheld or self._has_secrets else None
        entries = undo.compute(pristine, result, in_secret=is_secret(item), secret=secret, earlier=earlier) if keeps else ()
        undone = self._undone.get(item.number)
        for level in (*undone.own, *undone.later) if undone and not is_secret(item) else ():
            entries = tuple(undo.as_before(entries, level.done.kept))
        self._read_and_overwritten(run, item, entries)
        self._withheld(item, entries)
        if self._marks and run.annotates and secret and not is_secret(item):
            state.mark(MARK, mark((*item.withheld, *state.secret)))
        if entries:
            self._beside_others(item, entries)
        return entries

    def _by(self, state: State) -> tuple[str, ...]:
        in_secret = isinstance(state.item, Item) and is_secret(state.item)  # whether a Secret had the value already is not told
        decisions = [one for one in state.taken if one.leaf and (in_secret or not one.kept or takes_secret(one.leaf, one.item))]
        return (self._label,) if self._label else tuple(dict.fromkeys(_writers(decisions)))

    def _beside_others(self, item: Item, entries: tuple[UndoEntry, ...]) -> None:
        """Say which values of earlier steps this one overrides, and refuse to share a record with another step."""
        if twin := self._position.twin(item):
            name = self._position.called.title
            text = (
                f"is written by `{self._position.field}` and by `{twin.step.field}`, both {name}, whose edits cannot be told apart: "
                "give their functionConfigs different names"
            )
            self._say("error", item, (), text)
        undone = self._undone.get(item.number)
        below = undone.earlier if undone else stacks.read(item.reading.annotations)[0]
        written = {entry.place: found for _, found in below for entry in found.entries}
        for entry in entries if written else ():
            if entry.op == "remove":
                continue  # nothing was there
            other = next((written[path] for path in _at_or_above(entry.place) if path in written), None)
            if other:
                name = self._label or self._position.called.title
                text = f"{name} overrides what {self._position.title(item, other)} wrote"
                self._report.add(Finding("info", "override", None, text, item, from_pointer(entry.path, item.data)))

    def _rebase(self, run: Run, item: Item, states: tuple[JSON, JSON], hidden: dict[str, str], own: Record | None) -> None:
        """Set the edits of a reverted or unchanged item to those between the input and its result, with the records of all steps."""
        pristine, result = states
        undone = self._undone.get(item.number)
        reading = undone.reading if undone else item.reading
        given = [] if undone or not own else stacks.read(item.reading.annotations)[0]
        earlier, gone = (undone.earlier, undone.gone) if undone else (self._stack(item, given), [key for key, _ in given])
        records: list[Keyed] = [*earlier, *([(self._position.key(item), own)] if own else [])]
        if undone:
            self._doubled(undone, pristine, result)
            restored = (from_pointer(entry.path, pristine) for level in undone.own for entry in level.found.entries)
            run.state(item).restored = [
                path for path in restored if data_edits.same(get(pristine, path, None), get(result, path, None))
            ]
            for level in undone.later:
                again = stacks.put_back(level, result, in_secret=is_secret(item))
                result = again.data
                kept = again.found or (level.found if level.done.edited and level.found.has_secrets else None)
                records += [(level.key, kept)] if kept else []  # a step must know which of its values are from Secrets
                self._lost(item, level, again)
        if undone or own:
            for key in gone:
                hidden.pop(key, None)
            numbered = {key: undo.to_text(replace(found, number=at)) for at, (key, found) in enumerate(records, 1)}
            hidden = {**hidden, **numbered}
        spelt = not run.source.is_json(item.number)
        run.state(item).rebase(whole(reading.data, reading.annotations), whole(result, hidden), spelt=spelt)

    def _lost(self, item: Item, level: Level, again: stacks.PutBack) -> None:
        """Report what was not put back of a later step, which writes it again if it runs."""
        if not again.lost:
            return
        self._edited(item, level)
        if level.done.lists:
            self._say("error", item, level.done.lists[0], _CHANGED_ELEMENT)
        if not self._position.is_render:
            name = level.key.removeprefix(names.RECORD)
            text = f"had what a later step wrote (undo record `{name}`), which was taken back: run that step again"
            self._say("info", item, again.lost[0], text)

    def _unkept(self, item: Item, before: JSON, pristine: Any, result: Any) -> None:
        """Keep the last value where a Secret's earlier value is not recorded and nothing writes there any more."""
        for path, stays in undo.keep_unrecorded(before, pristine, result) if is_secret(item) else ():
            text = f"is written by nothing any more and its earlier value was not kept: {stays}"
            self._say("warning", item, path, text)

    def _read_and_overwritten(self, run: Run, item: Item, entries: tuple[UndoEntry, ...]) -> None:
        unkept = {tuple(entry.path[1:].split("/")) for entry in entries if is_secret(item) and entry.op != "remove"}
        unkept = {path for path in unkept if path[0] in ("data", "stringData") and len(path) > 1}
        for origin in _read(run) if unkept else ():
            for path in unkept:
                own = tuple(to_pointer(origin.path).split("/")[1:])
                if origin.item is item and own[: len(path)] == path[: len(own)]:
                    text = "is read and also overwritten, but a Secret's earlier values are not kept: read it from another key"
                    self._say("error", item, origin.path, text)

    def _withheld(self, item: Item, entries: tuple[UndoEntry, ...]) -> None:
        """Report values that another function took from a Secret, which a record must not keep as earlier values."""
        undone = self._undone.get(item.number)
        held = undone.held if undone else item.withheld
        for entry in entries if held else ():
            path = from_pointer(entry.path, item.data)
            if entry.value is not ABSENT and touches(held, path):
                text = "holds a value from a Secret and would be overwritten, but such values are not recorded: let only one function write it"
                self._say("error", item, path, text)

    def _doubled(self, undone: _UndoneItem, pristine: JSON, result: JSON) -> None:
        for level, path in [(one, path) for one in undone.own for path in one.done.lists]:
            before, after = get(pristine, path), get(result, path)
            if not isinstance(before, list) or not isinstance(after, list):
                continue
            left = [*before]
            for new in after:
                at = next((number for number, old in enumerate(left) if data_edits.same(new, old)), None)
                if at is None:
                    text = _LOST_ELEMENT.format(level.key) if level.found.has_secrets else _CHANGED_ELEMENT
                    self._say("error", undone.seen, path, text)
                    break
                del left[at]

    def _say(self, severity: Severity, item: Item, path: Path, text: str) -> None:
        self._report.add(Finding(severity, "record", None, text, item, path))


def _can_be_annotated(data: JSON) -> bool:
    """Return whether the item can still carry annotations."""
    metadata = data.get("metadata", {}) if isinstance(data, dict) else None
    return isinstance(metadata, dict) and isinstance(metadata.get("annotations", {}), dict)


def _earlier(item: Item, result: JSON) -> Callable[[Path], bool] | None:
    """Return a function that says whether a value at a place is withheld, or in a Secret that the item holds; None if none is."""
    if not item.withheld and not holds_secret(result):
        return None
    return lambda path: covers(item.withheld, path) or in_nested(result, path)


def _out_of_secrets(state: State) -> Callable[[Path, object], bool] | None:
    """Return a function that says whether a scalar of the result comes from a Secret, or was put into one; None if none does."""
    places = set(state.secret)
    if isinstance(state.item, Item) and is_secret(state.item):
        places |= {decision.path for decision in state.taken if decision.path[:1] in (("data",), ("stringData",))}

    def is_out_of_one(path: Path, _: object) -> bool:
        return any(path[:size] in places for size in range(len(path) + 1))

    return is_out_of_one if places else None


def _writers(decisions: list[Decision]) -> Iterator[str]:
    found = [decision.leaf.writer or decision.leaf.origin.item for decision in decisions if decision.leaf]
    yield from sorted({written_for(item) for item in found if item})


def _read(run: Run) -> Iterator[Origin]:
    """Yield the origins that a plan used, and those that these derive from, each once."""
    leaves = [decision.leaf.origin for decision in run.decisions() if decision.leaf]
    seen: set[tuple[int, Path]] = set()
    for origin in (found for taken in (*leaves, *run.read) for found in taken.trail()):
        place = id(origin.item), origin.path
        if place not in seen:
            seen.add(place)
            yield origin


def _at_or_above(pointer: str) -> Iterator[str]:
    """Yield a pointer and those above it."""
    while pointer:
        yield pointer
        pointer = pointer.rpartition("/")[0]


def _reading_before(reading: Reading, data: JSON) -> Reading:
    """Return an item's reading with its earlier data; places of unchanged values are those of its text."""

    def is_unchanged(path: Path) -> bool:
        return data_edits.same(get(reading.data, path, ABSENT), get(data, path, ABSENT))

    return replace(
        reading,
        data=data,
        scalar=lambda path: reading.scalar(path) if is_unchanged(path) else None,
        flow=lambda path: is_unchanged(path) and reading.flow(path),
    )


def _header(now: JSON, before: JSON) -> Header | None:
    """Return the identity of an item before the record was reverted; None if it is the same now."""
    names_of = [tuple(text if isinstance(text := get(data, path), str) else "" for path in _CALLED) for data in (now, before)]
    return Header(*names_of[1]) if names_of[0] != names_of[1] else None


# Resources whose undo records and marks were removed: how `clean` removes them, and how a function treats such a resource.

RELEASED = f"{names.GROUP}/released"
"""The annotation of a resource whose undo records were removed: the functions that had written there, separated by commas."""


def cleaned(item: Item, text: str, *, is_json: bool, limits: Limits = DEFAULT) -> str:
    """Return the text of a resource without undo records and marks of generated objects; all other bytes stay.

    InputError if it mentions such annotations and cannot be read. A resource that had records keeps the names of their writers (`RELEASED`), and
    one with values from Secrets the mark that hides them.
    """
    if f"{names.GROUP}/" not in text:
        return text
    found = item.reading.annotations
    if item.error:
        raise item.error
    records = [key for key in found if key.startswith(names.RECORD)]
    gone = [*records, *(key for key in (BY, FROM) if key in found)]
    if not gone:
        return text
    from krm_values._yaml.edit.editor import Editor  # noqa: PLC0415 - few commands come here

    editor = Editor(text, is_json=is_json, limits=limits)
    if records:
        wrote = {*released_writers(item), *(key.removeprefix(names.RECORD) for key in records)}
        editor.put((*_ANNOTATIONS, RELEASED), ",".join(sorted(wrote)))
    if records and item.withheld and not is_secret(item):
        editor.put((*_ANNOTATIONS, taint.MARK), taint.mark(item.withheld))
    for key in gone:
        editor.make(Remove((*_ANNOTATIONS, key)))
    if not get(editor.data, _ANNOTATIONS):
        editor.make(Remove(_ANNOTATIONS))
    return editor.text()


def released_writers(item: Item) -> list[str]:
    """Return the `Writer.key` of each function that wrote to a resource and has no record of it any more."""
    text = item.reading.annotations.get(RELEASED, "")
    return text.split(",") if text else []


def check_released(item: Item, data: JSON, key: str) -> None:
    """Raise EditError if a writer would change a resource from which its record was removed. data: the resource after the plan. key: the writer's."""
    if data_edits.same(hosts.hide(data)[0], item.data):
        return
    text = (
        f"would be changed by {key}, which wrote to it before, but `krm-values clean` removed the record: what was there before is "
        f"not known; render from the sources, or remove the annotation `{RELEASED}` if this is the original"
    )
    raise EditError(text)
