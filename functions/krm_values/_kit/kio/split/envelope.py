"""The document around a list's items: the other fields of its map, and how a field is removed or inserted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.errors import RepeatedKeyError
from krm_values._kit.kio.split.replacements import line_end, line_start
from krm_values._yaml import emit
from krm_values._yaml.encoding import place, with_breaks

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TypeAlias

    from krm_values._data.values import JSON
    from krm_values._kit.kio.split.replacements import Patch
    from krm_values._yaml.nodes import Node

    Field: TypeAlias = tuple[int, int, int, JSON]  # its key begins, its value begins and ends (bytes), its plain value


FIELDS = ("apiVersion", "kind", "metadata", "items", "functionConfig", "results")


class Frame:
    """The fields of a document's top-level map; of `items` only the place. All places are byte offsets.

    `flow`: the map is written in braces, `opened` is behind the left one. `column`: of its keys. `end`: where text after it begins.
    `anchors`: those before the items.
    """

    __slots__ = ("anchors", "column", "data", "end", "fields", "flow", "opened")

    def __init__(self, data: bytes, column: int, end: int, *, flow: bool = False, opened: int = 0) -> None:
        self.data, self.column, self.end, self.flow, self.opened = data, column, end, flow, opened
        self.fields: dict[str, Field] = {}
        self.anchors: dict[str, Node] = {}

    def value(self, name: str) -> JSON:
        """Return the plain value of a field, None if it is absent."""
        return self.fields[name][3] if name in self.fields else None

    def place(self, name: str) -> tuple[int, int]:
        """Return line and column of a field's value; those of the beginning of the text if it is absent."""
        return place(self.data, self.fields[name][1]) if name in self.fields else (1, 1)

    def begins(self, name: str) -> tuple[int, int]:
        """Return line and column of a field's key."""
        return place(self.data, self.fields[name][0])

    def text(self, name: str) -> tuple[str, int]:
        """Return a field's value as a document of its own, which begins at its column, and the line on which it begins."""
        _, start, end, _ = self.fields[name]
        line, column = place(self.data, start)
        return " " * (column - 1) + self.data[start:end].decode(), line

    def add(self, name: str, begins: int, value: tuple[int, int], data: JSON) -> None:
        """Add a field. InputError if its name is repeated."""
        if name in self.fields:
            found = RepeatedKeyError(name, *place(self.data, begins))
            raise found if name in FIELDS else found.unnamed()
        self.fields[name] = begins, *value, data

    def put(self, name: str, values: Iterable[JSON], breaks: bytes) -> list[Patch]:
        """Return the patches that set a field to this list, in its place or as the last field."""
        if self.flow:
            return self._put_in_braces(name, values, breaks)
        parts = (emit.block({name: [value]})[number > 0 :] for number, value in enumerate(values))
        first, *others = [self._lines(lines, breaks) for lines in parts] or [self._lines(emit.block({name: []}), breaks)]
        begins, ends = self.end, self.end
        if name in self.fields:
            begins, ends = self.fields[name][0] - self.column, line_end(self.data, self.fields[name][2])
        return [(begins, ends, first), *((ends, ends, text) for text in others)]

    def _lines(self, lines: list[str], breaks: bytes) -> bytes:
        return b"".join((" " * self.column + line if line else "").encode() + breaks for line in lines)

    def remove(self, name: str) -> list[Patch]:
        """Return the patches that remove a field, if it exists."""
        if name not in self.fields:
            return []
        begins, _, ends, _ = self.fields[name]
        if not self.flow:
            return [(begins - self.column, line_end(self.data, ends), b"")]
        order = sorted(self.fields.values(), key=lambda field: field[0])
        number = order.index(self.fields[name])
        if number + 1 < len(order):
            return [(begins, order[number + 1][0], b"")]
        return [(order[number - 1][2] if number else begins, ends, b"")]

    def _put_in_braces(self, name: str, values: Iterable[JSON], breaks: bytes) -> list[Patch]:
        column = self._field_column()
        text = emit.as_json(list(values), indent=column or None).replace("\n", "\n" + " " * column)
        new = with_breaks(text, breaks)
        if name in self.fields:
            return [(*self.fields[name][1:3], new)]
        last = max((field[2] for field in self.fields.values()), default=self.opened)
        between = breaks + b" " * column if column else b" "
        colon = emit.as_json(name) + ": "
        return [(last, last, (b"," if self.fields else b"") + between + colon.encode() + new)]

    def _field_column(self) -> int:
        """Return the column of the fields if each has a line of its own, else 0."""
        begins = min((field[0] for field in self.fields.values()), default=0)
        before = self.data[line_start(self.data, begins) : begins]
        return 0 if before.strip(b" ") else len(before)
