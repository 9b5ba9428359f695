"""Layers of an App that disagree about the kind of a value: which of it is worth a word."""

from __future__ import annotations

from krm_values._kit.layers.conflicts import findings_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from krm_values._kit.layers.merge import Clash
    from krm_values._kit.planner.plan import Finding

_WAY_OUT = {
    "56": "the later layer wins; make both the same kind if that is not meant",
    "65": "the Secret wins; make both the same kind if that is not meant",
    "66": "chart-operator drops the map; remove one of the two",
}


def within(clashes: Iterable[Clash]) -> Iterator[Finding]:
    """What one chain's layers disagree about: a map to or from a scalar or list, an empty map over a filled one."""
    yield from findings_of(((_cause(clash, "56"), clash) for clash in clashes if _is_told(clash, ("map",))), _WAY_OUT)


def between(clashes: Iterable[Clash]) -> Iterator[Finding]:
    """What the chain of Secrets and the one of ConfigMaps disagree about."""
    kinds = ("map", "list", "scalar")
    yield from findings_of(((_cause(clash, "65"), clash) for clash in clashes if _is_told(clash, kinds)), _WAY_OUT)


def _is_told(clash: Clash, kinds: tuple[str, ...]) -> bool:
    return clash.outcome == "nothing" or ("null" not in clash.kinds and any(kind in kinds for kind in clash.kinds))


def _cause(clash: Clash, rule: str) -> str:
    return {"nothing": "55", "kept": "66"}.get(clash.outcome, rule)


def is_dropped_for(value: object) -> bool:
    """Whether chart-operator keeps this value of the ConfigMap side where the Secret side has a map."""
    return bool(value)
