"""The edits that lead from one value to another, as small as they can be said."""

from __future__ import annotations

from krm_values._kit.plain import Put, Remove, same

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from krm_values._kit.data import JSON
    from krm_values._kit.plain import Edit
    from krm_values._kit.pointer import Path


def diff(before: JSON, after: JSON, path: Path = (), *, ordered: bool = False) -> Iterator[Edit]:
    """Edits in an order in which each path is valid after the ones before it. ordered: a new key goes where `after` has it."""
    if same(before, after):
        return
    match before, after:
        case dict(), dict():
            yield from _maps(before, after, path, ordered=ordered)
        case list(), list():
            yield from _lists(before, after, path, ordered=ordered)
        case _:
            yield Put(path, after)


def _maps(before: dict[str, JSON], after: dict[str, JSON], path: Path, *, ordered: bool) -> Iterator[Edit]:
    for key in before:
        if key not in after:
            yield Remove((*path, key))
    behind = "" if ordered else None
    for key, value in after.items():
        if key in before:
            yield from diff(before[key], value, (*path, key), ordered=ordered)
        else:
            yield Put((*path, key), value, after=behind)
        behind = key if ordered else None


def _lists(before: list[JSON], after: list[JSON], path: Path, *, ordered: bool) -> Iterator[Edit]:
    """Equal ends stay; between them elements are changed one by one, then the surplus goes or comes."""
    start = 0
    while start < min(len(before), len(after)) and same(before[start], after[start]):
        start += 1
    end = 0
    while end < min(len(before), len(after)) - start and same(before[-1 - end], after[-1 - end]):
        end += 1
    old, new = len(before) - start - end, len(after) - start - end
    for index in range(start, start + min(old, new)):
        yield from diff(before[index], after[index], (*path, index), ordered=ordered)
    for index in range(start + old - 1, start + new - 1, -1):
        yield Remove((*path, index))
    for index in range(start + old, start + new):
        yield Put((*path, index), after[index], insert=True)
