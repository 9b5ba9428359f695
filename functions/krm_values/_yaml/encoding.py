"""Bytes and text: UTF-8, line breaks, and the line and column of a byte."""

from __future__ import annotations

import re
from bisect import bisect_right

from krm_values._data.errors import EditError, InputError

BOM = b"\xef\xbb\xbf"
LINE_BREAK = rb"(?:\r?\n|\r|\xc2\x85|\xe2\x80[\xa8\xa9])"
ENDS_LINE = re.compile(LINE_BREAK + rb"\Z")
OTHER_BREAK = "\r(?!\n)|[\x85\u2028\u2029]"  # compiled on first use, as below
"""A pattern of line ends of libyaml that are not LF or CRLF."""
_CHUNK = 1 << 16
_FEED = re.compile("\n")
_ANY_BREAK = "\r\n?|[\n\x85\u2028\u2029]"  # compiled on first use: for the places of errors


def has_other_break(text: str) -> bool:
    """Return whether a text has line ends of libyaml that are not LF or CRLF."""
    return not (text.isascii() and "\r" not in text) and re.search(OTHER_BREAK, text) is not None


def check_utf8(data: bytes) -> None:
    """Raise InputError at the first byte that is not UTF-8. Only one chunk of decoded text is held at a time."""
    if data.isascii():
        return
    view, at = memoryview(data), 0
    while at < len(data):
        end = _boundary(data, min(at + _CHUNK, len(data)))
        try:
            str(view[at:end], "utf-8")
        except UnicodeDecodeError as error:
            bad = at + error.start
            raise InputError(f"must be UTF-8, found the byte 0x{data[bad]:02x}", *place(data, bad)) from None
        at = end


def _boundary(data: bytes, at: int) -> int:
    """Return the nearest offset up to `at` that is not inside a character."""
    for back in range(4):
        if at - back == len(data) or data[at - back] & 0xC0 != 0x80:
            return at - back
    return at


def place(data: bytes, at: int) -> tuple[int, int]:
    """Return the line and column of a byte, from 1; columns count characters. The bytes before it on its line must be UTF-8."""
    start = data.rfind(b"\n", 0, at) + 1
    before = data[start:at].removeprefix(BOM) if not start else data[start:at]
    return data.count(b"\n", 0, start) + 1, len(before.decode()) + 1


def by_lines(text: str, error: InputError) -> InputError:
    """Return the parser's error with its place counted in lines that end in LF; the parser also ends lines at CR, NEL, U+2028 and U+2029."""
    if not error.line or not has_other_break(text):
        return error
    starts = [0, *(found.end() for found in re.finditer(_ANY_BREAK, text))]
    line, column = LineStarts(text).place(starts[min(error.line, len(starts)) - 1] + max(error.column, 1) - 1)
    return InputError(error.message, line + 1, column + 1 if error.column else 0, error.file)


class LineStarts:
    """The starts of the lines of a text. Lines end in LF, as in programs that show files."""

    __slots__ = ("_starts",)

    def __init__(self, text: str) -> None:
        self._starts = [0, *[found.end() for found in _FEED.finditer(text)]]

    def place(self, at: int) -> tuple[int, int]:
        """Return the line and column of a character, from 0."""
        line = bisect_right(self._starts, at) - 1
        return line, at - self._starts[line]

    def index(self, line: int, column: int) -> int | None:
        """Return the offset of a line and column, from 0; None if the line does not exist."""
        return self._starts[line] + column if 0 <= line < len(self._starts) else None

    def has(self, line: int, column: int, size: int) -> bool:
        """Return whether there is a character at a line and column, from 0. size: how many the text has."""
        starts, next_line = self._starts, line + 1
        if not 0 <= line < len(starts):
            return False
        return 0 <= column < (starts[next_line] if next_line < len(starts) else size) - starts[line]


class Lines:
    """Counts lines, from 1, and columns, from 0, up to increasing places."""

    __slots__ = ("_at", "_column", "_data", "_number")

    def __init__(self, data: bytes) -> None:
        self._data, self._number, self._column = data, 1, 0
        self._at = len(BOM) if data.startswith(BOM) else 0

    def place(self, at: int) -> tuple[int, int]:
        """Return line and column of a byte; the bytes before it on its line must be UTF-8."""
        data = self._data
        self._number += data.count(b"\n", self._at, at)
        begins = data.rfind(b"\n", self._at, at) + 1
        self._column = len(data[begins or self._at : at].decode()) + (0 if begins else self._column)
        self._at = at
        return self._number, self._column

    def item(self, at: int, shown: int) -> tuple[int, int]:
        """Return the line on which an item's text begins, at a byte, and what to add to a column of the item's text on that line.

        shown: the column of that byte in the item's text; -1 if columns are the same.
        """
        line, column = self.place(at)
        return line, 0 if shown < 0 else column - shown


def is_blank(text: str) -> bool:
    """Return whether a text has nothing but white space and comments."""
    return all(not line or line[0] == "#" for line in map(str.lstrip, text.splitlines()))


def line_break(data: bytes) -> bytes:
    """Return the line break of a text: that of its first line, LF if it has none."""
    end = data.find(b"\n")
    return b"\r\n" if end > 0 and data[end - 1 : end] == b"\r" else b"\n"


def with_breaks(text: str, breaks: bytes) -> bytes:
    """Encode a text; if `breaks` is CRLF, every line gets it."""
    data = text.encode()
    return data if breaks == b"\n" else data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")


def fitted(new: str, old: bytes, pad: int, breaks: bytes) -> bytes:
    """Return the bytes that replace `old`: the new text without its `pad` spaces, with the line breaks and the end of `old`."""
    check_pad(new, pad)
    is_mixed = b"\n" in old.replace(b"\r\n", b"")
    data = with_breaks(new[pad:], b"\n" if is_mixed else breaks)
    if not ENDS_LINE.search(old, max(len(old) - 3, 0)):
        return data.removesuffix(breaks)
    return data if data.endswith(b"\n") else data + breaks


def check_pad(new: str, pad: int) -> None:
    """Raise EditError if a new text does not begin with the spaces that it had."""
    if new[:pad].strip(" "):
        raise EditError("an edited item must begin with the spaces that it had")


class Offsets:
    """Converts offsets in characters, as in the parser's marks, to offsets in bytes. Fast for increasing offsets."""

    __slots__ = ("_byte", "_char", "_data", "_start")

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._start = -1 if data.isascii() else len(BOM) if data.startswith(BOM) else 0
        self._char, self._byte = 0, max(self._start, 0)

    def byte(self, char: int) -> int:
        """Return the offset of the character's first byte."""
        if self._start < 0:
            return char
        if char < self._char:
            self._char, self._byte = 0, self._start
        while self._char < char:
            wanted = char - self._char
            part = self._data[self._byte : self._byte + min(4 * wanted, _CHUNK)].decode(errors="ignore")[:wanted]
            if not part:
                break
            self._char += len(part)
            self._byte += len(part.encode())
        return self._byte


# JSON writes a character beyond U+FFFF as two escapes (`\ud83d\ude00`), which YAML parsers refuse.
#
# The two are joined to YAML's `\U0001f600`, and spaces behind the closing quote fill the string up, so that every other token keeps its
# place.

STRING = r'"(?>(?:[^"\\]|\\.?)*)(?:"|\Z)'  # one that is not closed, which JSON does not have, ends with the text
_ESCAPE = r"\\(?:u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})|.)"


def join_surrogates(text: str) -> str | None:
    """Return the text with joined escapes; None if it is not JSON or has no pair to join."""
    import json  # noqa: PLC0415 - only for such texts

    if text.lstrip()[:1] not in ("{", "[", '"') or not re.search(r"\\u[dD][89abAB]", text):
        return None
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return None
    joined = re.sub(STRING, lambda found: re.sub(_ESCAPE, _joined, found[0]).ljust(len(found[0])), text)
    return joined if joined != text else None


def _joined(found: re.Match[str]) -> str:
    high, low = found.groups()
    if high is None:
        return found[0]
    return f"\\U{0x10000 + ((int(high, 16) & 0x3FF) << 10) + (int(low, 16) & 0x3FF):08x}"
