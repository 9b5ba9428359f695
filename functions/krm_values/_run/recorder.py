"""Undo records of a function: reverts the items that carry one before the plan, and records the inverse patch of each result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import data_edits
from krm_values._data.data_edits import Remove
from krm_values._data.errors import EditError, InputError
from krm_values._data.limits import DEFAULT
from krm_values._data.pointer import ABSENT, get
from krm_values._data.record import record, replace
from krm_values._krm import annotations as hosts
from krm_values._krm import names, taint
from krm_values._krm import undo_record as undo
from krm_values._krm.findings import Report
from krm_values._krm.item import Header, Item, is_secret
from krm_values._krm.plan import Finding
from krm_values._krm.taint import MARK, from_pointer, mark, touches
from krm_values._krm.undo_record import Record, WithheldSecret
from krm_values._run import overlaps
from krm_values._run.generated import BY, FROM, header_of
from krm_values._run.state import takes_secret, whole

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    from krm_values._data.limits import Limits
    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._krm.item import Reading
    from krm_values._krm.names import Writer
    from krm_values._krm.plan import New, Origin, Severity
    from krm_values._krm.undo_record import UndoEntry
    from krm_values._run.engine import Run
    from krm_values._run.overlaps import Reverted
    from krm_values._run.state import Decision, State


_ANNOTATIONS = ("metadata", "annotations")
_CALLED = (("apiVersion",), ("kind",), ("metadata", "namespace"), ("metadata", "name"))


def annotation(writer: Writer) -> str:
    """Return the annotation that holds the record of a function, or of one config of it."""
    return f"{names.RECORD}{writer.key}"


@record
class _UndoneItem:
    """A reverted item: as the planner sees it, its reading and record in the input, and the outcome of reverting."""

    seen: Item
    reading: Reading
    found: Record
    done: Reverted


class Recorder:
    """The reverted items of one run."""

    __slots__ = ("_key", "_label", "_report", "_undone", "_writer")

    def __init__(self, writer: Writer) -> None:
        self._key, self._label, self._writer = annotation(writer), writer.label, writer.key
        self._undone: dict[int, _UndoneItem] = {}
        self._report = Report()

    def undo(self, items: Iterable[Item]) -> dict[int, Item]:
        """Return, by number, the items that have a record as they were before it was made.

        The items themselves do not change: only the function that owns a record sees them without what it wrote.
        """
        for item in items:
            text = item.reading.annotations.get(self._key)
            if text is None:
                continue
            try:
                self._undo(item, undo.from_text(text))
            except (InputError, EditError) as error:
                self._say("error", item, (*_ANNOTATIONS, self._key), error.message)
        return {number: undone.seen for number, undone in self._undone.items()}

    def settle(self, run: Run, *, keeps: bool) -> None:
        """After the plan, set the edits of each reverted item to those between the input and the result. keeps: write new records."""
        states = {state.item.number: state.item for state in run.states.values() if isinstance(state.item, Item)}
        touched = states | {number: undone.seen for number, undone in self._undone.items()}
        for number in sorted(touched.keys() - run.removed):
            item = touched[number]
            try:
                if number not in self._undone and self._writer in released_writers(item):
                    self._released(run, item)
                else:
                    self._settle(run, item, keeps=keeps)
            except EditError as error:
                self._say("error", item, (), error.message)
        run.findings += self._report.findings

    def _undo(self, item: Item, found: Record) -> None:
        reading = item.reading
        done = overlaps.revert(found, item.data, {} if is_secret(item) else reading.annotations, self._key)
        if not _is_object(done.data):
            self._say("error", item, (*_ANNOTATIONS, self._key), undo.NOT_A_RECORD)
            return
        seen = item.seen_as(_reading_before(reading, done.data), _header(reading.data, done.data), frozenset(found.by))
        seen.withhold(reading.annotations, reading.data, but=self._key)
        self._undone[item.number] = _UndoneItem(seen, reading, found, done)
        for path in done.edited:
            text = (
                f"was edited by hand where {_listed(found.by)} had written; the current value now counts as the resource's own"
            )
            self._say("warning", seen, path, text)

    def _released(self, run: Run, item: Item) -> None:
        """Refuse to change a resource whose record was removed by `clean`, because it would get no new one."""
        try:
            check_released(item, run.state(item).data, self._writer)
        except EditError as error:
            self._report.add(Finding("error", "released", None, error.message, item))

    def _settle(self, run: Run, item: Item, *, keeps: bool) -> None:
        """Take the states before and after the plan, make the record that leads from one to the other, and write both."""
        state, undone = run.state(item), self._undone.get(item.number)
        pristine, (seen, hidden) = data_edits.copy(item.data), hosts.hide(state.data)
        result = data_edits.copy(seen)
        self._unkept(item, (undone.reading if undone else item.reading).data, pristine, result)
        text = self._record(run, item, (pristine, result), keeps=keeps)
        if undone or data_edits.same(pristine, result):
            self._rebase(run, item, (pristine, result), hidden, text)
        elif text:
            state.mark(self._key, text)

    def _record(self, run: Run, item: Item, states: tuple[JSON, JSON], *, keeps: bool) -> str:
        """Return the undo record of an item as text; "" if there is nothing to undo. states: before and after."""
        pristine, result = states
        state, undone = run.state(item), self._undone.get(item.number)
        reading = undone.reading if undone else item.reading
        decisions = [one for one in state.taken if one.leaf and not (one.kept and not takes_secret(one.leaf, one.item))]
        secret = _out_of_secrets(state, covered=undone is not None and bool(undone.done.covered))
        before, after = _recorded(undone, pristine, result)
        entries = undo.compute(before, after, in_secret=is_secret(item), secret=secret) if keeps else ()
        dropped = undone.done.dropped if undone else ()
        kept = {key: text for key, text in reading.annotations.items() if key not in dropped}
        entries = overlaps.without_theirs(entries, kept, self._key)
        self._read_and_overwritten(run, item, entries)
        self._withheld(item, entries)
        if not keeps and run.annotates and secret and not is_secret(item):
            state.mark(MARK, mark((*item.withheld, *state.secret)))
        by = {*_writers(decisions), *(undone.found.by if undone and not data_edits.same(after, result) else ())}
        by = {self._label} if self._label else by
        return undo.to_text(Record(tuple(by), entries)) if entries else ""

    def _rebase(self, run: Run, item: Item, states: tuple[JSON, JSON], hidden: dict[str, str], text: str) -> None:
        """Set the edits of a reverted or unchanged item to those between the input and its result with this record."""
        pristine, result = states
        undone = self._undone.get(item.number)
        reading = undone.reading if undone else item.reading
        if undone:
            self._doubled(undone, pristine, result)
            recorded = (from_pointer(entry.path, pristine) for entry in undone.found.entries)
            run.state(item).restored = [
                path for path in recorded if data_edits.same(get(pristine, path, None), get(result, path, None))
            ]
        for key in (self._key, *(undone.done.dropped if undone else ())):
            hidden.pop(key, None)
        spelt = not run.source.is_json(item.number)
        hidden = {**hidden, self._key: text} if text else hidden
        run.state(item).rebase(whole(reading.data, reading.annotations), whole(result, hidden), spelt=spelt)

    def _unkept(self, item: Item, before: JSON, pristine: Any, result: Any) -> None:
        """Keep the last value where a Secret's earlier value is not recorded and nothing writes there any more."""
        for name, key in list(undo.secret_values(pristine)) if is_secret(item) else ():
            if not isinstance(get(pristine, (name, key)), WithheldSecret) or not isinstance(
                get(result, (name, key)), WithheldSecret
            ):
                continue
            last = get(before, (name, key), ABSENT)
            for data in (pristine, result):
                if last is ABSENT:
                    del data[name][key]
                else:
                    data[name][key] = last
            stays = "the key stays removed" if last is ABSENT else "the last value stays"
            self._say(
                "warning", item, (name, key), f"is written by nothing any more and its earlier value was not kept: {stays}"
            )

    def _read_and_overwritten(self, run: Run, item: Item, entries: tuple[UndoEntry, ...]) -> None:
        unkept = {tuple(entry.path[1:].split("/")) for entry in entries if is_secret(item) and entry.op != "remove"}
        unkept = {path for path in unkept if path[0] in ("data", "stringData") and len(path) > 1}
        for origin in _read(run) if unkept else ():
            for path in unkept:
                own = tuple(str(part).replace("~", "~0").replace("/", "~1") for part in origin.path)
                if origin.item is item and own[: len(path)] == path[: len(own)]:
                    text = "is read and also overwritten, but a Secret's earlier values are not kept: read it from another key"
                    self._say("error", item, origin.path, text)

    def _withheld(self, item: Item, entries: tuple[UndoEntry, ...]) -> None:
        """Report values that another function took from a Secret, which a record must not keep as earlier values."""
        for entry in entries if item.withheld else ():
            path = from_pointer(entry.path, item.data)
            if entry.value is not ABSENT and touches(item.withheld, path):
                text = "holds a value from a Secret and would be overwritten, but such values are not recorded: let only one function write it"
                self._say("error", item, path, text)

    def _doubled(self, undone: _UndoneItem, pristine: JSON, result: JSON) -> None:
        for path in undone.done.lists:
            before, after = get(pristine, path), get(result, path)
            if not isinstance(before, list) or not isinstance(after, list):
                continue
            if any(not any(data_edits.same(new, old) for old in before) for new in after):
                text = (
                    "has an element of an earlier run that was changed by hand, and would get another: delete the changed one"
                )
                self._say("error", undone.seen, path, text)

    def _say(self, severity: Severity, item: Item, path: Path, text: str) -> None:
        self._report.add(Finding(severity, "record", None, text, item, path))


def _is_object(data: JSON) -> bool:
    """Return whether the item can still carry annotations."""
    metadata = data.get("metadata", {}) if isinstance(data, dict) else None
    return isinstance(metadata, dict) and isinstance(metadata.get("annotations", {}), dict)


def _out_of_secrets(state: State, *, covered: bool) -> Callable[[Path, object], bool] | None:
    """Return a function that says whether a scalar of the result comes from a Secret, or was put into one; None if none does.

    covered: values that another function wrote over are not part of the result, so the elements of its lists may have other indexes: there
    the value decides.
    """
    places = set(state.secret)
    if isinstance(state.item, Item) and is_secret(state.item):
        places |= {decision.path for decision in state.taken if decision.path[:1] in (("data",), ("stringData",))}
    secrets = [one for one in state.taken if one.leaf and takes_secret(one.leaf, one.item)] if covered else []
    shapes = [(decision.path, _shape(decision.path), decision.after) for decision in secrets]

    def is_out_of_one(path: Path, value: object) -> bool:
        if any(path[:size] in places for size in range(len(path) + 1)):
            return True
        shape = _shape(path)
        return any(shape[: len(other)] == other and _has(after, path[len(place) :], value) for place, other, after in shapes)

    return is_out_of_one if places or shapes else None


def _has(after: Any, path: Path, value: object) -> bool:
    """Return whether a decided value is, or contains at this path, a value."""
    return data_edits.same(get(after, path, ABSENT), value)


def _shape(path: Path) -> tuple[str, ...]:
    return tuple("" if isinstance(part, int) else part for part in path)


def _writers(decisions: list[Decision]) -> Iterator[str]:
    found = [decision.leaf.writer or decision.leaf.origin.item for decision in decisions if decision.leaf]
    yield from sorted({_name(item) for item in found if item})


def _name(item: Item | New) -> str:
    if isinstance(item, Item):
        return f"{item.kind}/{item.namespace}/{item.label}"
    kind, _, namespace, name = header_of(item.data)
    return f"{kind}/{namespace}/{name}"


def _listed(writers: tuple[str, ...]) -> str:
    return " and ".join(writers) or "an earlier run"


def _read(run: Run) -> Iterator[Origin]:
    """Yield the origins that a plan used, and those that these derive from, each once."""
    leaves = [decision.leaf.origin for decision in run.decisions() if decision.leaf]
    seen: set[tuple[int, Path]] = set()
    for origin in (found for taken in (*leaves, *run.read) for found in taken.trail()):
        place = id(origin.item), origin.path
        if place not in seen:
            seen.add(place)
            yield origin


def _recorded(undone: _UndoneItem | None, pristine: JSON, result: JSON) -> tuple[JSON, JSON]:
    """Return the two states between which a record leads, without values that another function wrote over this one's."""
    if undone is None or not undone.done.covered:
        return pristine, result
    return undone.done.pristine, overlaps.written(undone.done.covered, result)


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
_WHERE = ("metadata", "annotations")


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
        editor.put((*_WHERE, RELEASED), ",".join(sorted(wrote)))
    if records and item.withheld and not is_secret(item):
        editor.put((*_WHERE, taint.MARK), taint.mark(item.withheld))
    for key in gone:
        editor.make(Remove((*_WHERE, key)))
    if not get(editor.data, _WHERE):
        editor.make(Remove(_WHERE))
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
