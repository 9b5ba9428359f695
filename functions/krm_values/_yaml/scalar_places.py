"""The place of each character of a scalar's value in the YAML text: through indentation, folded line breaks, quotes and escapes."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING

from krm_values._yaml.block_places import literal
from krm_values._yaml.encoding import LineStarts

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    from krm_values._yaml.block_places import LiteralPlaces
    from krm_values._yaml.nodes import Node

    Piece: TypeAlias = tuple[str, int, int]
    """A piece of the scalar's value, the source offset of its first character, and the distance of its characters there."""

_PROPERTIES = re.compile(r"(?:[&!]\S*\s+)*")
_HEADER = re.compile(r"[|>]([-+0-9]*)[ \t]*(?:#[^\n]*)?\r?\n?")
_FOLD = re.compile(r"[ \t]*\r?\n((?:[ \t]*\r?\n)*)[ \t]*")
_RUN = re.compile(r"[^\\' \t\r\n]+|[ \t]++(?!\r?\n)")
_ESCAPED_BREAK = re.compile(r"\\\r?\n((?:[ \t]*\r?\n)*)[ \t]*")
_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))")
_PAIR = re.compile(r"\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})")
_LETTERS = dict(zip("0abtnvfreN_LP", "\0\a\b\t\n\v\f\r\x1b\x85\xa0\u2028\u2029", strict=True))


class ScalarPlaces:
    """The characters of a scalar's value with their offsets in the source."""

    __slots__ = ("_begins", "_lines", "_pieces")

    def __init__(self, value: str, pieces: list[Piece]) -> None:
        self._lines, self._pieces = LineStarts(value), [piece for piece in pieces if piece[0]]
        self._begins = [0]
        for text, _, _ in self._pieces:
            self._begins.append(self._begins[-1] + len(text))

    def at(self, line: int, column: int) -> int | None:
        """Return the source offset of a line and column, from 1, of the value; None if the value has no such line."""
        index = self._lines.index(line - 1, column - 1)
        return None if index is None else self._source(index)

    def line(self, number: int) -> tuple[int, int] | None:
        """Return the source offsets of the beginning and end of a line, from 1, of the value."""
        start, end = self._lines.index(number - 1, 0), self._lines.index(number, -2)
        if start is None:
            return None
        return self._source(start), self._source(self._begins[-1] - 1 if end is None else max(start, end))

    def _source(self, index: int) -> int:
        index = min(index, self._begins[-1] - 1)
        number = bisect_right(self._begins, index) - 1
        _, at, step = self._pieces[number]
        return at + (index - self._begins[number]) * step


def places(source: str, node: Node) -> ScalarPlaces | LiteralPlaces | None:
    """Return the places of a scalar of `source`; None if they are not known, because the value read here is not the scalar's."""
    properties = _PROPERTIES.match(source, node.start, node.end)
    start = properties.end() if properties else node.start
    if node.style == "|" and (found := _literal(source, start, node)):
        return found
    for pieces in _readings(source, start, node.end, node.style):
        if node.value and "".join(piece[0] for piece in pieces) == node.value:
            return ScalarPlaces(node.value, pieces)
    return None


def _literal(source: str, start: int, node: Node) -> LiteralPlaces | None:
    """Return the places of a literal block scalar each line of which has its indentation; None of any other."""
    header = _HEADER.match(source, start)
    return literal(source, header.end(), node.value) if header and header[1] in ("", "-") else None


def _readings(source: str, start: int, end: int, style: str) -> Iterator[list[Piece]]:
    """Yield the pieces of a scalar; of a block scalar one reading for each indentation that it may have."""
    if style not in ("|", ">"):
        inset = 1 if style else 0
        yield list(_flow(source, start + inset, end - inset, style))
        return
    header = _HEADER.match(source, start)
    if not header:
        return
    lines = list(_lines(source, header.end(), end))
    first = next((text for text, _ in lines if text.strip(" ")), "")
    for indent in range(len(first) - len(first.lstrip(" ")), -1, -1):  # smaller than it looks only if the header says it
        yield _block(lines, indent, header[1], folded=style == ">")
        if not any(character.isdigit() for character in header[1]):
            return


def _lines(source: str, start: int, end: int) -> Iterator[tuple[str, int]]:
    """Yield the lines of a block scalar without their breaks, each with its offset."""
    while start < end:
        stop = source.find("\n", start, end)
        stop = end if stop < 0 else stop
        yield source[start:stop].removesuffix("\r"), start
        start = stop + 1


def _block(lines: list[tuple[str, int]], indent: int, header: str, *, folded: bool) -> list[Piece]:
    """Return the pieces of a block scalar whose lines are indented by `indent`."""
    pieces: list[Piece] = []
    breaks: list[int] = []  # the ends of the lines since the last one that is not empty
    was_text = False  # whether that line begins with a letter, so that folding applies
    for text, at in lines:
        content = text[indent:]
        if not content:
            breaks.append(at + len(text))
            continue
        is_text = content[0] not in " \t"
        if folded and was_text and is_text:
            pieces += [(" ", breaks[0], 1)] if len(breaks) == 1 else [("\n", place, 1) for place in breaks[1:]]
        else:
            pieces += [("\n", place, 1) for place in breaks]
        pieces.append((content, at + indent, 1))
        was_text, breaks = is_text, [at + len(text)]
    is_kept = "+" in header
    last = breaks if is_kept or not pieces else [] if "-" in header else breaks[:1]
    return pieces + [("\n", place, 1) for place in (last if pieces or is_kept else [])]


def _flow(source: str, at: int, end: int, style: str) -> Iterator[Piece]:
    """Yield the pieces of a plain or quoted scalar between its quotes."""
    while at < end:
        if found := _RUN.match(source, at, end):
            yield found[0], at, 1
        elif style == '"' and (found := _ESCAPED_BREAK.match(source, at, end)):
            yield "\n" * found[1].count("\n"), at, 0
        elif style == '"' and source[at] == "\\" and (found := _PAIR.match(source, at, end) or _ESCAPE.match(source, at, end)):
            yield _unescaped(found), at, 0
        elif found := _FOLD.match(source, at, end):
            yield "\n" * found[1].count("\n") or " ", at, 0
        else:
            yield source[at], at, 1
            at += 2 if style == "'" and source.startswith("''", at) else 1
            continue
        at = found.end()


def _unescaped(found: re.Match[str]) -> str:
    if found.re.groups == _PAIR.groups:
        return chr(0x10000 + ((int(found[1], 16) & 0x3FF) << 10) + (int(found[2], 16) & 0x3FF))
    code = found[1] or found[2] or found[3]
    return chr(int(code, 16)) if code else _LETTERS.get(found[4], found[4])
