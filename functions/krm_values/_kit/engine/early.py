"""Writes an item as soon as the plan reaches the next one, then drops its data, so that a run keeps only texts in memory.

Only for runs whose decisions are not needed afterwards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._kit.planner.item import Item

if TYPE_CHECKING:
    from collections.abc import Callable

    from krm_values._kit.engine.state import State
    from krm_values._kit.planner.plan import Finding, New


class InterleavedError(Exception):
    """A plan that returns to an item which is already written."""


class Written:
    """The new text of an edited item, None if it cannot be written, and the findings about that."""

    __slots__ = ("findings", "item", "text")

    def __init__(self, item: Item, text: str | None, findings: list[Finding]) -> None:
        self.item, self.text, self.findings = item, text, findings


class Early:
    """The items written so far, by number. write: renders an item's edits."""

    __slots__ = ("_item", "_reported", "_write", "written")

    def __init__(self, write: Callable[[State], Written]) -> None:
        self.written: dict[int, Written] = {}
        self._write = write
        self._item: Item | New | None = None
        self._reported: list[Finding] = []  # since the last item was written

    def report(self, finding: Finding) -> None:
        """Keep a finding of the plan."""
        self._reported.append(finding)

    def enter(self, item: Item | New, states: dict[int, State]) -> None:
        """Write the previous item if the plan has reached another one. InterleavedError if that one is already written."""
        if item is self._item:
            return
        self.leave(states)
        if isinstance(item, Item) and item.number in self.written:
            raise InterleavedError
        self._item = item

    def leave(self, states: dict[int, State]) -> None:
        """Write the current item and drop its data, except the places of its findings."""
        item = self._item
        if not isinstance(item, Item):
            return
        state = states.pop(item.number)
        if state.edits:
            self.written[item.number] = self._write(state)
        item.forget([finding.path for finding in self._reported if finding.item is item])
        self._item, self._reported = None, []
