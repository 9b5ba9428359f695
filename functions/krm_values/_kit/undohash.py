"""Hashes by which an undo record knows what was written. What came out of a Secret is blanked first: nothing of it is in a hash."""

from __future__ import annotations

import hashlib

from krm_values._kit import emit, plain
from krm_values._kit.pointer import ABSENT, get

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from krm_values._kit.data import JSON
    from krm_values._kit.pointer import Path

LENGTH, SHORT = 12, 4  # hex digits; SHORT: of values out of Secrets, in records of version 0.1.0 only


def sha(value: object, length: int) -> str:
    """The first hex digits of the SHA-256 of a value's canonical JSON: keys sorted, numbers by value and not as written."""
    return hashlib.sha256(emit.as_json(canonical(value)).encode("utf-8", "surrogatepass")).hexdigest()[:length]


def fits(value: object, digits: str, blanks: Iterable[Path] = ()) -> bool:
    """Whether a value has this hash once the scalars at `blanks` in it are blanked."""
    return bool(digits) and sha(blanked(value, blanks), len(digits)) == digits


def blanked(value: Any, blanks: Iterable[Path]) -> object:
    """A copy of the value with null at these paths, as far as scalars stand there."""
    paths = [path for path in blanks if not isinstance(get(value, path, ABSENT), dict | list)]
    if not paths or () in paths:
        return None if paths else value
    copied = plain.copy(value)
    for path in paths:
        if get(copied, path, ABSENT) is not ABSENT:
            plain.put(copied, path, None)
    return copied


def canonical(value: object) -> JSON:
    """A value in the one form that is hashed; an infinite number is its text, which JSON has none for."""
    if isinstance(value, dict):
        return {key: canonical(value[key]) for key in sorted(value)}
    if isinstance(value, list):
        return [canonical(item) for item in value]
    if isinstance(value, float):
        return float(value) if value - value == 0 else repr(float(value))
    return str(value) if isinstance(value, str) else value  # type: ignore[return-value]
