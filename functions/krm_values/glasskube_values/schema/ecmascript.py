"""Translation of Go's patterns to ECMAScript, for JSON Schema: only what means the same in both, and in Python's `re`."""

from __future__ import annotations

import re

END = "$(?!\\n)"
"""The end of the string, in ECMAScript and in Python's `re`."""
_CLASSES = {"d": "0-9", "w": "0-9A-Za-z_", "s": "\\t\\n\\f\\r "}
_CONTROLS = {"a": "\a", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_SPECIAL, _SPECIAL_IN_CLASS = frozenset("\\^$.*+?()[]{}|"), frozenset("\\^-[]|")
_COUNT = "(?:0|[1-9][0-9]*)"  # with a leading zero Go reads the braces as literals
_REPEAT = re.compile(rf"(?:[*+?]|\{{{_COUNT}(?:,(?:{_COUNT})?)?\}})\??")
_HEX = re.compile(r"\\x(?:([0-9A-Fa-f]{2})|\{([0-9A-Fa-f]{1,6})\})")
_GROUP = re.compile(r"\((?!\?)|\(\?:|\(\?P?<\w+>")


class _NoFormError(Exception):
    """The pattern cannot be translated."""


def translated(pattern: str) -> str | None:
    """Return the pattern for ECMAScript, searched anywhere; None if it cannot be translated. It must be valid in Go."""
    try:
        return _Reader(pattern).pattern()
    except _NoFormError:
        return None


class _Reader:
    __slots__ = ("_at", "_text")

    def __init__(self, text: str) -> None:
        self._text, self._at = text, 0

    def pattern(self) -> str:
        pieces: list[str] = []
        while self._at < len(self._text):
            pieces.append(self._piece())
        return "".join(pieces)

    def _piece(self) -> str:
        """Translate one atom or assertion, with its repeat."""
        character = self._text[self._at]
        if character in "|)":
            return self._next() if character == "|" else self._repeated(self._next())
        if character in "^$":
            return self._bare("^" if self._next() == "^" else END)
        if character == "(":
            found = _GROUP.match(self._text, self._at)
            if not found:
                raise _NoFormError
            self._at = found.end()
            return "(?:" if found[0] == "(?:" else "("
        if character == "\\":
            return self._escape()
        self._next()
        if character == "[":
            return self._repeated(self._class())
        return self._repeated("[^\\n]" if character == "." else _literal(character))

    def _next(self) -> str:
        self._at += 1
        return self._text[self._at - 1]

    def _repeated(self, atom: str) -> str:
        found = _REPEAT.match(self._text, self._at)
        if not found:
            return atom
        self._at = found.end()
        return atom + found[0]

    def _bare(self, sign: str) -> str:
        """Return an assertion, which ECMAScript does not repeat."""
        if _REPEAT.match(self._text, self._at):
            raise _NoFormError
        return sign

    def _escape(self) -> str:
        name = self._text[self._at + 1]
        if name in "AzbB":
            self._at += 2
            if name in "bB":
                raise _NoFormError
            return self._bare("^" if name == "A" else END)
        if name.lower() in _CLASSES:
            self._at += 2
            return self._repeated(f"[{'^' if name.isupper() else ''}{_CLASSES[name.lower()]}]")
        return self._repeated(_literal(self._character()))

    def _character(self) -> str:
        """Read a character or the character of an escape."""
        if self._text[self._at] != "\\":
            return self._next()
        found = _HEX.match(self._text, self._at)
        if found:
            self._at = found.end()
            return chr(int(found[1] or found[2], 16))
        name = self._text[self._at + 1]
        self._at += 2
        if name in _CONTROLS:
            return _CONTROLS[name]
        if name.isalnum() or not name.isascii():
            raise _NoFormError
        return name

    def _class(self) -> str:
        """Translate a class, after its opening bracket."""
        pieces = ["["]
        if self._text[self._at] == "^":
            pieces.append(self._next())
        first = True
        while first or self._text[self._at] != "]":
            first = False
            is_class = self._text[self._at] == "\\" and self._text[self._at + 1] in _CLASSES
            pieces.append(self._member())
            if not is_class and self._text[self._at] == "-" and self._text[self._at + 1] != "]":
                self._next()
                pieces.append("-" + self._member())
        return "".join(pieces) + self._next()

    def _member(self) -> str:
        if self._text.startswith("[:", self._at):
            raise _NoFormError
        name = self._text[self._at + 1] if self._text[self._at] == "\\" else ""
        if name in _CLASSES:
            self._at += 2
            return _CLASSES[name]
        return _literal(self._character(), _SPECIAL_IN_CLASS)


def _literal(character: str, special: frozenset[str] = _SPECIAL) -> str:
    if character in special:
        return "\\" + character
    return f"\\x{ord(character):02x}" if character < " " or character in "&~\x7f" else character
