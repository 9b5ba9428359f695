"""The objects of a package as they were before its first step, by title."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.pointer import ABSENT, get
from krm_values._kit.layers.embedded import values_at
from krm_values._kit.planner import findings
from krm_values._yaml import emit

if TYPE_CHECKING:
    from typing import Any

    from krm_values._data.pointer import Path
    from krm_values._explain.facts import Before
    from krm_values._explain.ways import Way
    from krm_values._kit.planner.item import Item


class Authored:
    """The objects, read on first use; each text is parsed once."""

    __slots__ = ("_before", "_by_title", "_texts")

    def __init__(self, before: Before) -> None:
        self._before = before
        self._by_title: dict[str, list[Item]] | None = None
        self._texts: dict[tuple[int, Path], Any] = {}

    def has(self, way: Way) -> bool:
        """Return whether the object of a layer, in whatever file, has the layer's value at the layer's place."""
        origin = way.origin
        if origin.item is None:
            return False
        found = (self._value(one, origin.path, origin.inner) for one in self._titled(findings.title(origin.item)))
        return any(value is not ABSENT and emit.flow(value) == emit.flow(origin.value) for value in found)

    def _titled(self, title: str) -> list[Item]:
        if self._by_title is None:
            self._by_title = {}
            for item in self._before.items():
                self._by_title.setdefault(findings.title(item), []).append(item)
        return self._by_title.get(title, [])

    def _value(self, item: Item, path: Path, inner: Path | None) -> Any:
        if inner is None:
            return get(item.data, path, ABSENT)
        key = id(item), path
        if key not in self._texts:
            self._texts[key] = values_at(item.data, path)
        return get(self._texts[key], inner, ABSENT)
