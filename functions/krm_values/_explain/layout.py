"""Lines that fit a width: words are never broken; text that is too long for a line of its own is cut."""

from __future__ import annotations

from typing import TYPE_CHECKING
from unicodedata import east_asian_width

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

NARROWEST, WIDEST = 40, 120
_GAP = 2
_SHORT = 64  # columns of a value that is not cut where it fits on a line of its own
_FURTHER = 4  # columns that the lines of a row after its first are further in
_VALUE = 12  # columns that a value gets at least beside its layer


def columns(text: str) -> int:
    """Return the terminal columns of a text: two for a wide character."""
    return len(text) if text.isascii() else len(text) + sum(east_asian_width(c) in "WF" for c in text)


def wrapped(text: str, width: int, indent: str, hanging: str) -> Iterator[str]:
    """Yield the words of a text in lines. indent: before the first line; hanging: before the others."""
    line, start = "", indent
    for word in filter(None, text.split(" ")):
        short = cut(word, width - len(hanging))
        if line and columns(line) + 1 + columns(short) > width:
            yield line
            line, start = "", hanging
        line = f"{line} {short}" if line else start + short
    if line:
        yield line


def rows(cells: Sequence[Sequence[str]], width: int, indent: str) -> Iterator[list[str]]:
    """Yield rows with aligned columns; a last column that does not fit is put below if it is short enough, else cut."""
    sizes = [max(map(columns, column)) for column in zip(*cells, strict=True)]
    used = [number for number, size in enumerate(sizes) if size]
    *fixed, last = used or [0]
    taken = len(indent) + sum(sizes[number] + _GAP for number in fixed)
    room, below = width - taken, width - len(indent) - _FURTHER
    fits = taken - _GAP <= width
    for row in cells:
        size = columns(row[last])
        aligned = [_padded(row[number], sizes[number]) for number in fixed] if fits else [row[number] for number in fixed]
        if room < min(sizes[last], _VALUE) or room < size <= min(below, _SHORT):
            yield [*stacked([*aligned, row[last]], width, indent)]
        else:
            yield [f"{indent}{''.join(f'{cell}  ' for cell in aligned)}{cut(row[last], room)}".rstrip()]


def stacked(row: Sequence[str], width: int, indent: str) -> Iterator[str]:
    """Yield a row in as many lines as needed, continuation lines indented further."""
    line, start = "", indent
    for cell in row:
        if not cell:
            continue
        if line and columns(line) + _GAP + columns(cell) > width:
            yield line.rstrip()
            line, start = "", indent + " " * _FURTHER
        line = f"{line}{' ' * _GAP}{cell}" if line else start + cut(cell, width - len(start))
    if line:
        yield line.rstrip()


def cut(text: str, room: int) -> str:
    """Return the text, or its beginning with an ellipsis; of a place the end is kept."""
    if columns(text) <= room:
        return text
    return _fitting(text, room - 1) + "…"


def cut_front(text: str, room: int) -> str:
    """Return the text, or its end behind an ellipsis."""
    return text if columns(text) <= room else "…" + _fitting(text[::-1], room - 1)[::-1]


def _fitting(text: str, room: int) -> str:
    """Return as much of the beginning as fits."""
    kept = text[: max(room, 0)]
    while columns(kept) > room and kept:
        kept = kept[: len(kept) - max((columns(kept) - room) // 2, 1)]
    return kept


def _padded(text: str, size: int) -> str:
    return text + " " * (size - columns(text))
