"""Decisions applied to plain data: what changes, what already stands, and the RFC 6902 operations between the two."""

from __future__ import annotations

from copy import deepcopy

from krm_values._kit.errors import EditError
from krm_values._kit.plan import Item, Leaf, New
from krm_values._kit.pointer import ABSENT, get, pop, put, to_field, to_pointer
from krm_values._kit.record import record, replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from krm_values._kit.plan import JSON, Drop, Move, Put
    from krm_values._kit.pointer import Path

_ANNOTATIONS = ("metadata", "annotations")


@record
class Edit:
    """One change of an item's text."""

    op: str  # put, remove or move
    path: Path
    value: JSON = None
    to: int = 0
    insert: bool = False
    after: str | None = None
    flow: bool = False


@record
class Decision:
    """What was decided of one value, as `explain` prints it. `before` and `after` are ABSENT where there is no value."""

    item: Item | New
    path: Path
    before: object
    after: object
    leaf: Leaf | None
    kept: bool


class State:
    """One item while a plan is applied to it: its data so far, and the edits, operations and decisions that led there."""

    __slots__ = ("data", "decisions", "edits", "item", "operations")

    def __init__(self, item: Item | New) -> None:
        self.item = item
        self.data = _whole(item) if isinstance(item, Item) else deepcopy(item.data)
        self.edits: list[Edit] = []
        self.operations: list[dict[str, JSON]] = []
        self.decisions: list[Decision] = []
        if isinstance(item, New) and item.written:
            self.decisions += [Decision(item, leaf.path, ABSENT, leaf.value, leaf, kept=False) for leaf in item.leaves]

    @property
    def number(self) -> int:
        """The item's place in the list; -1 for a generated object."""
        return self.item.number if isinstance(self.item, Item) else -1

    def began(self, data: JSON) -> None:
        """Say what a generated object was before this run."""
        self.decisions = [
            replace(
                decision, before=get(data, decision.path, ABSENT), kept=same(get(data, decision.path, ABSENT), decision.after)
            )
            for decision in self.decisions
        ]

    def put(self, decided: Put) -> None:
        """Apply a put; EditError if its parent does not exist."""
        value, before = self._beside_hidden(decided.path, decided.value), get(self.data, decided.path, ABSENT)
        parent = get(self.data, decided.path[:-1], ABSENT)
        inserts = isinstance(parent, list) and (decided.insert or decided.path[-1] == len(parent))
        kept = not inserts and same(before, value)
        for leaf in decided.leaves:
            old = ABSENT if inserts else get(self.data, leaf.path, ABSENT)
            self.decisions.append(Decision(decided.item, leaf.path, old, leaf.value, leaf, kept or same(old, leaf.value)))
        if kept:
            return
        if not put(self.data, decided.path, deepcopy(value), insert=decided.insert):
            raise EditError(f"`{to_field(decided.path)}` cannot be written: its parent is no map or list with that place")
        self.edits.append(Edit("put", decided.path, value, 0, decided.insert, decided.after, decided.flow))
        self._operation("add" if inserts or before is ABSENT else "replace", decided.path, value)

    def drop(self, decided: Drop) -> None:
        """Apply a drop of a key or element; one that is not there is nothing."""
        before = get(self.data, decided.path, ABSENT)
        if before is ABSENT:
            return
        pop(self.data, decided.path)
        self.decisions.append(
            Decision(decided.item, decided.path, before, ABSENT, Leaf(decided.path, None, decided.origin), kept=False)
        )
        self.edits.append(Edit("remove", decided.path))
        self.operations.append({"op": "remove", "path": self._pointer(decided.path)})

    def move(self, decided: Move) -> None:
        """Apply a list element's move."""
        parent = get(self.data, decided.path[:-1])
        index = decided.path[-1]
        if not isinstance(parent, list) or not isinstance(index, int) or index == decided.to:
            return
        parent.insert(decided.to, parent.pop(index))
        self.edits.append(Edit("move", decided.path, to=decided.to))
        target = (*decided.path[:-1], decided.to)
        self.operations.append({"op": "move", "from": self._pointer(decided.path), "path": self._pointer(target)})

    def mark(self, key: str, value: str) -> None:
        """Set an annotation, making the maps it needs."""
        metadata = get(self.data, _ANNOTATIONS[:1])
        if not isinstance(metadata, dict):
            raise EditError("`metadata` must be a map to take an annotation")
        if not isinstance(metadata.get("annotations"), dict):
            self._set(_ANNOTATIONS, {key: value})
        elif metadata["annotations"].get(key) != value:
            self._set((*_ANNOTATIONS, key), value)

    def unmark(self, key: str) -> None:
        """Remove an annotation if it is there."""
        path = (*_ANNOTATIONS, key)
        if get(self.data, path, ABSENT) is not ABSENT:
            pop(self.data, path)
            self.edits.append(Edit("remove", path))
            self.operations.append({"op": "remove", "path": self._pointer(path)})

    def become(self, data: JSON, edits: list[Edit]) -> None:
        """Take the edits that lead from the data so far to `data`."""
        for edit in edits:
            pointer = self._pointer(edit.path)
            if edit.op == "remove":
                self.operations.append({"op": "remove", "path": pointer})
            else:
                adds = edit.insert or get(self.data, edit.path, ABSENT) is ABSENT
                self.operations.append({"op": "add" if adds else "replace", "path": pointer, "value": edit.value})
        self.edits += edits
        self.data = deepcopy(data)

    @property
    def resized(self) -> bool:
        """Whether a key or list element was added or removed."""
        return any(operation["op"] in ("add", "remove") for operation in self.operations)

    def _set(self, path: Path, value: JSON) -> None:
        before = get(self.data, path, ABSENT)
        put(self.data, path, deepcopy(value))
        self.edits.append(Edit("put", path, value))
        self._operation("add" if before is ABSENT else "replace", path, value)

    def _operation(self, op: str, path: Path, value: JSON) -> None:
        self.operations.append({"op": op, "path": self._pointer(path), "value": value})

    def _pointer(self, path: Path) -> str:
        return to_pointer(("items", self.number, *path))

    def _beside_hidden(self, path: Path, value: JSON) -> JSON:
        """A map of annotations as a planner sees it, with the ones it does not see put back."""
        if path != _ANNOTATIONS or not isinstance(value, dict) or not isinstance(self.item, Item):
            return value
        return {**value, **self.item.reading.annotations}


def same(a: object, b: object) -> bool:
    """Equal as JSON: 1 and true differ, 1 and 1.0 differ."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b, strict=True))
    return _sort(a) == _sort(b) and a == b


def _sort(value: object) -> type:
    for kind in (bool, int, float, str, dict, list):
        if isinstance(value, kind):
            return kind
    return type(value)


def _whole(item: Item) -> Any:
    """A copy of the item's data with the annotations that planners do not see."""
    data: Any = deepcopy(item.data)
    hidden = item.reading.annotations
    if hidden and isinstance(data, dict):
        metadata = data.setdefault("metadata", {})
        metadata["annotations"] = {**metadata.get("annotations", {}), **hidden}
    return data
