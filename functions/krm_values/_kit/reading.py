"""An item's text, read: what a planner sees of it, what stands beside that, and where in the text a value stands."""

from __future__ import annotations

from krm_values._kit import hosts, yaml
from krm_values._kit.item import Reading, Scalar
from krm_values._kit.text import is_blank

TYPE_CHECKING = False
if TYPE_CHECKING:
    from krm_values._kit.nodes import Node, Outer
    from krm_values._kit.pointer import Path


def read(text: str, outer: Outer | None = None) -> Reading:
    """The reading of one document, null if there is only comments. InputError (line and column of `text`) if it cannot be read.

    `outer` is asked for the anchor of an alias that has none in the text.
    """
    document = _Document("null" if is_blank(text) else text, outer)
    data, annotations = hosts.hide(yaml.data(document.text, document.root))
    return Reading(data, annotations, document.scalar, document.line, document.is_flow, document.nodes)


class _Document:
    """A text whose nodes are made when first somebody asks where something stands in it."""

    __slots__ = ("_outer", "_places", "_root", "text")

    def __init__(self, text: str, outer: Outer | None) -> None:
        self.text, self._outer = text, outer
        self._root: Node | None = None
        self._places: dict[int, dict[str, int]] = {}

    def root(self) -> Node:
        if self._root is None:
            self._root = yaml.parse(self.text, self._outer)
        return self._root

    def nodes(self, text: str) -> Node:
        """The nodes of this or another text."""
        return self.root() if text == self.text else yaml.parse(text)

    def scalar(self, path: Path) -> Scalar | None:
        node = self._find(path)
        if node is None or node.kind != "scalar":
            return None
        return Scalar(node.value, not node.style and not node.tag, node.line)

    def line(self, path: Path) -> int | None:
        """The line on which the key, or the list element, at `path` begins."""
        parent = self._find(path[:-1])
        if not path or parent is None or parent.kind != "map":
            node = self._find(path)
            return node.line if node else None
        place = self._placed(parent).get(path[-1])  # type: ignore[arg-type]  # an index is no key
        return None if place is None else parent.keys[place].line

    def is_flow(self, path: Path) -> bool:
        """Whether the map or list at `path` is written in flow style."""
        node = self._find(path)
        return node is not None and node.kind in ("map", "list") and node.flow

    def _find(self, path: Path) -> Node | None:
        """`yaml.find`, whose maps remember where their keys stand: findings and explanations ask for many."""
        node = self.root()
        for part in path:
            place = self._placed(node).get(part) if node.kind == "map" else part  # type: ignore[arg-type]
            if node.kind not in ("map", "list") or not isinstance(place, int) or not 0 <= place < len(node.items):
                return None
            node = node.items[place]
        return node

    def _placed(self, node: Node) -> dict[str, int]:
        """Where each key of a map stands; of a key that is repeated the first."""
        if id(node) not in self._places:
            keys = enumerate(node.keys)
            self._places[id(node)] = {key.value: place for place, key in reversed([*keys]) if key.kind == "scalar"}
        return self._places[id(node)]
