"""Reads an item's text: the planner's view of its data, the hidden annotations, and the place of each value in the text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.errors import InputError, RepeatedKeyError, UnfitValueError
from krm_values._data.limits import DEFAULT
from krm_values._data.pointer import get, to_field
from krm_values._data.shown import described
from krm_values._krm import hosts, names
from krm_values._krm.item import Reading, Scalar
from krm_values._yaml import decode
from krm_values._yaml.encoding import LineStarts, by_lines, is_blank

if TYPE_CHECKING:
    from krm_values._data.limits import Limits
    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._yaml.block_places import BlockPlaces, LiteralPlaces
    from krm_values._yaml.nodes import Node, Outer
    from krm_values._yaml.scalar_places import ScalarPlaces


_MAPS = ("metadata", "data", "stringData")


def read(text: str, outer: Outer | None = None, limits: Limits = DEFAULT) -> Reading:
    """Return the reading of one document; null if it has comments only. InputError (line and column of `text`) if it cannot be read.

    outer: returns the anchor of an alias that the text does not define.
    """
    document = _ParsedText("null" if is_blank(text) else text, outer, limits)
    try:
        whole = decode.data(document.text, document.root, limits)
    except InputError as error:
        raise showable(document.text, error) from None
    document.whole = whole
    data, annotations = hosts.hide(whole)
    return Reading(
        data,
        annotations,
        document.scalar,
        document.place,
        flow=document.is_flow,
        nodes=document.nodes,
        inside=document.inside,
        whole=whole,
        root=document.root,
        at=document.at,
        drop=document.drop,
    )


def showable(text: str, error: InputError) -> InputError:
    """Return the error of an unreadable document as it may be shown; its lines end where those of an editor do.

    A repeated key is named only where it is part of the structure: in a Secret, or what may be one, it may be a value that looks like a map.
    A value that does not fit is added, with its field, unless it may be a Secret's.
    """
    if isinstance(error, UnfitValueError):
        error = _with_value(text, error)
    if isinstance(error, RepeatedKeyError) and not _is_structure(decode.parse(text), error.line, error.column):
        error = error.unnamed()
    return by_lines(text, error)


def _is_structure(root: Node, line: int, column: int) -> bool:
    if root.kind != "map":
        return False
    named = [(key.value, item) for key, item in zip(root.keys, root.items, strict=True) if key.kind == "scalar"]
    kinds = [item for name, item in named if name == "kind"]
    if len(kinds) == 1 and kinds[0].kind == "scalar" and kinds[0].value != "Secret" and not kinds[0].value.endswith("List"):
        return True
    if not kinds and root.flow:
        return False
    below = [item.keys for name, item in named if name in _MAPS and item.kind == "map"]
    return any((key.line + 1, key.column + 1) == (line, column) for keys in (root.keys, *below) for key in keys)


def _with_value(text: str, error: UnfitValueError) -> InputError:
    """Return the error with field and value, unless the document may be a Secret or may hold values that came from one."""
    root = decode.parse(text)
    if names.OWN in text or not _is_no_secret(root):
        return error
    field = to_field(_path(root, error.line - 1, error.column - 1) or ())
    found = f"{error.message}, found {described(error.value)}"
    return InputError(f"`{field}`: {found}" if field else found, error.line, error.column)


def _is_no_secret(root: Node) -> bool:
    """Return whether a document has exactly one kind, which is neither like Secret nor a list of resources."""
    found = [item for key, item in zip(root.keys, root.items, strict=True) if key.value == "kind"] if root.kind == "map" else []
    if len(found) != 1 or found[0].kind != "scalar" or found[0].tag:
        return False
    kind = found[0].value
    return "secret" not in kind.lower() and not kind.endswith("List") and not suggest.nearest(kind, ("Secret",))


def _path(root: Node, line: int, column: int) -> Path | None:
    """Return the path of the scalar or key that begins at a place, counted from 0."""
    stack: list[tuple[Node, Path]] = [(root, ())]
    while stack:
        node, path = stack.pop()
        if node.kind == "scalar" and (node.line, node.column) == (line, column):
            return path
        if node.kind == "list":
            stack += [(item, (*path, index)) for index, item in enumerate(node.items)]
        if node.kind == "map":
            pairs = [(key, item) for key, item in zip(node.keys, node.items, strict=True) if key.kind == "scalar"]
            stack += [(one, (*path, key.value)) for key, item in pairs for one in (key, item)]
    return None


class _ParsedText:
    """A text whose places are looked up: line by line where it is ordinary, else among its nodes, which are parsed then."""

    __slots__ = ("_blocks", "_finder", "_limits", "_lines", "_outer", "_root", "_texts", "text", "whole")

    def __init__(self, text: str, outer: Outer | None, limits: Limits) -> None:
        self.text, self._outer, self._limits = text, outer, limits
        self.whole: JSON = None  # its data
        self._root: Node | None = None
        self._blocks: BlockPlaces | None = None
        self._lines: LineStarts | None = None
        self._finder = decode.Finder()
        self._texts: dict[Path, tuple[str, ScalarPlaces | LiteralPlaces | None, int | None] | None] = {}  # the scalars at paths

    def root(self) -> Node:
        if self._root is None:
            self._root = decode.parse(self.text, self._outer, self._limits)
        return self._root

    def drop(self) -> None:
        self._blocks = self._lines = None
        if self._root is not None:
            self._root, self._finder = None, decode.Finder()
        self._texts.clear()

    def nodes(self, text: str) -> Node:
        """Return the root node of this or another text."""
        return self.root() if text == self.text else decode.parse(text, None, self._limits)

    def scalar(self, path: Path) -> Scalar | None:
        node = self._find(path)
        if node is None or node.kind != "scalar":
            return None
        return Scalar(node.value, not node.style and not node.tag, node.line)

    def place(self, path: Path) -> tuple[int, int] | None:
        """Return line and column, from 0, of the key or list element at `path`."""
        if found := self._by_lines().key(path):
            return found
        parent = self._find(path[:-1])
        if not path or parent is None or parent.kind != "map":
            node = self._find(path)
        else:
            place = self._finder.key_indices(parent).get(path[-1])  # type: ignore[arg-type]  # an index is not a key
            node = None if place is None else parent.keys[place]
        node = node or (decode.inherited(self.root(), path) if "*" in self.text or "<<" in self.text else None)
        return self.at(node.start) if node else None

    def inside(self, path: Path, text: str, line: int, column: int) -> tuple[int, int] | None:
        """Return line and column, from 0, in the item's text of a place within the scalar at `path`: the place at this line and column of `text` (column 0: the whole line).

        None if the scalar holds another text, or its characters cannot be mapped.
        """
        if path not in self._texts:
            self._texts[path] = self._text(path)
        value, found, first = self._texts[path] or ("", None, 0)
        if found is None or value != text:
            return None
        if first is not None and found.has(line, column):  # type: ignore[union-attr]  # each line is behind the same indentation
            return first + line - 1, found.indent + column - 1  # type: ignore[union-attr]
        if not column:
            return self._whole_line(found.line(line))
        at = found.at(line, column)
        return None if at is None else self.at(at)

    def _text(self, path: Path) -> tuple[str, ScalarPlaces | LiteralPlaces | None, int | None] | None:
        """Return the scalar at `path` with its places, and the first line of a literal one."""
        from krm_values._yaml import block_places  # noqa: PLC0415 - only for findings and explanations

        begin, value = self._by_lines().text(path), get(self.whole, path)
        if begin is not None and isinstance(value, str) and (found := block_places.literal(self.text, begin, value)):
            return value, found, self.at(found.begin)[0]
        node = self._find(path)
        if node is None or node.kind != "scalar":
            return None
        from krm_values._yaml import scalar_places  # noqa: PLC0415 - only for texts of other styles

        places = scalar_places.places(self.text, node)
        return node.value, places, self.at(places.begin)[0] if isinstance(places, block_places.LiteralPlaces) else None

    def _by_lines(self) -> BlockPlaces:
        if self._blocks is None:
            self._blocks = decode.block_places(self.text)
        return self._blocks

    def _whole_line(self, span: tuple[int, int] | None) -> tuple[int, int] | None:
        """Return where a line of a text begins in the source; None if it is folded over several lines."""
        first, last = map(self.at, span) if span else ((0, 0), (-1, 0))
        return first if first[0] == last[0] else None

    def at(self, index: int) -> tuple[int, int]:
        """Return line and column, from 0, of an offset."""
        if self._lines is None:
            self._lines = LineStarts(self.text)
        return self._lines.place(index)

    def is_flow(self, path: Path) -> bool:
        """Return whether the map or list at `path` is written in flow style."""
        node = self._find(path)
        return node is not None and node.kind in ("map", "list") and node.flow

    def _find(self, path: Path) -> Node | None:
        return self._finder.find(self.root(), path)
