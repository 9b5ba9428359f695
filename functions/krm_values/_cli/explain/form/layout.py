"""Lines that fit a width: words are never broken, and what is too long for a line by itself is cut."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

NARROWEST, WIDEST = 40, 120
_GAP = 2
_VALUE = 12  # columns that a value gets at least beside its layer


def wrapped(text: str, width: int, indent: str, hanging: str) -> Iterator[str]:
    """The words of a text in lines. indent: before the first line, hanging: before the others."""
    line, start = "", indent
    for word in filter(None, text.split(" ")):
        short = cut(word, width - len(hanging))
        if line and len(line) + 1 + len(short) > width:
            yield line
            line, start = "", hanging
        line = f"{line} {short}" if line else start + short
    if line:
        yield line


def rows(cells: Sequence[Sequence[str]], width: int, indent: str) -> Iterator[list[str]]:
    """Rows whose columns are aligned; the last one is cut where it has little room, and where it has too little, on lines of its own."""
    sizes = [max(map(len, column)) for column in zip(*cells, strict=True)]
    used = [number for number, size in enumerate(sizes) if size]
    *fixed, last = used or [0]
    taken = len(indent) + sum(sizes[number] + _GAP for number in fixed)
    if width - taken >= min(sizes[last], _VALUE):
        for row in cells:
            line = "".join(row[number].ljust(sizes[number] + _GAP) for number in fixed)
            yield [(indent + line + cut(row[last], width - taken)).rstrip()]
        return
    fits = taken - _GAP <= width
    for row in cells:
        aligned = [row[number].ljust(sizes[number]) for number in fixed] if fits else [row[number] for number in fixed]
        yield [*stacked([*aligned, row[last]], width, indent)]


def stacked(row: Sequence[str], width: int, indent: str) -> Iterator[str]:
    """A row in as many lines as it needs, those after the first further in."""
    line, start = "", indent
    for cell in row:
        if not cell:
            continue
        if line and len(line) + _GAP + len(cell) > width:
            yield line.rstrip()
            line, start = "", f"{indent}    "
        line = f"{line}{' ' * _GAP}{cell}" if line else start + cut(cell, width - len(start))
    if line:
        yield line.rstrip()


def cut(text: str, room: int) -> str:
    """The text, or its beginning with a sign that there is more; of a place the end."""
    if len(text) <= room:
        return text
    return text[: max(room - 1, 0)] + "…"


def cut_front(text: str, room: int) -> str:
    """The text, or its end behind a sign that there is more."""
    return text if len(text) <= room else "…" + text[len(text) - room + 1 :]
