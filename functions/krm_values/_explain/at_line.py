"""The field, and the value within a field's text, on a line of a file."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from krm_values._data.errors import InputError
from krm_values._data.pointer import ABSENT, get, to_field
from krm_values._data.printable import printable
from krm_values._data.record import record
from krm_values._kit.planner.item import withholds
from krm_values._yaml import decode
from krm_values._yaml.encoding import LineStarts

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from krm_values._data.pointer import Path
    from krm_values._kit.planner.item import Item
    from krm_values._yaml.nodes import Node

    Entry = tuple[int, Path, Node]  # where a key, or an element of a list, begins in a text, its path, and the value

_MARKERS = ("---", "...")
_ANNOTATION = 3  # parts of the path of an annotation


@record
class Found:
    """The nearest field and the nearest value of its text, and whether they are on the line. hidden: an annotation that is nearer and that planners do not see."""

    path: Path = ()
    inner: Path | None = None
    reaches: bool = False
    hidden: Path = ()


@record
class _Inner:
    path: Path | None = None
    reaches: bool = False


def document(items: Sequence[Item], line: int) -> Item | None:
    """Return the document that contains a line, from 1; None before the first."""
    return next((item for item in reversed(items) if item.position.line <= line), None)


def check(content: bytes, line: int, file: str) -> None:
    """Raise InputError if a file has no such line."""
    last = len(content.splitlines())
    if line > last:
        raise InputError(f"has no line {line:,}: its last one is {last:,}", file=file)


def place(item: Item, line: int) -> tuple[Path, Path | None]:
    """Return the outermost field that begins on a line, from 1, else the innermost that began before it, and the place in its text."""
    found = _look(item, line)
    return found.path, found.inner


def mark(item: Item, line: int) -> str:
    """Return the annotation of a host or of krm-values that begins on a line, "" if none does."""
    path = _look(item, line).hidden
    return str(path[-1]) if len(path) == _ANNOTATION else ""


def check_value(items: Sequence[Item], content: bytes, line: int, file: str) -> None:
    """Raise InputError, naming the nearest line with a value, if a line of the file is not part of any value (a comment, for example)."""
    lines = content.decode(errors="replace").split("\n")
    item, is_comment = document(items, line), _is_comment(lines[line - 1])
    found = _look(item, line) if item and not _is_marker(lines[line - 1]) else Found()
    if len(found.hidden) == _ANNOTATION and not is_comment:
        return
    if found.path and not found.hidden and (found.reaches or not is_comment):
        return
    near = (one for step in range(1, len(lines)) for one in (line + step, line - step) if 0 < one <= len(lines))
    places = ((one, field) for one in near if not _is_comment(lines[one - 1]) and (field := _field(items, one)))
    number, field = next(places, (0, ""))
    nearest = f"; the nearest is `{field}` on line {number:,}" if number else ""
    raise InputError(f"no value is on this line{nearest}", line, file=file)


def _field(items: Sequence[Item], line: int) -> str:
    """Return the field on a line, "" if there is none."""
    item = document(items, line)
    found = _look(item, line) if item else Found()
    if item is None or found.hidden or not found.path:
        return ""
    inner = found.inner and not withholds(item, found.path)  # a line of a Secret's text may only look like a key
    return printable(to_field(found.path) + (f" » {to_field(found.inner or ())}" if inner else ""))


def _is_marker(text: str) -> bool:
    return text[:3] in _MARKERS and text[3:].strip()[:1] in ("", "#")


def _is_comment(text: str) -> bool:
    """Return whether a line looks like a comment, a marker or a directive; it may still be a line of a text."""
    return text.strip()[:1] in ("", "#") or text[:1] == "%" or _is_marker(text)


def _look(item: Item, line: int) -> Found:
    wanted, reading = line - item.position.line, item.reading
    root, at = reading.root, reading.at
    if root is None or at is None:
        return Found()

    def line_of(offset: int) -> int:
        return at(offset)[0]

    entries = [(key.start, path, value) for path, key, value in decode.written(root())]
    found = _nearest(entries, wanted, line_of)
    hidden: Path = ()
    if found and get(item.data, found[1], ABSENT) is ABSENT:
        hidden, seen = found[1], [entry for entry in entries if get(item.data, entry[1], ABSENT) is not ABSENT]
        found = _nearest(seen, wanted, line_of)
    if found is None:
        return Found(hidden=hidden)
    path, text, reaches = found[1], get(item.data, found[1]), _reaches(found, wanted, line_of)
    inner = _inside(item, path, text, wanted) if isinstance(text, str) and line_of(found[0]) < wanted else None
    return (
        Found(path, inner.path, reaches and inner.reaches, hidden=hidden)
        if inner
        else Found(path, None, reaches, hidden=hidden)
    )


def _inside(item: Item, path: Path, text: str, wanted: int) -> _Inner | None:
    """Return the outermost value of a YAML text that begins on a line, else the innermost that began before it; None if it has no values."""
    try:
        entries = [(key.start, inner, value) for inner, key, value in decode.written(decode.parse(text + "\n"))]
    except InputError:
        return None
    starts, inside = LineStarts(text), item.reading.inside

    def line_of(offset: int) -> int:
        number, column = starts.place(offset)
        placed = inside(path, text, number + 1, column + 1)
        return placed[0] if placed else wanted + 1

    found = _nearest(entries, wanted, line_of)
    if found is None:
        return _Inner() if entries else None
    return _Inner(found[1], reaches=_reaches(found, wanted, line_of))


def _reaches(entry: Entry, wanted: int, line_of: Callable[[int], int]) -> bool:
    """Return whether an entry begins on a line, or has a text that extends to it."""
    start, _, value = entry
    return line_of(start) == wanted or (value.kind == "scalar" and line_of(max(value.end - 1, value.start)) >= wanted)


def _nearest(entries: list[Entry], wanted: int, line_of: Callable[[int], int]) -> Entry | None:
    """Return the outermost entry that begins on a line, else the innermost of those that began last before it."""
    end = bisect_right(entries, wanted, key=lambda entry: line_of(entry[0]))
    if not end:
        return None
    last = line_of(entries[end - 1][0])
    begin = bisect_left(entries, last, key=lambda entry: line_of(entry[0]))
    choose = min if last == wanted else max
    return choose(entries[begin:end], key=lambda entry: len(entry[1]))
