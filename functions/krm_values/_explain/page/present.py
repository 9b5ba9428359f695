"""The value of a generated object in the files as they are now, before it is generated again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.errors import InputError
from krm_values._data.pointer import ABSENT, get
from krm_values._kit.engine.generated import header_of
from krm_values._kit.layers import configmaps
from krm_values._kit.planner.item import Item, is_secret, withholds
from krm_values._yaml import decode

if TYPE_CHECKING:
    from collections.abc import Iterable

    from krm_values._data.pointer import Absent, Path
    from krm_values._data.values import JSON
    from krm_values._explain.values import Value


class Present:
    """The resources as they were read, found by kind, group, namespace and name."""

    __slots__ = ("_items", "_texts")

    def __init__(self, items: Iterable[Item]) -> None:
        self._items = {header_of(item.data): item for item in items}
        self._texts: dict[tuple[int, Path], JSON] = {}

    def value(self, value: Value) -> tuple[JSON | Absent, bool]:
        """Return the value at this place (ABSENT if none), and whether it must be hidden."""
        item = self._items.get(header_of(value.item.data))
        if item is None:
            return ABSENT, False
        hides = withholds(item, value.path)
        if value.inner is None:
            return get(item.data, value.path, ABSENT), hides
        return get(self._text(item, value.path), value.inner, ABSENT), hides

    def _text(self, item: Item, path: Path) -> JSON:
        """Return the parsed content of a field's text, None if it cannot be read."""
        key = id(item), path
        if key not in self._texts:
            held = get(item.data, path)
            try:
                encoded = is_secret(item) and path[:1] == ("data",)
                self._texts[key] = decode.data(configmaps.decode(held) if encoded else held) if isinstance(held, str) else None
            except (InputError, ValueError):
                self._texts[key] = None
        return self._texts[key]
