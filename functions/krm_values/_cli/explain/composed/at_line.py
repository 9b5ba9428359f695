"""Which field, and which value of a text that a field holds, is on a line of a file."""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from krm_values._data.errors import InputError
from krm_values._data.pointer import ABSENT, get
from krm_values._yaml import decode
from krm_values._yaml.encoding import LineStarts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from krm_values._data.pointer import Path
    from krm_values._kit.planner.item import Item

    Entry = tuple[int, Path]  # where a key, or an element of a list, begins in a text, and its path


def document(items: Sequence[Item], line: int) -> Item | None:
    """The document that a line, from 1, is in; None before the first."""
    return next((item for item in reversed(items) if item.position.line <= line), None)


def check(content: bytes, line: int, file: str) -> None:
    """InputError if a file has no such line."""
    last = len(content.splitlines())
    if line > last:
        raise InputError(f"has no line {line:,}: its last one is {last:,}", file=file)


def place(item: Item, line: int) -> tuple[Path, Path | None]:
    """The outermost field that begins on a line, from 1, of the file, else the innermost that began before it; and where in its text."""
    wanted, reading = line - item.position.line, item.reading
    root, at = reading.root, reading.at
    if root is None or at is None:
        return (), None
    entries = [(key.start, path) for path, key, _ in decode.written(root()) if get(item.data, path, ABSENT) is not ABSENT]
    found = _nearest(entries, wanted, lambda entry: at(entry[0])[0])
    if found is None:
        return (), None
    begins, path = found
    text = get(item.data, path)
    return path, _inside(item, path, text, wanted) if isinstance(text, str) and at(begins)[0] < wanted else None


def _inside(item: Item, path: Path, text: str, wanted: int) -> Path | None:
    """The outermost value of a YAML text that begins on a line, else the innermost that began before it."""
    try:
        entries = [(key.start, inner) for inner, key, _ in decode.written(decode.parse(text + "\n"))]
    except InputError:
        return None
    starts, inside = LineStarts(text), item.reading.inside

    def line(entry: Entry) -> int:
        number, column = starts.place(entry[0])
        placed = inside(path, text, number + 1, column + 1)
        return placed[0] if placed else wanted + 1

    found = _nearest(entries, wanted, line)
    return found[1] if found else None


def _nearest(entries: list[Entry], wanted: int, line: Callable[[Entry], int]) -> Entry | None:
    """The outermost entry that begins on a line, else the innermost of those that began last before it."""
    end = bisect_right(entries, wanted, key=line)
    if not end:
        return None
    last = line(entries[end - 1])
    begin = bisect_left(entries, last, key=line)
    choose = min if last == wanted else max
    return choose(entries[begin:end], key=lambda entry: len(entry[1]))
