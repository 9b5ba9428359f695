"""The resources of a page: each a section of rows with its own layers as columns, and its place in the tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._explain.page.columns import ordered

if TYPE_CHECKING:
    from typing import Any

    from krm_values._explain.page.tables import Tables

_LAYER, _LOSERS = 0, 6
"""Indexes in the row of a way (`tables`)."""


class Sections:
    """The rows of all values, by resource."""

    __slots__ = ("_resources", "_tables", "_titles", "_values")

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._resources: list[list[Any]] = []
        self._titles: list[str] = []
        self._values: list[list[int]] = []

    def add(self, title: str, file: str, source: str, field: str) -> int:
        """Begin a section and return its number. source: the resource that it is generated for. field: the one that holds all its values."""
        self._titles.append(title)
        self._resources.append([self._tables.string(text) for text in (title, file, source, field)])
        return len(self._titles) - 1

    def put(self, section: int, row: list[int]) -> None:
        """Add a value: path, path with names, value, earlier value, kind of difference, way; optionally the earlier way and the cause."""
        self._values.append([section, *row])

    def data(self) -> dict[str, Any]:
        """Return the sections as JSON data. A resource that values of other resources derive from is intermediate; the others are results."""
        columns: list[list[list[int]]] = [[] for _ in self._titles]
        for row in self._values:
            columns[row[0]] += [self._layers(way) for way in reversed(row[6:8]) if way >= 0]
        resources = [
            [*entry, int(title in self._tables.used), ordered(rows)]
            for entry, title, rows in zip(self._resources, self._titles, columns, strict=True)
        ]
        tables = self._tables
        return {
            "steps": tables.steps,
            "layers": tables.layers,
            "ways": tables.ways,
            "resources": resources,
            "values": self._values,
            "strings": tables.strings,
        }

    def _layers(self, way: int) -> list[int]:
        """Return the layers of a value's way, the winner first."""
        found = self._tables.ways[way]
        losers = found[_LOSERS] if len(found) > _LOSERS else ()
        return [found[_LAYER], *(self._tables.ways[one][_LAYER] for one in losers)]
