"""Hashes by which an undo record knows what was written: short ones where the value is a secret, which nobody can guess from them."""

from __future__ import annotations

import hashlib

from krm_values._kit import emit, oldscalars
from krm_values._kit.scalars import EXACT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from krm_values._kit.data import JSON

LENGTH, SHORT = 12, 4  # hex digits; of a Secret's values


def sha(value: object, length: int) -> str:
    """The first hex digits of the SHA-256 of a value's canonical JSON: keys sorted, numbers by value and not as written."""
    return _hash(canonical(value))[:length]


def fits(value: object, digits: str) -> bool:
    """Whether a value has this hash."""
    return bool(digits) and sha(value, len(digits)) == digits


def fitted(value: object, digits: str) -> bool:
    """Whether a value has this hash in a record of the first version, to which 5.0 was not 5."""
    return bool(digits) and _hash(canonical(oldscalars.value(value), whole=float))[: len(digits)] == digits


def canonical(value: object, *, whole: type[int | float] = int) -> JSON:
    """A value in the one form that is hashed; an infinite number is its text, which JSON has none for. whole: floats without fraction."""
    if isinstance(value, dict):
        return {key: canonical(value[key], whole=whole) for key in sorted(value)}
    if isinstance(value, list):
        return [canonical(item, whole=whole) for item in value]
    if isinstance(value, float):
        if value - value != 0:
            return repr(float(value))
        return whole(value) if value.is_integer() and abs(value) <= EXACT else float(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return int(value)
    return str(value) if isinstance(value, str) else value  # type: ignore[return-value]


def _hash(value: JSON) -> str:
    return hashlib.sha256(emit.as_json(value).encode("utf-8", "surrogatepass")).hexdigest()
