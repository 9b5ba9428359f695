"""The line of the value at a path as Go reads the text: through merge keys, aliases and repeated keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.scalars.go import key_text
from krm_values._golang.yaml.decode import is_merge, key_of, sources_of
from krm_values._yaml.encoding import LineStarts

if TYPE_CHECKING:
    from krm_values._data.pointer import Path
    from krm_values._yaml.nodes import Node

Places = dict[str, tuple["Node", "Node"]]


class Lines:
    """The nodes of a text, and the maps indexed so far."""

    __slots__ = ("_lines", "_maps", "_root", "_text")

    def __init__(self, text: str, root: Node | None) -> None:
        self._text, self._root, self._maps = text, root, dict[int, Places]()
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

    def _entries(self, node: Node) -> Places:
        if id(node) not in self._maps:
            self._maps[id(node)] = places = {}
            for key, item in zip(node.keys, node.items, strict=True):
                if is_merge(key):
                    for source in sources_of(item):
                        places.update(self._entries(source.target if source.kind == "alias" else source))
                else:
                    places[key_text(key_of(key)) or ""] = (key, item)
        return self._maps[id(node)]
