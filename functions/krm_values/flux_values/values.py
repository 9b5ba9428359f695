"""The values that Flux passes to Helm: each entry overrides the one before it, the inline values override all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._kit.planner.item import withholds
from krm_values.flux_values import provenance, strvals
from krm_values.flux_values.provenance import Map

if TYPE_CHECKING:
    from collections.abc import Iterable

    from krm_values._data.values import JSON
    from krm_values._kit.layers.merge import Clash, Layer
    from krm_values.flux_values.layer_reader import LoadedEntry


class RefusedPathError(Exception):
    """A `targetPath` that Helm refuses, with its entry and the reason."""

    def __init__(self, entry: LoadedEntry, message: str) -> None:
        super().__init__(message)
        self.entry, self.message = entry, message


def compose(
    inline: dict[str, JSON], layer: Layer, loaded: Iterable[LoadedEntry], clashes: list[Clash], budget: strvals.Budget
) -> Map:
    """Compose the values. layer: that of the inline values. budget: of list elements. Raises RefusedPathError for the first refused entry."""
    own = provenance.made(inline, layer)
    result = Map(layer)
    for entry in loaded:
        if entry.embedded is not None:
            result = provenance.merged(result, provenance.made(entry.embedded.values, entry.layer), clashes)
        elif entry.text is not None and entry.item is not None:
            result = provenance.merged(result, own, clashes)
            _write(result, entry, entry.text, budget, clashes)
    return provenance.merged(result, own, clashes)


def _write(result: Map, entry: LoadedEntry, text: str, budget: strvals.Budget, clashes: list[Clash]) -> None:
    reference, layer, secret = entry.reference, entry.layer, entry.item is not None and withholds(entry.item, entry.path)
    path = strvals.path_of(reference.target)
    before = provenance.member(result, path) if path else None
    try:
        strvals.write(result, reference.target, text, layer, literal=reference.literal, secret=secret, budget=budget)
    except strvals.StrvalsError as error:
        raise RefusedPathError(entry, error.message) from None
    after = provenance.member(result, path) if path else None
    if path and before is not None and after is not None and provenance.kind(before) != provenance.kind(after):
        clashes.append(provenance.clash(path, "replaced", before, after))
