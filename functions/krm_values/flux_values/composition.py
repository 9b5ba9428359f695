"""The values that Flux hands to Helm: every entry over the one before it, the inline values over all."""

from __future__ import annotations

from krm_values.flux_values import nodes, strvals
from krm_values.flux_values.nodes import Map

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from krm_values._kit.data import JSON
    from krm_values._kit.item import Item
    from krm_values._kit.layers import Clash, Layer
    from krm_values.flux_values.reading import Read


class RefusedPathError(Exception):
    """A `targetPath` that Helm refuses: whose, and why."""

    def __init__(self, read: Read, message: str) -> None:
        super().__init__(message)
        self.read, self.message = read, message


def compose(inline: dict[str, JSON], says: Layer, reads: Iterable[Read], clashes: list[Clash]) -> Map:
    """The composed values. says: the inline values as a layer. RefusedPathError for the first entry that Helm refuses."""
    own = nodes.made(inline, says)
    result = Map(says)
    for read in reads:
        if read.embedded is not None:
            result = nodes.merged(result, nodes.made(read.embedded.values, read.says), clashes)
        elif read.text is not None and read.item is not None:
            result = nodes.merged(result, own, clashes)
            _write(result, read, read.text, read.item)
    return nodes.merged(result, own, clashes)


def _write(result: Map, read: Read, text: str, item: Item) -> None:
    reference = read.reference
    try:
        strvals.write(result, reference.target, text, read.says, literal=reference.literal, secret=item.kind == "Secret")
    except strvals.StrvalsError as error:
        raise RefusedPathError(read, error.message) from None
