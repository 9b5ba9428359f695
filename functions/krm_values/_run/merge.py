"""Merges ordered layers into one value and keeps, per leaf, the winner and everything that it overrides.

A map merges with a map key by key. Anything else (a scalar, a list, null, the empty map) is one leaf that replaces what is below it, except
that an empty map over a filled one changes nothing. These are the rules of mergo and Helm; the caller says what else a map may not replace.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.record import lazy, record
from krm_values._krm.plan import Leaf

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import TypeAlias

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._krm.plan import Fits, Origin

    Tree: TypeAlias = dict[str, "Tree | Assigned"]
    Layer: TypeAlias = Callable[[Path, JSON], Origin]  # what this layer says of a value at a path of its own
    Keeps: TypeAlias = Callable[[JSON], bool]
    Reason: TypeAlias = Callable[[Origin, Sequence[Origin]], str]


_SCALARS = {str, int, float, bool}
_KINDS: dict[type, str] = {dict: "map", list: "list", type(None): "null"}


class Assigned:
    """One leaf: its value, the layer that set it and its path there, and what it overrides. A plain class and no record, because there are very many.

    elements: of a list whose elements have origins of their own, each as a tree or leaf.
    """

    __slots__ = ("elements", "layer", "over", "path", "value")

    def __init__(
        self,
        value: JSON,
        layer: Layer,
        path: Path,
        over: tuple[Assigned, ...] = (),
        elements: tuple[Tree | Assigned, ...] | None = None,
    ) -> None:
        self.value, self.layer, self.path, self.over, self.elements = value, layer, path, over, elements

    def overridden(self) -> list[Assigned]:
        """Return the assignments that it overrides, and those that these override, nearest first."""
        found: list[Assigned] = []
        over = self.over
        while len(over) == 1:  # nearly always: a layer over a layer over a layer
            found.append(over[0])
            over = over[0].over
        left = [*reversed(over)]
        while left:
            loser = left.pop()
            found.append(loser)
            if loser.over:
                left += reversed(loser.over)
        return found


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
        return _overriding(below, _all(above))
    if _kind(below) != _kind(above):
        clashes.append(_clash(path, "replaced", below, above))
    return _all_overriding(above, below)


def _leaf_over_map(below: Tree, above: Assigned, clashes: list[Clash], path: Path) -> Tree | Assigned:
    if isinstance(above.value, dict):
        clashes.append(_clash(path, "nothing", below, above))
        return below
    clashes.append(_clash(path, "replaced", below, above))
    return _overriding(above, _all(below))


def _all_overriding(above: Tree | Assigned, below: Assigned) -> Tree | Assigned:
    """Make every leaf of the upper layer override the one leaf below."""
    if isinstance(above, Assigned):
        return _overriding(above, (below,))
    return {key: _all_overriding(node, below) for key, node in above.items()}


def _overriding(winner: Assigned, losers: tuple[Assigned, ...]) -> Assigned:
    return Assigned(winner.value, winner.layer, winner.path, (*winner.over, *losers), winner.elements)


def _all(node: Tree | Assigned) -> tuple[Assigned, ...]:
    """Return every leaf."""
    if isinstance(node, Assigned):
        return (node,)
    return tuple(leaf for key in sorted(node) for leaf in _all(node[key]))


def _clash(path: Path, outcome: str, below: Tree | Assigned, above: Tree | Assigned) -> Clash:
    return Clash(path, outcome, _all(below)[0], _all(above)[0], (_kind(below), _kind(above)))


def _kind(node: Tree | Assigned) -> str:
    return "map" if isinstance(node, dict) else _KINDS.get(type(node.value), "scalar")
