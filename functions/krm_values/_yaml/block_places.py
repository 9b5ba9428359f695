"""Where the keys, elements and literal texts of ordinary block YAML begin, line by line, without a parser.

Ordinary are lines that `fast` reads, and literal and folded scalars behind a key; nothing is said of what stands behind any other line.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from krm_values._yaml import fast
from krm_values._yaml.encoding import has_other_break

if TYPE_CHECKING:
    from collections.abc import Iterator

    from krm_values._data.pointer import Path
    from krm_values._yaml.fast import Scalars

_HEADER = re.compile(r"(.*:) ++([|>][+-]?) *+")
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
