"""Applies an undo record entry by entry: the resource as it was before this function, without touching hand edits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import data_edits
from krm_values._data.data_edits import Put, Remove
from krm_values._data.pointer import ABSENT, get, index_of, parts_of, scalars, to_pointer
from krm_values._data.record import record, replace
from krm_values._krm.undo_record import STEPS_BACK, UNKEPT, below, fits, hash_budget, opened, typed, weight

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from krm_values._data.limits import Budget
    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._krm.undo_record import Record, UndoEntry
    from krm_values._yaml.edit.editor import Editor


@record
class Undone:
    """The reverted data; the places that were edited by hand, whose values count as pristine; and lists that have lost an element that the function wrote.

    moved: whether anything was at another place than recorded. missed: the places that differ from the record: edited by hand, gone, already
    as before, or in a list element that was changed elsewhere. kept: the entries whose value may be there still.
    """

    data: JSON
    edited: tuple[Path, ...]
    lists: tuple[Path, ...]
    moved: bool = False
    missed: tuple[Path, ...] = ()
    kept: tuple[UndoEntry, ...] = ()


def undo(found: Record, data: JSON, steps: Budget | None = None) -> Undone:
    """Return the resource without what the record says was written. `data` is not changed.

    steps: the budget of hashing. EditError if it is exceeded.
    """
    steps = steps or hash_budget(TOO_LONG, STEPS_BACK)
    state = data_edits.copy(data)
    edited: list[Path] = []
    lists: list[Path] = []
    missed: list[Path] = []
    kept: list[UndoEntry] = []
    moved = False
    texts = _Texts(state)
    for entry in found.entries:
        texts.leave(entry)
        place = locate(state, replace(entry, within=()) if entry.inner else entry, steps)
        if entry.inner:
            outcome = texts.undo(place, entry, steps) if place.is_there else EDITED
        else:
            outcome = _STEPS[entry.op, isinstance(place.parent, list)](place) if place.is_there else EDITED
        if outcome is LOST:
            lists.append(place.path[:-1])
        if outcome is not DONE or not place.is_sure:
            missed.append(place.path)
        if outcome in (EDITED, LOST):
            edited.append(place.path)
            kept.append(entry)
        moved = moved or to_pointer(place.path) != entry.path
    texts.leave()
    return Undone(state, tuple(dict.fromkeys(edited)), tuple(dict.fromkeys(lists)), moved, tuple(missed), tuple(kept))


class _Texts:
    """The text in which entries are undone, one after the other: its comments and all that they do not concern stay."""

    __slots__ = ("_data", "_editor", "_path", "_place", "_state")

    def __init__(self, state: JSON) -> None:
        self._state, self._path = state, ""
        self._data: Any = None
        self._place: Path = ()
        self._editor: Editor | None = None

    def leave(self, entry: UndoEntry | None = None) -> None:
        """Write the text back, unless the next entry concerns it, too."""
        if entry is not None and entry.inner and entry.path == self._path:
            return
        if self._editor is not None:
            data_edits.put(self._state, self._place, self._editor.text())
        self._path, self._editor = "", None

    def undo(self, place: _Place, entry: UndoEntry, steps: Budget) -> str:
        """Undo an entry within a text and return the outcome. place: that of the text."""
        if self._editor is None:
            self._editor = opened(get(place.parent, (place.last,)))
            if self._editor is None:
                return EDITED
            self._path, self._place, self._data = entry.path, place.path, data_edits.copy(self._editor.data)
        inner = locate(self._data, replace(entry, path=entry.inner, inner=""), steps)
        is_in_list = isinstance(inner.parent, list)
        outcome = _STEPS[entry.op, is_in_list](inner) if inner.is_there else EDITED
        if outcome is DONE:
            path: Path = (*inner.path[:-1], inner.last)
            value: Any = get(inner.parent, (inner.last,), ABSENT)
            is_added = is_in_list and entry.op == "add"
            self._editor.make(Remove(path) if entry.op == "remove" else Put(path, value, insert=is_added))
        place.is_sure = place.is_sure and inner.is_sure
        return EDITED if outcome is LOST else outcome


TOO_LONG = f"takes more than {STEPS_BACK:,} steps to undo: restore the resource, or undo by hand what was written and delete the record"
DONE, AS_BEFORE, EDITED, LOST = "done", "as before", "edited", "lost"
"""The outcome of an entry. As before: what the function wrote is gone, or the earlier value is back. Edited: edited by hand, so it stays. Lost: an element that the function wrote is gone, and another one is at its index."""


def locate(state: JSON, entry: UndoEntry, steps: Budget) -> _Place:
    """Find the place to which an entry applies, by its digests; the data is not changed."""
    *parts, last = parts_of(entry.path)
    place = _Place(state, entry, steps)
    path: list[str | int] = []
    within = dict(entry.within)
    pointer = ""
    for part in parts:
        pointer += to_pointer((part,))
        step = place.step(part, within.get(pointer, ""), pointer)
        path.append(part if step is None else step)
        place.parent = ABSENT if step is None else place.parent[step]
    if pointer in within and not place.fits(place.parent, within[pointer], pointer):
        place.is_sure = False
    number = index_of(last) if isinstance(place.parent, list) else None
    place.is_there = isinstance(place.parent, dict) or number is not None
    place.last = last if number is None else number
    place.path = (*path, place.last)
    if not place.is_there and entry.op == "remove":
        place.is_there, place.parent = True, {}  # an absent parent counts as empty: nothing is left to remove
    return place


class _Place:
    """The place to which an entry applies: its parent, the last part of its path, and its present path.

    is_there: whether the place exists. is_sure: whether everything above it is as recorded.
    """

    __slots__ = ("entry", "is_sure", "is_there", "last", "parent", "path", "steps", "withheld")

    def __init__(self, state: JSON, entry: UndoEntry, steps: Budget) -> None:
        self.entry, self.steps = entry, steps
        self.withheld = tuple(parts_of(pointer) for pointer in entry.blank)
        self.is_sure, self.is_there = True, False
        self.parent: Any = state
        self.last: Any = ""
        self.path: Path = ()

    def step(self, part: str, hashed: str, pointer: str) -> str | int | None:
        """Return the key, or the present index of the list element; None if there is none."""
        if isinstance(self.parent, dict):
            return part if part in self.parent else None
        number = index_of(part) if isinstance(self.parent, list) else None
        if number is None:
            return None
        found = self._index(number, hashed, pointer)
        if found is None:
            self.is_sure = False
            return number if number < len(self.parent) else None
        return found

    def fits(self, value: object, hashed: str, pointer: str) -> bool:
        """Return whether the recorded digest of a pointer is that of this value."""
        if hashed:
            self.steps.take(weight(value))
        return fits(value, hashed, self._below(pointer, value))

    def _below(self, pointer: str, value: object) -> list[Path]:
        """Return what is blanked in the value at a pointer, with list indexes as numbers."""
        return [typed(path, value) for path in below(self.withheld, parts_of(pointer))]

    def _index(self, index: int, hashed: str, pointer: str) -> int | None:
        """Return the index of the element with this digest: the recorded one or, if it has moved, the last that fits.

        Of one of which a part is not hashed, that is the only one that fits; if none of its values is, only the recorded one in an unchanged list.
        """
        elements: list[JSON] = self.parent

        def matches(element: JSON) -> bool:
            return self.fits(element, hashed, pointer)

        is_partly = bool(below(self.withheld, parts_of(pointer)))
        if not is_partly and index < len(elements) and matches(elements[index]):
            return index
        found = [at for at, element in enumerate(elements) if matches(element)]
        if not found or (is_partly and (len(found) > 1 or not self._tells(elements[found[0]], pointer))):
            return index if index in found and self._is_whole(pointer) else None
        return found[-1]

    def _tells(self, element: JSON, pointer: str) -> bool:
        """Return whether a value of an element at a pointer is hashed, so that another one of its form is told apart."""
        blank = {*below(self.withheld, parts_of(pointer))}
        paths = [tuple(map(str, path)) for path, _ in scalars(element)]
        return any(blank.isdisjoint(path[:size] for size in range(len(path) + 1)) for path in paths)

    def _is_whole(self, pointer: str) -> bool:
        """Return whether the list around the element at this pointer is as it was written, as far as it is hashed."""
        above = pointer.rpartition("/")[0]
        hashed = dict(self.entry.within).get(above, "")
        return self.fits(self.parent, hashed, above)

    @property
    def before(self) -> object:
        return self.parent.get(self.last, ABSENT)

    def put(self) -> str:
        """Restore the value; a Secret's value that is not recorded becomes one with unknown content."""
        value: Any = self.entry.value
        self.parent[self.last] = UNKEPT if value is ABSENT else data_edits.copy(value)
        return DONE

    def kept(self, value: Any) -> str:
        """Return the outcome for a value that the function did not write: as before, or edited by hand."""
        is_pristine = self.entry.value is not ABSENT and data_edits.same(value, self.entry.value)
        return AS_BEFORE if is_pristine else EDITED

    def is_ours(self) -> bool:
        """Return whether the written value is at the key; that of a value from a Secret cannot be known."""
        if self.entry.secret:
            return self.is_sure
        return self.fits(self.before, self.entry.sha, self.entry.path)

    def find(self) -> bool:
        """Find the list element of the entry. One from a Secret has no digest, so the whole list must be as it was written."""
        if self.entry.secret:
            return self.last < len(self.parent) and self._is_whole(self.entry.path)
        found = self._index(self.last, self.entry.sha, self.entry.path)
        if found is None:
            return False
        self.last, self.path = found, (*self.path[:-1], found)
        return True


def _remove_key(place: _Place) -> str:
    if place.before is ABSENT:
        return AS_BEFORE
    if not place.is_ours():
        return EDITED
    del place.parent[place.last]
    return DONE


def _replace_key(place: _Place) -> str:
    if place.before is ABSENT:
        return EDITED
    return place.put() if place.is_ours() else place.kept(place.before)


def _add_key(place: _Place) -> str:
    return place.put() if place.before is ABSENT else place.kept(place.before)


def _remove_element(place: _Place) -> str:
    if place.find():
        del place.parent[place.last]
        return DONE
    return AS_BEFORE if place.last >= len(place.parent) else LOST


def _replace_element(place: _Place) -> str:
    if place.find():
        return place.put()
    return place.kept(place.parent[place.last]) if place.last < len(place.parent) else EDITED


def _add_element(place: _Place) -> str:
    if not place.is_sure and place.last < len(place.parent) and place.kept(place.parent[place.last]) is AS_BEFORE:
        return AS_BEFORE
    place.parent.insert(place.last, None)
    place.last = min(place.last, len(place.parent) - 1)
    return place.put()


_STEPS: dict[tuple[str, bool], Callable[[_Place], str]] = {
    ("remove", False): _remove_key,
    ("replace", False): _replace_key,
    ("add", False): _add_key,
    ("remove", True): _remove_element,
    ("replace", True): _replace_element,
    ("add", True): _add_element,
}
