"""How messages show a value: its JSON type and, of a scalar, its value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.printable import printable
from krm_values._data.scalars.text import text_of

if TYPE_CHECKING:
    from krm_values._data.values import JSON

LONGEST = 1_000
"""Characters of a value that a message shows at most."""


def described(value: JSON) -> str:
    """Describe a value: `string "75"`, `number 75`, `boolean true`, `null`, `object`, `array`."""
    if value is None or isinstance(value, dict | list):
        return type_of(value)
    return f"{type_of(value)} " + (f'"{printable(cut(value))}"' if isinstance(value, str) else text_of(value))


def type_of(value: JSON) -> str:
    """Return the name of the value's JSON type; use it alone for a value that must not be shown."""
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, dict | list | str):
        return "object" if isinstance(value, dict) else "array" if isinstance(value, list) else "string"
    return "null" if value is None else "number"


def cut(text: str) -> str:
    """Return a string; of a very long one its beginning and its length."""
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}... ({len(text):,} characters)"
