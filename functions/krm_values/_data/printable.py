"""Texts of others as people may see them: every character escaped that a terminal or a log would act on. Data is not changed."""

from __future__ import annotations

import re

_SHORT = {"\n": "\\n", "\t": "\\t", "\r": "\\r"}


def printable(text: str) -> str:
    r"""A text on one line, with `\x1b`, `\u202e` and the like for controls, direction marks and whatever else nobody sees."""
    return text if text.isprintable() else "".join(c if c.isprintable() else _escaped(c) for c in text)


def lines(text: str) -> str:
    """Several lines: line feeds and tabs stay, and nothing else that is not seen."""
    if text.replace("\n", "").replace("\t", "").isprintable():
        return text
    return "".join(c if c.isprintable() or c in "\n\t" else _escaped(c) for c in text)


def json_text(text: str) -> str:
    """A JSON text with the escapes of JSON for what is not seen; it says the same."""
    return re.sub(r"[^\n\x20-\x7e]", lambda found: found[0] if found[0].isprintable() else _in_json(found[0]), text)


def _escaped(c: str) -> str:
    code = ord(c)
    return _SHORT.get(c) or (f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}")


def _in_json(c: str) -> str:
    units = c.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))
