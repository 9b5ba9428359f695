"""The smallest edits that turn one value into another."""

from __future__ import annotations

import functools
from collections import deque
from typing import TYPE_CHECKING

from krm_values._data.data_edits import Move, Put, Remove, is_written_as, key_of, same

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeVar

    from krm_values._data.data_edits import Edit
    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON

    _Edit = TypeVar("_Edit")

_MANY = 40_000  # pairs of elements that are compared at most
_FAR = 250_000  # places that the elements of a list move by at most, together
_NAMES = ("name", "key")  # by which people know an element of a list


def diff(before: JSON, after: JSON, path: Path = (), *, ordered: bool = False) -> Iterator[Put | Remove]:
    """Yield edits in an order in which each path is valid after the edits before it. ordered: new keys get the place they have in `after`."""
    if before is after:
        return
    if isinstance(before, dict) and isinstance(after, dict):
        yield from _maps(before, after, path, diff, ordered=ordered)
    elif isinstance(before, list) and isinstance(after, list):
        yield from _lists(before, after, path, ordered=ordered)
    elif not same(before, after):
        yield Put(path, after)


def respelt(before: JSON, after: JSON, path: Path = ()) -> Iterator[Put]:
    """Yield edits for the scalars of two equal values that are written differently, where `after` remembers its source text."""
    if isinstance(after, dict) and isinstance(before, dict):
        for key, value in after.items():
            yield from respelt(before[key], value, (*path, key))
    elif isinstance(after, list) and isinstance(before, list):
        for index, value in enumerate(after):
            yield from respelt(before[index], value, (*path, index))
    elif not is_written_as(before, after):
        yield Put(path, after)


def edits(
    before: JSON, after: JSON, path: Path = (), *, ordered: bool = False, in_place: Callable[[Path], bool] = lambda _: False
) -> Iterator[Edit]:
    """Yield edits as `diff` does, for a text: an element of a list stays or moves with its comments, and one that goes takes its own along.

    Elements are paired: equal ones, then maps with equal `name` or `key`; in a list that is changed `in_place` also those that are left at one index.
    """
    if isinstance(before, dict) and isinstance(after, dict):
        yield from _maps(before, after, path, functools.partial(edits, in_place=in_place), ordered=ordered)
    elif same(before, after):  # so that only lists that differ are paired
        return
    elif isinstance(before, list) and isinstance(after, list):
        yield from _paired(before, after, path, in_place, ordered=ordered)
    else:
        yield Put(path, after)


def _maps(
    before: dict[str, JSON], after: dict[str, JSON], path: Path, below: Callable[..., Iterator[_Edit]], *, ordered: bool
) -> Iterator[_Edit | Put | Remove]:
    for key in before:
        if key not in after:
            yield Remove((*path, key))
    behind = "" if ordered else None
    for key, value in after.items():
        if key in before:
            if before[key] is not value:
                yield from below(before[key], value, (*path, key), ordered=ordered)
        else:
            yield Put((*path, key), value, after=behind)
        behind = key if ordered else None


def _lists(before: list[JSON], after: list[JSON], path: Path, *, ordered: bool) -> Iterator[Put | Remove]:
    """Keep the elements that both lists share; between them change elements one by one, then remove or add the rest, last ones first."""
    start = 0
    while start < min(len(before), len(after)) and same(before[start], after[start]):
        start += 1
    end = 0
    while end < min(len(before), len(after)) - start and same(before[-1 - end], after[-1 - end]):
        end += 1
    last, other = len(before) - end, len(after) - end
    for old, new in (*reversed(shared(before[start:last], after[start:other])), (-1, -1)):
        first, second = start + old + 1, start + new + 1
        yield from _between(before[first:last], after[second:other], path, first, ordered=ordered)
        last, other = first - 1, second - 1


def _paired(
    before: list[JSON], after: list[JSON], path: Path, in_place: Callable[[Path], bool], *, ordered: bool
) -> Iterator[Edit]:
    """Yield the edits of a list by the pairs of its elements: what is left over is removed, then each element comes to its place."""
    partners = _partners(before, after, in_place=in_place(path))
    kept = {*partners.values()}
    gone = [index for index in range(len(before) - 1, -1, -1) if index not in kept]
    left, far = [*range(len(before))], 0
    steps: list[Edit] = []
    for index in gone if kept else ():  # a list that loses all is emptied last, since an empty one has no style
        del left[index]
        steps.append(Remove((*path, index)))
    for index, value in enumerate(after):
        if (old := partners.get(index)) is None:
            left.insert(index, -1)
            steps.append(Put((*path, index), value, insert=True))
            continue
        if left[index] != old:
            at = left.index(old, index)
            left.insert(index, left.pop(at))
            steps.append(Move((*path, at), index))
            far += at - index
        if far > _FAR:
            yield from _lists(before, after, path, ordered=ordered)
            return
        steps += edits(before[old], value, (*path, index), ordered=ordered, in_place=in_place)
    yield from steps
    for index in () if kept else range(len(left) - 1, len(after) - 1, -1):
        yield Remove((*path, index))


def _partners(before: list[JSON], after: list[JSON], *, in_place: bool) -> dict[int, int]:
    """Return the index of the old element of each new one that has one."""
    partners: dict[int, int] = {}
    old, new = [*range(len(before))], [*range(len(after))]
    for known in (key_of, _name):
        waiting: dict[object, deque[int]] = {}
        for index in old:
            waiting.setdefault(known(before[index]), deque()).append(index)
        waiting.pop(None, None)
        for index in new:
            if found := waiting.get(known(after[index])):
                partners[index] = found.popleft()
        taken = {*partners.values()}
        old, new = [index for index in old if index not in taken], [index for index in new if index not in partners]
    return partners | {index: index for index in {*old} & {*new}} if in_place else partners


def _name(value: JSON) -> object:
    """Return the name of a map; None if it has none."""
    names = ((key, value.get(key)) for key in _NAMES) if isinstance(value, dict) else ()
    return next(((key, name) for key, name in names if isinstance(name, str)), None)


def _between(old: list[JSON], new: list[JSON], path: Path, start: int, *, ordered: bool) -> Iterator[Put | Remove]:
    """Yield the edits of a part of a list that begins at index `start`."""
    both = min(len(old), len(new))
    for index in range(both):
        yield from diff(old[index], new[index], (*path, start + index), ordered=ordered)
    for index in range(len(old) - 1, both - 1, -1):
        yield Remove((*path, start + index))
    for index in range(both, len(new)):
        yield Put((*path, start + index), new[index], insert=True)


def shared(old: list[JSON], new: list[JSON]) -> list[tuple[int, int]]:
    """Return the indexes of a longest common subsequence of two lists; nothing for very long lists."""
    if not old or not new or len(old) * len(new) > _MANY:
        return []
    most = [[0] * (len(new) + 1) for _ in range(len(old) + 1)]
    equal = [[same(one, other) for other in new] for one in old]
    for i in range(len(old) - 1, -1, -1):
        for j in range(len(new) - 1, -1, -1):
            most[i][j] = most[i + 1][j + 1] + 1 if equal[i][j] else max(most[i + 1][j], most[i][j + 1])
    found, i, j = [], 0, 0
    while i < len(old) and j < len(new):
        if equal[i][j]:
            found.append((i, j))
            i, j = i + 1, j + 1
        elif most[i + 1][j] >= most[i][j + 1]:
            i += 1
        else:
            j += 1
    return found
