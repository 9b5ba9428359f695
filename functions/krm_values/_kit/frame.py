"""What stands around a list's items: the other fields of the map that holds it, and how one of them is taken out or put in."""

from __future__ import annotations

from krm_values._kit import emit, yaml
from krm_values._kit.errors import InputError
from krm_values._kit.patches import line_end, line_start
from krm_values._kit.text import place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    from krm_values._kit.nodes import Node
    from krm_values._kit.patches import Patch
    from krm_values._kit.plan import JSON

    Field: TypeAlias = tuple[int, int, int, JSON]  # begins, its value begins, ends (bytes), plain value


class Frame:
    """The fields of a document's top-level map, but the items of its list. All places are bytes.

    `flow`: the map is written in braces, `opened` is behind the left one. `column`: of its keys. `end`: where a text after it begins.
    """

    __slots__ = ("column", "data", "end", "fields", "flow", "opened")

    def __init__(self, data: bytes, column: int, end: int, *, flow: bool = False, opened: int = 0) -> None:
        self.data, self.column, self.end, self.flow, self.opened = data, column, end, flow, opened
        self.fields: dict[str, Field] = {}

    def value(self, name: str) -> JSON:
        """The plain value of a field, None if it is absent."""
        return self.fields[name][3] if name in self.fields else None

    def place(self, name: str) -> tuple[int, int]:
        """Line and column of a field's value, of the map's begin if it is absent."""
        return place(self.data, self.fields[name][1] if name in self.fields else self.opened)

    def add(self, key: Node, begins: int, value_begins: int, ends: int, value: JSON) -> None:
        """Take up a field. InputError if there is one of that name."""
        name = yaml.key_text(key)
        if name in self.fields:
            raise InputError(f"must not repeat the key `{name}`", *place(self.data, begins))
        self.fields[name] = begins, value_begins, ends, value

    def without(self, name: str) -> list[Patch]:
        """The patches that take a field out."""
        if name not in self.fields:
            return []
        begins, _, ends, _ = self.fields[name]
        if not self.flow:
            return [(line_start(self.data, begins), line_end(self.data, ends), b"")]
        order = sorted(self.fields.values())
        number = order.index(self.fields[name])
        if number + 1 < len(order):
            return [(begins, order[number + 1][0], b"")]
        return [(order[number - 1][2] if number else begins, ends, b"")]

    def with_list(self, name: str, values: Sequence[JSON], breaks: bytes) -> list[Patch]:
        """The patches that put a list in as the last field."""
        if self.flow:
            return self._in_braces(name, list(values), breaks)
        pad = " " * self.column
        lines = emit.block({name: list(values)}, wide=False)
        gap = breaks if self.data[self.end - 1 : self.end] != b"\n" else b""
        return [(self.end, self.end, gap + b"".join((pad + line if line else "").encode() + breaks for line in lines))]

    def _in_braces(self, name: str, value: JSON, breaks: bytes) -> list[Patch]:
        column = self._column_in_braces()
        text = emit.as_json({name: value}, indent=None if column < 0 else column or 2)
        ...
        return []
