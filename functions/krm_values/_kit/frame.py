"""What stands around a list's items: the other fields of the map that holds it, and how one of them is taken out or put in."""

from __future__ import annotations

from krm_values._kit import emit, yaml
from krm_values._kit.errors import InputError
from krm_values._kit.patches import line_end, line_start
from krm_values._kit.text import place, with_breaks

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

    def put(self, name: str, values: Sequence[JSON], breaks: bytes) -> list[Patch]:
        """The patches that give a field this list, in its place or as the last one; without values it is taken out."""
        if not values:
            return self._without(name) if name in self.fields else []
        if self.flow:
            return self._put_in_braces(name, values, breaks)
        lines = emit.block({name: list(values)})
        text = b"".join((" " * self.column + line if line else "").encode() + breaks for line in lines)
        if name in self.fields:
            begins, _, ends, _ = self.fields[name]
            return [(line_start(self.data, begins), line_end(self.data, ends), text)]
        return [(self.end, self.end, self.gap(breaks) + text)]

    def gap(self, breaks: bytes) -> bytes:
        """What must stand before a new last field."""
        return breaks if self.data[self.end - 1 : self.end] != b"\n" else b""

    def _without(self, name: str) -> list[Patch]:
        begins, _, ends, _ = self.fields[name]
        if not self.flow:
            return [(line_start(self.data, begins), line_end(self.data, ends), b"")]
        order = sorted(self.fields.values(), key=lambda field: field[0])
        number = order.index(self.fields[name])
        if number + 1 < len(order):
            return [(begins, order[number + 1][0], b"")]
        return [(order[number - 1][2] if number else begins, ends, b"")]

    def _put_in_braces(self, name: str, values: Sequence[JSON], breaks: bytes) -> list[Patch]:
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
        """Where the fields begin if each has a line of its own, else 0."""
        begins = min((field[0] for field in self.fields.values()), default=0)
        before = self.data[line_start(self.data, begins) : begins]
        return 0 if before.strip(b" ") else len(before)
