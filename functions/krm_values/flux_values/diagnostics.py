"""Conflicts between the entries of a release and its inline values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._kit.layers.conflicts import findings_of
from krm_values._kit.layers.merge import origin

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from krm_values._kit.layers.merge import Clash
    from krm_values._kit.planner.plan import Finding

_EMPTY = "an empty map clears nothing; write `null` to remove the key from the chart's defaults"
_ADVICE = {"96": "the later one wins; make both the same kind if that is not intended"}


def conflicts(found: Iterable[Clash]) -> Iterator[Finding]:
    """Report a map that becomes a scalar or list or the reverse, a Secret's value over one of another kind, an empty map over a filled one."""
    yield from findings_of((("96", clash) for clash in found if _is_reported(clash)), _ADVICE, _EMPTY)


def _is_reported(clash: Clash) -> bool:
    if clash.outcome == "nothing" or "null" in clash.kinds:
        return clash.outcome == "nothing"
    above, below = origin(clash.above), origin(clash.below)
    if "values" in (above.layer, below.layer) and "targetPath" in {**above.facts, **below.facts}:
        return False  # reported as a path that is set twice
    return "map" in clash.kinds or above.secret
