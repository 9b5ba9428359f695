"""The values that Flux hands to Helm: every entry over the one before it, the inline values over all."""

from __future__ import annotations

from krm_values._kit.planner.item import withholds
from krm_values.flux_values.compose import strvals, tracked
from krm_values.flux_values.compose.tracked import Map

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from krm_values._data.values import JSON
    from krm_values._kit.layers.merge import Clash, Layer
    from krm_values.flux_values.layer_reader import Read


class RefusedPathError(Exception):
    """A `targetPath` that Helm refuses: whose, and why."""

    def __init__(self, read: Read, message: str) -> None:
        super().__init__(message)
        self.read, self.message = read, message


def compose(inline: dict[str, JSON], says: Layer, reads: Iterable[Read], clashes: list[Clash], room: strvals.Room) -> Map:
    """The composed values. says: the inline values as a layer. room: for lists that indexes fill. RefusedPathError for the first entry that Helm refuses."""
    own = tracked.made(inline, says)
    result = Map(says)
    for read in reads:
        if read.embedded is not None:
            result = tracked.merged(result, tracked.made(read.embedded.values, read.says), clashes)
        elif read.text is not None and read.item is not None:
            result = tracked.merged(result, own, clashes)
            _write(result, read, read.text, room, clashes)
    return tracked.merged(result, own, clashes)


def _write(result: Map, read: Read, text: str, room: strvals.Room, clashes: list[Clash]) -> None:
    reference, says, secret = read.reference, read.says, read.item is not None and withholds(read.item, read.path)
    path = strvals.path_of(reference.target)
    before = tracked.at(result, path) if path else None
    try:
        strvals.write(result, reference.target, text, says, literal=reference.literal, secret=secret, room=room)
    except strvals.StrvalsError as error:
        raise RefusedPathError(read, error.message) from None
    after = tracked.at(result, path) if path else None
    if path and before is not None and after is not None and tracked.kind(before) != tracked.kind(after):
        clashes.append(tracked.clash(path, "replaced", before, after))
