"""The layers of an App of one kind, read and merged in order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.record import record
from krm_values._kit.layers.merge import merge, tree
from krm_values.giantswarm_config.layers import conflicts, precedence

if TYPE_CHECKING:
    from collections.abc import Iterable

    from krm_values._kit.layers.embedded import Embedded
    from krm_values._kit.layers.merge import Clash, Tree
    from krm_values._kit.planner.report import Report
    from krm_values.giantswarm_config.layers.layer_reader import Reader
    from krm_values.giantswarm_config.spec.references import Reference


@record
class Layer:
    """A reference and the documents of its object in merge order; none if the object is empty or may be missing."""

    reference: Reference
    documents: tuple[Embedded, ...]


@record
class Chain:
    """The layers of one kind in merge order, and their merged values."""

    layers: tuple[Layer, ...]
    values: Tree


def read_chain(references: Iterable[Reference], reader: Reader, report: Report) -> Chain | None:
    """Read the layers of references in merge order; None with errors in the report if one is missing or unusable."""
    layers: list[Layer] = []
    is_whole = True
    for reference in references:
        documents = reader.documents(reference, report)
        if documents is None:
            is_whole = False
        elif is_whole:
            layers.append(Layer(reference, documents))
    clashes: list[Clash] = []
    values = merged(layers, clashes)
    report.extend(conflicts.within(clashes))
    return Chain(tuple(layers), values) if is_whole else None


def merged(layers: Iterable[Layer], clashes: list[Clash]) -> Tree:
    """Merge layers: a later one overrides an earlier one."""
    found: Tree = {}
    for layer in layers:
        for document in layer.documents:
            origin = document.as_layer(precedence.layer(layer.reference), precedence.facts(layer.reference))
            found = merge(found, tree(document.values, origin), clashes)
    return found
