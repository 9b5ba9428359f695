"""The undo records of a resource as a stack: what a step wrote is found below what later steps wrote over it.

A step that begins takes its own edits and those of later steps back, the newest first, and plans on what is left: the author's values with the edits
of earlier steps. What it took back of later steps is put back on its result where nothing else has changed, and else left to them: they write it
again when they run.
"""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

from krm_values._data import data_edits
from krm_values._data.diff import diff
from krm_values._data.pointer import ABSENT, get
from krm_values._data.record import record, replace
from krm_values._krm import revert
from krm_values._krm import undo_record as undo

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, TypeAlias

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._krm.revert import Undone
    from krm_values._krm.undo_record import Record

    Keyed: TypeAlias = tuple[str, Record]  # the annotation of a record, and the record


_TRIED = 4  # records whose order is searched


@record
class Level:
    """What one record says: the resource with the step's edits (`above`) and without them (`done.data`)."""

    key: str
    found: Record
    above: JSON
    done: Undone


@record
class PutBack:
    """A resource on which a step's edits were put back, with their record, None if it has none left. lost: the places that were left out."""

    data: JSON
    found: Record | None
    lost: tuple[Path, ...] = ()


def taken_back(records: Sequence[Keyed], data: JSON) -> list[Level]:
    """Take the edits of these records back, the last one first, and return what was found, in the order of the records.

    `data` is not changed. EditError if hashing would exceed the budget.
    """
    levels: list[Level] = []
    for key, found in reversed(records):
        levels.append(Level(key, found, data, revert.undo(found, data)))
        data = levels[-1].done.data
    return levels[::-1]


def in_order(records: Sequence[Keyed], data: JSON) -> list[Keyed]:
    """Return records by their numbers. Those without, which earlier versions made, are put in the first order that explains the data."""
    numbered = sorted((one for one in records if one[1].number), key=lambda one: (one[1].number, one[0]))
    others = [one for one in records if not one[1].number]
    if 1 < len(others) <= _TRIED and not numbered:
        for order in permutations(others):
            if not any(level.done.missed for level in taken_back(order, data)):
                return list(order)
    return [*numbered, *others]


def put_back(level: Level, data: JSON, *, in_secret: bool) -> PutBack:
    """Put the edits of a record back on a resource that may have changed below them. in_secret: it is a Secret."""
    below = level.done.data
    if data_edits.same(data, below):
        return PutBack(level.above, level.found)
    places = dict.fromkeys(_changed_whole(edit.path) for edit in diff(below, level.above))
    lost = tuple(place for place in places if not _is_as_it_was(place, data, below))
    if lost and (in_secret or any(entry.secret or entry.blank for entry in level.found.entries)):
        return PutBack(data, None, tuple(places))  # what is from a Secret has no digest by which it is found again
    result = data_edits.copy(data)
    for place in places:
        if place not in lost:
            _set(result, place, get(level.above, place, ABSENT))
    if not lost:
        return PutBack(result, level.found)
    entries = undo.compute(data, result)
    return PutBack(result, replace(level.found, entries=entries) if entries else None, lost)


def _changed_whole(path: Path) -> Path:
    """Return the place to compare for an edit: of one in a list, the outermost list, because its elements may have moved."""
    return path[: next((size for size, part in enumerate(path) if isinstance(part, int)), len(path))]


def _is_as_it_was(place: Path, data: JSON, below: JSON) -> bool:
    return isinstance(get(data, place[:-1]), dict) and data_edits.same(get(data, place, ABSENT), get(below, place, ABSENT))


def _set(data: Any, path: Path, value: Any) -> None:
    for key in path[:-1]:
        data = data[key]
    if value is ABSENT:
        del data[path[-1]]
    else:
        data[path[-1]] = data_edits.copy(value)
