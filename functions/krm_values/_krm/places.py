"""Lines and columns for messages and `explain`, from 1; 0 where they are not known."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from krm_values._data.errors import InputError, address
from krm_values._data.pointer import get
from krm_values._data.record import replace
from krm_values._krm.item import Item, is_secret, withholds
from krm_values._krm.plan import Inside, New, Origin
from krm_values._yaml import decode
from krm_values._yaml.encoding import LineStarts

if TYPE_CHECKING:
    from krm_values._data.pointer import Path
    from krm_values._krm.item import Position
    from krm_values._krm.plan import Finding
    from krm_values._yaml.nodes import Node


UNKNOWN = 0, 0
_starts = lru_cache(maxsize=1024)(LineStarts)


def of_finding(finding: Finding) -> tuple[Item | None, tuple[int, int]]:
    """Return the item and the place of a finding; an item that cannot be read has the place of its error.

    A generated object is in no file yet: its place is that of the resource that it is made from.
    """
    at = finding.at
    if at is not None and isinstance(at.item, Item):
        found = of_origin(at)
        return at.item, found if found[0] else of_field(at.item, at.path)
    item, inside = finding.item, finding.inside
    if isinstance(item, New):
        source = made_from(item)
        return source, of_field(source, ()) if source else UNKNOWN
    if item is None:
        return None, UNKNOWN
    if item.error and item.error.file:
        return item, (item.error.line, item.error.column)
    found = of_text(item, finding.path, inside) if inside else UNKNOWN
    return item, found if found[0] else of_field(item, finding.path)


def on_stdin(finding: Finding) -> tuple[int, int]:
    """Return the place of a finding in the list on stdin, where its item has one beside its file."""
    at, item = finding.at, finding.item
    if at is not None and isinstance(at.item, Item):
        found = at.item.on_stdin()
        return of_finding(replace(finding, at=replace(at, item=found)))[1] if found else UNKNOWN
    about = made_from(item) if isinstance(item, New) else item
    found = about.on_stdin() if about else None
    return of_finding(replace(finding, item=found, path=() if isinstance(item, New) else finding.path))[1] if found else UNKNOWN


def made_from(new: New) -> Item | None:
    """Return the resource that a generated object is made from, through other generated ones; None if the functionConfig alone makes it."""
    source: Item | New | None = new
    while isinstance(source, New):
        source = source.source
    return source


def of_field(item: Item, path: Path) -> tuple[int, int]:
    """Return the place of a field, or of the nearest written one above it; unknown if a host has reprinted the file.

    The path may continue below a string, into its YAML.
    """
    if not item.position.line:
        return UNKNOWN
    for size in range(len(path), -1, -1):
        found = item.reading.place(path[:size])
        if found is not None:
            text = get(item.data, path[:size]) if size < len(path) else None
            below = of_text(item, path[:size], field_inside(text, path[size:])) if isinstance(text, str) else UNKNOWN
            return below if below[0] else _of_key(item, path[:size], found)
    return UNKNOWN


class _Text:
    """A YAML text, parsed once for all lookups. root: None if it cannot be read."""

    __slots__ = ("_finder", "_starts", "_text", "root")

    def __init__(self, text: str) -> None:
        self._text, self._starts, self._finder = text, LineStarts(text), decode.Finder()
        try:
            self.root: Node | None = decode.parse(text + "\n")
        except InputError:
            self.root = None

    def place(self, path: Path) -> tuple[int, int] | None:
        """Return line and column, from 0, of the key or element at a path, which may go on in a text within this one; None if it is not written."""
        parent = self._finder.find(self.root, path[:-1]) if self.root else None
        found = self._finder.find(parent, path[-1:]) if parent else None
        if parent is None or found is None:
            return self._below(path) or self._as_go_reads(path)
        node = parent.keys[self._finder.key_indices(parent)[path[-1]]] if parent.kind == "map" else found  # type: ignore[index]
        return self._starts.place(node.start)

    def _below(self, path: Path) -> tuple[int, int] | None:
        """Return the place of what is in a text within this one."""
        from krm_values._yaml.scalar_places import places  # noqa: PLC0415 - only where a text is in another one

        for size in range(len(path) - 1, 0, -1):
            node = self._finder.find(self.root, path[:size]) if self.root else None
            if node is not None and node.kind == "scalar":
                below, known = _parsed(node.value).place(path[size:]), places(self._text, node)
                at = known.at(below[0] + 1, below[1] + 1) if below is not None and known is not None else None
                return None if at is None else self._starts.place(at)
        return None

    def _as_go_reads(self, path: Path) -> tuple[int, int] | None:
        """Return the place of a key that Go reads as another one, as it does `on`."""
        from krm_values._go import yaml as goyaml  # noqa: PLC0415 - only where a key is not found otherwise

        try:
            found = goyaml.read(self._text).place(path)
        except InputError:
            return None
        return (found[0] - 1, found[1] - 1) if found else None


_parsed = lru_cache(maxsize=16)(_Text)  # one field after the other is of the same few texts


def field_inside(text: str, path: Path) -> Inside | None:
    """Return the place in a YAML text of a field, or of the nearest written one above it."""
    for size in range(len(path), 0, -1):
        place = _parsed(text).place(path[:size])
        if place is not None:
            return Inside(text, place[0] + 1, place[1] + 1)
    return None


def exactly(item: Item, path: Path) -> tuple[int, int]:
    """Return the place of a field that is written; unknown for any other."""
    found = item.reading.place(path) if item.position.line else None
    return _of_key(item, path, found) if found else UNKNOWN


def of_text(item: Item, path: Path, inside: Inside | None) -> tuple[int, int]:
    """Return the place in the file of a place inside the text of a field; unknown if the field encodes it, as base64 does."""
    if not item.position.line or inside is None:
        return UNKNOWN
    if inside.text is None:
        found: tuple[int, int] | None = inside.line - 1, max(inside.column - 1, 0)
    else:
        found = None
        size = len(path)
        while found is None and size:  # the path may go on below the text, into what is read there
            found, size = item.reading.inside(path[:size], inside.text, inside.line, inside.column), size - 1
    if found is None:
        return UNKNOWN
    line, column = _in_file(item.position, found)
    hides = withholds(item, path) and _is_behind(item, path, inside, found[0])
    return line, column if inside.column and not hides else 0


class OfField:
    """The places of the values of one field, whose text they may be in: what they share is looked up once."""

    __slots__ = ("_hides", "_item", "_path", "_position", "_reading", "_text")

    def __init__(self, item: Item, path: Path) -> None:
        self._item, self._path, self._position, self._reading = item, path, item.position, item.reading
        text = get(item.data, path)
        self._text = text if isinstance(text, str) else None
        self._hides = withholds(item, path)

    def place(self, line: int, column: int) -> tuple[int, int]:
        """Return the place in the file of a line and column of the text, of the field itself where line is 0."""
        if line and self._text is not None:
            found = None if self._hides else self._reading.inside(self._path, self._text, line, column)
            if found is not None:
                line, at = _in_file(self._position, found)
                return line, at if column else 0
            below = of_text(self._item, self._path, Inside(self._text, line, column))
            if below[0]:
                return below
        return exactly(self._item, self._path)


def of_origin(origin: Origin) -> tuple[int, int]:
    """Return the place of a layer's value, which may be in a text."""
    item = origin.item
    if not isinstance(item, Item) or not item.position.line:
        return UNKNOWN
    return OfField(item, origin.path).place(*origin.place)


def line_of(origin: Origin) -> str:
    """Return the line of a layer's value for messages: that of the file if it is known; "" if none is."""
    line = of_origin(origin)[0]
    if line:
        return f"line {line}"
    return f"line {origin.place[0]} of the text" if origin.place[0] else ""


def shown(item: Item, place: tuple[int, int]) -> str:
    """Format a place: `app.yaml:12:5`."""
    return address(item.position.source, *place)


def _of_key(item: Item, path: Path, place: tuple[int, int]) -> tuple[int, int]:
    """Return the place of a key or element in the file. Behind a hidden value on the same line, the column is left out, because it would reveal the length."""
    line, column = _in_file(item.position, place)
    hides = (is_secret(item) or item.withheld) and any(item.flow(path[:size]) for size in range(len(path)))
    return line, 0 if hides else column


def _is_behind(item: Item, path: Path, inside: Inside, line: int) -> bool:
    """Return whether a place of a text follows anything but indentation and dashes on its line of the file; also if that is not known."""
    start = None if inside.text is None else _starts(inside.text).index(inside.line - 1, 0)
    if inside.text is None or start is None or inside.text[start : start + inside.column - 1].strip(" -?"):
        return True
    if inside.line == 1:
        return False
    before = item.reading.inside(path, inside.text, inside.line - 1, 1)
    return before is None or before[0] >= line


def _in_file(position: Position, place: tuple[int, int]) -> tuple[int, int]:
    line, column = place
    number, (begins, gone) = position.line + line, position.cut
    return number + (gone if number >= begins else 0), column + 1 + (0 if line else position.shift)
