"""What may be shown of a ledger: its values and cells, with `HIDDEN` in place of what is in a Secret or comes from one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.pointer import ABSENT
from krm_values._explain.masking import Masking, in_nested
from krm_values._krm.item import Item, withholds
from krm_values._krm.plan import New
from krm_values._krm.taint import HIDDEN, concealed

if TYPE_CHECKING:
    from typing import Any

    from krm_values._data.pointer import Path
    from krm_values._explain.ledger import Ledger
    from krm_values._explain.model import Cell, Value
    from krm_values._run.state import Decision

__all__ = ["HIDDEN", "Shown"]

_NAMES: tuple[Path, ...] = (("apiVersion",), ("kind",), ("metadata", "name"), ("metadata", "namespace"))
"""What an object is called is never hidden."""


class Shown:
    """Answers with what may be shown. A hidden value is `HIDDEN` as a whole; in a map or list only its hidden parts are."""

    __slots__ = ("_masks", "_redactions", "_shows")

    def __init__(self, ledger: Ledger, *, show_secrets: bool) -> None:
        self._shows = show_secrets
        self._redactions = [entry.outcome.redaction for entry in ledger.explanation.steps]
        self._masks = [Masking(entry.outcome, show_secrets=show_secrets) for entry in ledger.explanation.steps]

    def value(self, one: Value) -> Any:
        """Return the value; ABSENT for a removed one."""
        if one.value is ABSENT:
            return ABSENT
        if one.decision is not None:
            return self.decided(one.decision, one.step)
        if self._shows:
            return one.value
        item = one.item
        hidden = withholds(item, one.path) if isinstance(item, Item) else item.withholds(one.path)
        hides = hidden or in_nested(item, one.path) or any(cell.secret for cell in one.cells)
        if hides and one.path[:1] != ("metadata",) and len(one.path) > 1:
            return HIDDEN
        return HIDDEN if self._is_derived(one) and one.path not in _NAMES else one.value

    def decided(self, decision: Decision, step: int) -> Any:
        """Return what a step decided; ABSENT for what it removed."""
        return self._masks[step].after(decision)[0]

    def _is_derived(self, one: Value) -> bool:
        """Return whether a value that no decision is about has something of a Secret's value that another resource holds."""
        redaction = self._redactions[one.step] if one.step >= 0 else None
        return redaction is not None and isinstance(one.item, New) and redaction.hides_in(one.item, one.path)

    def before(self, one: Value) -> Any:
        """Return the value that the files have now; ABSENT if there is none, if it is the same, or if it is hidden."""
        if one.decision is None or one.decision.kept:
            return ABSENT
        value, hidden = self._masks[one.step].before(one.decision)
        return ABSENT if hidden else value

    def cell(self, one: Cell) -> Any:
        """Return the value of a cell; ABSENT if it has parts instead of one of its own."""
        if one.value is ABSENT:
            return ABSENT
        if self._shows:
            return one.value
        if one.secret:
            return HIDDEN
        if isinstance(one.value, dict | list) and isinstance(one.item, Item) and one.inner is None:
            return concealed(one.value, one.path, one.item.withheld)
        return one.value
