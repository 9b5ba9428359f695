"""A resource while targets write into it: its current data, the strings in it that are edited, and who wrote what."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import data_edits
from krm_values._data.data_edits import Remove
from krm_values._data.diff import diff
from krm_values._data.path_tree import PathTree
from krm_values._data.pointer import get
from krm_values._kit.planner.plan import Drop, Put

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from krm_values._data.pointer import Path
    from krm_values._kit.planner.item import Item
    from krm_values._kit.planner.plan import Leaf, Origin
    from krm_values.layered_values.inside import Text

_ANNOTATIONS = ("metadata", "annotations")


class Draft:
    """One resource. Removals are applied last, so that places do not move before."""

    __slots__ = ("_removed", "_writers", "data", "item", "leaves", "taken", "texts")

    def __init__(self, item: Item) -> None:
        self.item = item
        self.data: Any = data_edits.copy(item.data)
        self.texts: dict[Path, Text] = {}
        self.leaves: list[Leaf] = []
        self.taken = PathTree()
        """What was written where, of all targets."""
        self._removed: dict[Path, Origin] = {}
        self._writers = PathTree()

    @property
    def before(self) -> Any:
        """The resource as it was before any target."""
        return self.item.data

    def put(self, path: Path, value: Any, origin: Origin) -> None:
        """Set a value; its parent exists, or it is the next element of a list."""
        parent: Any = get(self.data, path[:-1])
        if isinstance(parent, list) and path[-1] == len(parent):
            parent.append(value)
        else:
            parent[path[-1]] = value
        self._writers.add(path, origin)

    def remove(self, path: Path, origin: Origin) -> None:
        """Remove a field when everything is written."""
        self._removed[path] = origin

    def decisions(self) -> Iterator[Put | Drop]:
        """Yield the smallest edits; then a put for each place that already has its value."""
        for path, text in self.texts.items():
            data_edits.put(self.data, path, text.written())
        for path in sorted(self._removed, key=_last_first, reverse=True):
            data_edits.remove(self.data, path)
        left = PathTree()
        for leaf in self.leaves:
            left.add(leaf.path, leaf)
        for edit in diff(self.item.data, self.data):
            if isinstance(edit, Remove):
                yield from self._drops(edit.path)
            elif isinstance(edit, data_edits.Put):
                yield Put(self.item, edit.path, edit.value, tuple(left.take(edit.path)), insert=edit.insert)
        kept: dict[Path, list[Leaf]] = {}
        for leaf in left.every():
            kept.setdefault(leaf.path, []).append(leaf)
        for path, leaves in kept.items():
            yield Put(self.item, path, get(self.data, path), tuple(leaves))

    def _drops(self, path: Path) -> Iterator[Drop]:
        """Yield a removal; of all annotations one by one, because planners do not see all of them."""
        origin = self._removed.get(path) or next(iter(reversed(self._writers.above(path))), None)
        origin = origin or next(iter([*self._removed.values(), *self._writers.every()]))
        found = get(self.item.data, path)
        for one in [(*path, key) for key in found] if path == _ANNOTATIONS and isinstance(found, dict) else [path]:
            yield Drop(self.item, one, origin)


def _last_first(path: Path) -> list[tuple[bool, int, str]]:
    """Return a sort key that puts the last elements of a list last."""
    return [(isinstance(part, int), part if isinstance(part, int) else 0, str(part)) for part in path]
