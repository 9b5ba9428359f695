"""Finds lines that may leave a quote or bracket open; only those can hide the border of an item.

The patterns are exact for quotes (in libyaml a token can begin only behind one of the characters of `_BEFORE`) and conservative for brackets,
of which they read two levels. A hit is dropped if it provably is not a token: inside a quoted value that ends on its line, or inside a block
scalar.
Python before 3.11.5 does not backtrack when a possessive group fails behind a part that matched; so here such a group begins with everything
that can fail, and possessive groups are used nowhere else.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_BEFORE = rb"[ \t\n\[\]{},:?]"
_DOUBLE = rb'"(?>(?:[^"\\\n]++|\\.)*)"'
_SINGLE = rb"'(?>(?:[^'\n]++|'')*)'"
_PLAIN = rb"[^\[\]{}\"'#!,\n]++"


def _rest_of_flow(element: bytes) -> bytes:
    """Return the pattern of what follows the left bracket of a flow collection of such elements that ends on its line."""
    pair = element + rb" *+(?>(?::  *+" + element + rb" *+)?)"
    return rb" *+(?>(?:" + pair + rb"(?:, *+|(?=[\]}])))*)[\]}]"


_LEAF = rb"(?>(?:" + _DOUBLE + rb"|" + _SINGLE + rb"|" + _PLAIN + rb")?)"
_INNER = rb"[\[{]" + _rest_of_flow(_LEAF)
_CLOSED = _rest_of_flow(rb"(?:" + _DOUBLE + rb"|" + _SINGLE + rb"|(?>(?:" + _PLAIN + rb")?)(?>(?:" + _INNER + rb")?))")

# each begins with its character, so that the search is fast, and then looks back at what is before it
_OPEN = (
    re.compile(rb'"(?<=' + _BEFORE + rb'")(?>(?:[^"\\\n]++|\\.)*)\\?(?:\n|\Z)'),
    re.compile(rb"'(?<=" + _BEFORE + rb"')(?>(?:[^'\n]++|'')*)(?:\n|\Z)"),
    re.compile(rb"\[(?<=" + _BEFORE + rb"\[)(?!" + _CLOSED + rb")"),
    re.compile(rb"\{(?<=" + _BEFORE + rb"\{)(?!" + _CLOSED + rb")"),
)
_DASHES, _KEY = rb" *(?:- +)*", rb"[^\s#\"'\[\]{}&*!|>%@`,?:-][^\s#\"'{}\[\],]*:"
_QUOTED_LINE = re.compile(_DASHES + _KEY + rb" +(?:" + _DOUBLE + rb"|" + _SINGLE + rb") *(?: #[^\n]*)?(?=\n)")
_BLOCK_HEADER = re.compile(rb"(" + _DASHES + rb")" + _KEY + rb" +[|>][-+]? *\Z")
_LINES_UP = 400


def suspects(data: bytes, starts: Sequence[int], end: int) -> set[int]:
    """Return the numbers of the items (each from its start to the next one's, the last to `end`) that may be open at their end."""
    found: set[int] = set()
    proved = starts[0]
    for hit in sorted(hit.start() for opening in _OPEN for hit in opening.finditer(data, starts[0], end)):
        if hit < proved:
            continue
        number = bisect_right(starts, hit) - 1
        border = starts[number + 1] if number + 1 < len(starts) else end
        quoted = _QUOTED_LINE.match(data, data.rfind(b"\n", 0, hit) + 1)
        proved = quoted.end() if quoted else _block_scalar_end(data, hit, starts[number], border)
        if not proved:
            found.add(number)
            proved = border
    return found


def _block_scalar_end(data: bytes, hit: int, start: int, border: int) -> int:
    """Return the end of the block scalar that provably contains `hit`, 0 if none does. The item begins at `start` and ends at `border`.

    That is so if a line above is `key: |` (without indentation digit) and all lines from there to the hit are deeper than the key: everything
    above the hit is closed or proved to be block scalars, so that line is a key with a block scalar or part of one. The item's first line,
    which has the dash, is left to the parser.
    """
    line = data.rfind(b"\n", 0, hit) + 1
    shallowest = _indentation(data, line)
    if data[line + shallowest] == ord("#"):
        return 0
    for _ in range(_LINES_UP):
        line_end = line - 1
        line = data.rfind(b"\n", 0, line_end) + 1
        if line <= start:
            return 0
        depth = _indentation(data, line)
        if line + depth >= line_end or depth >= shallowest:
            continue
        header = _BLOCK_HEADER.match(data, line, line_end)
        if header:
            column = header.end(1) - line
            return _first_shallow(data, column, line_end, border) if column < shallowest else 0
        shallowest = depth
    return 0


def _indentation(data: bytes, line: int) -> int:
    at = line
    while data[at : at + 1] == b" ":
        at += 1
    return at - line


def _first_shallow(data: bytes, column: int, start: int, border: int) -> int:
    """Return the end of the last line before the first one that is not deeper than `column`."""
    found = re.compile(rb"\n(?= {0,%d}[^ \n])" % column).search(data, start, border)
    return found.end() if found else border
