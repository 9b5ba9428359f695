"""String literals as Go's strconv reads and writes them."""

from __future__ import annotations

import re

_ESCAPE = re.compile(r"(?s)\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{3})|(.))|([^\\]+)|(\\)")
_NAMED = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "\\": "\\"}
_SHORT = {**{value: f"\\{name}" for name, value in _NAMED.items()}, '"': '\\"'}
_LAST_CODE, _LAST_BYTE, _LAST_ASCII, _SURROGATES = 0x10FFFF, 0xFF, 0x7F, range(0xD800, 0xE000)


class LiteralError(ValueError):
    """An invalid escape. construct: an escape that Go accepts and `unquote` was asked to refuse, else ""."""

    def __init__(self, message: str, construct: str = "") -> None:
        super().__init__(message)
        self.construct = construct


def unquote(literal: str, *, single_bytes: bool = True) -> str:
    r"""Return the string that a literal in '..', "..", or backquotes means. LiteralError for an invalid escape.

    A byte that is not part of UTF-8 becomes a lone surrogate (`surrogateescape`). single_bytes: whether escapes of a single byte from
    0x80 on (`\xff`, `\377`) are allowed.
    """
    if literal[0] == "`":
        return literal[1:-1].replace("\r", "")
    if len(literal) < 2 or literal[0] != literal[-1]:
        raise LiteralError("a string literal is not closed")
    pieces = [_bytes_of(found, literal[0], single_bytes=single_bytes) for found in _ESCAPE.finditer(literal[1:-1])]
    return b"".join(pieces).decode("utf-8", "surrogateescape")


def quote(text: str) -> str:
    """Return the literal of a string, in double quotes."""
    if text.isprintable():
        return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return '"' + "".join(map(_written, text)) + '"'


def quote_rune(number: int) -> str:
    """Return the character literal of a code point; of an invalid one that of U+FFFD."""
    character = chr(number) if 0 <= number <= _LAST_CODE and number not in _SURROGATES else "\ufffd"
    return "'" + {"'": "\\'", '"': '"'}.get(character, _written(character)) + "'"


def _bytes_of(found: re.Match[str], mark: str, *, single_bytes: bool) -> bytes:
    """Return the UTF-8 of an escape, or of a run of other characters."""
    byte, short, long, octal, name, plain, alone = found.groups()
    if plain is not None and mark not in plain:
        return plain.encode("utf-8", "surrogatepass")
    if plain is not None or alone is not None or (name is not None and name != mark and name not in _NAMED):
        raise _invalid(found[0])
    if name is not None:
        return (name if name == mark else _NAMED[name]).encode()
    number = int(octal, 8) if octal else int(byte or short or long, 16)
    return _byte(found[0], number, single_bytes=single_bytes) if byte or octal else _code(found[0], number)


def _byte(written: str, number: int, *, single_bytes: bool) -> bytes:
    if number > _LAST_BYTE:
        raise _invalid(written)
    if number > _LAST_ASCII and not single_bytes:
        raise LiteralError("an escape of a single byte is not supported", "an escape of a single byte is")
    return bytes([number])


def _code(written: str, number: int) -> bytes:
    if number > _LAST_CODE or number in _SURROGATES:
        raise _invalid(written)
    return chr(number).encode()


def _invalid(written: str) -> LiteralError:
    return LiteralError(f"`{written}` is not an escape of a string literal")


def _written(character: str) -> str:
    if character in _SHORT:
        return _SHORT[character]
    if character.isprintable():
        return character
    number = ord(character)
    if number < 0x20 or number == _LAST_ASCII:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"
