"""A naive tracer: merges layers as plain data, and copies what a value overrides into each leaf of it at once.

It knows nothing of the traced tree of `_run/traced`, whose answers must be the same: value, winner and losers of every leaf.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from typing import Any

Place = tuple[str, tuple[Any, ...]]
"""A layer and a path in it."""
Strategies = dict[tuple[str, ...], str]
Told = dict[tuple[Any, ...], tuple[Any, Place, list[tuple[Any, tuple[Place, ...]]]]]
"""By path: the value, its place, and what it overrides, nearest first: values and their places."""


class Node:
    """A leaf, a map or a list of elements, the place where it was set, and what it overrides: nodes, each with the keys down to its place.

    is_whole: none of its members comes back for one that is gone, because it was replaced as a whole.
    """

    def __init__(self, value: Any, place: Place, over: list[tuple[Node, tuple[Any, ...]]]) -> None:
        self.value, self.place, self.over, self.is_whole = value, place, over, False

    def parts(self) -> list[tuple[Any, Node]]:
        """The keys or indices with what is below them, keys in order; none of a leaf."""
        if isinstance(self.value, dict):
            return sorted(self.value.items())
        return (
            [*enumerate(self.value)]
            if isinstance(self.value, list) and any(isinstance(one, Node) for one in self.value)
            else []
        )

    def plain(self) -> Any:
        if isinstance(self.value, dict):
            return {key: one.plain() for key, one in self.value.items()}
        return [one.plain() for _, one in self.parts()] if self.parts() else self.value

    def leaves(self, path: tuple[Any, ...] = ()) -> list[tuple[tuple[Any, ...], Node]]:
        return [found for key, one in self.parts() for found in one.leaves((*path, key))] if self.parts() else [(path, self)]

    def whole(self) -> tuple[Any, tuple[Place, ...]]:
        """The value, and the places of its parts; one place, if one layer has all of it there."""
        places = [(path, leaf.place) for path, leaf in self.leaves()]
        path, (layer, at) = places[0]
        base = at[: len(at) - len(path)]
        is_one = all(place == (layer, (*base, *path)) for path, place in places)
        return self.plain(), ((layer, base),) if is_one else tuple(place for _, place in places)


def node(value: Any, layer: str, path: tuple[Any, ...] = ()) -> Node:
    """A value of one layer."""
    if isinstance(value, dict):
        value = {key: node(one, layer, (*path, key)) for key, one in value.items()}
    return Node(value, (layer, path), [])


def told(chains: list[dict[str, dict[str, Any]]], strategies: Strategies) -> Told:
    """Merge chains of layers, the lowest first, and then these. strategies: by path, where `*` is any index; `by KEY` merges elements.

    The layers of a chain are by name. `keeps`, at the top: a map of a later chain does not replace what is true.
    """
    found = Node({}, ("", ()), [])
    for chain in chains:
        upper = Node({}, ("", ()), [])
        for name, layer in chain.items():
            upper = _merged(upper, node(layer, name), (), {one: how for one, how in strategies.items() if how != "keeps"})
        found = _merged(found, upper, (), strategies)
    return {path: (leaf.plain(), leaf.place, _losers(leaf)) for path, leaf in found.leaves() if path}


def _losers(leaf: Node) -> list[tuple[Any, tuple[Place, ...]]]:
    found: dict[tuple[Place, ...], Any] = {}
    for one in _history(leaf.over):
        value, places = one.whole()
        if any(layer != leaf.place[0] for layer, _ in places):
            found.setdefault(places, value)
    return [(value, places) for places, value in found.items()]


def _history(over: list[tuple[Node, tuple[Any, ...]]]) -> Iterator[Node]:
    """What stood at a place, nearest first: where a node has nothing there, the nearest value above."""
    for one, keys in over:
        below, left = one, keys
        while left and isinstance(below.value, dict) and left[0] in below.value and not below.is_whole:
            below, left = below.value[left[0]], left[1:]
        yield below
        yield from _history([(other, (*rest, *left)) for other, rest in below.over])


def _merged(below: Node, above: Node, path: tuple[Any, ...], strategies: Strategies) -> Node:
    strategy = strategies.get(tuple("*" if isinstance(part, int) else part for part in path), "merge")
    if isinstance(below.value, dict) and isinstance(above.value, dict) and strategy != "replace":
        if not below.value and not above.value:
            return _over(above, below)
        members = dict(below.value)
        for key, one in above.value.items():
            members[key] = _merged(members[key], one, (*path, key), strategies) if key in members else one
        return Node(members, below.place, [*above.over, *below.over])
    if isinstance(below.value, list) and isinstance(above.value, list) and strategy not in ("merge", "replace"):
        return Node(_joined(_elements(below), _elements(above), strategy, path, strategies), above.place, [])
    if (
        strategies.get((), "") == "keeps"
        and isinstance(above.value, dict)
        and not isinstance(below.value, dict)
        and below.plain()
    ):
        return Node(below.value, below.place, [*below.over, (above, ())])
    if isinstance(below.value, dict) and isinstance(above.value, dict):
        below = copy(below)
        below.is_whole = True
    return _over(above, below)


def _elements(found: Node) -> list[Node]:
    layer, path = found.place
    return [one if isinstance(one, Node) else node(one, layer, (*path, index)) for index, one in enumerate(found.value)]


def _joined(old: list[Node], new: list[Node], strategy: str, path: tuple[Any, ...], strategies: Strategies) -> list[Node]:
    if strategy == "prepend":
        return [*new, *old]
    found = [*old]
    for one in new:
        index = next((index for index, other in enumerate(found) if _is_one(other, one, strategy)), -1)
        if index < 0:
            found.append(one)
        elif strategy == "unique":
            found[index] = _beside(found[index], one)
        else:
            found[index] = _merged(found[index], one, (*path, index), strategies)
    return found


def _is_one(one: Node, other: Node, strategy: str) -> bool:
    if strategy == "unique":
        return bool(one.plain() == other.plain()) and repr(one.plain()) == repr(other.plain())
    key = strategy.removeprefix("by ")
    return strategy != "append" and str(one.plain()[key]) == str(other.plain()[key])


def _beside(kept: Node, equal: Node) -> Node:
    """The first of equal elements, which overrides the later ones, the last one first."""
    found = copy(kept)
    found.over = [(equal, ()), *kept.over]
    if isinstance(kept.value, dict):
        found.value = {key: _beside(one, equal.value[key]) for key, one in kept.value.items()}
    return found


def _over(above: Node, below: Node, keys: tuple[Any, ...] = ()) -> Node:
    """A node over another one, from which `keys` lead to its place."""
    found = copy(above)
    found.over = [*above.over, (below, keys)]
    if isinstance(above.value, dict):
        found.value = {key: _over(one, below, (*keys, key)) for key, one in above.value.items()}
    return found
