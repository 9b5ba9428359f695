"""Finds the decision of an earlier step that a way passes through, so that the layers overridden there can be shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._explain import rule
from krm_values._explain.values import Value

if TYPE_CHECKING:
    from collections.abc import Iterable

    from krm_values._explain.ways import Trace, Way
    from krm_values._kit.engine.state import Decision


class Decided:
    """The decisions of all steps by winning layer. steps: the entries. precedences: their layer orders in words."""

    __slots__ = ("_trace", "_values", "_winners", "precedences", "steps")

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self.steps = [step.entry for step in trace.steps]
        self.precedences = [rule.precedence(entry) for entry in self.steps]
        self._winners = [_winners(entry.outcome.decisions) for entry in self.steps]
        self._values: dict[tuple[int, int], Value] = {}

    def value(self, way: Way) -> Value | None:
        """Return the value that this way won in its step; None if it won none, or several that override others."""
        key = id(way.origin), way.step
        decision = self._winners[way.step].get(id(way.origin)) if way.step >= 0 else None
        if decision is None:
            return None
        if key not in self._values:
            self._values[key] = Value(decision, way.step, decision.path, self._trace)
        return self._values[key]


def _winners(decisions: Iterable[Decision]) -> dict[int, Decision | None]:
    found: dict[int, Decision | None] = {}
    for decision in decisions:
        if decision.leaf is not None:
            origin = id(decision.leaf.origin)
            found[origin] = None if origin in found else decision
    return found
