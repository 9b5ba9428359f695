"""A file of plain documents: read on demand, and written with every unedited byte preserved."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import chain
from typing import TYPE_CHECKING

from krm_values._data.errors import EditError, InputError
from krm_values._data.limits import DEFAULT, beyond
from krm_values._data.record import record
from krm_values._data.scalars import read_plain
from krm_values._data.shown import printable
from krm_values._krm import events, headers, reader
from krm_values._krm.item import Item, Position
from krm_values._krm.itemlist import ItemList
from krm_values._krm.list_text import apply
from krm_values._krm.plan import Finding
from krm_values._yaml import emit, parser
from krm_values._yaml.encoding import BOM, LINE_BREAK, Lines, check_utf8, fitted, line_break
from krm_values._yaml.parser import Scalar, YAMLError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from krm_values._data.limits import Limits
    from krm_values._data.values import JSON
    from krm_values._krm.list_text import Patch


class Documents:
    """A file's documents as items; the items of an unfolded list are items of their own."""

    __slots__ = ("_data", "_documents", "_firsts", "items", "limits")

    has_host_annotations = False  # its items carry no hosts' annotations
    has_package_paths = True

    def __init__(self, data: bytes, documents: Sequence[_Document], limits: Limits) -> None:
        self._data, self._documents, self.limits = data, documents, limits
        self._firsts = [document.first for document in documents]
        self.items = tuple(item for document in documents for item in document.items)

    def is_json(self, number: int) -> bool:
        """Return whether the item is in JSON, or another text in braces, where JSON is valid too."""
        return self._of(number).is_json

    def text(self, number: int) -> str:
        """Return the item as a document of its own: spaces up to its column, then its own text."""
        return self._of(number).text(number)

    def crossing(self, number: int) -> int:
        """Return the line, from 1, of the item's first anchor or alias that refers across its border; 0 if there is none."""
        document = self._of(number)
        return document.list.crossing(number - document.first) if document.list else 0

    def contains(self, text: str) -> bool:
        """Return whether the text occurs anywhere in the file."""
        return text.encode() in self._data

    def write(self, edited: Mapping[int, str], removed: Collection[int], added: Sequence[JSON]) -> bytes:
        """Return the file with edited, removed and new items; every other byte is the input's; b"" if no item is left.

        Edited texts have the form of `text()`. The `---` of a removed document is removed with it. New items become documents at the end, or
        elements of the list if the file is one JSON document. EditError if that document is not a list, or if an edited text cannot be
        inserted.
        """
        if self.items and len(removed) == len(self.items) and not added:
            return b""
        breaks = line_break(self._data)
        is_json = len(self._documents) == 1 and self._documents[0].is_json
        listed = added if is_json else ()
        patches: list[Patch] = []
        gone = 0  # a first document without a marker takes the next one's along
        for document in self._documents:
            for start, end, new in document.patches(edited, removed, listed, breaks):
                patches.append((max(start, gone), end, new))
            gone = document.ends if document.first in removed else 0
        text = b"".join(apply(self._data, patches))
        return text if is_json else _joined(text, added, breaks)

    def _of(self, number: int) -> _Document:
        return self._documents[bisect_right(self._firsts, number) - 1]


class _Document:
    """One document; `first` is the number of its first item. With a `list`, its items are those of the list."""

    __slots__ = ("_data", "_limits", "_span", "first", "items", "list")

    def __init__(self, data: bytes, span: Span, first: int, limits: Limits) -> None:
        self._data, self._span, self.first, self._limits = data, span, first, limits
        self.list: ItemList | None = None
        self.items: tuple[Item, ...] = ()

    @property
    def source(self) -> bytes:
        """The text as written in the file."""
        return self._data[self._span.start : self._span.end]

    @property
    def ends(self) -> int:
        """Return the end of the bytes that are removed with the document; 0 for a list, which stays."""
        return 0 if self.list else self._span.ends

    @property
    def is_json(self) -> bool:
        return self.source.lstrip()[:1] in (b"{", b"[")

    def text(self, number: int) -> str:
        if self.list:
            return self.list.texts.text(number - self.first)
        return " " * self._span.column + self.source.decode()

    def read(self, position: Callable[[int, int], Position], *, unfold: bool) -> None:
        """Set its items. `position` is called with a place in its text and the column of the item in its own text (-1: the same)."""
        header = headers.read(self.source, None, self._limits)
        self.list = _unfolded(self.source, self._limits) if unfold and header.kind.endswith("List") else None
        if self.list:
            texts = self.list.texts
            self.items = tuple(self.list.items(self.first, lambda number: position(*texts.begins(number))))
        else:
            item = Item(self.first, header, lambda: reader.read(self.text(self.first), None, self._limits), position(0, -1))
            self.items = (item,)

    def patches(
        self, edited: Mapping[int, str], removed: Collection[int], added: Sequence[JSON], breaks: bytes
    ) -> Iterator[Patch]:
        span = self._span
        if self.list:
            mine = range(self.first, self.first + len(self.items))
            news = {number - self.first: edited[number] for number in mine if number in edited}
            gone = {number - self.first for number in mine if number in removed}
            for start, end, new in self.list.texts.patches(news, gone, added, breaks):
                yield span.start + start, span.start + end, new
        elif added:
            raise EditError("a JSON file is one document: a new object must have a file of its own")
        elif self.first in removed:
            yield span.begins, span.ends, b""
        elif self.first in edited:
            yield span.start, span.end, fitted(edited[self.first], self.source, span.column, breaks)


def read(
    data: bytes,
    file: str,
    package: str = "",
    *,
    unfold: bool = False,
    first: int = 0,
    reprinted: bool = False,
    limits: Limits = DEFAULT,
) -> Documents:
    """Read a file's documents; `first` is the number of the first item. InputError, with file, line and column, if it is not text.

    Without `file` the text came from stdin; `reprinted`: a host wrote it, so its lines are not those of any file. The index of a document
    counts the documents before it as kpt does, without those of comments only and null. `unfold`: the items of a `List` (or any `...List`
    with `items`) are items of their own.
    """
    try:
        check_utf8(data)
    except InputError as error:
        raise error.moved(Position(package, file, 0, 1).source, 1) from None
    documents: list[_Document] = []
    lines = Lines(data)
    for index, span in enumerate(spans(data)):
        document = _Document(data, span, first, limits)

        def position(at: int, column: int, index: int = index, start: int = span.start) -> Position:
            if reprinted:
                return Position(package, file, index)
            return Position(package, file, index, *lines.item(start + at, column))

        document.read(position, unfold=unfold)
        documents.append(document)
        first += len(document.items)
        if first > limits.items:
            place = Position(package, file, 0, 1).source
            text = f"must not have more than {limits.items:,} items with the files before it, found {first:,}"
            raise InputError(beyond(limits, "items", text), lines.place(span.start)[0], 0, place)
    return Documents(data, documents, limits)


def _unfolded(source: bytes, limits: Limits) -> ItemList | None:
    """Return the items of a list, None if it is not a readable list."""
    try:
        texts, frame = events.cut(source, limits)
    except InputError:
        return None
    return None if texts is None else ItemList(texts, frame, limits=limits)


def _joined(text: bytes, added: Sequence[JSON], breaks: bytes) -> bytes:
    """Return the text followed by new documents."""
    pieces = [text] if text.strip() else []
    for value in added:
        if pieces:
            pieces.append((b"" if pieces[-1].endswith(b"\n") else breaks) + b"---" + breaks)
        pieces += [line.encode() + breaks for line in emit.block(value)]
    return b"".join(pieces)


# The documents of a YAML stream.
#
# The parser takes `---` or `...` at the beginning of a line for a document's border wherever it is, so borders need no proof.

_LINE_BEGINS = (
    rb"(?:(?<=[\r\n]...)|(?<=\A...)|(?<=\xc2\x85...)|(?<=\xe2\x80[\xa8\xa9]...)|(?<=\A"
    + BOM
    + rb"...))"  # looks behind a marker
)
_REST_OF_LINE = rb"[ \t]*(?:#(?:[^\r\n\xc2\xe2]++|\xc2(?!\x85)|\xe2(?!\x80[\xa8\xa9]))*)?"
_BORDER = re.compile(rb"(---|\.\.\.)" + _LINE_BEGINS + rb"(?=[ \t]|" + LINE_BREAK + rb"|\Z)")
_NOTHING = re.compile(rb"(?:" + BOM + rb")?(?>(?:" + _REST_OF_LINE + LINE_BREAK + rb")*)" + _REST_OF_LINE)
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
    get = parser.events(data[content:end])
    try:
        get(), get()
        first: Any = get()
    except YAMLError:
        return False
    return type(first) is Scalar and not first.style and not first.tag and read_plain(first.value) is None


# What this reader accepts, and programs that read the file later refuse or read otherwise.

_HOSTS = "kpt, kustomize and kubectl"
_LATER_BOM = re.compile(rb"(?:(?<=\n)|(?<=\A" + BOM + rb"))[ \t]*" + BOM)
_SLASH = re.compile(r'(?s)"(?:[^\\]|\\[^/])*?\\/')


def refused_elsewhere(data: bytes, path: str, limits: Limits = DEFAULT) -> Iterator[Finding]:
    """Yield a warning about each thing in a file that other programs cannot read, or read otherwise, at its first place."""
    for at, text in chain(_refused_before(data), _refused_slash(data, limits)):
        yield _refused(path, *_place(data, at), text)


def refused_in_list(
    head: bytes, items: Iterable[tuple[str, tuple[int, int]]], path: str, limits: Limits = DEFAULT
) -> Iterator[Finding]:
    """Yield the same about a list: about what stands before its items, and about each item.

    items: their texts, each with its first line and how many columns further to the right that is.
    """
    for at, text in _refused_before(head):
        yield _refused(path, *_place(head, at), text)
    for item, (first, shift) in items:
        data = item.encode()
        for at, text in _refused_slash(data, limits):
            line, column = _place(data, at)
            yield _refused(path, first + line - 1, column if line > 1 else column + shift, text)


def _place(data: bytes, at: int) -> tuple[int, int]:
    return data.count(b"\n", 0, at) + 1, len(data[data.rfind(b"\n", 0, at) + 1 : at].removeprefix(BOM).decode()) + 1


def _refused(path: str, line: int, column: int, text: str) -> Finding:
    return Finding("warning", "refused-elsewhere", None, f"{printable(path)}:{line}:{column}: {text}")


def _refused_before(data: bytes) -> Iterator[tuple[int, str]]:
    """Yield the first directive and the first byte order mark."""
    at = next((found for segment in _segments(data) if (found := _directive(data, segment)) >= 0), -1) if b"%" in data else -1
    if at >= 0:
        yield at, f"a directive cannot be read by {_HOSTS}: remove this line"
    marks = _LATER_BOM.finditer(data) if BOM in data else ()
    mark = next((one for one in marks if not _begins_document(data, one)), None)
    if mark:
        yield mark.end() - len(BOM), f"a byte order mark here is a character, or spoils the document, to {_HOSTS}: remove it"


def _refused_slash(data: bytes, limits: Limits) -> Iterator[tuple[int, str]]:
    """Yield the first escaped slash."""
    at = next((found for span in spans(data) if (found := _slash(data, span, limits)) >= 0), -1) if b"\\/" in data else -1
    if at >= 0:
        hosts = "kpt and kustomize" if data[:1] == b"{" else _HOSTS
        yield at, f"`\\/` within double quotes cannot be read by {hosts}: write `/` without the backslash"


def _directive(data: bytes, segment: _Segment) -> int:
    """Return where a segment begins with a directive, -1 if it does not; behind `...` nobody reads it."""
    found = _NOTHING.match(data, segment.start, segment.end)
    at = found.end() if found else segment.start
    is_read = segment.opens or segment.begins <= len(BOM)
    return at if is_read and data[at : at + 1] == b"%" else -1


def _begins_document(data: bytes, mark: re.Match[bytes]) -> bool:
    """Return whether a byte order mark directly follows the `---` after another document, where it is skipped."""
    before = data[max(mark.start() - 5, 0) : mark.start()]
    return mark.end() - mark.start() == len(BOM) and before == b"\n---\n"


def _slash(data: bytes, span: Span, limits: Limits) -> int:
    """Return where a double-quoted scalar of a document has an escaped slash, -1 if none has or the document is not YAML."""
    text = data[span.start : span.end].decode(errors="replace").removeprefix("\ufeff")
    get, depth = parser.events(text), 0
    try:
        while type(event := get()) is not parser.StreamEnd and depth <= limits.depth:
            depth += (type(event) in parser.STARTS) - (type(event) in parser.ENDS)
            if type(event) is Scalar and event.style == '"':
                found = _SLASH.match(text, event.start_mark.index, event.end_mark.index)
                if found:
                    return span.end - len(text[found.end() - 2 :].encode())
    except YAMLError:
        pass
    return -1
