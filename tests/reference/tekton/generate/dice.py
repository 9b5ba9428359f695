"""Random choices, and the few names that random packages are made of."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

Json = Any
Kinds = dict[str, str]  # the type of each name

KINDS: Kinds = {
    **dict.fromkeys(("a", "b", "c-d", "x.y", "A", "_u"), "string"),
    **dict.fromkeys(("l", "m", "l.z"), "array"),
    **dict.fromkeys(("o", "p"), "object"),
}
INNER: Kinds = {"w": "string", "v": "array", "q": "object", "n": "string"}  # known to tasks only
SUPPLIED = ("f", "g", "arch")  # by a matrix
TYPES = ("string", "array", "object")
KEYS = ("k", "j", "h-1")
WORDS = ("red", "green", "blue", "yes", "010", "on", "")


class Dice:
    """Choices from one seed. `wild` is how often something is done that is likely to be rejected."""

    def __init__(self, seed: int | str) -> None:
        self.random = random.Random(seed)
        self.wild = self.random.choice((0, 0, 0, 0, 0, 0, 0, 0.01, 0.04))
        self.kinds = dict(KINDS)
        if not self.chance(0.08):
            del self.kinds["A"]
        if self.odd(3):
            self.kinds[self.pick(self.kinds)] = self.pick(TYPES)

    def odd(self, weight: float = 1) -> bool:
        return self.random.random() < self.wild * weight

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def pick(self, options: Iterable[Json]) -> Json:
        return self.random.choice(list(options))

    def some(self, options: Iterable[Json], share: float = 0.5) -> list[Json]:
        """A part of the options, in any order."""
        chosen = [option for option in options if self.chance(share)]
        self.random.shuffle(chosen)
        return chosen

    def kind(self, name: str, seen: Kinds | None = None) -> str:
        """The type that a name usually has."""
        return (seen or {}).get(name) or (self.kinds | INNER).get(name, "string")

    def name(self, name: str) -> str:
        """The name, or one that cannot be."""
        if self.odd(0.7):
            return str(self.pick(("1st", "a b", "o.k", name.upper(), name + ".")))
        return name

    def doubled(self, entries: list[dict[str, Json]]) -> list[dict[str, Json]]:
        """The entries, one of them twice now and then."""
        if entries and self.odd():
            twin = dict(self.pick(entries))
            if self.chance(0.5):
                twin["name"] = str(twin["name"]).swapcase()
            entries.append(twin)
        return entries


def spelled(name: str, suffix: str = "") -> str:
    return f'$(params["{name}"]{suffix})' if "." in name else f"$(params.{name}{suffix})"
