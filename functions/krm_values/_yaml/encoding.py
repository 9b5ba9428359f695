"""Bytes as text: that they are UTF-8, which line breaks they use, and where in them a byte stands."""

from __future__ import annotations

import re
from bisect import bisect_right

from krm_values._data.errors import EditError, InputError

BOM = b"\xef\xbb\xbf"
LINE_BREAK = rb"(?:\r?\n|\r|\xc2\x85|\xe2\x80[\xa8\xa9])"
ENDS_LINE = re.compile(LINE_BREAK + rb"\Z")
OTHER_BREAK = re.compile("\r(?!\n)|[\x85\u2028\u2029]")
"""Where libyaml ends a line though no LF stands there."""
_CHUNK = 1 << 16
_ANY_BREAK = re.compile("\r\n?|[\n\x85\u2028\u2029]")


def check_utf8(data: bytes) -> None:
    """InputError at the first byte that is not UTF-8. Never holds more than a piece of the decoded text."""
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


def place(data: bytes, at: int) -> tuple[int, int]:
    """Line and column of a byte, from 1; columns count characters. What stands before it on its line must be UTF-8."""
    start = data.rfind(b"\n", 0, at) + 1
    before = data[start:at].removeprefix(BOM) if not start else data[start:at]
    return data.count(b"\n", 0, start) + 1, len(before.decode()) + 1


def by_lines(text: str, error: InputError) -> InputError:
    """The parser's error, its place counted in lines that end in LF; the parser's end at CR, NEL, U+2028 and U+2029 as well."""
    if not error.line or not OTHER_BREAK.search(text):
        return error
    starts = [0, *(found.end() for found in _ANY_BREAK.finditer(text))]
    line, column = LineStarts(text).place(starts[min(error.line, len(starts)) - 1] + max(error.column, 1) - 1)
    return InputError(error.message, line + 1, column + 1 if error.column else 0, error.file)


class LineStarts:
    """Where the lines of a text begin. They end in LF, as they do for what shows people the lines of a file."""

    __slots__ = ("_starts",)

    def __init__(self, text: str) -> None:
        self._starts = [0, *(found.end() for found in re.finditer("\n", text))]

    def place(self, at: int) -> tuple[int, int]:
        """Line and column of a character, from 0."""
        line = bisect_right(self._starts, at) - 1
        return line, at - self._starts[line]

    def index(self, line: int, column: int) -> int | None:
        """The character at a line and column, from 0; None if there is no such line."""
        return self._starts[line] + column if 0 <= line < len(self._starts) else None


def is_blank(text: str) -> bool:
    """Whether there is nothing but blanks and comments."""
    return all(not line or line[0] == "#" for line in map(str.lstrip, text.splitlines()))


def line_break(data: bytes) -> bytes:
    """The line break that a text uses: that of its first line, LF if it has none."""
    end = data.find(b"\n")
    return b"\r\n" if end > 0 and data[end - 1 : end] == b"\r" else b"\n"


def with_breaks(text: str, breaks: bytes) -> bytes:
    """The text in UTF-8; where CRLF is wanted, each line that ends in LF alone gets it."""
    data = text.encode()
    return data if breaks == b"\n" else data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")


def fitted(new: str, old: bytes, pad: int, breaks: bytes) -> bytes:
    """What stands in the place of `old`: the new text without its `pad` blanks, with the old one's line breaks and end."""
    if new[:pad].strip(" "):
        raise EditError("an edited item must begin with the blanks that it came with")
    is_mixed = b"\n" in old.replace(b"\r\n", b"")
    data = with_breaks(new[pad:], b"\n" if is_mixed else breaks)
    if not ENDS_LINE.search(old, max(len(old) - 3, 0)):
        return data.removesuffix(breaks)
    return data if data.endswith(b"\n") else data + breaks


class Offsets:
    """Turns places that count characters, as the parser's marks do, into places that count bytes. Fast for places that grow."""

    __slots__ = ("_byte", "_char", "_data", "_start")

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._start = -1 if data.isascii() else len(BOM) if data.startswith(BOM) else 0
        self._char, self._byte = 0, max(self._start, 0)

    def byte(self, char: int) -> int:
        """The byte at which the character begins."""
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


def _boundary(data: bytes, at: int) -> int:
    """The nearest place up to `at` that is not inside a character."""
    for back in range(4):
        if at - back == len(data) or data[at - back] & 0xC0 != 0x80:
            return at - back
    return at
