"""Bytes as text: that they are UTF-8, which line breaks they use, and where in them a byte stands."""

from __future__ import annotations

from krm_values._kit.errors import InputError

BOM = b"\xef\xbb\xbf"
_CHUNK = 1 << 20


def check_utf8(data: bytes) -> None:
    """InputError at the first byte that is not UTF-8. Never holds more than a megabyte of decoded text."""
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


def line_break(data: bytes) -> bytes:
    """The line break that a text uses: that of its first line, LF if it has none."""
    end = data.find(b"\n")
    return b"\r\n" if end > 0 and data[end - 1 : end] == b"\r" else b"\n"


def with_breaks(text: str, breaks: bytes) -> bytes:
    """The text in UTF-8; where CRLF is wanted, each line that ends in LF alone gets it."""
    data = text.encode()
    return data if breaks == b"\n" else data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")


def _boundary(data: bytes, at: int) -> int:
    """The nearest place up to `at` that is not inside a character."""
    for back in range(4):
        if at - back == len(data) or data[at - back] & 0xC0 != 0x80:
            return at - back
    return at
