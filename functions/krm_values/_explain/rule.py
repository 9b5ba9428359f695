"""The sentence that says by which rule a layer won."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._kit.process import registry

if TYPE_CHECKING:
    from collections.abc import Sequence

    from krm_values._explain.facts import Explained
    from krm_values._explain.values import Value
    from krm_values._kit.planner.plan import Origin

_MOST = 3  # layers that the sentence names


def precedence(entry: Explained) -> str:
    """Return the layer order of a step's function in words."""
    return registry.load(entry.function).precedence if entry.function in registry.functions() else ""


def sentence(value: Value, precedence: str) -> str:
    """Return the sentence without a full stop. precedence: the layer order of the function in words, "" if it has none."""
    leaf = value.decision.leaf
    if leaf is None:
        return ""
    winner, losers = leaf.origin, leaf.overridden
    if value.is_removed:
        return f"{winner.layer} removes it"
    if not losers:
        return f"only {winner.layer} sets it"
    named = suggest.several([one.layer for one in losers[:_MOST]], count=len(losers))
    order = leaf.reason or precedence
    why = "" if leaf.reason else _numbers(winner, losers)
    reason = f" ({why})" if why else f": {order}" if order else ""
    return f"{winner.layer} overrides {named}{reason}"


def facts(origin: Origin) -> str:
    """Return what is printed beside a layer's name: `priority 50`, `step build, param url`."""
    named = [f"{key} {origin.facts[key]}" for key in ("priority", "step", "param") if key in origin.facts]
    return ", ".join(named)


def _numbers(winner: Origin, losers: Sequence[Origin]) -> str:
    """Return the numbers that rank the layers: the priority, and the position for equal priorities."""
    ranks = [(one.facts.get("priority"), one.facts.get("position")) for one in (winner, *losers)]
    (priority, position), others = ranks[0], ranks[1:]
    if priority is not None and all(other not in (None, priority) for other, _ in others):
        return f"priority {priority} over {_listed([other for other, _ in others])}"
    if position is not None and all(other is not None for _, other in others):
        same = f"priority {priority}, " if priority is not None and all(other == priority for other, _ in others) else ""
        return f"{same}position {position} over {_listed([other for _, other in others])}" if same or priority is None else ""
    return ""


def _listed(numbers: Sequence[object]) -> str:
    return suggest.several([str(number) for number in dict.fromkeys(numbers)])
