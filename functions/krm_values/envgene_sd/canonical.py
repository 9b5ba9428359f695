"""Canonical text of values: to compare numbers by their text, and to recognize a run by its digest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.scalars.text import Int, text_of
from krm_values._data.values import by_keys
from krm_values._kit.planner.undo_record import old_scalars
from krm_values._yaml import emit

if TYPE_CHECKING:
    from krm_values._data.values import JSON


def is_exactly(one: JSON, other: JSON) -> bool:
    """Return whether two values are equal and their numbers are written alike."""
    return text(one) == text(other)


def text(value: JSON) -> str:
    """Return canonical JSON: keys sorted, no spaces, numbers as they are written."""
    return emit.as_json(by_keys(value, _scalar))


def digest(mode: str, profile: str, incoming: JSON, full: JSON) -> str:
    """Return the digest of a run: of its mode, profile, incoming SD and resulting Full SD. It is the same for every version of the program."""
    import hashlib  # noqa: PLC0415 - only where something is merged

    data = text(old_scalars.value([mode, profile, incoming, full])).encode("utf-8", "surrogatepass")
    return f"sha256:{hashlib.sha256(data).hexdigest()}"


def _scalar(value: JSON) -> JSON:
    if isinstance(value, float) and value - value != 0:
        return repr(float(value))
    return text_of(value) if type(value) is Int else value
