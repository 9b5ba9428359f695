"""Where two merged values differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import data_edits

if TYPE_CHECKING:
    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON


def first_difference(one: JSON, other: JSON, path: Path = ()) -> Path | None:
    """Return the first path, keys in order, at which two values differ, or None. A key that one lacks differs at its map."""
    if not (isinstance(one, dict) and isinstance(other, dict) and one and other):
        return None if data_edits.same(one, other) else path
    for key in sorted(one.keys() | other.keys()):
        if key not in one or key not in other:
            return path or (key,)
        found = first_difference(one[key], other[key], (*path, key))
        if found is not None:
            return found
    return None
