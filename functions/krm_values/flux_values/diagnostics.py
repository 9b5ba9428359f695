"""What the author of a release should know of how its entries and its inline values meet."""

from __future__ import annotations

from krm_values._kit.layers.conflicts import findings_of
from krm_values._kit.layers.merge import origin

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from krm_values._kit.layers.merge import Clash
    from krm_values._kit.planner.plan import Finding

_WAY_OUT = {"96": "the later one wins; make both the same kind if that is not meant"}


def clashes(found: Iterable[Clash]) -> Iterator[Finding]:
    """A map to or from a scalar or list, what a Secret sets over a value of another kind, an empty map over a filled one."""
    yield from findings_of((("96", clash) for clash in found if _is_told(clash)), _WAY_OUT)


def _is_told(clash: Clash) -> bool:
    if clash.outcome == "nothing" or "null" in clash.kinds:
        return clash.outcome == "nothing"
    above, below = origin(clash.above), origin(clash.below)
    if "values" in (above.layer, below.layer) and "targetPath" in {**above.facts, **below.facts}:
        return False  # is told as a path that is set twice
    return "map" in clash.kinds or above.secret
