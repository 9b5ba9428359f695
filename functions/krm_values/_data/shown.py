"""How messages show a value: its JSON type and, of a scalar, its value."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from krm_values._data.scalars import text_of

if TYPE_CHECKING:
    from krm_values._data.values import JSON


LONGEST = 1_000
"""Characters of a value that a message shows at most."""


def described(value: JSON) -> str:
    """Describe a value: `string "75"`, `number 75`, `boolean true`, `null`, `object`, `array`."""
    if value is None or isinstance(value, (dict, list)):
        return type_of(value)
    return f"{type_of(value)} " + (f'"{printable(cut(value))}"' if isinstance(value, str) else text_of(value))


def type_of(value: JSON) -> str:
    """Return the name of the value's JSON type; use it alone for a value that must not be shown."""
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, (dict, list, str)):
        return "object" if isinstance(value, dict) else "array" if isinstance(value, list) else "string"
    return "null" if value is None else "number"


def cut(text: str) -> str:
    """Return a string; of a very long one its beginning and its length."""
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}... ({len(text):,} characters)"


# Strings from outside made safe to show: characters that a terminal or a log would act on are escaped. Data is not changed.

_COMMAND = r"(?:^|(?<=[\n\r]))([^\S\n\r]*)::"
_ANYWHERE = r"##(?=[A-Za-z]*\[)"  # `##[set-output ...]` of GitHub, `##vso[...]` of Azure, `##teamcity[...]`
_UNUSUAL = re.compile(r"[^\n\x20-\x7e]")


_SHORT = {"\n": "\\n", "\t": "\\t", "\r": "\\r"}


def printable(text: str) -> str:
    r"""Return a string on one line, with escapes such as `\x1b` and `\u202e` for control characters, direction marks and other invisible ones."""
    return text if text.isprintable() else "".join(c if c.isprintable() else _escaped(c) for c in text)


def inert(text: str) -> str:
    r"""Return text no line of which a host of a pipeline takes for a command.

    Where a line begins with `::`, that is written as `\x3a:`; anywhere in a line `##[`, `##vso[` and the like begin with `\x23#`.
    """
    text = re.sub(_COMMAND, r"\1\\x3a:", text) if "::" in text else text
    return re.sub(_ANYWHERE, r"\\x23#", text) if "##" in text else text


def lines(text: str) -> str:
    """Return a string of several lines with invisible characters escaped, except line feeds and tabs."""
    if text.replace("\n", "").replace("\t", "").isprintable():
        return text
    return "".join(c if c.isprintable() or c in "\n\t" else _escaped(c) for c in text)


def json_text(text: str) -> str:
    """Return JSON text with invisible characters written as JSON escapes; its value is the same."""
    if text.isascii() and "\x7f" not in text:  # JSON has escapes for the other control characters
        return text
    return _UNUSUAL.sub(lambda found: found[0] if found[0].isprintable() else _in_json(found[0]), text)


def _escaped(c: str) -> str:
    code = ord(c)
    return _SHORT.get(c) or (f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}")


def _in_json(c: str) -> str:
    units = c.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))
