"""What `explain` explains: the outcome of each step, and the documents as they were before the first of them."""

from __future__ import annotations

from krm_values._cli.package import tree
from krm_values._data.limits import DEFAULT
from krm_values._data.record import record
from krm_values._kit.planner import places

TYPE_CHECKING = False
_NOTHING: Mapping[str, Sequence[Document]] = {}
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from krm_values._cli.package.tree import Document
    from krm_values._data.limits import Limits
    from krm_values._kit.api.resolve import Outcome
    from krm_values._kit.planner.item import Item
    from krm_values._kit.planner.plan import Finding, Origin


class Before:
    """Each document as it was read before the first step, by path and index; none where no package was read."""

    __slots__ = ("_documents", "_items", "_limits")

    def __init__(self, documents: Mapping[str, Sequence[Document]] = _NOTHING, limits: Limits = DEFAULT) -> None:
        self._documents, self._limits = documents, limits
        self._items: dict[tuple[str, int], Item | None] = {}

    def __bool__(self) -> bool:
        return bool(self._documents)

    def items(self) -> list[Item]:
        """All documents as items, as far as they can be read."""
        found = (self.get(path, one.index) for path, documents in self._documents.items() for one in documents)
        return [item for item in found if item is not None]

    def get(self, path: str, index: int) -> Item | None:
        """The document as an item, whose lines are those of the file; None if there was none."""
        key = path, index
        if key not in self._items:
            found = next((one for one in self._documents.get(path, ()) if one.index == index), None)
            self._items[key] = tree.item_of(-1, found, self._limits) if found else None
        return self._items[key]


@record
class Explained:
    """What one function decided: of a list, or as a step of a package's pipeline (`package` and `step` are empty otherwise).

    items: what it saw. validates: its changes are thrown away.
    """

    function: str
    outcome: Outcome
    package: str = ""
    step: str = ""
    items: Sequence[Item] = ()
    validates: bool = False


@record
class Explanation:
    """The steps, and the documents of the package as they were before the first of them. order: finds steps in the wrong order."""

    steps: tuple[Explained, ...]
    before: Before = Before()
    order: Callable[[], Iterable[Finding]] = tuple


def place_of(origin: Origin) -> tuple[int, int]:
    """Line and column of the origin in its file, from 1; 0 where the file is not known as it is."""
    return places.of_origin(origin)
