"""Quoted texts as Go reads them."""

from __future__ import annotations

import re

_PLAIN = {"a": 7, "b": 8, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11, "\\": 92}
_HEX = {"x": 2, "u": 4, "U": 8}
_ESCAPE = re.compile(r"\\(?:([abfnrtv\\'\"])|([xuU])([0-9a-fA-F]+)|([0-7]{3}))|[^\\]", re.DOTALL)
_LAST_BYTE, _LAST_CODE, _SURROGATES = 0xFF, 0x10FFFF, range(0xD800, 0xE000)


def unquote(written: str) -> str | None:
    """The text in `'..'` or `".."`, None where an escape is wrong. A byte that is no UTF-8 becomes a lone surrogate."""
    if len(written) < 2 or written[0] != written[-1]:
        return None
    inside, out = written[1:-1], bytearray()
    pos = 0
    while pos < len(inside):
        found = _ESCAPE.match(inside, pos)
        piece = _piece(found, written[0]) if found else None
        if found is None or piece is None:
            return None
        data, pos = piece[0], piece[1]
        out += data
    return out.decode("utf-8", "surrogateescape")


def _piece(found: re.Match[str], quote: str) -> tuple[bytes, int] | None:
    """The bytes of one character or escape, and where the next begins."""
    plain, kind, digits, octal = found.groups()
    if plain:
        code = _PLAIN.get(plain) or (ord(plain) if plain == quote else 0)
        return (bytes([code]), found.end()) if code else None
    if octal:
        return (bytes([int(octal, 8)]), found.end()) if int(octal, 8) <= _LAST_BYTE else None
    if not kind:
        return None if found[0] == quote else (found[0].encode("utf-8", "surrogatepass"), found.end())
    return _coded(kind, digits, found.start())


def _coded(kind: str, digits: str, start: int) -> tuple[bytes, int] | None:
    size = _HEX[kind]
    if len(digits) < size:
        return None
    code = int(digits[:size], 16)
    end = start + 2 + size
    if kind == "x":
        return bytes([code]), end
    if code > _LAST_CODE or code in _SURROGATES:
        return None
    return chr(code).encode(), end
