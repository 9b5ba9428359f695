"""Merges ordered layers into one value and keeps, per leaf, the winner and everything that it overrides.

A map merges with a map key by key. Anything else (a scalar, a list, null, the empty map) is one leaf that replaces what is below it, except
that an empty map over a filled one changes nothing. These are the rules of mergo and Helm; the caller says what else a map may not replace.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.record import lazy, record, replace
from krm_values._krm.plan import Leaf, Origin

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import TypeAlias

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._krm.plan import Fits

    Tree: TypeAlias = dict[str, "Tree | Assigned"]
    Layer: TypeAlias = Callable[[Path, JSON], Origin]  # what this layer says of a value at a path of its own
    Keeps: TypeAlias = Callable[[JSON], bool]
    Reason: TypeAlias = Callable[[Origin, Sequence[Origin]], str]


_SCALARS = {str, int, float, bool}
_KINDS: dict[type, str] = {dict: "map", list: "list", type(None): "null"}


class Assigned:
    """One leaf: its value, the layer that set it and its path there, and what it overrides. A plain class and no record, because there are very many.

    over: what stood at its place: a leaf, or anything as `Lost`. elements: of a list whose elements have origins of their own, each as a tree or leaf.
    """

    __slots__ = ("elements", "layer", "over", "path", "value")

    def __init__(
        self,
        value: JSON,
        layer: Layer,
        path: Path,
        over: tuple[Assigned | Lost, ...] = (),
        elements: tuple[Tree | Assigned, ...] | None = None,
    ) -> None:
        self.value, self.layer, self.path, self.over, self.elements = value, layer, path, over, elements

    def overridden(self) -> list[Assigned]:
        """Return what it overrides, and what that overrides, nearest first: each as one leaf, also a map, as it stood there."""
        return [_as_one(node) for node in self._losers()]

    def _losers(self) -> Iterator[Tree | Assigned]:
        left: list[tuple[Assigned | Lost, int]] = [(one, 0) for one in reversed(self.over)]
        while left:
            one, up = left.pop()
            node, up = (one.node, up + one.up) if isinstance(one, Lost) else (one, up)
            if up:
                node, up = self._inside(node, up)
            yield node
            left += [(below, up) for below in reversed(_below_map(node) if isinstance(node, dict) else node.over)]

    def _inside(self, node: Tree | Assigned, up: int) -> tuple[Tree | Assigned, int]:
        """Return what a value that stood `up` keys above has at the place of this leaf, else nearest above it, and how far above that is."""
        for part in self.path[-up:] if up <= len(self.path) else ():
            member = node.get(str(part)) if isinstance(node, dict) else None
            if member is None:
                break
            node, up = member, up - 1
        return node, up


class Lost:
    """What a leaf overrides, where that is a map, or stood above its place: the node, and the number of keys above."""

    __slots__ = ("node", "up")

    def __init__(self, node: Tree | Assigned, up: int = 0) -> None:
        self.node, self.up = node, up


@record
class Clash:
    """Two layers that disagree about the kind of the value at `path`.

    `outcome` is `replaced` (the upper one wins), `kept` (the lower one wins) or `nothing` (an empty map over a filled one). Of a map, `below`
    and `above` are one of its leaves. kinds: `map`, `list`, `null` or `scalar`, of the lower and the upper value.
    """

    path: Path
    outcome: str
    below: Assigned
    above: Assigned
    kinds: tuple[str, str]


def tree(data: dict[str, JSON], layer: Layer, path: Path = ()) -> Tree:
    """Return the values of one layer as a tree of leaves."""
    return {
        key: tree(value, layer, (*path, key)) if isinstance(value, dict) and value else Assigned(value, layer, (*path, key))
        for key, value in data.items()
    }


def merge(lower: Tree, upper: Tree, clashes: list[Clash], keeps: Keeps | None = None, path: Path = ()) -> Tree:
    """Merge the upper tree over the lower one; neither is changed. keeps: returns whether a leaf of this value stays when a map is over it."""
    result = dict(lower)
    for key, above in upper.items():
        below = result.get(key)
        if below is None:
            result[key] = above
        elif type(above) is type(below) is Assigned and (
            type(above.value) is type(below.value) is not dict or {type(above.value), type(below.value)} <= _SCALARS
        ):  # nearly always
            result[key] = Assigned(above.value, above.layer, above.path, (*above.over, below), above.elements)
        else:
            result[key] = _merged(below, above, clashes, keeps, (*path, key))
    return result


def values(found: Tree) -> dict[str, JSON]:
    """Return the tree as plain data."""
    return {key: values(node) if isinstance(node, dict) else node.value for key, node in found.items()}


def leaves(found: Tree, at: Path, reason: Reason | None = None) -> Sequence[Leaf]:
    """Return the leaves of a tree, for `explain`, sorted by key; computed on first use. at: the path in an object of the text that holds the tree.

    reason: why the winner overrides others, where that is not the order of the layers.
    """
    return lazy(lambda: _leaves(found, at, (), None, reason), lambda fits: _leaves(found, at, (), fits, reason))


def origin(assigned: Assigned) -> Origin:
    """Return the assignment as an origin."""
    return assigned.layer(assigned.path, assigned.value)


def _leaves(found: Tree, at: Path, path: Path, fits: Fits | None, reason: Reason | None) -> Iterator[Leaf]:
    for key in sorted(found):
        node, inner = found[key], (*path, key)
        if isinstance(node, dict):
            yield from _leaves(node, at, inner, fits, reason)
        elif fits is None or fits(at, inner):
            losers = [one.layer(one.path, one.value) for one in node.overridden()] if node.over else ()
            winner = node.layer(node.path, node.value)
            yield Leaf(at, node.value, winner, tuple(losers), inner, reason(winner, losers) if reason else "")


def _merged(
    below: Tree | Assigned, above: Tree | Assigned, clashes: list[Clash], keeps: Keeps | None, path: Path
) -> Tree | Assigned:
    if isinstance(below, dict) and isinstance(above, dict):
        return merge(below, above, clashes, keeps, path)
    if isinstance(below, dict):
        return _leaf_over_map(below, above, clashes, path)  # type: ignore[arg-type]
    is_map = isinstance(above, dict) or isinstance(above.value, dict)
    if is_map and isinstance(below.value, dict):
        return above if isinstance(above, dict) else _overriding(above, (below,))
    if is_map and keeps is not None and keeps(below.value):
        clashes.append(_clash(path, "kept", below, above))
        return _overriding(below, (Lost(above),))
    if _kind(below) != _kind(above):
        clashes.append(_clash(path, "replaced", below, above))
    return _all_overriding(above, below)


def replacing(above: Tree | Assigned, below: Tree | Assigned) -> Tree | Assigned:
    """Return the upper node, which replaces the lower one: each leaf overrides what was at its place, else the nearest value above that."""
    if not isinstance(above, dict):
        return _overriding(above, (Lost(below),))
    if not isinstance(below, dict):
        return _all_overriding(above, below)
    return {
        key: replacing(node, below[key]) if key in below else _all_overriding(node, below, 1) for key, node in above.items()
    }


def _leaf_over_map(below: Tree, above: Assigned, clashes: list[Clash], path: Path) -> Tree | Assigned:
    if isinstance(above.value, dict):
        clashes.append(_clash(path, "nothing", below, above))
        return below
    clashes.append(_clash(path, "replaced", below, above))
    return _overriding(above, (Lost(below),))


def _all_overriding(above: Tree | Assigned, below: Tree | Assigned, up: int = 0) -> Tree | Assigned:
    """Make every leaf of the upper layer override the one node below, which stood `up` keys above the upper one."""
    if isinstance(above, Assigned):
        return _overriding(above, (Lost(below, up),))
    return {key: _all_overriding(node, below, up + 1) for key, node in above.items()}


def _overriding(winner: Assigned, losers: tuple[Assigned | Lost, ...]) -> Assigned:
    return Assigned(winner.value, winner.layer, winner.path, (*winner.over, *losers), winner.elements)


def _all(node: Tree | Assigned) -> tuple[Assigned, ...]:
    """Return every leaf."""
    if isinstance(node, Assigned):
        return (node,)
    return tuple(leaf for key in sorted(node) for leaf in _all(node[key]))


def _as_one(node: Tree | Assigned) -> Assigned:
    """Return a node as one leaf: at its place, if one layer has it there as it is, else composed of the leaves of several."""
    if isinstance(node, Assigned) and node.elements is None:
        return node
    atoms = [*_atoms(node, ())]
    inner, first = atoms[0]
    base = first.path[: len(first.path) - len(inner)]
    value = values(node) if isinstance(node, dict) else node.value
    if all(leaf.layer is first.layer and leaf.path == (*base, *path) for path, leaf in atoms):
        return Assigned(value, first.layer, base)
    parts = tuple([leaf for _, leaf in atoms])
    return Assigned(value, lambda _, value: replace(_of_several(parts), value=value), ())


def _of_several(parts: tuple[Assigned, ...]) -> Origin:
    found = tuple(map(origin, parts))
    return Origin(found[0].layer, None, via=found)


def _atoms(node: Tree | Assigned, path: Path) -> Iterator[tuple[Path, Assigned]]:
    """Yield every leaf with its path, also those of lists whose elements have origins of their own."""
    if isinstance(node, dict):
        for key in sorted(node):
            yield from _atoms(node[key], (*path, key))
    elif node.elements:
        for index, element in enumerate(node.elements):
            yield from _atoms(element, (*path, index))
    else:
        yield path, node


def _below_map(found: Tree) -> list[Lost]:
    """Return what a map itself overrides, which its leaves have noted: the first one that does tells."""
    for path, leaf in _atoms(found, ()):
        left: list[tuple[Assigned, int]] = [(leaf, 0)]
        noted: list[Lost] = []
        while left:
            one, up = left.pop()
            for loser in one.over:
                node, above = (loser.node, up + loser.up) if isinstance(loser, Lost) else (loser, up)
                if above >= len(path):
                    noted.append(Lost(node, above - len(path)))
                elif isinstance(node, Assigned):
                    left.append((node, above))
        if noted:
            return noted
    return []


def _clash(path: Path, outcome: str, below: Tree | Assigned, above: Tree | Assigned) -> Clash:
    return Clash(path, outcome, _all(below)[0], _all(above)[0], (_kind(below), _kind(above)))


def _kind(node: Tree | Assigned) -> str:
    return "map" if isinstance(node, dict) else _KINDS.get(type(node.value), "scalar")
