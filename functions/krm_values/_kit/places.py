"""Where in its file something stands, as messages and `explain` show it: line and column from 1, 0 for what is not known."""

from __future__ import annotations

from krm_values._kit.errors import address
from krm_values._kit.item import Item
from krm_values._kit.plan import Inside, Origin
from krm_values._kit.pointer import get

TYPE_CHECKING = False
if TYPE_CHECKING:
    from krm_values._kit.item import Position
    from krm_values._kit.pointer import Path

UNKNOWN = 0, 0


def of_field(item: Item, path: Path) -> tuple[int, int]:
    """Of a field, or the nearest one above it that is written; unknown where a host has reprinted the file."""
    if not item.position.line:
        return UNKNOWN
    found = (item.reading.place(path[:size]) for size in range(len(path), -1, -1))
    return _in_file(item.position, next((place for place in found if place is not None), None) or UNKNOWN)


def exactly(item: Item, path: Path) -> tuple[int, int]:
    """Of a field that is written."""
    found = item.reading.place(path) if item.position.line else None
    return _in_file(item.position, found) if found else UNKNOWN


def of_text(item: Item, path: Path, inside: Inside) -> tuple[int, int]:
    """Of a place inside the text that a field holds; unknown where the field holds it in another form, as base64."""
    if not item.position.line:
        return UNKNOWN
    if inside.text is None:
        found: tuple[int, int] | None = inside.line - 1, max(inside.column - 1, 0)
    else:
        # the path may go on below the text, into what is read there
        tried = (item.reading.inside(path[:size], inside.text, inside.line, inside.column) for size in range(len(path), 0, -1))
        found = next((place for place in tried if place is not None), None)
    if found is None:
        return UNKNOWN
    line, column = _in_file(item.position, found)
    return line, column if inside.column else 0


def of_origin(origin: Origin) -> tuple[int, int]:
    """Of the value of a layer, which may stand in a text: there without a column."""
    item = origin.item
    if not isinstance(item, Item) or not item.position.line:
        return UNKNOWN
    text = get(item.data, origin.path)
    if origin.line and isinstance(text, str) and (found := of_text(item, origin.path, Inside(text, origin.line)))[0]:
        return found
    return exactly(item, origin.path)


def line_of(origin: Origin) -> str:
    """The line of a layer's value as messages name it: that of the file where it is known, "" where nothing is."""
    line = of_origin(origin)[0]
    if line:
        return f"line {line}"
    return f"line {origin.line} of the text" if origin.line else ""


def shown(item: Item, place: tuple[int, int]) -> str:
    """`app.yaml:12:5`."""
    return address(item.position.source, *place)


def _in_file(position: Position, place: tuple[int, int]) -> tuple[int, int]:
    line, column = place
    return position.line + line, 0 if column < 0 else column + 1 + (0 if line else position.shift)
