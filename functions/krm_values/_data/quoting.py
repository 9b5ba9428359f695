"""Strings in double quotes, as YAML and JSON both read them, and which characters need an escape there."""

from __future__ import annotations

_INVISIBLE = frozenset("\u2028\u2029\ufeff\ufffe\uffff")
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r", "\0": "\\0", "\b": "\\b"}


def quoted(text: str) -> str:
    """The double-quoted form, every character that YAML does not allow or nobody sees escaped."""
    return '"' + "".join(_ESCAPES.get(c) or (c if shows(c) else _escape(c)) for c in text) + '"'


def shows(c: str) -> bool:
    """Whether YAML allows a character unescaped and people see it."""
    return " " <= c <= "~" or (c >= "\xa0" and c not in _INVISIBLE and not _is_surrogate(c))


def _is_surrogate(c: str) -> bool:
    return "\ud800" <= c <= "\udfff"


def _escape(c: str) -> str:
    code = ord(c)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def is_printable(text: str) -> bool:
    """Whether YAML allows every character unescaped on one line (no tab: nobody sees it)."""
    return text.isprintable() or all(map(shows, text))
