"""How Helm types the string of a `--set` value: a boolean, null, a 64-bit integer, or a string."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from krm_values._data.values import JSON

_WORDS: dict[str, JSON] = {"true": True, "false": False, "null": None}
_INTEGER = re.compile(r"([+-]?)(?=[0-9])0*+([0-9]*)")
_DIGITS = 19
_MOST = 1 << 63


def typed(text: str) -> JSON:
    """Return the value that Helm makes of a string."""
    word = text.casefold() if len(text) in (4, 5) else text
    if word in _WORDS and len(word) == len(text):
        return _WORDS[word]
    if text == "0":
        return 0
    found = integer(text) if text[:1] != "0" else None
    return text if found is None else found


def integer(text: str) -> int | None:
    """Return a 64-bit integer, or None if the string is not one."""
    match = _INTEGER.fullmatch(text)
    if not match or len(match[2]) > _DIGITS:
        return None
    found = int(match[1] + (match[2] or "0"))
    return found if -_MOST <= found < _MOST else None
