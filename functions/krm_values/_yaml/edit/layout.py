"""The indentation of a document: of maps below their keys, and of the dashes of lists."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Literal

    from krm_values._yaml.decode import Node


class Layout:
    """The style of new text: that of the nearest siblings, else of most of the document, else two spaces and compact lists."""

    __slots__ = ("_around", "_most", "_root")

    def __init__(self, root: Node) -> None:
        self._root = root
        self._around: dict[tuple[int, str], int | None] = {}  # by the node's id: the root keeps all of them
        self._most: dict[str, int] = {}

    def step(self, chain: tuple[Node, ...]) -> int:
        """Return the indentation of a map below its key. `chain`: the collections above the new text, outermost first."""
        return self._nearest(chain, "map", 2)

    def dash(self, chain: tuple[Node, ...]) -> int:
        """Return the indentation of a list's dashes below its key; 0 is compact."""
        return self._nearest(chain, "list", 0)

    def _nearest(self, chain: tuple[Node, ...], kind: Literal["map", "list"], default: int) -> int:
        for node in reversed(chain):
            place = id(node), kind
            if place not in self._around:
                self._around[place] = _most_frequent(_near(node, kind))
            found = self._around[place]
            if found is not None:
                return found
        if kind not in self._most:
            found = _most_frequent(_all(self._root, kind))
            self._most[kind] = default if found is None else found
        return self._most[kind]


def _near(node: Node, kind: str) -> Iterator[int]:
    if node.kind == "map":
        yield from _offsets(node, kind)
    elif node.kind == "list":
        for item in node.items:
            if item.kind == "map":
                yield from _offsets(item, kind)


def _all(node: Node, kind: str) -> Iterator[int]:
    if node.kind == "map":
        yield from _offsets(node, kind)
    if node.kind in ("map", "list"):
        for item in node.items:
            yield from _all(item, kind)


def _offsets(node: Node, kind: str) -> Iterator[int]:
    if node.flow or not node.keys:
        return
    column = node.keys[0].column if node.anchor or node.tag else node.column
    for key, item in zip(node.keys, node.items, strict=True):
        if (
            key.column == column
            and item.kind == kind
            and not item.flow
            and item.line > key.line
            and not (item.anchor or item.tag)
        ):
            yield item.column - column


def _most_frequent(numbers: Iterable[int]) -> int | None:
    counts: dict[int, int] = {}
    for number in numbers:
        counts[number] = counts.get(number, 0) + 1
    return max(counts, key=lambda number: counts[number]) if counts else None
