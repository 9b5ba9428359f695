"""Where the keys, elements and literal texts of ordinary block YAML begin, line by line, without a parser.

Ordinary are lines that `fast` reads, and literal and folded scalars behind a key; nothing is said of what stands behind any other line.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from krm_values._yaml import fast
from krm_values._yaml.encoding import LineStarts, has_other_break

if TYPE_CHECKING:
    from collections.abc import Iterator

    from krm_values._data.pointer import Path
    from krm_values._yaml.fast import Scalars

_HEADER = re.compile(r"(.*:) ++([|>][+-]?) *+")
_INDENT = re.compile(" *+")
_NONE = -1  # no list, no text


class BlockPlaces:
    """Lines and columns, from 0, by path in a text that can be read, which is searched as far as is asked for. scalars: what its lines mean."""

    __slots__ = ("_keys", "_lines", "_texts")

    def __init__(self, text: str, scalars: Scalars) -> None:
        self._keys: dict[Path, tuple[int, int]] = {}
        self._texts: dict[Path, int] = {}
        self._lines = iter(()) if has_other_break(text) else self._search(text, scalars)

    def key(self, path: Path) -> tuple[int, int] | None:
        """Return the place of a key or list element; None if it is not known."""
        while path not in self._keys and next(self._lines, None) is not None:
            pass
        return self._keys.get(path)

    def text(self, path: Path) -> int | None:
        """Return the offset of the first line of a literal scalar; None for any other value."""
        return self._texts.get(path) if self.key(path) is not None else None

    def all(self) -> dict[Path, tuple[int, int]]:
        """Return all places."""
        for _ in self._lines:
            pass
        return self._keys

    def _search(  # noqa: C901, PLR0912 - one loop with local names: it runs for the lines of every document that is shown
        self, text: str, scalars: Scalars
    ) -> Iterator[bool]:
        """Add the places of one line after the other, up to the first that is not ordinary."""
        keys, known = self._keys, scalars.lines
        path: Path = ()  # of the innermost open collection: where its entries begin, the size of a list
        column = size = _NONE
        waits: Path | None = ()  # the place whose value begins on a later line
        outer: list[tuple[Path, int, int]] = []
        behind, end = _NONE, 0  # the column of the key of a text, whose lines are skipped
        for number, line in enumerate(text.split("\n")):
            end += len(line) + 1
            if behind != _NONE:
                indent = len(line) - len(line.lstrip(" "))
                if indent == len(line) or indent > behind:
                    continue
                behind = _NONE
            read = known.get(line) or fast.line(line, scalars)
            header = _HEADER.fullmatch(line) if read is None else None
            if header:
                read = fast.line(header[1], scalars)
            if not read:
                if read is None:
                    return
                continue
            dash, at, field, what, _ = read
            first = at if dash < 0 else dash
            if waits is not None and (first > column or (first == column and dash >= 0 and size == _NONE)):
                outer.append((path, column, size))
                path, column, size = waits, first, _NONE if dash < 0 else 0
                if not path or isinstance(path[-1], int):
                    keys[path] = number, first
            else:
                while column > first:
                    path, column, size = outer.pop()
                if dash < 0 and column == first and size != _NONE:
                    path, column, size = outer.pop()
                if column != first or (size == _NONE) is (dash >= 0):
                    return
            here = path
            if dash >= 0:
                here, size = (*path, size), size + 1
                if field is not None or what != fast.LATER:
                    keys[here] = number, len(line) - len(line[dash + 1 :].lstrip(" "))
                if field is not None:
                    outer.append((path, column, size))
                    path, column, size = here, at, _NONE
            if field is not None:
                here = (*path, field)
                keys[here] = number, at
            waits = here if what == fast.LATER and not header else None
            if header:
                behind = column
                if header[2] in ("|", "|-"):
                    self._texts[here] = end
            yield True


class LiteralPlaces:
    """The characters of a literal block scalar's value with their offsets in the source: one line after the other, each behind the same indentation.

    begin: the offset of its first line. indent: the characters before each line.
    """

    __slots__ = ("_lines", "_value", "begin", "indent")

    def __init__(self, value: str, begin: int, indent: int) -> None:
        self._value, self.begin, self.indent = value, begin, indent
        self._lines = LineStarts(value)

    def has(self, line: int, column: int) -> bool:
        """Return whether the value has a character at a line and column, from 1."""
        return self._lines.has(line - 1, column - 1, len(self._value))

    def at(self, line: int, column: int) -> int | None:
        """Return the source offset of a line and column, from 1, of the value; None if the value has no such line."""
        start = self._lines.index(line - 1, 0)
        return None if start is None else self._source(line - 1, start, start + column - 1)

    def line(self, number: int) -> tuple[int, int] | None:
        """Return the source offsets of the beginning and end of a line, from 1, of the value."""
        start = self._lines.index(number - 1, 0)
        if start is None:
            return None
        end = self._value.find("\n", start)
        last = len(self._value) - 1 if end < 0 else max(start, end - 1)
        return self._source(number - 1, start, start), self._source(number - 1, start, last)

    def _source(self, line: int, start: int, index: int) -> int:
        """Return the source offset of a character that is not before the start of a line; behind the last one that of the last one."""
        index = min(index, len(self._value) - 1)
        breaks = line + self._value.count("\n", start, index) if index >= start else self._value.count("\n", 0, index)
        return self.begin + index + self.indent * (breaks + 1)


def literal(source: str, begin: int, value: str) -> LiteralPlaces | None:
    """Return the places of the literal block scalar with this value whose lines begin at an offset, if each has its indentation."""
    indent = _INDENT.match(source, begin)[0]  # type: ignore[index]  # it matches nothing, too
    lines = value.removesuffix("\n").replace("\n", f"\n{indent}")
    is_known = value and indent and "\r" not in source and source.startswith(f"{indent}{lines}", begin)
    return LiteralPlaces(value, begin, len(indent)) if is_known else None
