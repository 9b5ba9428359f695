"""The comments of Secrets, which may hold earlier values: finds them in a text, and renders its lines without them."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from krm_values._data.pointer import get
from krm_values._kit.planner.withheld import HIDDEN, SHOWN, is_secret_data
from krm_values._yaml import decode

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._yaml.nodes import Node

    Region = tuple[int, int]  # from where to where in the text


def on_lines(text: str, root: Node, data: JSON) -> Iterator[Region]:
    """Yield where whole-line comments are hidden: in each Secret at any depth, and directly above and below it."""
    for node in _secrets(root, (), data) if holds_secret(data) else ():
        yield (0, len(text)) if node is root else (_above(text, node.start), _below(text, node.end))


def behind_values(text: str, root: Node, data: JSON) -> Iterator[Region]:
    """Yield where comments behind values are hidden as well: below the keys of a Secret that hold its values."""
    for node in _secrets(root, (), data) if holds_secret(data) else ():
        for key, item in zip(node.keys, node.items, strict=True):
            if decode.key_text(key) not in SHOWN and item.end > item.start:
                yield _end(text, key.end), _end(text, item.end)


def holds_secret(data: object) -> bool:
    """Return whether data is a Secret, or contains one."""
    if isinstance(data, dict):
        return is_secret_data(data) or any(map(holds_secret, data.values()))
    return isinstance(data, list) and any(map(holds_secret, data))


def lines(
    text: str, whole: Sequence[Region], behind: Sequence[Region], scalars: Sequence[Region], first: int = 0
) -> dict[int, str]:
    """Return the lines with a hidden comment, by number from `first`, as they may be shown. whole: places of hidden whole-line comments. behind: places where comments behind values are hidden."""
    shown: dict[int, str] = {}
    at = 0
    for number, line in enumerate(text.split("\n"), first) if whole else ():
        comment = begin(text, at, at + len(line), scalars) if "#" in line else -1
        within = whole if line.lstrip(" ").startswith("#") else behind
        if comment >= 0 and any(start <= comment < end for start, end in within):
            shown[number] = f"{text[at:comment]}# {HIDDEN}"
        at += len(line) + 1
    return shown


def begin(text: str, at: int, end: int, scalars: Sequence[Region]) -> int:
    """Return where a comment begins in the rest of a line, -1 if there is none."""
    while (at := text.find("#", at, end)) >= 0:
        place = bisect_left(scalars, (at + 1,)) - 1
        if place < 0 or scalars[place][1] <= at:
            return at
        at += 1
    return -1


def _secrets(node: Node, path: Path, data: JSON) -> Iterator[Node]:
    if node.kind == "map":
        if is_secret_data(get(data, path)):
            yield node
            return
        for key, item in zip(node.keys, node.items, strict=True):
            yield from _secrets(item, (*path, decode.key_text(key)), data)
    elif node.kind == "list":
        for index, item in enumerate(node.items):
            yield from _secrets(item, (*path, index), data)


def _above(text: str, at: int) -> int:
    """Return the beginning of the comment lines directly above a place."""
    start = text.rfind("\n", 0, at) + 1
    while start and _is_beside(text, above := text.rfind("\n", 0, start - 1) + 1, start - 1):
        start = above
    return start


def _below(text: str, at: int) -> int:
    """Return the end of the comment lines directly below a place."""
    end = _end(text, at)
    while end < len(text) and _is_beside(text, end + 1, below := _end(text, end + 1)):
        end = below
    return end


def _end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return end if end >= 0 else len(text)


def _is_beside(text: str, start: int, end: int) -> bool:
    line = text[start:end].strip()
    return not line or line.startswith("#")
