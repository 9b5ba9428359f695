"""The undo records of a resource as a stack: what a step wrote is found below what later steps wrote over it.

A step that begins takes its own edits and those of later steps back, the newest first, and plans on what is left: the author's values with the edits
of earlier steps. What it took back of later steps is put back on its result, as far as the places are still there; the rest is left to them: they
write it again when they run.
"""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

from krm_values._data import data_edits
from krm_values._data.data_edits import Put, Remove
from krm_values._data.diff import diff
from krm_values._data.errors import EditError, InputError
from krm_values._data.pointer import ABSENT, get
from krm_values._data.record import record, replace
from krm_values._krm import names, revert
from krm_values._krm import undo_record as undo

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
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


def read(annotations: Mapping[str, str]) -> tuple[list[Keyed], dict[str, str]]:
    """Return the records among the annotations of a resource, and by annotation what is wrong with those that cannot be read."""
    found: list[Keyed] = []
    wrong: dict[str, str] = {}
    for key, text in annotations.items():
        if key.startswith(names.RECORD):
            try:
                found.append((key, undo.from_text(text)))
            except InputError as error:
                wrong[key] = error.message
    return found, wrong


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
    """Put the edits of a record back on a resource that may have changed below them. in_secret: it is a Secret.

    `was` is the resource on which they were made, brought along from edit to edit: an edit is made only where `result` is still like it.
    """
    below = level.done.data
    if data_edits.same(data, below):
        return PutBack(level.above, level.found)
    if in_secret or any(entry.secret or entry.blank for entry in level.found.entries):
        places = dict.fromkeys(edit.path for edit in diff(below, level.above))
        return PutBack(data, None, tuple(places))  # what is from a Secret has no digest by which it is found again
    result, lost = data_edits.copy(data), []
    was = data_edits.copy(below)
    for edit in diff(below, level.above):
        if not _is_there(edit.path, result, was) or not _edit(edit, result, was):
            lost.append(edit.path)
        edit.apply(was)
    entries = undo.compute(data, result)
    return PutBack(result, replace(level.found, entries=entries) if entries else None, tuple(lost))


def _is_there(path: Path, data: Any, was: Any) -> bool:
    """Return whether all that is above a place is there as it was: the keys, and in each list the same elements, as far as these have names."""
    for part in path[:-1]:
        if isinstance(part, int):
            if not isinstance(data, list) or len(data) != len(was) or not _is_same_element(data[part], was[part]):
                return False
        elif not isinstance(data, dict) or part not in data:
            return False
        data, was = data[part], was[part]
    return isinstance(data, dict) if isinstance(was, dict) else data_edits.same(data, was)


def _is_same_element(one: Any, other: Any) -> bool:
    if not isinstance(one, dict) or not isinstance(other, dict):
        return data_edits.same(one, other)
    return all(data_edits.same(one.get(key), other.get(key)) for key in ("name", "key"))


def _edit(edit: Put | Remove, data: Any, was: Any) -> bool:
    """Make an edit whose parent is there; within a text only what changes in it. Return False if that is not possible."""
    now, before = get(data, edit.path, ABSENT), get(was, edit.path, ABSENT)
    if isinstance(edit, Remove) and now is ABSENT:
        return True
    try:
        made = _rebased(edit, now, before)
    except EditError:
        return False
    if made is not None:
        made.apply(data)
    return made is not None


def _rebased(edit: Put | Remove, now: Any, before: Any) -> Put | Remove | None:
    """Return an edit for the value that is there `now`: of a text that has changed since `before`, only what the edit changes in it; None if that is gone."""
    if isinstance(edit, Remove) or edit.insert or data_edits.same(now, before) or not (text := undo.opened(now)):
        return edit
    old, new = undo.opened(before), undo.opened(edit.value)
    if not old or not new:
        return None
    was = data_edits.copy(old.data)
    for inner in [*diff(old.data, new.data)]:
        here, there = get(text.data, inner.path, ABSENT), get(was, inner.path, ABSENT)
        made = _rebased(inner, here, there) if _is_there(inner.path, text.data, was) else None
        if made is None:
            return None
        text.make(made)
        inner.apply(was)
    return Put(edit.path, text.text())
