"""Text literals of Go: `strconv.Unquote` of what a template says, `strconv.Quote` for `printf "%q"`."""

from __future__ import annotations

import re

_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{3})|(.))", re.DOTALL)
_NAMED = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "\\": "\\", '"': '"'}
_LAST = 0x10FFFF
_BACK = {value: f"\\{name}" for name, value in _NAMED.items()}


class LiteralError(ValueError):
    """An escape that is none. construct: what Go takes and `unquote` refuses by name, else ""."""

    def __init__(self, message: str, construct: str = "") -> None:
        super().__init__(message)
        self.construct = construct


def unquote(literal: str) -> str:
    """The text that a literal in double quotes or back-quotes means; LiteralError for an escape that is none."""
    if literal[0] == "`":
        return literal[1:-1].replace("\r", "")
    return _ESCAPE.sub(_meant, literal[1:-1])


def quote(text: str) -> str:
    """A text as Go writes it in a program."""
    if text.isprintable():
        return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return '"' + "".join(map(_written, text)) + '"'


def quote_rune(number: int) -> str:
    """The character of a number as Go writes it in a program."""
    character = chr(number) if 0 <= number <= _LAST and not 0xD800 <= number <= 0xDFFF else "\ufffd"
    return "'" + {"'": "\\'", '"': '"'}.get(character, _written(character)) + "'"


def _meant(found: re.Match[str]) -> str:
    byte, short, long, octal, name = found.groups()
    if name is not None:
        if name not in _NAMED:
            raise LiteralError(f"`\\{name}` is no escape of a text literal")
        return _NAMED[name]
    number = int(octal, 8) if octal else int(byte or short or long, 16)
    if (byte or octal) and number > 0xFF:
        raise LiteralError(f"`{found[0]}` is no escape of a text literal")
    if (byte or octal) and number > 0x7F:
        raise LiteralError("an escape of a single byte is not supported", "an escape of a single byte is")
    if number > _LAST or 0xD800 <= number <= 0xDFFF:
        raise LiteralError(f"`{found[0]}` is no escape of a text literal")
    return chr(number)


def _written(character: str) -> str:
    if character in _BACK:
        return _BACK[character]
    if character.isprintable():
        return character
    number = ord(character)
    if number < 0x20 or number == 0x7F:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"
