"""The law of the traced tree: on random layers and strategies it tells what a naive tracer tells."""

from __future__ import annotations

import random
from typing import Any

from tests.reference import traced as naive

from krm_values._krm.plan import Origin
from krm_values._run.traced import ByKey, Clash, Map, merge, origin, read, tree

SCALARS = [None, True, False, 0, 1, 2, "", "x", "1"]
KEYS = "abcm"
JOINED = ["append", "prepend", "unique", "by name"]


class Strategies:
    """Strategies by path, as functions have them."""

    def __init__(self, listed: naive.Strategies) -> None:
        self._listed = listed

    def at(self, path: tuple[Any, ...]) -> str | ByKey | None:
        found = self._listed.get(tuple("*" if isinstance(part, int) else part for part in path))
        return ByKey(found.removeprefix("by ")) if found is not None and found.startswith("by ") else found


def wrong(chance: random.Random) -> str:
    """Return how what is told of random layers differs, "" if it does not."""
    strategies = _strategies(chance)
    chains = [
        {f"{number}-{layer}": _map(chance, strategies, (), 0) for layer in range(chance.randint(1, 4))}
        for number in range(1 if {*strategies.values()} - {"keeps"} else chance.randint(1, 3))
    ]
    expected, found = naive.told(chains, strategies), _told(chains, strategies, lists=chance.random() < 0.5)
    if repr(expected) == repr(found):
        return ""
    lines = [
        f"{path}: naive {expected.get(path)}, traced {found.get(path)}"
        for path in {**expected, **found}
        if repr(expected.get(path)) != repr(found.get(path))
    ]
    return "\n".join([f"{chains} {strategies}", *(lines or ["in another order"])])


def _told(chains: list[dict[str, dict[str, Any]]], strategies: naive.Strategies, *, lists: bool) -> naive.Told:
    usual = {path: how for path, how in strategies.items() if how != "keeps"}
    found, clashes = Map(), list[Clash]()
    for chain in chains:
        upper = Map()
        for name, layer in chain.items():
            upper = merge(upper, tree(layer, _layer(name), lists=lists), clashes, None, Strategies(usual) if usual else None)
        keeps = bool if "keeps" in strategies.values() else None
        found = merge(found, upper, clashes, keeps, Strategies(usual) if usual else None)
    return {
        path: (leaf.value, _places(origin(leaf))[0], [(one.value, _places(origin(one))) for one in leaf.overridden()])
        for path, leaf in read(found, ordered=True)
    }


def _places(at: Origin) -> tuple[naive.Place, ...]:
    return tuple((one.layer, one.inner or ()) for one in at.via or (at,))


def _layer(name: str) -> Any:
    return lambda path, value: Origin(name, value, inner=path)


def _strategies(chance: random.Random) -> naive.Strategies:
    if chance.random() < 0.3:
        return {(): "keeps"} if chance.random() < 0.3 else {}
    found = {path: chance.choice(JOINED) for path in [("l",), ("m", "l"), ("l", "*", "l")] if chance.random() < 0.6}
    return {**found, **{path: "replace" for path in [("m",), ("a",), ("l", "*", "m")] if chance.random() < 0.3}}


def _map(chance: random.Random, strategies: naive.Strategies, path: tuple[str, ...], depth: int) -> dict[str, Any]:
    keys = [key for key in KEYS if chance.random() < 0.5 - depth / 8] + (["l"] if chance.random() < 0.7 else [])
    chance.shuffle(keys)
    return {key: _value(chance, strategies, (*path, key), depth + 1) for key in keys}


def _value(chance: random.Random, strategies: naive.Strategies, path: tuple[str, ...], depth: int) -> Any:
    strategy = strategies.get(path, "")
    if strategy in JOINED:
        return None if chance.random() < 0.1 else _elements(chance, strategies, path, depth, strategy)
    if chance.random() < 0.5 and depth < 4:
        return _map(chance, strategies, path, depth)
    return [chance.choice(SCALARS) for _ in range(chance.randint(0, 2))] if chance.random() < 0.2 else chance.choice(SCALARS)


def _elements(
    chance: random.Random, strategies: naive.Strategies, path: tuple[str, ...], depth: int, strategy: str
) -> list[Any]:
    names = chance.sample(["x", "y", 1, True, "1"], chance.randint(0, 3))
    if strategy != "by name":
        found: list[Any] = [chance.choice(SCALARS[:6]) for _ in range(chance.randint(0, 3))]
        return [*found, *([_map(chance, strategies, (*path, "*"), depth + 2)] if chance.random() < 0.3 else [])]
    distinct = {str(name): name for name in names}
    return [{**_map(chance, strategies, (*path, "*"), depth), "name": name} for name in distinct.values()]
