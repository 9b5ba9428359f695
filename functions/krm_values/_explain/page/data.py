"""The data of the pages of `explain --html` and `compare --html`: each value with its way, and as it is in the files now, or in the other state."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from krm_values._data import data_edits
from krm_values._data.errors import InputError
from krm_values._data.pointer import ABSENT, get, to_field
from krm_values._data.shown import printable
from krm_values._explain import causes, comparer
from krm_values._explain.page.tables import HIDDEN, NOTHING, Sections, Tables
from krm_values._explain.shown import Masking, as_in_file, hides, is_withheld
from krm_values._krm import findings, names
from krm_values._krm.item import Item
from krm_values._run import generated, objects
from krm_values._yaml import decode

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from krm_values._data.pointer import Absent, Path
    from krm_values._data.values import JSON
    from krm_values._explain.comparer import Place
    from krm_values._explain.differences import Difference
    from krm_values._explain.ledger import Ledger
    from krm_values._explain.sides import ComparedValue, Side
    from krm_values._explain.steps import Explained
    from krm_values._explain.values import FinalValue, Resource
    from krm_values._krm.plan import New

SAME, CHANGED, ADDED, REMOVED, WINNER = range(5)
"""How a value differs from the files as they are, or between two states of a package."""
_KINDS = {comparer.ADDED: ADDED, comparer.REMOVED: REMOVED, comparer.CHANGED: CHANGED, comparer.MOVED: CHANGED}
_NAME = "name"
_LONGEST = 60


def of_values(ledger: Ledger, resources: Sequence[Resource], title: str, *, show_secrets: bool) -> dict[str, Any]:
    """Return the data of the page: the values of these resources, and where it differs the value in the files now."""
    explanation, tables = ledger.explanation, Tables(show_secrets=show_secrets)
    first = explanation.steps[0].items if explanation.steps else ()
    rows = _Rows(ledger, tables, _Present(explanation.before.items() or first), show_secrets=show_secrets)
    sections = Sections(tables)
    for entry in explanation.steps:
        tables.step(entry)
    for resource in resources:
        ledger.trace.drop_nodes()  # of the resource before
        fields = {value.path for value in resource.values if value.inner is not None}
        section = sections.add(resource.title, resource.file, resource.source, _field_of(resource.values))
        for value in resource.values:
            sections.put(section, rows.row(value, names_text=len(fields) > 1))
    return {"kind": "explain", "title": printable(title), "findings": _listed(explanation.steps), **sections.data()}


def _listed(steps: Iterable[Explained]) -> list[list[str]]:
    """Return the errors and warnings of the steps as [severity, message]."""
    found = (one for entry in steps for one in entry.outcome.findings if one.severity != "info")
    return [[one.severity, findings.message(one)] for one in found]


def of_differences(
    before: Side, after: Side, found: Sequence[Difference], names: tuple[str, str], *, show_secrets: bool
) -> dict[str, Any]:
    """Return the differences. names: of the two states."""
    tables = Tables(show_secrets=show_secrets)
    sides = [_Side(state, tables, show_secrets=show_secrets) for state in (after, before)]
    sections, numbers = Sections(tables), {}
    for one in found:
        document, side = one.document, after if one.pair.after else before
        key = one.title, document.path if document else one.file
        if key not in numbers:
            field = _field_of(other.place for other in found if other.title == one.title)
            numbers[key] = sections.add(*key, side.made_for(document) if document else "", field)
        sections.put(numbers[key], _row(one, sides, tables))
    steps = [*before.trace.steps, *after.trace.steps]
    noted = [*dict.fromkeys(map(tuple, _listed(step.entry for step in steps)))]
    head = {"kind": "compare", "title": printable(" → ".join(names)), "sides": [*map(printable, names)], "findings": noted}
    return {**head, **sections.data()}


class _Side:
    """One of the two states."""

    __slots__ = ("_ledger", "_rows", "_tables")

    def __init__(self, state: Side, tables: Tables, *, show_secrets: bool) -> None:
        self._tables, self._ledger = tables, state.ledger
        self._rows = _Rows(self._ledger, tables, show_secrets=show_secrets)
        for entry in self._ledger.explanation.steps:
            tables.step(entry)

    def way(self, entry: ComparedValue | None) -> int:
        """Return the way of a value, -1 where there is none."""
        if entry is None or entry.cell is None:
            return -1
        if entry.decided is not None:
            return self._tables.winner(entry.decided, self._ledger)
        return self._tables.written(entry.cell, self._ledger, hides=entry.hidden or hides(entry.shown))

    def paths(self, entry: ComparedValue | None) -> tuple[int, int] | None:
        """Return the path and the one with names, where a step decided the value."""
        if entry is None or entry.decided is None:
            return None
        return self._rows.paths(entry.decided, names_text=False)


def _row(one: Difference, sides: Sequence[_Side], tables: Tables) -> list[int]:
    own = tables.string(one.field() or "the whole object" if one.document else "the whole file")
    after, before = sides
    paths = after.paths(one.after) or before.paths(one.before) or (own, own)
    cause = tables.string(causes.because_of(one).removeprefix("because "))
    shown = [tables.value(entry.shown, hidden=entry.hidden) if entry else NOTHING for entry in (one.after, one.before)]
    kind = _KINDS.get(one.kind, WINNER)
    return [*paths, *shown, kind, after.way(one.after), before.way(one.before), cause]


def _field_of(entries: Iterable[FinalValue | Place | None]) -> str:
    """Return the field whose text holds all of them, "" if there is not exactly one."""
    fields = {to_field(one.path) if one is not None and one.inner is not None else "" for one in entries}
    return fields.pop() if len(fields) == 1 else ""


class _Rows:
    """Makes the rows of a state's values. present: the files as they are now, None if they are not compared."""

    __slots__ = ("_ledger", "_masks", "_names", "_present", "_shows", "_tables")

    def __init__(self, ledger: Ledger, tables: Tables, present: _Present | None = None, *, show_secrets: bool) -> None:
        self._ledger, self._tables, self._present = ledger, tables, present
        self._shows, steps = show_secrets, ledger.explanation.steps
        self._masks = [Masking(entry.outcome, show_secrets=show_secrets) for entry in steps]
        self._names = [_Names(entry, masks) for entry, masks in zip(steps, self._masks, strict=True)]

    def row(self, value: FinalValue, *, names_text: bool) -> list[int]:
        """Return path, path with names, value, earlier value, kind of difference, way. names_text: name the field of the text, too."""
        after = self._shown(*self._masks[value.step].after(value.decision))
        kind, before = self._before(value, after)
        if after == HIDDEN and (kind == CHANGED or any(isinstance(part, int) for part in value.path)):
            kind, before = SAME, NOTHING  # whether it is another one must not be told
        return [*self.paths(value, names_text=names_text), after, before, kind, self._tables.winner(value, self._ledger)]

    def paths(self, value: FinalValue, *, names_text: bool) -> tuple[int, int]:
        """Return the path as `explain` takes it, and the path with the names of list elements."""
        inner = "" if value.inner is None else to_field(value.inner)
        if inner and not names_text:
            return self._tables.string(inner), self._tables.string(inner)
        behind = f" » {inner}" if inner else ""
        named = self._names[value.step].path(value)
        return self._tables.string(to_field(value.path) + behind), self._tables.string(named + behind)

    def _before(self, value: FinalValue, after: int) -> tuple[int, int]:
        """Return the kind of difference, and the value in the file now if it is another."""
        decision = value.decision
        if self._present is None or (isinstance(decision.item, Item) and names.MADE_BY not in decision.item.marks):
            if decision.kept:
                return SAME, NOTHING
            before = self._shown(*self._masks[value.step].before(decision))
            return (ADDED if before == NOTHING else REMOVED if value.is_removed else CHANGED), before
        found, shown = self._present.value(value)
        if found is ABSENT:
            return ADDED, NOTHING
        if data_edits.same(found, decision.after):
            return SAME, NOTHING
        told: Any = found if self._shows else shown
        hides = told is findings.HIDDEN or (after == HIDDEN and not self._shows)
        return CHANGED, self._tables.value(told, hidden=hides)

    def _shown(self, value: JSON | Absent, hidden: bool) -> int:  # noqa: FBT001
        return NOTHING if value is ABSENT else self._tables.value(value, hidden=hidden)


class _Names:
    """The names of list elements in the resources of one step, as it leaves them. A Secret's value is never used as a name."""

    __slots__ = ("_counts", "_edited", "_given", "_kept", "_known", "_masks")

    def __init__(self, entry: Explained, masks: Masking) -> None:
        self._masks = masks
        self._edited = entry.outcome.edited
        self._given = {one.number: one.data for one in entry.items}  # with what an earlier run of the step wrote
        self._known: dict[int, JSON] = {}
        self._kept: dict[tuple[int, Path], str] = {}
        self._counts: dict[tuple[int, Path], Counter[str]] = {}  # how many elements of a list have a name

    def path(self, value: FinalValue) -> str:
        """Return the path of a value in its resource; an index stays if the element has no name, or one that is not unique."""
        text, at = "", value.decision.path
        for size, part in enumerate(value.path):
            name = self._name(value.decision.item, at[: size + 1]) if isinstance(part, int) else ""
            text += f"[{name}]" if name else to_field((part,)) if not text or isinstance(part, int) else _joined(part)
        return text

    def _name(self, item: Item | New, path: Path) -> str:
        key = id(item), path
        if key not in self._kept:
            self._kept[key] = self._found(item, path)
        return self._kept[key]

    def _found(self, item: Item | New, path: Path) -> str:
        names = get(self._data(item), path[:-1])
        element = get(self._data(item), path)
        name = element.get(_NAME) if isinstance(element, dict) else None
        if not isinstance(name, str) or not isinstance(names, list) or not 0 < len(name) <= _LONGEST:
            return ""
        key = id(item), path[:-1]
        if key not in self._counts:
            self._counts[key] = Counter(
                text for one in names if isinstance(one, dict) and isinstance(text := one.get(_NAME), str)
            )
        return name if self._counts[key][name] == 1 and self._masks.shows_name(item, (*path, _NAME)) else ""

    def _data(self, item: Item | New) -> JSON:
        if not isinstance(item, Item):
            return item.data
        if item.number not in self._edited:
            return self._given.get(item.number, item.data)
        if item.number not in self._known:
            try:
                self._known[item.number] = decode.data(self._edited[item.number])
            except InputError:
                self._known[item.number] = None
        return self._known[item.number]


def _joined(part: str | int) -> str:
    text = to_field((part,))
    return text if text.startswith("[") else f".{text}"


class _Present:
    """The resources as they were read, found by kind, group, namespace and name."""

    __slots__ = ("_items", "_texts")

    def __init__(self, items: Iterable[Item]) -> None:
        self._items = {generated.header(item): item for item in items}
        self._texts: dict[tuple[int, Path], JSON] = {}

    def value(self, value: FinalValue) -> tuple[JSON | Absent, JSON | Absent]:
        """Return the value at this place, ABSENT if there is none, and the value as it may be shown."""
        item = self._items.get(generated.header(value.item))
        if item is None:
            return ABSENT, ABSENT
        path, inner = value.path, value.inner
        found = get(item.data, path, ABSENT) if inner is None else get(self._text(item, path), inner, ABSENT)
        return found, findings.HIDDEN if is_withheld(item, path, inner) else as_in_file(item, path, inner, found)

    def _text(self, item: Item, path: Path) -> JSON:
        """Return the parsed content of a field's text, None if it cannot be read."""
        key = id(item), path
        if key not in self._texts:
            held = get(item.data, path)
            try:
                encoded = objects.is_encoded(item, path)
                self._texts[key] = decode.data(objects.decode(held) if encoded else held) if isinstance(held, str) else None
            except (InputError, ValueError):
                self._texts[key] = None
        return self._texts[key]
