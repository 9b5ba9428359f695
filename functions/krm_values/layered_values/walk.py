"""Follows a path to one value in plain data, and returns the path as keys and indexes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.pointer import ABSENT
from krm_values.layered_values.paths import Match

if TYPE_CHECKING:
    from typing import Any

    from krm_values._data.pointer import Path
    from krm_values.layered_values.paths import Segments


def down(value: Any, segments: Segments, path: Path = ()) -> tuple[Any, Path, Segments]:
    """Return the value at the segments, its path, and the remaining segments if it is a text; ABSENT if there is none."""
    for number, segment in enumerate(segments):
        if isinstance(value, str):
            return value, path, segments[number:]
        part = _part(value, segment)
        if part is None:
            return ABSENT, path, segments[number:]
        value, path = value[part], (*path, part)
    return value, path, ()


def _part(value: Any, segment: object) -> str | int | None:
    """Return the key or index that a segment names."""
    if isinstance(segment, Match) and isinstance(value, list):
        found = [at for at, one in enumerate(value) if isinstance(one, dict) and one.get(segment.key) == segment.text]
        return found[0] if len(found) == 1 else None
    if isinstance(segment, int) and isinstance(value, list):
        return segment if segment < len(value) else None
    return segment if isinstance(segment, str) and isinstance(value, dict) and segment in value else None
