"""The explanation of composed values: for each leaf the layer that set it and whom it beat."""

from __future__ import annotations

from krm_values._data.record import replace
from krm_values._kit.layers.merge import origin
from krm_values._kit.planner.plan import Leaf
from krm_values.flux_values.compose.tracked import FILLER, List, Map, assigned, atoms, shown
from krm_values.flux_values.compose.tracked import at as member_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from krm_values._data.pointer import Path
    from krm_values._kit.layers.merge import Assigned
    from krm_values._kit.planner.plan import Origin
    from krm_values.flux_values.compose.tracked import Node


def leaves(node: Node, at: Path, losers: tuple[Node, ...] = (), inner: Path = ()) -> Iterator[Leaf]:
    """Each leaf of a text that stands at the path `at` of an object, keys in order.

    A list is one leaf, unless a `targetPath` wrote into it: then its elements are looked at one by one.
    losers: what the value as a whole has beaten, nearest first. inner: where it stands in the text.
    """
    if isinstance(node, Map) and (node or not inner):
        for key in sorted(node):
            yield from leaves(node[key], at, (*node.losers.get(key, ()), *_below(node, key, losers)), (*inner, shown(key)))
    elif isinstance(node, List) and node.touched:
        for index, item in enumerate(node):
            yield from leaves(item, at, (*node.losers.get(index, ()), *_below(node, index, losers)), (*inner, index))
    else:
        yield _leaf(assigned(node), losers, at, inner)


def _below(node: Map | List, key: str | int, losers: tuple[Node, ...]) -> Iterator[Node]:
    """What a member of a map or list beat of the values that this one beat: the member there, or else all of it. No value beats itself."""
    winner = member_at(node, (key,))
    for loser in losers:
        found = member_at(loser, (key,))
        if loser is not node and found is not winner:
            yield loser if found is None else found


def _leaf(winner: Assigned, losers: tuple[Node, ...], at: Path, inner: Path) -> Leaf:
    places, beaten = set(), []
    for one in (atom for loser in losers for atom in atoms(loser)):
        place = one.layer, one.path
        if place not in places and one.layer is not winner.layer and one.path is not FILLER:
            places.add(place)
            beaten.append(origin(one))
    return Leaf(at, winner.value, _origin(winner), tuple(beaten), inner)


def _origin(winner: Assigned) -> Origin:
    found = origin(winner)
    return replace(found, facts={**found.facts, "filler": True}) if winner.path is FILLER else found
