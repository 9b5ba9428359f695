"""Double-quoted strings that YAML and JSON both read, and which characters need an escape in them."""

from __future__ import annotations

_INVISIBLE = frozenset("\u2028\u2029\ufeff\ufffe\uffff")
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r", "\0": "\\0", "\b": "\\b"}


def quoted(text: str) -> str:
    """Return the double-quoted form; characters that YAML forbids or that are invisible are escaped."""
    return '"' + "".join(_ESCAPES.get(c) or (c if shows(c) else _escape(c)) for c in text) + '"'


def shows(c: str) -> bool:
    """Return whether YAML allows a character unescaped and it is visible."""
    return " " <= c <= "~" or (c >= "\xa0" and c not in _INVISIBLE and not _is_surrogate(c))


def _is_surrogate(c: str) -> bool:
    return "\ud800" <= c <= "\udfff"


def _escape(c: str) -> str:
    code = ord(c)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def is_printable(text: str) -> bool:
    """Return whether a string can be written on one line without escapes (a tab cannot: it is invisible)."""
    return text.isprintable() or all(map(shows, text))
