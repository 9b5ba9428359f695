"""Layers of an App that disagree about the kind of a value, and which of these conflicts are reported."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._kit.layers.conflicts import findings_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from krm_values._kit.layers.merge import Clash
    from krm_values._kit.planner.plan import Finding

_EMPTY = "an empty map clears nothing; write `null` to remove the key from the chart's defaults"
_ADVICE = {
    "56": "the later layer wins; make both the same kind if that is not intended",
    "65": "the Secret wins; make both the same kind if that is not intended",
    "66": "chart-operator drops the map; remove one of the two",
}


def within(clashes: Iterable[Clash]) -> Iterator[Finding]:
    """Report conflicts within one chain: a map that becomes a scalar or list or the reverse, an empty map over a filled one."""
    yield from findings_of(
        ((_cause(clash, "56"), clash) for clash in clashes if _is_reported(clash, ("map",))), _ADVICE, _EMPTY
    )


def between(clashes: Iterable[Clash]) -> Iterator[Finding]:
    """Report conflicts of the Secret chain with the ConfigMap chain."""
    kinds = ("map", "list", "scalar")
    yield from findings_of(((_cause(clash, "65"), clash) for clash in clashes if _is_reported(clash, kinds)), _ADVICE, _EMPTY)


def _is_reported(clash: Clash, kinds: tuple[str, ...]) -> bool:
    return clash.outcome == "nothing" or ("null" not in clash.kinds and any(kind in kinds for kind in clash.kinds))


def _cause(clash: Clash, rule: str) -> str:
    return {"nothing": "55", "kept": "66"}.get(clash.outcome, rule)


def is_dropped_for(value: object) -> bool:
    """Return whether chart-operator keeps this value of a ConfigMap where the Secret chain has a map."""
    return bool(value)
