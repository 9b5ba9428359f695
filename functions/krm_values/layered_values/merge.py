"""Merges a layer over others: as the kit does, except where a strategy says otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import data_edits
from krm_values._data.record import replace
from krm_values._data.scalars.text import text_of
from krm_values._kit.layers.merge import Assigned, merge
from krm_values.layered_values.nodes import elements, is_list, is_map, leaves, listed, plain
from krm_values.layered_values.parsed import ByKey

if TYPE_CHECKING:
    from krm_values._data.pointer import Path
    from krm_values._kit.layers.merge import Clash, Tree
    from krm_values.layered_values.nodes import Node
    from krm_values.layered_values.parsed import Strategy
    from krm_values.layered_values.strategies import Strategies


def merged(lower: Tree, upper: Tree, strategies: Strategies, clashes: list[Clash]) -> Tree:
    """Return the upper tree merged over the lower one; neither is changed."""
    if not strategies:
        return merge(lower, upper, clashes)
    return _Merge(strategies, clashes).maps(lower, upper, ())


class _Merge:
    """One merge by strategies."""

    __slots__ = ("_clashes", "_strategies")

    def __init__(self, strategies: Strategies, clashes: list[Clash]) -> None:
        self._strategies, self._clashes = strategies, clashes

    def maps(self, lower: Tree, upper: Tree, path: Path) -> Tree:
        result = dict(lower)
        for key, above in upper.items():
            below = lower.get(key)
            result[key] = above if below is None else self._node(below, above, (*path, key))
        return result

    def _node(self, below: Node, above: Node, path: Path) -> Node:
        strategy = self._strategies.at(path)
        if is_map(below) and is_map(above):
            if strategy == "replace":
                return _overriding(above, tuple(leaf for _, leaf in leaves(below)))
            if isinstance(below, dict) and isinstance(above, dict):
                return self.maps(below, above, path)
        if strategy not in (None, "merge", "replace") and is_list(below) and is_list(above):
            return self._lists(below, above, path, strategy)  # type: ignore[arg-type]
        return merge({"": below}, {"": above}, self._at(path))[""]

    def _at(self, path: Path) -> list[Clash]:
        return _Placed(self._clashes, path)  # type: ignore[return-value]

    def _lists(self, below: Assigned, above: Assigned, path: Path, strategy: Strategy) -> Assigned:
        old, new = elements(below), elements(above)
        if isinstance(strategy, ByKey):
            return listed(self._by_key(old, new, path, strategy.key), above)
        if strategy == "prepend":
            return listed((*new, *old), above)
        return listed(_unique(old, new) if strategy == "unique" else (*old, *new), above)

    def _by_key(self, old: tuple[Node, ...], new: tuple[Node, ...], path: Path, key: str) -> tuple[Node, ...]:
        """Merge elements that have the same value of a key; new ones are appended."""
        result = [*old]
        places = {_key(node, key): index for index, node in enumerate(old)}
        for node in new:
            name = _key(node, key)
            if name in places:
                index = places[name]
                result[index] = self._node(result[index], node, (*path, index))
            else:
                places[name] = len(result)
                result.append(node)
        return tuple(result)


class _Placed:
    """Collects clashes found below a place, with their whole paths."""

    __slots__ = ("_found", "_path")

    def __init__(self, found: list[Clash], path: Path) -> None:
        self._found, self._path = found, path

    def append(self, clash: Clash) -> None:
        """Add a clash whose path begins with the key under which the two values were merged."""
        self._found.append(replace(clash, path=(*self._path, *clash.path[1:])))


def _unique(old: tuple[Node, ...], new: tuple[Node, ...]) -> tuple[Node, ...]:
    result = [*old]
    for node in new:
        if not any(data_edits.same(plain(node), plain(other)) for other in result):
            result.append(node)
    return tuple(result)


def _key(node: Node, key: str) -> str:
    value = node.get(key) if isinstance(node, dict) else None
    return text_of(value.value) if isinstance(value, Assigned) else ""


def _overriding(node: Node, losers: tuple[Assigned, ...]) -> Node:
    """Return a node each of whose leaves overrides others."""
    if isinstance(node, dict):
        return {key: _overriding(below, losers) for key, below in node.items()}
    return Assigned(node.value, node.layer, node.path, (*node.over, *losers), node.elements)
