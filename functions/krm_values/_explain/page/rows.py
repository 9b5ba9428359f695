"""The row of a value: its path as shown, the value, and the value in the files as they are now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import data_edits
from krm_values._data.pointer import ABSENT, to_field
from krm_values._explain.masking import Masking
from krm_values._explain.page.names import Names
from krm_values._explain.page.tables import ABSENT as NOTHING
from krm_values._explain.page.tables import HIDDEN
from krm_values._kit.planner.item import Item

if TYPE_CHECKING:
    from krm_values._data.pointer import Absent
    from krm_values._data.values import JSON
    from krm_values._explain.page.decided import Decided
    from krm_values._explain.page.present import Present
    from krm_values._explain.page.tables import Tables
    from krm_values._explain.values import Value

SAME, CHANGED, ADDED, REMOVED, WINNER = range(5)
"""How a value differs from the files as they are, or between two states of a package."""


class Rows:
    """Makes the rows of a state's values. present: the files as they are now, None if they are not compared."""

    __slots__ = ("_decided", "_masks", "_names", "_present", "_shows", "_tables")

    def __init__(self, decided: Decided, tables: Tables, present: Present | None = None, *, show_secrets: bool) -> None:
        self._decided, self._tables, self._present, self._shows = decided, tables, present, show_secrets
        self._masks = [Masking(entry.outcome, show_secrets=show_secrets) for entry in decided.steps]
        self._names = [Names(entry, show_secrets=show_secrets) for entry in decided.steps]

    def row(self, value: Value, *, names_text: bool) -> list[int]:
        """Return path, path with names, value, earlier value, kind of difference, way. names_text: name the field of the text, too."""
        after = self._shown(*self._masks[value.step].after(value.decision))
        kind, before = self._before(value, after)
        return [*self.paths(value, names_text=names_text), after, before, kind, self._tables.winner(value, self._decided)]

    def paths(self, value: Value, *, names_text: bool) -> tuple[int, int]:
        """Return the path as `explain` takes it, and the path with the names of list elements."""
        inner = "" if value.inner is None else to_field(value.inner)
        if inner and not names_text:
            return self._tables.string(inner), self._tables.string(inner)
        behind = f" » {inner}" if inner else ""
        named = self._names[value.step].path(value)
        return self._tables.string(to_field(value.path) + behind), self._tables.string(named + behind)

    def _before(self, value: Value, after: int) -> tuple[int, int]:
        """Return the kind of difference, and the value in the file now if it is another."""
        decision = value.decision
        if self._present is None or (isinstance(decision.item, Item) and "generated-by" not in decision.item.marks):
            if decision.kept:
                return SAME, NOTHING
            before = self._shown(*self._masks[value.step].before(decision))
            return (ADDED if before == NOTHING else REMOVED if value.is_removed else CHANGED), before
        found, is_secret = self._present.value(value)
        if found is ABSENT:
            return ADDED, NOTHING
        if data_edits.same(found, decision.after):
            return SAME, NOTHING
        hides = not self._shows and (is_secret or after == HIDDEN)
        return CHANGED, self._tables.value(found, hidden=hides)

    def _shown(self, value: JSON | Absent, hidden: bool) -> int:  # noqa: FBT001
        return NOTHING if value is ABSENT else self._tables.value(value, hidden=hidden)
