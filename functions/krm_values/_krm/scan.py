"""The sound scan: finds the items of a ResourceList in its bytes without parsing them.

A line that begins with the dashes' indentation K and `- ` starts an item unless the parser is inside a token that swallows the line. Only a
quoted scalar and a flow collection can be such a token: libyaml, and go-yaml, which is a port of it, ignore the indentation of their
continuation lines. A plain scalar continues, and a block scalar has its content, only deeper than K; a comment ends with its line. So it is
proved that no quote and no bracket is open at the end of an item, and that the text around the items is one well-formed document without
them. Whatever cannot be proved is left to the parser (`events`).
"""

from __future__ import annotations

import functools
import re
from bisect import bisect_right
from typing import TYPE_CHECKING

from krm_values._data.errors import InputError
from krm_values._data.limits import DEFAULT
from krm_values._krm.list_text import BlockList, Frame
from krm_values._yaml.decode import key_text, parse, to_data
from krm_values._yaml.encoding import BOM, Offsets
from krm_values._yaml.nodes import anchors_of
from krm_values._yaml.parser import accepts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from krm_values._data.limits import Limits
    from krm_values._yaml.nodes import Node


_BREAKS = (b"\xc2\x85", b"\xe2\x80\xa8", b"\xe2\x80\xa9")
_MANY = 100_000
_BEFORE = re.compile(rb"(?: *(?:#[^\n]*)?\n)*(?:--- *\n)?")
_FIELD = re.compile(rb"([A-Za-z][\w.\-]*):(?= |\n)")
_ITEMS = re.compile(rb"items:()(?: +(?:#[^\n]*)?)?\n")
_FIRST = re.compile(rb"(?: *(?:#[^\n]*)?\n)*( *)- ")


class UnprovedError(Exception):
    """A text that does not have the form for which the scan is sound."""


def scan(data: bytes, limits: Limits = DEFAULT) -> tuple[BlockList, Frame]:
    """Return the items and what surrounds them. UnprovedError if the proof fails."""
    _check_bytes(data)
    opened, first, column = _begin(data)
    dashes, end = _boundaries(data, first, column)
    made = _frame(data, first, column, end, limits)
    starts = [dash - column for dash in dashes]
    suspects = open_items(data, starts, end)
    for number in suspects:
        if not accepts(data[starts[number] : starts[number + 1] if number + 1 < len(starts) else end], limits):
            raise UnprovedError("an item is open where it should end")
    return BlockList(data, dashes, column, opened=opened, end=end, suspects=suspects), made


def _check_bytes(data: bytes) -> None:
    breaks = () if data.isascii() else _BREAKS
    is_other = b"\0" in data or b"\r" in data or any(_holds(data, found) for found in breaks)
    if data[-1:] != b"\n" or data.startswith(BOM) or is_other:
        raise UnprovedError("other line breaks than LF, a byte order mark or NUL")


def _holds(data: bytes, sought: bytes) -> bool:
    """Return `sought in data`; faster if its first byte is rare."""
    first = sought[:1]
    if data.count(first) > _MANY:
        return sought in data
    at = data.find(first)
    while at >= 0 and not data.startswith(sought, at):
        at = data.find(first, at + 1)
    return at >= 0


def _begin(data: bytes) -> tuple[int, int, int]:
    """Return the end of `items:`, the start of the line of the first dash, and the dashes' column."""
    before = _BEFORE.match(data)
    at = before.end() if before else 0
    while not (found := _ITEMS.match(data, at)):
        if data[at : at + 1] not in (b"", b" ", b"#", b"\n", b"-") and not _FIELD.match(data, at):
            raise UnprovedError("a line that is not a field")
        at = data.find(b"\n", at) + 1
        if not at:
            raise UnprovedError("no items")
    first = _FIRST.match(data, found.end())
    if not first:
        raise UnprovedError("no block list below items")
    return found.end(1), first.start(1), first.end(1) - first.start(1)


def _boundaries(data: bytes, first: int, column: int) -> tuple[list[int], int]:
    """Return the offsets of all dashes, and the start of the line after the last item."""
    dash, width = b" " * column + b"- ", column + 2
    dashes = [first + column]
    for found in _shallow(column).finditer(data, first):
        at = found.start() + 1
        line = data[at : at + width]
        if line == dash:
            dashes.append(at + column)
        elif line.lstrip(b" ")[:1] == b"#":
            continue
        elif _FIELD.match(data, at):
            return dashes, at
        else:
            raise UnprovedError("a line between the items that is not part of one")
    return dashes, len(data)


def _frame(data: bytes, first: int, column: int, end: int, limits: Limits) -> Frame:
    """Return the fields around the items, parsed with one empty item in place of all: nothing is open before or after them."""
    head, filler = data[:first], b" " * column + b"- {}\n"
    text = head + filler + data[end:]
    made = Frame(data, 0, len(data))
    try:
        parse((head + filler).decode(), None, limits)
        root = parse(text.decode(), None, limits)
        if root.kind != "map" or root.flow or root.anchor or root.tag:
            raise UnprovedError("the frame is not a plain block map")
        offsets = Offsets(text)
        for key, value in zip(root.keys, root.items, strict=True):
            name = key_text(key)
            begins, *span = (offsets.byte(at) for at in (key.start, value.start, value.end))
            if name == "items" and _is_filler(value) and span[0] == first + column:
                made.anchors = anchors_of(root, key.start)
                made.add(name, begins, (first, end), None)
            else:
                start, stop, begins = (at if at < first else at + end - first - len(filler) for at in (*span, begins))
                made.add(name, begins, (start, stop), to_data(value, limits=limits))
    except InputError as error:
        raise UnprovedError(str(error)) from None
    if "items" not in made.fields or made.fields["items"][1] != first:
        raise UnprovedError("the items are not the value of items")
    return made


def _is_filler(items: Node) -> bool:
    return items.kind == "list" and not (items.flow or items.anchor or items.tag) and len(items.items) == 1


# Only lines that may leave a quote or bracket open can hide the border of an item. The patterns are exact for quotes (in libyaml a token can
# begin only behind one of the characters of `_BEFORE_TOKEN`) and conservative for brackets, of which they read two levels. A hit is dropped if
# it provably is not a token: inside a quoted value that ends on its line, or inside a block scalar.
# Python before 3.11.5 does not backtrack when a possessive group fails behind a part that matched; so here such a group begins with everything
# that can fail, and possessive groups are used nowhere else.

_BEFORE_TOKEN = rb"[ \t\n\[\]{},:?]"
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
    re.compile(rb'"(?<=' + _BEFORE_TOKEN + rb'")(?![^"\\\n]*+")(?>(?:[^"\\\n]++|\\.)*)\\?(?:\n|\Z)'),
    re.compile(rb"'(?<=" + _BEFORE_TOKEN + rb"')(?![^'\n]*+'(?!'))(?>(?:[^'\n]++|'')*)(?:\n|\Z)"),
    re.compile(rb"\[(?<=" + _BEFORE_TOKEN + rb"\[)(?!" + _CLOSED + rb")"),
    re.compile(rb"\{(?<=" + _BEFORE_TOKEN + rb"\{)(?!" + _CLOSED + rb")"),
)
_DASHES, _KEY = rb" *(?:- +)*", rb"[^\s#\"'\[\]{}&*!|>%@`,?:-][^\s#\"'{}\[\],]*:"
_QUOTED_LINE = re.compile(_DASHES + _KEY + rb" +(?:" + _DOUBLE + rb"|" + _SINGLE + rb") *(?: #[^\n]*)?(?=\n)")
_BLOCK_HEADER = re.compile(rb"(" + _DASHES + rb")" + _KEY + rb" +[|>][-+]? *\Z")
_SPACES = re.compile(rb" *")
_LINES_UP = 400


def open_items(data: bytes, starts: Sequence[int], end: int) -> set[int]:
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
    found = _SPACES.match(data, line)
    return found.end() - line if found else 0


def _first_shallow(data: bytes, column: int, start: int, border: int) -> int:
    """Return the end of the last line before the first one that is not deeper than `column`."""
    found = _shallow(column).search(data, start, border)
    return found.start() + 1 if found else border


@functools.cache
def _shallow(column: int) -> re.Pattern[bytes]:
    """Return the pattern of a line break and the beginning of a line that is not deeper than `column`."""
    return re.compile(rb"\n {0,%d}[^ \n]" % column) if column else re.compile(rb"\n[^ \n]")
