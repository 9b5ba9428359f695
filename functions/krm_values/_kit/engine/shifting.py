"""Shifts places of plain data by an edit of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.data_edits import Move, Put, Remove

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from krm_values._data.data_edits import Edit
    from krm_values._data.pointer import Path


def after(paths: Iterable[Path], edit: Edit, *, in_list: bool) -> Iterator[Path]:
    """Yield the places that still exist after an edit, by their new paths. in_list: whether the edit concerns a list element."""
    size, last = len(edit.path), edit.path[-1]
    for path in paths:
        if len(path) < size or path[: size - 1] != edit.path[:-1] or not in_list:
            if path[:size] != edit.path:
                yield path
            continue
        index = _index(path[size - 1], last, edit)  # type: ignore[arg-type]  # both are indexes
        if index is not None:
            yield (*path[: size - 1], index, *path[size:])


def _index(at: int, place: int, edit: Edit) -> int | None:
    """Return the new index of an element after an edit of its list at `place`; None if the element is removed."""
    match edit:
        case Put(insert=True):
            return at + (at >= place)
        case Put():
            return None if at == place else at
        case Remove():
            return None if at == place else at - (at > place)
        case Move(to=to):
            if at == place:
                return to
            return at - (at > place) + (at - (at > place) >= to)
    return at
