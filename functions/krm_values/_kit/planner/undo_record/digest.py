"""Digests by which an undo record recognizes what was written. Values from Secrets are blanked first, so no digest depends on them."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from krm_values._data import data_edits
from krm_values._data.errors import EditError
from krm_values._data.pointer import ABSENT, get
from krm_values._data.scalars.strconv import LEAST, MOST
from krm_values._data.scalars.text import EXACT
from krm_values._data.values import by_keys
from krm_values._yaml import emit

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON

VERSION = 2
"""The version of records. One without a version was made by krm-values 0.1.0."""
STEPS_BACK, STEPS = 2_000_000, 500_000
"""The limits of hashing for undoing and for making a record; the second is lower, so that each record that was made can be undone."""
LENGTH = 12  # hex digits


class Steps:
    """The budget of hashing for a record: each entry hashes all collections around its place. EditError if it is exceeded."""

    __slots__ = ("_left", "_message")

    def __init__(self, message: str, most: int = STEPS) -> None:
        self._left, self._message = most, message

    def take(self, value: object) -> None:
        """Charge for hashing a value: a step for each value in it, and for each 32 characters."""
        stack = [value]
        while stack:
            found = stack.pop()
            self._left -= 1 + (len(found) // 32 if isinstance(found, str) else 0)
            stack += found.values() if isinstance(found, dict) else found if isinstance(found, list) else ()
        if self._left < 0:
            raise EditError(self._message)


def sha(value: object, length: int) -> str:
    """Return the first hex digits of the SHA-256 of a value's canonical JSON: keys sorted, numbers by value and not as written."""
    text = emit.as_json(canonical(value))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:length]


def fits(value: Any, digits: str, withheld: Iterable[Path] = ()) -> bool:
    """Return whether a value has this digest, with the scalars at `withheld` in it blanked."""
    return bool(digits) and sha(blanked(value, withheld), len(digits)) == digits


def blanked(value: JSON, withheld: Iterable[Path]) -> JSON:
    """Return a copy of the value with null at these paths, as far as they are scalars."""
    paths = [path for path in withheld if not isinstance(get(value, path, ABSENT), dict | list)]
    if not paths or () in paths:
        return None if paths else value
    copied = data_edits.copy(value)
    for path in paths:
        if get(copied, path, ABSENT) is not ABSENT:
            data_edits.put(copied, path, None)
    return copied


def canonical(value: Any) -> JSON:
    """Return a value in the canonical form that is hashed."""

    def scalar(value: JSON) -> JSON:
        if isinstance(value, str):
            return str(value)
        if isinstance(value, bool) or not isinstance(value, int | float):
            return value
        if value - value != 0:
            return repr(float(value))  # JSON has no infinite number
        return _number(value)

    return by_keys(value, scalar)


def _number(value: float) -> JSON:
    """Return a number as it reads back: whole without a fraction, and a float where Go has no such whole number."""
    if isinstance(value, float):
        return int(value) if value.is_integer() and abs(value) <= EXACT else float(value)
    try:
        return int(value) if LEAST <= value <= MOST else float(value)
    except OverflowError:
        return int(value)
