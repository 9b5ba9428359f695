"""The order of a resource's layers as columns, lowest precedence first."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def ordered(rows: Iterable[Sequence[int]]) -> list[int]:
    """Return the layers of all rows, each after those that it overrides anywhere. rows: the layers of each value, the winner first.

    If rows contradict each other, the first occurrence decides.
    """
    stronger: dict[int, dict[int, None]] = {}
    weaker: dict[int, set[int]] = {}
    for row in rows:
        for layer in reversed(row):
            stronger.setdefault(layer, {})
            weaker.setdefault(layer, set())
        for strong, weak in pairwise(row):
            if strong != weak:
                stronger[weak][strong] = None
                weaker[strong].add(weak)
    return _sorted(stronger, weaker)


def _sorted(stronger: dict[int, dict[int, None]], weaker: dict[int, set[int]]) -> list[int]:
    found: list[int] = []
    left = dict.fromkeys(stronger)
    free = [layer for layer in left if not weaker[layer]]
    while left:
        layer = free.pop(0) if free else next(iter(left))
        if layer not in left:
            continue
        del left[layer]
        found.append(layer)
        for above in stronger[layer]:
            weaker[above].discard(layer)
            if not weaker[above] and above in left:
                free.append(above)
    return found
