"""The explanation of composed values: for each leaf the layer that set it and those that it overrides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.record import replace
from krm_values._kit.layers.merge import origin
from krm_values._kit.planner.plan import Leaf
from krm_values.flux_values.provenance import FILLER, List, Map, assigned, atoms, member, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from krm_values._data.pointer import Path
    from krm_values._kit.layers.merge import Assigned
    from krm_values._kit.planner.plan import Fits, Origin
    from krm_values.flux_values.provenance import Node

_INLINE = "values"
_WRITTEN_INTO = "its targetPath is set in the inline values themselves, which are merged last"
"""Why an entry overrides an inline value. Without a `targetPath` none does."""


def leaves(node: Node, at: Path, losers: tuple[Node, ...] = (), inner: Path = (), fits: Fits | None = None) -> Iterator[Leaf]:
    """Yield each leaf of the document at the path `at` of an object, keys in order.

    A list is one leaf, unless a `targetPath` wrote into it: then each element is explained.
    losers: what the value as a whole overrides, nearest first. inner: its path in the document. fits: which leaves are asked for, if not all.
    """
    if isinstance(node, Map) and (node or not inner):
        for key in sorted(node):
            below = (*node.losers.get(key, ()), *_below(node, key, losers))
            yield from leaves(node[key], at, below, (*inner, shown(key)), fits)
    elif isinstance(node, List) and node.touched:
        for index, item in enumerate(node):
            below = (*node.losers.get(index, ()), *_below(node, index, losers))
            yield from leaves(item, at, below, (*inner, index), fits)
    elif fits is None or fits(at, inner):
        yield _leaf(assigned(node), losers, at, inner)


def _below(node: Map | List, key: str | int, losers: tuple[Node, ...]) -> Iterator[Node]:
    """Yield what a member of a map or list overrides of the values that the whole overrides: the same member, or else all of it."""
    winner = member(node, (key,))
    for loser in losers:
        found = member(loser, (key,))
        if loser is not node and found is not winner:
            yield loser if found is None else found


def _leaf(winner: Assigned, losers: tuple[Node, ...], at: Path, inner: Path) -> Leaf:
    places, overridden = set(), []
    for one in (atom for loser in losers for atom in atoms(loser)):
        place = one.layer, one.path
        if place not in places and one.layer is not winner.layer and one.path is not FILLER:
            places.add(place)
            overridden.append(origin(one))
    reason = _WRITTEN_INTO if any(one.layer == _INLINE for one in overridden) else ""
    return Leaf(at, winner.value, _origin(winner), tuple(overridden), inner, reason)


def _origin(winner: Assigned) -> Origin:
    found = origin(winner)
    return replace(found, facts={**found.facts, "filler": True}) if winner.path is FILLER else found
