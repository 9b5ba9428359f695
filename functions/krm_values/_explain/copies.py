"""What a function copied into an object that it generated without a decision about it: the same layer has it beside a decided value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.pointer import ABSENT, get
from krm_values._krm.plan import Origin

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from krm_values._data.pointer import Path
    from krm_values._krm.item import Item
    from krm_values._krm.plan import New
    from krm_values._run.state import Decision

    _Source = tuple[str, Item | New, Path]  # a layer, its object, and the place there that is the object's


_REFERENCE = "$("


class Copies:
    """The values of an object that are equal to those at the same place of a layer.

    made: the object as its step generated it.
    """

    __slots__ = ("_near", "made")

    def __init__(self, made: New, decisions: Iterable[Decision]) -> None:
        self.made = made
        self._near: dict[Path, dict[object, _Source]] = {}
        """By each path above a decided value, the layers that have one below it."""
        for decision in decisions:
            source = _around(decision)
            if source is not None:
                layer, item, above = source
                for size in range(len(decision.path) + 1):
                    self._near.setdefault(decision.path[:size], {}).setdefault((layer, id(item), above), source)

    def at(self, path: Path) -> Origin | None:
        """Return the place from which a value was copied: of the layer with the nearest decided value that has the same one there."""
        value = get(self.made.data, path, ABSENT)
        return next((one for one in self._beside(path) if one.value == value), None)

    def text(self, path: Path) -> Origin | None:
        """Return the text with references from which a value was made: that of the layer with the nearest decided value."""
        return next((one for one in self._beside(path) if isinstance(one.value, str) and _REFERENCE in one.value), None)

    def _beside(self, path: Path) -> Iterator[Origin]:
        """Yield what the layers have at the same place, that with the nearest decided value first."""
        tried: set[object] = set()
        for size in range(len(path), -1, -1):
            for key, (layer, item, above) in self._near.get(path[:size], {}).items():
                if key not in tried:
                    tried.add(key)
                    found = get(item.data, (*above, *path), ABSENT)
                    if found is not ABSENT:
                        yield Origin(layer, found, item, (*above, *path))


def _around(decision: Decision) -> _Source | None:
    """Return the layer of a value and the place in its object from which the paths are the same as in the decided one: a copy is as deep as its neighbour."""
    if decision.leaf is None:
        return None
    origin, leaf = decision.leaf.origin, decision.leaf.path
    at = len(origin.path) - len(leaf)
    if origin.item is None or origin.inner is not None or origin.path[at:] != leaf:
        return None
    return origin.layer, origin.item, origin.path[:at]
