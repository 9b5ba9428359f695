"""Values that remember their layer and what they override, in maps and lists that are shared and changed in place exactly as in Flux's Go code.

A map of two layers is a copy, a map of one layer is that layer's own; `targetPath` writes into what it finds. So a value that is written
into the result may appear in the inline values as well, and that decides which of the two wins.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.record import replace
from krm_values._krm.plan import Leaf, Origin
from krm_values._run.traced import Assigned, Clash, origin
from krm_values.flux_values.release import INLINE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._krm.plan import Fits
    from krm_values._run.traced import Layer

    Node: TypeAlias = "Map | List | Assigned"

HIDDEN = "<hidden>"
FILLER: Path = ("null before an index",)
"""The path, by identity, of a null that only fills a list up to the index that a `targetPath` names."""
_WRITTEN_INTO = "its targetPath is set in the inline values themselves, which are merged last"
"""Why an entry overrides an inline value. Without a `targetPath` none does."""


class Map(dict[str, "Node"]):
    """A map: the layer that made it, its path in that layer, and by key what its values override (`losers`), nearest first."""

    __slots__ = ("layer", "losers", "path")

    def __init__(self, layer: Layer, path: Path = ()) -> None:
        super().__init__()
        self.layer, self.path = layer, path
        self.losers: dict[str, tuple[Node, ...]] = {}

    def put(self, key: str, node: Node) -> None:
        """Set a value; it overrides the one before it."""
        old = self.get(key)
        if old is not None and old is not node:
            self.losers[key] = (old, *self.losers.get(key, ()))
        self[key] = node


class List(list["Node"]):
    """A list: the layer that made it, whether a `targetPath` wrote into it, and by index what its elements override, nearest first."""

    __slots__ = ("layer", "losers", "path", "touched")

    def __init__(self, layer: Layer, path: Path = ()) -> None:
        super().__init__()
        self.layer, self.path, self.touched = layer, path, False
        self.losers: dict[int, tuple[Node, ...]] = {}

    def put(self, index: int, node: Node) -> None:
        """Set an element; it overrides the one before it."""
        old, self.touched = self[index], True
        if old is not node:
            self.losers[index] = (old, *self.losers.get(index, ()))
        self[index] = node

    def longer(self, length: int, layer: Layer) -> List:
        """Return a list of the same elements, filled with nulls up to a length."""
        result = List(self.layer, self.path)
        result.extend(self)
        result.extend([Assigned(None, layer, FILLER)] * (length - len(self)))
        result.losers.update(self.losers)
        result.touched = self.touched
        return result


class Hidden(str):
    """A key that was in a Secret's value for a `targetPath` and is not shown."""

    __slots__ = ()


def made(data: dict[str, JSON], layer: Layer, path: Path = ()) -> Map:
    """Return the values of one layer; nothing is shared with the data."""
    found = Map(layer, path)
    for key, value in data.items():
        at = (*path, key)
        found[key] = _node(value, layer, at) if isinstance(value, dict | list) else Assigned(value, layer, at)
    return found


def _node(value: JSON, layer: Layer, path: Path) -> Node:
    if isinstance(value, dict):
        return made(value, layer, path)
    if isinstance(value, list):
        found = List(layer, path)
        found.extend(_node(item, layer, (*path, index)) for index, item in enumerate(value))
        return found
    return Assigned(value, layer, path)


def merged(lower: Map, upper: Map, clashes: list[Clash], path: Path = ()) -> Map:
    """Merge the upper map over the lower one into a new map; maps that only one of the two has are shared."""
    result = Map(lower.layer, lower.path)
    result.update(lower)
    result.losers.update(lower.losers)
    for key, above in upper.items():
        below = result.get(key)
        if isinstance(below, Map) and isinstance(above, Map):
            if below and not above:
                clashes.append(clash((*path, shown(key)), "nothing", below, above))
            result[key] = merged(below, above, clashes, (*path, shown(key)))
        else:
            if below is not None and _differ(below, above):
                clashes.append(clash((*path, shown(key)), "replaced", below, above))
            result.put(key, above)
        if key in upper.losers:
            result.losers[key] = (*upper.losers[key], *result.losers.get(key, ()))
    return result


def _differ(below: Node, above: Node) -> bool:
    """Return whether two values are of different kinds."""
    if type(below) is Assigned and type(above) is Assigned:
        return (below.value is None) != (above.value is None)
    return kind(below) != kind(above)


def plain(node: Node) -> JSON:
    """Return the values without their layers."""
    if isinstance(node, Map):
        return {str(key): plain(value) for key, value in node.items()}
    return [plain(item) for item in node] if isinstance(node, List) else node.value


def member(found: Node, path: Path) -> Node | None:
    """Return the value at a path, or None."""
    for part in path:
        if isinstance(found, Map) and part in found:
            found = found[str(part)]
        elif isinstance(found, List) and isinstance(part, int) and part < len(found):
            found = found[part]
        else:
            return None
    return found


def _assigned(node: Node) -> Assigned:
    """Return a leaf with its layer; for a filled map, the layer of the map."""
    return node if isinstance(node, Assigned) else Assigned(plain(node), node.layer, node.path)


def atoms(node: Node) -> Iterator[Assigned]:
    """Yield every leaf: a scalar, an empty map, a list; for a list into which a `targetPath` wrote, the leaves of its elements."""
    if isinstance(node, Map) and node:
        for key in sorted(node):
            yield from atoms(node[key])
    elif isinstance(node, List) and node.touched:
        for item in node:
            yield from atoms(item)
    else:
        yield _assigned(node)


def writers(node: Node) -> list[Layer]:
    """Return the layers that set a part of a value, its own first."""
    below = node.values() if isinstance(node, Map) else node if isinstance(node, List) else ()
    return list(dict.fromkeys([node.layer, *(layer for item in below for layer in writers(item))]))


def shown(key: str) -> str:
    """Return a key as messages may show it."""
    return HIDDEN if isinstance(key, Hidden) else key


def kind(node: Node) -> str:
    """Return the kind of a value: `map`, `list`, `null` or `scalar`."""
    if isinstance(node, Assigned):
        return "null" if node.value is None else "scalar"
    return "map" if isinstance(node, Map) else "list"


def clash(path: Path, outcome: str, below: Node, above: Node) -> Clash:
    """Return the conflict of two values of different kinds at a path."""
    return Clash(path, outcome, next(atoms(below)), next(atoms(above)), (kind(below), kind(above)))


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
        yield _leaf(_assigned(node), losers, at, inner)


def _below(node: Map | List, key: str | int, losers: tuple[Node, ...]) -> Iterator[Node]:
    """Yield what a member of a map or list overrides of the values that the whole overrides: the same member, or else all of it."""
    winner = member(node, (key,))
    for loser in losers:
        found = member(loser, (key,))
        if loser is not node and found is not winner:
            yield loser if found is None else found


def _leaf(winner: Assigned, losers: tuple[Node, ...], at: Path, inner: Path) -> Leaf:
    places, overridden = set(), []
    for loser in losers:
        place, found = _lost(loser)
        if place not in places and any(layer is not winner.layer for layer, _ in place):
            places.add(place)
            overridden.append(found)
    why = origin(winner)
    if winner.path is FILLER:
        why = replace(why, facts={**why.facts, "filler": True})
    reason = _WRITTEN_INTO if any(one.layer == INLINE for loser in overridden for one in loser.trail()) else ""
    return Leaf(at, winner.value, why, tuple(overridden), inner, reason)


def _lost(loser: Node) -> tuple[tuple[tuple[Layer, Path], ...], Origin]:
    """Return an overridden value, as it stood there, with its place; one of several layers is composed, and has the places of all."""
    parts = [(inner, atom) for inner, atom in _placed(loser, ()) if atom.path is not FILLER]
    layer, path = (parts[0][1].layer, parts[0][1].path) if parts else (loser.layer, loser.path)
    base = path[: len(path) - len(parts[0][0])] if parts else path
    if all(atom.layer is layer and atom.path == (*base, *inner) for inner, atom in parts):
        return ((layer, base),) if parts else (), layer(base, plain(loser))
    found = tuple([origin(atom) for _, atom in parts])
    return tuple([(atom.layer, atom.path) for _, atom in parts]), Origin(found[0].layer, plain(loser), via=found)


def _placed(node: Node, path: Path) -> Iterator[tuple[Path, Assigned]]:
    """Yield every leaf, as `atoms` does, with its path."""
    if isinstance(node, Map) and node:
        for key in sorted(node):
            yield from _placed(node[key], (*path, key))
    elif isinstance(node, List) and node.touched:
        for index, item in enumerate(node):
            yield from _placed(item, (*path, index))
    else:
        yield path, _assigned(node)
