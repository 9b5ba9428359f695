"""An index of values by path, with queries for the paths above and below one."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from krm_values._data.pointer import Path


class PathTree:
    """Values by path. Results come in the order in which the values were added."""

    __slots__ = ("_next", "_root")

    def __init__(self) -> None:
        self._root = _Node()
        self._next = 0

    def add(self, path: Path, value: Any) -> None:
        """Add a value; a path may have several."""
        node = self._root
        for part in path:
            if part not in node.below:
                node.below[part] = _Node()
            node = node.below[part]
        node.values.append((self._next, value))
        self._next += 1

    def above(self, path: Path) -> list[Any]:
        """Return the values of the path and of those above it."""
        return _in_order(one for node in self._way(path) for one in node.values)

    def around(self, path: Path) -> list[Any]:
        """Return the values of the path, of those above and of those below it."""
        way = self._way(path)
        found = [one for node in way[: len(path)] for one in node.values]
        return _in_order([*found, *(way[-1].all() if len(way) > len(path) else ())])

    def _way(self, path: Path) -> list[_Node]:
        """Return the nodes from the root along the path, as far as they exist."""
        node, way = self._root, [self._root]
        for part in path:
            if part not in node.below:
                break
            node = node.below[part]
            way.append(node)
        return way


class _Node:
    __slots__ = ("below", "values")

    def __init__(self) -> None:
        self.values: list[tuple[int, Any]] = []
        self.below: dict[str | int, _Node] = {}

    def all(self) -> Iterator[tuple[int, Any]]:
        """Yield the values of the node and of those below it."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield from node.values
            stack += node.below.values()


def _in_order(found: Iterable[tuple[int, Any]]) -> list[Any]:
    return [value for _, value in sorted(found, key=_number)]


def _number(one: tuple[int, Any]) -> int:
    return one[0]
