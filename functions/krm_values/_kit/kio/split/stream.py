"""The documents of a YAML stream.

The parser takes `---` or `...` at the beginning of a line for a document's border wherever it is, so borders need no proof.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from krm_values._data.record import record
from krm_values._data.scalars.text import read_plain
from krm_values._yaml.encoding import BOM, LINE_BREAK
from krm_values._yaml.parser import Scalar, YAMLError, events

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_LINE_BEGINS = (
    rb"(?:(?<=[\r\n]...)|(?<=\A...)|(?<=\xc2\x85...)|(?<=\xe2\x80[\xa8\xa9]...)|(?<=\A"
    + BOM
    + rb"...))"  # looks behind a marker
)
_REST_OF_LINE = rb"[ \t]*(?:#(?:[^\r\n\xc2\xe2]++|\xc2(?!\x85)|\xe2(?!\x80[\xa8\xa9]))*)?"
_BORDER = re.compile(rb"(---|\.\.\.)" + _LINE_BEGINS + rb"(?=[ \t]|" + LINE_BREAK + rb"|\Z)")
_NOTHING = re.compile(rb"(?>(?:" + _REST_OF_LINE + LINE_BREAK + rb")*)" + _REST_OF_LINE)
_REST = re.compile(_REST_OF_LINE + rb"(?:" + LINE_BREAK + rb"|\Z)")


@record
class Span:
    """A document's text from `start`, at `column` of its line, to `end`; removing it removes `begins` to `ends`."""

    begins: int
    start: int
    column: int
    end: int
    ends: int


@record
class _Segment:
    """The text after a border (the beginning of the stream is one). opens: whether the border is `---`."""

    begins: int
    start: int
    column: int
    end: int
    opens: bool


def spans(data: bytes) -> Iterator[Span]:
    """Yield the documents with content: neither comments only nor null, as kpt counts them."""
    segments = list(_segments(data))
    directives = -1
    for segment, following in zip(segments, [*segments[1:], None], strict=True):
        first = _NOTHING.match(data, segment.start, segment.end)
        content = first.end() if first else segment.start
        if data[content : content + 1] == b"%":
            directives = segment.start
            continue
        if content < segment.end and not _is_null(data, content, segment.end):
            begins = directives if directives >= 0 else segment.begins
            is_next_bare = following and following.opens and not following.column
            ends = following.start if following and is_next_bare and not segment.opens else segment.end
            yield Span(begins, segment.start, segment.column, segment.end, ends)
        directives = -1


def _segments(data: bytes) -> Iterator[_Segment]:
    begins = start = len(BOM) if data.startswith(BOM) else 0
    column, opens = 0, False
    for border in _BORDER.finditer(data):
        yield _Segment(begins, start, column, border.start(), opens)
        begins, opens = border.start(), border[1] == b"---"
        rest = _REST.match(data, border.end())
        start, column = (rest.end(), 0) if rest else (border.end(), len(border[1]))
        begins = begins if opens else start
    yield _Segment(begins, start, column, len(data), opens)


def _is_null(data: bytes, content: int, end: int) -> bool:
    if data[content : content + 1] not in (b"~", b"n", b"N", b"&"):
        return False
    get = events(data[content:end])
    try:
        get(), get()
        first: Any = get()
    except YAMLError:
        return False
    return type(first) is Scalar and not first.style and not first.tag and read_plain(first.value) is None
