"""Hashes by which an undo record knows what was written: short ones where the value is a secret, which nobody can guess from them."""

from __future__ import annotations

import hashlib

from krm_values._kit import emit, oldscalars

TYPE_CHECKING = False
if TYPE_CHECKING:
    from krm_values._kit.data import JSON

LENGTH, SHORT = 12, 4  # hex digits; of a Secret's values


def sha(value: object, length: int) -> str:
    """The first hex digits of the SHA-256 of a value's canonical JSON: keys sorted, numbers by value and not as written."""
    return hashlib.sha256(emit.as_json(canonical(value)).encode("utf-8", "surrogatepass")).hexdigest()[:length]


def fits(value: object, digits: str) -> bool:
    """Whether a value has this hash."""
    return bool(digits) and sha(value, len(digits)) == digits


def fitted(value: object, digits: str) -> bool:
    """Whether a value has this hash in a record of the first version."""
    return fits(oldscalars.value(value), digits)


def canonical(value: object) -> JSON:
    """A value in the one form that is hashed; an infinite number is its text, which JSON has none for."""
    if isinstance(value, dict):
        return {key: canonical(value[key]) for key in sorted(value)}
    if isinstance(value, list):
        return [canonical(item) for item in value]
    if isinstance(value, float):
        return float(value) if value - value == 0 else repr(float(value))
    if isinstance(value, int) and not isinstance(value, bool):
        return int(value)
    return str(value) if isinstance(value, str) else value  # type: ignore[return-value]
