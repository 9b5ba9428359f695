"""Places of one resource that two functions write, one over the other.

A function that finds another value than it wrote would take that for a hand edit. It is not a hand edit if the undo record of another function explains
the value: the function then sees the other's value, as every function sees the output of those before it, and its own record keeps the value
from before both. That works for keys of maps. Where a list is involved, the other function's edits are reverted too and its record is
dropped: it writes them again when it runs.
"""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

from krm_values._data import data_edits
from krm_values._data.errors import InputError
from krm_values._data.pointer import ABSENT, get
from krm_values._data.record import record, replace
from krm_values._krm import names
from krm_values._krm import undo_record as undo
from krm_values._krm.revert import TOO_LONG
from krm_values._krm.revert import undo as undone
from krm_values._krm.undo_record import STEPS_BACK, fits, hashing

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

    from krm_values._data.limits import Budget
    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._krm.revert import Undone
    from krm_values._krm.undo_record import Record, UndoEntry


@record
class Covered:
    """A key that another function wrote over this one's value: the value that it left there, and the value that this one had written; ABSENT for none."""

    path: Path
    left: object
    ours: object


@record
class Reverted:
    """A resource without what a function wrote. `data` is what its planner sees, `pristine` the same without what other functions wrote over it.

    edited: places that were edited by hand. lists: those that have lost an element that the function wrote. dropped: annotations with records
    of other functions that were reverted as well.
    """

    data: JSON
    pristine: JSON
    edited: tuple[Path, ...]
    lists: tuple[Path, ...]
    covered: tuple[Covered, ...]
    dropped: tuple[str, ...] = ()


def revert(found: Record, data: JSON, annotations: Mapping[str, str], own: str) -> Reverted:
    """Undo a function's record, which is kept under the key `own`; what other functions wrote over it stays. `data` is not changed.

    EditError if hashing would exceed the budget.
    """
    steps = hashing(TOO_LONG, STEPS_BACK)
    done = undone(found, data, steps)
    if not done.missed:
        return Reverted(done.data, done.data, (), done.lists, ())
    others = dict(_others(annotations, own))
    return (
        _below_keys(found, data, done, others.values(), steps, exactly=True)
        or _below_lists(found, data, others, steps)
        or _below_keys(found, data, done, others.values(), steps, exactly=False)
        or Reverted(done.data, done.data, done.edited, done.lists, ())
    )


def _below_keys(
    found: Record, data: JSON, done: Undone, others: Iterable[Record], steps: Budget, *, exactly: bool
) -> Reverted | None:
    """Revert what was written below the keys of another function, whose values stay. None if that does not explain the data.

    exactly: only if it explains all of it.
    """
    for other in others if done.edited else ():
        entries = tuple(entry for entry in other.entries if _is_over(entry, done.edited, data))
        below = undone(replace(other, entries=entries), data, steps)
        if not entries or below.edited or any(_is_secret_in(found, entry) for entry in entries):
            continue
        again = undone(found, below.data, steps)
        paths = [_keys(entry) for entry in entries]
        ours = [entry for entry in found.entries if any(_meet(_keys(entry), path) for path in paths)]
        if exactly and (again.missed or any(_is_in_list(entry, below.data) for entry in ours)):
            continue
        places = [place for place in done.edited if any(_meet(place, path) for path in paths)]
        for covered in (paths, places):  # no more than is needed; all of ours where there is no map for that any more
            seen = data_edits.copy(again.data)
            if all(_put(seen, path, get(data, path, ABSENT)) for path in covered):
                edited = tuple(place for place in again.edited if not any(_meet(place, path) for path in covered))
                return Reverted(seen, again.data, edited, again.lists, tuple(_covered(covered, data, below.data)))
    return None


def _below_lists(found: Record, data: JSON, others: Mapping[str, Record], steps: Budget) -> Reverted | None:
    """Revert the records of one or two other functions first, then this one. None if that does not explain all of the data."""
    for keys in (*permutations(others, 1), *permutations(others, 2)):
        entries = [entry for key in keys for entry in others[key].entries]
        if any(entry.secret or entry.blank for entry in entries):
            continue
        below = _without([others[key] for key in keys], data, steps)
        pristine = None if below is None else _without([found], below, steps)
        if pristine is not None and any(
            _is_in_list(one, state) for state in (data, below) for one in (*entries, *found.entries)
        ):
            return Reverted(pristine, pristine, (), (), (), keys)
    return None


def _without(records: Iterable[Record], data: JSON, steps: Budget) -> JSON:
    """Return the data with these records reverted in turn; None if one of them does not explain it."""
    for one in records:
        done = undone(one, data, steps)
        if done.missed:
            return None
        data = done.data
    return data


def _is_in_list(entry: UndoEntry, data: Any) -> bool:
    """Return whether there is a list above an entry's place."""
    for part in _keys(entry):
        if isinstance(data, list):
            return True
        data = get(data, (part,))
    return bool(entry.within)


def written(covered: Iterable[Covered], result: JSON) -> JSON:
    """Return the state that a record leads back from: the result, with this function's value where another function's still covers it."""
    data = data_edits.copy(result)
    for one in covered:
        if data_edits.same(get(data, one.path, ABSENT), one.left):
            _put(data, one.path, one.ours)
    return data


def without_theirs(entries: Iterable[UndoEntry], annotations: Mapping[str, str], own: str) -> tuple[UndoEntry, ...]:
    """Return the entries without those that would restore a key that another function had added: that function adds it itself."""
    added = {entry.path: entry for _, other in _others(annotations, own) for entry in other.entries if entry.op == "remove"}
    return tuple(
        entry
        for entry in entries
        if entry.op != "add" or entry.within or entry.path not in added or not _had_left(added[entry.path], entry.value)
    )


def _had_left(added: UndoEntry, value: object) -> bool:
    """Return whether a function that added a key had left this value there; unknown for one from a Secret."""
    return added.secret or fits(value, added.sha)


def _covered(paths: Iterable[Path], data: JSON, below: JSON) -> Iterator[Covered]:
    return (Covered(path, get(data, path, ABSENT), get(below, path, ABSENT)) for path in paths)


def _others(annotations: Mapping[str, str], own: str) -> Iterator[tuple[str, Record]]:
    """Yield the readable records of other functions by annotation; an unreadable one is reported by its own function."""
    for key, text in sorted(annotations.items()):
        if key.startswith(names.RECORD) and key != own:
            try:
                yield key, undo.from_text(text)
            except InputError:
                continue


def _is_over(entry: UndoEntry, places: Iterable[Path], data: JSON) -> bool:
    """Return whether an entry concerns a map's key at, above or below one of the places."""
    path = _keys(entry)
    return isinstance(get(data, path[:-1]), dict) and any(_meet(path, place) for place in places)


def _is_secret_in(found: Record, over: UndoEntry) -> bool:
    """Return whether the value written below another function's entry comes from a Secret, so that no new digest of it is made."""
    ours = (entry for entry in found.entries if _meet(_keys(entry), _keys(over)))
    return any(entry.blank or entry.secret for entry in ours)


def _meet(one: Path, other: Path) -> bool:
    """Return whether one of two paths is a prefix of the other."""
    return one[: len(other)] == other[: len(one)]


def _keys(entry: UndoEntry) -> Path:
    """Return the keys of the maps above an entry's place."""
    return tuple(part.replace("~1", "/").replace("~0", "~") for part in entry.path[1:].split("/"))


def _put(data: Any, path: Path, value: Any) -> bool:
    """Set a value, or remove it if it is ABSENT, creating the maps above it. Return False if that is not possible."""
    for key in path[:-1]:
        data = data.setdefault(key, {}) if isinstance(data, dict) else None
    if not isinstance(data, dict):
        return False
    if value is ABSENT:
        data.pop(path[-1], None)
    else:
        data[path[-1]] = data_edits.copy(value)
    return True
