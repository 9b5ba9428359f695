"""What the author of a release should know of how its entries and its inline values meet."""

from __future__ import annotations

from krm_values._kit.clashes import told
from krm_values._kit.layers import origin
from krm_values._kit.plan import Finding
from krm_values._kit.pointer import ABSENT, get, to_field
from krm_values.flux_values import nodes, strvals

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from krm_values._kit.layers import Clash
    from krm_values._kit.pointer import Path
    from krm_values.flux_values.nodes import Map
    from krm_values.flux_values.reading import Read
    from krm_values.flux_values.release import Release

_WAY_OUT = {"96": "the later one wins; make both the same kind if that is not meant"}


def clashes(found: Iterable[Clash]) -> Iterator[Finding]:
    """A map to or from a scalar or list, what a Secret sets over a value of another kind, an empty map over a filled one."""
    yield from told((("96", clash) for clash in found if _is_told(clash)), _WAY_OUT)


def targets(release: Release, reads: Iterable[Read], found: Map) -> Iterator[Finding]:
    """A `targetPath` that names a path also set inline, and one that has no effect at all."""
    for read in reads:
        reference = read.reference
        if not reference.target or read.text is None:
            continue
        path, at = strvals.path_of(reference.target), (*reference.path, "targetPath")
        if path is None:
            text = "begins with a dot or an index, or has an empty key: Flux then drops the value and reports no error"
            yield Finding("warning", "target-path-dropped", "105", text, release.item, at)
        elif get(release.inline, path, ABSENT) is not ABSENT:
            text = f"`{to_field(path)}` is also set in `spec.values`, and {_winner(read, found, path)}: set it in one place"
            yield Finding("warning", "target-path-inline", "107", text, release.item, at)


def _is_told(clash: Clash) -> bool:
    if clash.outcome == "nothing" or "null" in clash.kinds:
        return clash.outcome == "nothing"
    above, below = origin(clash.above), origin(clash.below)
    if "values" in (above.layer, below.layer) and "targetPath" in {**above.facts, **below.facts}:
        return False  # is told as a path that is set twice
    return "map" in clash.kinds or above.secret


def _winner(read: Read, found: Map, path: Path) -> str:
    node = nodes.at(found, path)
    layers = {layer((), None).layer for layer in nodes.writers(node)} if node is not None else set()
    if read.reference.layer in layers:
        return "this entry wins"
    return "the inline value wins" if "values" in layers else "another entry wins"
