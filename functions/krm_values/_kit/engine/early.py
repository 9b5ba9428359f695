"""Items that are written as soon as a plan begins with the next one: what is known of an item is then forgotten, so that memory is that of texts.

For runs of which nobody asks what was decided.
"""

from __future__ import annotations

from krm_values._kit.planner.item import Item

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from krm_values._kit.engine.state import State
    from krm_values._kit.planner.plan import Finding, New


class InterleavedError(Exception):
    """A plan comes back to an item that is written already."""


class Written:
    """An edited item's new text, None if it cannot be written, and what there is to report of that."""

    __slots__ = ("findings", "item", "text")

    def __init__(self, item: Item, text: str | None, findings: list[Finding]) -> None:
        self.item, self.text, self.findings = item, text, findings


class Early:
    """What is written so far, by number. write: edits an item's text."""

    __slots__ = ("_item", "_reported", "_write", "written")

    def __init__(self, write: Callable[[State], Written]) -> None:
        self.written: dict[int, Written] = {}
        self._write = write
        self._item: Item | New | None = None
        self._reported: list[Finding] = []  # since the last item was written

    def report(self, finding: Finding) -> None:
        """Note what the plan reports."""
        self._reported.append(finding)

    def enter(self, item: Item | New, states: dict[int, State]) -> None:
        """Write the item before, if the plan begins with another one. InterleavedError if it comes back."""
        if item is self._item:
            return
        self.leave(states)
        if isinstance(item, Item) and item.number in self.written:
            raise InterleavedError
        self._item = item

    def leave(self, states: dict[int, State]) -> None:
        """Write the item that the plan is at, and forget it but for the places of its findings."""
        item = self._item
        if not isinstance(item, Item):
            return
        state = states.pop(item.number)
        if state.edits:
            self.written[item.number] = self._write(state)
        item.forget([finding.path for finding in self._reported if finding.item is item])
        self._item, self._reported = None, []
