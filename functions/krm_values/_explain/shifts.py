"""Shifts paths by the operations of a step: inserting or removing a list element changes the index of those after it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON

    Operation = tuple[str, tuple[str, ...], tuple[str, ...]]  # op, path, and of a move where from


def by_item(operations: Iterable[Mapping[str, JSON]]) -> dict[int, list[Operation]]:
    """Return the operations of each item by its number, with paths within the item, without those that add or remove whole items."""
    found: dict[int, list[Operation]] = {}
    for operation in operations:
        number, *path = _parts(operation["path"])
        if path and number.isdigit():
            source = _parts(operation["from"])[1:] if "from" in operation else []
            found.setdefault(int(number), []).append((str(operation["op"]), tuple(path), tuple(source)))
    return found


def backward(path: Path, operations: Iterable[Operation]) -> Path | None:
    """Return the path before the operations of what is at `path` after them; None if they wrote it."""
    for op, at, source in reversed([*operations]):
        if op == "move":
            path = _moved(path, at, source)
        elif op == "remove":
            path = _shifted(path, at, 1) if _is_behind(path, at, or_at=True) else path
        elif _is_below(path, at):
            return None
        elif op == "add" and _is_behind(path, at):
            path = _shifted(path, at, -1)
    return path


def forward(path: Path, operations: Iterable[Operation]) -> Path | None:
    """Return the path after the operations of what was at `path` before them; None if they removed it."""
    for op, at, source in operations:
        if op == "move":
            path = _moved(path, source, at)
        elif op == "remove":
            if _is_below(path, at):
                return None
            path = _shifted(path, at, -1) if _is_behind(path, at) else path
        elif op == "add" and _is_behind(path, at, or_at=True):
            path = _shifted(path, at, 1)
    return path


def _parts(pointer: JSON) -> list[str]:
    return [part.replace("~1", "/").replace("~0", "~") for part in str(pointer).split("/")[2:]]


def _is_below(path: Path, at: tuple[str, ...]) -> bool:
    return len(path) >= len(at) and all(map(_same, path, at))


def _is_behind(path: Path, at: tuple[str, ...], *, or_at: bool = False) -> bool:
    """Return whether the path leads through an element of the same list after the one at `at`."""
    size = len(at) - 1
    own = path[size] if len(path) > size else ""
    if not isinstance(own, int) or not at[size].isdigit():
        return False
    return all(map(_same, path, at[:size])) and own + or_at > int(at[size])


def _shifted(path: Path, at: tuple[str, ...], by: int) -> Path:
    size = len(at) - 1
    index = path[size]
    return (*path[:size], index + by, *path[size + 1 :]) if isinstance(index, int) else path


def _moved(path: Path, source: tuple[str, ...], target: tuple[str, ...]) -> Path:
    """Return the path after an element was moved from `source` to `target`."""
    if _is_below(path, source):
        return (*_typed(target, path), *path[len(source) :])
    path = _shifted(path, source, -1) if _is_behind(path, source) else path
    return _shifted(path, target, 1) if _is_behind(path, target, or_at=True) else path


def _typed(parts: tuple[str, ...], like: Path) -> Iterator[str | int]:
    for part, model in zip(parts, like, strict=False):
        yield int(part) if isinstance(model, int) else part


def _same(one: str | int, other: str | int) -> bool:
    return str(one) == str(other)
