"""Where a path leads after an edit, and where it led before: edits of a list move its elements.

What a function writes itself shifts nothing: the elements of its documents are slots (`_run/edited`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.data_edits import Move, Put, Remove

if TYPE_CHECKING:
    from collections.abc import Callable

    from krm_values._data.data_edits import Edit
    from krm_values._data.pointer import Path


def after(path: Path, edit: Edit) -> Path | None:
    """Return the path after an edit of what was at a path before it; None if the edit removed or replaced it."""
    return _moved(path, edit, _after)


def before(path: Path, edit: Edit) -> Path | None:
    """Return the path before an edit of what is at a path after it; None if the edit wrote it."""
    return _moved(path, edit, _before)


def _moved(path: Path, edit: Edit, index_of: Callable[[int, int, Edit], int | None]) -> Path | None:
    size = len(edit.path)
    if len(path) < size or path[: size - 1] != edit.path[:-1]:
        return path
    at, place = path[size - 1], edit.path[-1]
    if isinstance(at, int) and isinstance(place, int):
        index = index_of(at, place, edit)
        return None if index is None else (*path[: size - 1], index, *path[size:])
    return None if at == place and (index_of is _after or isinstance(edit, Put)) else path


def _after(at: int, place: int, edit: Edit) -> int | None:
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


def _before(at: int, place: int, edit: Edit) -> int | None:
    match edit:
        case Put(insert=insert):
            return None if at == place else at - (insert and at > place)
        case Remove():
            return at + (at >= place)
        case Move(to=to):
            return _after(at, to, Move((), place))
    return at
