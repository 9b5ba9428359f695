"""The input of `explain`: the outcome of each step, and the documents as they were before the first one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._cli.package import tree
from krm_values._data.limits import DEFAULT
from krm_values._data.record import record
from krm_values._kit.planner import places

_NOTHING: Mapping[str, Sequence[Document]] = {}
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from krm_values._cli.package.tree import Document
    from krm_values._data.limits import Limits
    from krm_values._kit.api.resolve import Outcome
    from krm_values._kit.planner.item import Item
    from krm_values._kit.planner.plan import Finding, Origin


class Before:
    """Each document as it was before the first step, by path and index; empty where no package was read."""

    __slots__ = ("_documents", "_items", "_limits")

    def __init__(self, documents: Mapping[str, Sequence[Document]] = _NOTHING, limits: Limits = DEFAULT) -> None:
        self._documents, self._limits = documents, limits
        self._items: dict[tuple[str, int], Item | None] = {}

    def __bool__(self) -> bool:
        return bool(self._documents)

    def items(self) -> list[Item]:
        """Return all documents that can be read, as items."""
        found = (self.get(path, one.index) for path, documents in self._documents.items() for one in documents)
        return [item for item in found if item is not None]

    def get(self, path: str, index: int) -> Item | None:
        """Return the document as an item with the lines of its file; None if there was none."""
        key = path, index
        if key not in self._items:
            found = next((one for one in self._documents.get(path, ()) if one.index == index), None)
            self._items[key] = tree.item_of(-1, found, self._limits) if found else None
        return self._items[key]


@record
class Explained:
    """The decisions of one function, on a list or as a step of a pipeline (`package` and `step` are empty otherwise).

    items: its input. validates: it is a validator, whose changes are discarded.
    """

    function: str
    outcome: Outcome
    package: str = ""
    step: str = ""
    items: Sequence[Item] = ()
    validates: bool = False


@record
class Explanation:
    """The steps, and the documents of the package before the first of them. order: finds steps in the wrong order."""

    steps: tuple[Explained, ...]
    before: Before = Before()
    order: Callable[[], Iterable[Finding]] = tuple


def place_of(origin: Origin) -> tuple[int, int]:
    """Return line and column of the origin in its file, from 1; 0 where they are not known."""
    return places.of_origin(origin)
