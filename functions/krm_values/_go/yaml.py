"""YAML as programs that use sigs.k8s.io/yaml 1.6.0 read it: YAML to JSON to maps.

Where Go's result depends on the order of a Go map (two keys with the same text) this reader refuses the text, and beyond 200 levels.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.errors import InputError
from krm_values._data.go_numbers import key_text
from krm_values._data.limits import DEFAULT
from krm_values._data.record import replace
from krm_values._data.shown import type_of
from krm_values._go import yaml_parser
from krm_values._go.yaml_decode import Lint, decode, is_merge, key_of, sources_of
from krm_values._go.yaml_parser import first_document
from krm_values._yaml.encoding import LineStarts, by_lines

if TYPE_CHECKING:
    from typing import Protocol

    from krm_values._data.limits import Limits
    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._yaml.nodes import Node

    class Places(Protocol):
        """The places of the values of a text."""

        def of(self, path: Path) -> tuple[int, int] | None: ...


__all__ = ["GoText", "Lint", "read"]


class GoText:
    """A text that was read: its `data` and its `lints` in the order of the text."""

    __slots__ = ("_lines", "_places", "_text", "data", "lints")

    def __init__(self, data: JSON, lints: tuple[Lint, ...], places: Places, text: str = "") -> None:
        self.data, self.lints, self._places, self._text = data, lints, places, text
        self._lines: Lines | None = places if isinstance(places, Lines) else None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GoText) and (self._text, self.data, self.lints) == (other._text, other.data, other.lints)

    def __hash__(self) -> int:
        return hash(self._text)

    def line(self, path: Path) -> int | None:
        """Return the line, from 1, of the key or list element at `path`; None if there is none."""
        found = self.place(path)
        return found[0] if found else None

    def place(self, path: Path) -> tuple[int, int] | None:
        """Return line and column, from 1, of the key or list element at `path`; None if there is none."""
        found = self._places.of(path)
        return (found[0] + 1, found[1] + 1) if found else None

    def written(self, path: Path) -> str:
        """Return a scalar of the data as the text has it, without quotes and tag; "" where there is none."""
        if self._lines is None:
            self._lines = Lines(self._text, first_document(self._text).root)
        node = self._lines.node(path)
        return node.value if node is not None and node.kind == "scalar" else ""

    def mapping(self) -> dict[str, JSON]:
        """Return the data as a map, empty for null. InputError for anything else."""
        if self.data is None:
            return {}
        if isinstance(self.data, dict):
            return self.data
        raise InputError(f"must be a map, found {type_of(self.data)}", *(self.place(()) or (1, 1)))


def read(text: str, *, floats: bool = True, secret: bool = False, limits: Limits = DEFAULT) -> GoText:
    """Read a text as Go does; InputError (line and column from 1) where Go refuses it.

    floats: whether numbers are 64-bit floats, as `Unmarshal` into a map has them; else whole numbers keep their digits, as `YAMLToJSON` has
    them. A float without fraction below 1e21 is an int in the data, so that equal numbers are equal. secret: neither errors nor lints quote
    the text, except the keys in a lint's path.
    """
    try:
        found = _quick(text, floats=floats, limits=limits) or _whole(text, floats=floats, limits=limits)
    except InputError as error:
        if secret:
            error = InputError("is not YAML that Go reads", error.line, error.column)
        raise by_lines(text, error) from None
    if isinstance(found.data, dict) and isinstance(found.data.get("sops"), dict):
        found.lints += (Lint("sops", ("sops",), *(found.place(("sops",)) or (1, 1)), "sops"),)
    if secret:
        found.lints = tuple(replace(lint, text="") for lint in found.lints)
    return found


def _quick(text: str, *, floats: bool, limits: Limits) -> GoText | None:
    """Read an ordinary text, which has no lints."""
    read = yaml_parser.read(text, floats=floats, limits=limits)
    return GoText(read[0], (), read[1], text) if read else None


def _whole(text: str, *, floats: bool, limits: Limits) -> GoText:
    document = first_document(text, limits)
    data, lints = decode(document.root, floats=floats, limits=limits) if document.root else (None, [])
    if document.further:
        lints.append(Lint("document", (), document.further, 1, ""))
    return GoText(data, tuple(lints), Lines(text, document.root), text)


# The line of the value at a path as Go reads the text: through merge keys, aliases and repeated keys.

_Entries = dict[str, tuple["Node", "Node"]]


class Lines:
    """The nodes of a text, and the maps indexed so far."""

    __slots__ = ("_lines", "_maps", "_root", "_text")

    def __init__(self, text: str, root: Node | None) -> None:
        self._text, self._root, self._maps = text, root, dict[int, _Entries]()
        self._lines: LineStarts | None = None

    def of(self, path: Path) -> tuple[int, int] | None:
        """Return line and column, from 0, of the key or list element at `path`; None if there is none."""
        found = self._found(path)
        return self.place(found[0]) if found else None

    def node(self, path: Path) -> Node | None:
        """Return the value at `path`, of an alias its target; None if there is none."""
        found = self._found(path)
        node = found[1] if found else None
        return node.target if node is not None and node.kind == "alias" else node

    def _found(self, path: Path) -> tuple[Node, Node] | None:
        """Return the key or list element at a path, and its value."""
        if self._root is None:
            return None
        node = place = self._root
        for part in path:
            found = node.target if node.kind == "alias" else node
            if found is None or not self._steps(found, part):
                return None
            if isinstance(part, int):
                node = place = found.items[part]
            else:
                place, node = self._entries(found)[part]
        return place, node

    def place(self, node: Node) -> tuple[int, int]:
        """Return line and column, from 0, of a node, counting the byte order mark that the text may begin with."""
        if self._lines is None:
            self._lines = LineStarts(self._text)
        return self._lines.place(node.start + self._text.startswith("\ufeff"))

    def _steps(self, node: Node, part: str | int) -> bool:
        if isinstance(part, int):
            return node.kind == "list" and 0 <= part < len(node.items)
        return node.kind == "map" and part in self._entries(node)

    def _entries(self, node: Node) -> _Entries:
        if id(node) not in self._maps:
            self._maps[id(node)] = places = {}
            for key, item in zip(node.keys, node.items, strict=True):
                if is_merge(key):
                    for source in sources_of(item):
                        places.update(self._entries(source.target if source.kind == "alias" else source))
                else:
                    places[key_text(key_of(key)) or ""] = (key, item)
        return self._maps[id(node)]
