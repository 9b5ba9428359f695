"""The data of the page of `compare --html`: each difference with its value, way and layers before and after."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.pointer import to_field
from krm_values._data.printable import printable
from krm_values._explain.differences import ADDED, CHANGED, REMOVED
from krm_values._explain.page import data as explained
from krm_values._explain.page import rows
from krm_values._explain.page.decided import Decided
from krm_values._explain.page.rows import Rows
from krm_values._explain.page.sections import Sections
from krm_values._explain.page.tables import ABSENT, Tables

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from krm_values._explain.differences import Difference
    from krm_values._explain.states import Entry, State

_KINDS = {ADDED: rows.ADDED, REMOVED: rows.REMOVED, CHANGED: rows.CHANGED}


def data(
    before: State, after: State, differences: Sequence[Difference], names: tuple[str, str], *, show_secrets: bool
) -> dict[str, Any]:
    """Return the differences. names: of the two states."""
    tables = Tables(show_secrets=show_secrets)
    sides = [_Side(state, tables, show_secrets=show_secrets) for state in (after, before)]
    sections, numbers = Sections(tables), {}
    for one in differences:
        entry = one.after or one.before
        key = one.title, entry.file if entry else ""
        if key not in numbers:
            numbers[key] = sections.add(*key, entry.source if entry else "", _field(one, differences))
        sections.put(numbers[key], _row(one, sides, tables))
    found = [*before.trace.steps, *after.trace.steps]
    noted = [*dict.fromkeys(map(tuple, explained.listed(step.entry for step in found)))]
    head = {"kind": "compare", "title": printable(" → ".join(names)), "sides": [*map(printable, names)], "findings": noted}
    return {**head, **sections.data()}


class _Side:
    """One of the two states."""

    __slots__ = ("_decided", "_rows", "_tables")

    def __init__(self, state: State, tables: Tables, *, show_secrets: bool) -> None:
        self._tables, self._decided = tables, Decided(state.trace)
        self._rows = Rows(self._decided, tables, show_secrets=show_secrets)
        for entry in self._decided.steps:
            tables.step(entry)

    def way(self, entry: Entry | None) -> int:
        """Return the way of a value, -1 where there is none."""
        if entry is None or entry.way is None:
            return -1
        if entry.decided is not None:
            return self._tables.winner(entry.decided, self._decided)
        return self._tables.written(entry.way, hides=entry.hidden)

    def paths(self, entry: Entry | None) -> tuple[int, int] | None:
        """Return the path and the one with names, where a step decided the value."""
        if entry is None or entry.decided is None:
            return None
        return self._rows.paths(entry.decided, names_text=False)


def _row(one: Difference, sides: Sequence[_Side], tables: Tables) -> list[int]:
    own = tables.string(one.field)
    after, before = sides
    paths = after.paths(one.after) or before.paths(one.before) or (own, own)
    cause = tables.string(f"{one.at} {one.because}" if one.because else "")
    shown = [tables.value(entry.shown, hidden=entry.hidden) if entry else ABSENT for entry in (one.after, one.before)]
    kind = _KINDS.get(one.kind, rows.WINNER)
    return [*paths, *shown, kind, after.way(one.after), before.way(one.before), cause]


def _field(one: Difference, differences: Sequence[Difference]) -> str:
    found = {to_field(other.path) if other.inner is not None else "" for other in differences if other.title == one.title}
    return found.pop() if len(found) == 1 else ""
