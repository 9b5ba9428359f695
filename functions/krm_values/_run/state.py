"""Applies decisions to plain data: records what changes, what is kept, and the RFC 6902 operations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import data_edits
from krm_values._data.diff import edits, respelt
from krm_values._data.errors import EditError
from krm_values._data.path_tree import PathTree
from krm_values._data.pointer import ABSENT, get
from krm_values._data.record import at_least, record, replace
from krm_values._krm.item import Item
from krm_values._krm.plan import Leaf, New
from krm_values._krm.taint import places

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any

    from krm_values._data.pointer import Absent, Path
    from krm_values._data.values import JSON
    from krm_values._krm.plan import Drop, Fits, Move, Put

    TextsRead = dict[tuple[Path, Path], JSON]  # by the place of a text, and the path in it of a text within it


_ANNOTATIONS = ("metadata", "annotations")


@record
class Decision:
    """One decided value, as `explain` prints it. `before` and `after` are ABSENT where there is no value.

    withheld: where the item held values from Secrets before this run. secret: whether `after` holds one, whatever its origin says. found: whether
    it was there before the step, without what an earlier run of the step wrote. inserted: as an element of a list, or in one.
    """

    item: Item | New
    path: Path
    before: JSON | Absent
    after: JSON | Absent
    leaf: Leaf | None
    kept: bool
    withheld: tuple[Path, ...] = ()
    secret: bool = False
    found: bool = False
    inserted: bool = False


class State:
    """One item while a plan is applied to it: its current data, and the edits, operations and decisions so far.

    secret: the places of values that the plan took from Secrets, whether or not they were there before. brief: keep only data and edits of an
    item.
    """

    __slots__ = (
        "_before",
        "_brief",
        "_copies",
        "_withheld",
        "data",
        "edits",
        "item",
        "operations",
        "planned",
        "resized",
        "restored",
        "secret",
        "taken",
    )

    def __init__(self, item: Item | New, *, brief: bool = False) -> None:
        self.item, self._brief = item, brief and isinstance(item, Item)
        self.resized = False  # whether a key or list element was added, removed or moved
        self.data = whole(item.data, item.reading.annotations) if isinstance(item, Item) else data_edits.copy(item.data)
        self.edits: list[data_edits.Edit] = []
        self.operations: list[dict[str, JSON]] = []
        self.planned: list[dict[str, JSON]] | None = (
            None  # those on the item as the plan saw it, where `operations` are others (`rebase`)
        )
        self.taken: list[Decision] = []  # decisions about places of the item
        # puts with copies: the decisions before each, and whether it is kept or an element that is inserted
        self._copies: list[tuple[int, Put, bool, bool]] = []
        self.secret: list[Path] = []
        self.restored: list[Path] = []  # places that have again what they had before an earlier run
        self._before: Any = (
            ABSENT  # its data before this run, if the decisions do not have it: of a generated or reverted object
        )
        self._withheld: tuple[Path, ...] = ()  # where `_before` held values from Secrets

    @property
    def number(self) -> int:
        """The item's number in the list; -1 for a generated object."""
        return self.item.number if isinstance(self.item, Item) else -1

    def set_before(self, data: JSON) -> None:
        """Set the data that a generated or reverted object had before this run."""
        self._before = data
        self._withheld = places(annotations_of(data), data)

    def decisions(self, fits: Fits | None = None) -> Iterator[Decision]:
        """Yield every decision; first those of a generated object's leaves, of which `fits` selects the needed ones."""
        found = self._withheld or (self.item.withheld if isinstance(self.item, Item) else ())
        for decision in self._without_withheld(fits):
            yield replace(decision, withheld=found) if found else decision

    def _without_withheld(self, fits: Fits | None) -> Iterator[Decision]:
        texts: TextsRead = {}
        if isinstance(self.item, New) and self.item.written:
            for leaf in at_least(self.item.leaves, fits) if fits else self.item.leaves:
                before = ABSENT if self._before is ABSENT else _was(self._before, leaf.path, leaf, texts)
                kept = self._before is not ABSENT and data_edits.same(before, leaf.value)
                yield Decision(self.item, leaf.path, before, leaf.value, leaf, kept)
        for decision in self._told():
            if self._before is ABSENT:
                yield decision
            else:
                before = _was(self._before, decision.path, decision.leaf, texts)
                if decision.after is ABSENT and not data_edits.same(before, decision.before):
                    before = ABSENT  # gone already, and something else is in its place
                yield replace(decision, before=before, kept=data_edits.same(before, decision.after))

    def _told(self) -> Iterator[Decision]:
        """Yield the decisions about places of the item, those of copies among them."""
        done = 0
        for size, decided, kept, inserts in self._copies:
            yield from self.taken[done:size]
            for leaf in decided.copies or ():
                before = leaf.value if kept else ABSENT
                yield Decision(decided.item, leaf.path, before, leaf.value, leaf, kept, found=kept, inserted=inserts)
            done = size
        yield from self.taken[done:]

    def put(self, decided: Put) -> None:
        """Apply a put; EditError if its parent does not exist."""
        value, before = self._beside_hidden(decided.path, decided.value), get(self.data, decided.path, ABSENT)
        parent = get(self.data, decided.path[:-1], ABSENT)
        inserts = isinstance(parent, list) and (decided.insert or decided.path[-1] == len(parent))
        kept = not inserts and data_edits.same(before, value)
        texts: TextsRead = {}
        for leaf in () if self._brief else decided.leaves:
            old = ABSENT if inserts else _was(self.data, leaf.path, leaf, texts)
            found = kept or data_edits.same(old, leaf.value)
            made = Decision(decided.item, leaf.path, old, leaf.value, leaf, found, found=found, inserted=inserts)
            self.taken.append(made)
        if not kept:
            self._edit(data_edits.Put(decided.path, value, insert=decided.insert, after=decided.after, flow=decided.flow))
        if not self._brief:
            self._note_secrets(decided, inserts=inserts)
            if decided.copies is not None:
                self._copies.append((len(self.taken), decided, kept, inserts))

    def drop(self, decided: Drop) -> None:
        """Apply a drop of a key or element; one that does not exist is ignored."""
        before = get(self.data, decided.path, ABSENT)
        if before is ABSENT:
            return
        if not self._brief:
            leaf = Leaf(decided.path, ABSENT, decided.origin, decided.overridden, writer=decided.writer)
            self.taken.append(Decision(decided.item, decided.path, before, ABSENT, leaf, kept=False))
            self.secret = [path for path in self.secret if path[: len(decided.path)] != decided.path]
        self._edit(data_edits.Remove(decided.path))

    def _note_secrets(self, decided: Put, *, inserts: bool) -> None:
        """Note where values from Secrets are. A leaf has the path of its value after the whole plan, and may come with another edit of its write."""
        if self.secret and decided.leaves and not inserts and isinstance(decided.value, (dict, list)):
            self.secret = [path for path in self.secret if path[: len(decided.path)] != decided.path]
        self.secret += [leaf.path for leaf in decided.leaves if takes_secret(leaf, decided.item)]

    def move(self, decided: Move) -> None:
        """Apply a move of a list element."""
        parent = get(self.data, decided.path[:-1])
        index = decided.path[-1]
        if not isinstance(parent, list) or not isinstance(index, int) or index == decided.to:
            return
        self._edit(data_edits.Move(decided.path, decided.to))

    def mark(self, key: str, value: str) -> None:
        """Set an annotation, creating the maps that it needs."""
        if not isinstance(get(self.data, _ANNOTATIONS[:1]), dict):
            raise EditError("`metadata` must be a map to take an annotation")
        annotations = get(self.data, _ANNOTATIONS)
        if not isinstance(annotations, dict):
            self._edit(data_edits.Put(_ANNOTATIONS, {key: value}))
        elif annotations.get(key) != value:
            self._edit(data_edits.Put((*_ANNOTATIONS, key), value))

    def unmark(self, key: str) -> None:
        """Remove an annotation if it exists."""
        path = (*_ANNOTATIONS, key)
        if get(self.data, path, ABSENT) is not ABSENT:
            self._edit(data_edits.Remove(path))

    def rebase(self, before: JSON, data: JSON, *, spelt: bool) -> None:
        """Replace the edits so far by those that lead from the item's data in the input to `data`.

        A list that the plan has put as a whole is compared as a whole, any other element by element.
        """
        wholes = PathTree()
        for edit in self.edits:
            if isinstance(edit, data_edits.Put):
                wholes.add(edit.path, edit)
        self.set_before(before)
        self.planned, self.operations = self.operations, []
        self.data, self.edits, self.resized = data_edits.copy(before), [], False
        self.edit_to(data, spelt=spelt, in_place=lambda path: not wholes.above(path))

    def edit_to(
        self, data: JSON, *, spelt: bool, ordered: bool = False, in_place: Callable[[Path], bool] = lambda _: False
    ) -> None:
        """Make the edits that lead from the current data to `data`.

        ordered: new keys get their place in `data`. spelt: numbers get its spelling. in_place: lists whose elements were changed one by one.
        """
        self._take(list(edits(self.data, data, ordered=ordered, in_place=in_place)))
        if spelt:
            self._take(list(respelt(self.data, data)))

    def _take(self, edits: Sequence[data_edits.Edit]) -> None:
        for edit in edits:
            self._edit(edit)

    def _edit(self, edit: data_edits.Edit) -> None:
        self.resized = self.resized or data_edits.op(edit, self.data) != "replace"
        if not self._brief:
            self.operations.append(data_edits.operation(edit, self.data, ("items", self.number)))
        edit.apply(self.data)
        self.edits.append(edit)

    def _beside_hidden(self, path: Path, value: JSON) -> JSON:
        """Return a map of annotations from a planner, completed by those that planners do not see."""
        if path != _ANNOTATIONS or not isinstance(value, dict) or not isinstance(self.item, Item):
            return value
        return {**value, **self.item.reading.annotations}


def _was(data: JSON, path: Path, leaf: Leaf | None, texts: TextsRead) -> Any:
    return value_at(data, path, leaf.inner if leaf else None, texts)


def value_at(data: JSON, path: Path, inner: Path | None, texts: TextsRead) -> Any:
    """Return the value of data at a path, or within the text there, or in a text within that. texts: caches parsed texts."""
    if inner is None:
        return get(data, path, ABSENT)
    if (path, ()) not in texts:
        from krm_values._run.texts import data_at  # noqa: PLC0415 - only where a text is replaced

        texts[path, ()] = data_at(data, path)
    whole = texts[path, ()]
    found = get(whole, inner, ABSENT)
    return _in_nested(whole, path, inner, texts) if found is ABSENT else found


def _in_nested(found: Any, path: Path, inner: Path, texts: TextsRead) -> Any:
    """Return the value at a place in the text at `path` that leads through a text within it."""
    for size, part in enumerate(inner):
        if isinstance(found, str):
            if (path, inner[:size]) not in texts:
                from krm_values._run.texts import data_in  # noqa: PLC0415 - only where there is such a text

                texts[path, inner[:size]] = data_in(found)
            found = texts[path, inner[:size]]
        found = get(found, (part,), ABSENT)
    return found


def takes_secret(leaf: Leaf, item: Item | New) -> bool:
    """Return whether a value comes from a Secret at another place than its own: at its own place it belongs to the resource."""
    return leaf.secret and not (leaf.origin.item is item and leaf.origin.path == leaf.path)


def annotations_of(data: JSON) -> Mapping[str, str]:
    """Return the annotations of plain data that are strings."""
    found = get(data, _ANNOTATIONS)
    return {key: text for key, text in found.items() if isinstance(text, str)} if isinstance(found, dict) else {}


def whole(seen: JSON, hidden: Mapping[str, str]) -> Any:
    """Return a copy of a planner's view of an item, completed by the annotations that planners do not see."""
    data: Any = data_edits.copy(seen)
    if hidden and isinstance(data, dict):
        metadata = data["metadata"] = data.get("metadata") or {}
        metadata["annotations"] = {**(metadata.get("annotations") or {}), **hidden}
    return data
