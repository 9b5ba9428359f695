"""The one value that a path leads to in plain data, with the path as keys and indices."""

from __future__ import annotations

from krm_values._data.pointer import ABSENT
from krm_values.layered_values.syntax.paths import Match

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from krm_values._data.pointer import Path
    from krm_values.layered_values.syntax.paths import Segments


def down(value: Any, segments: Segments, path: Path = ()) -> tuple[Any, Path, Segments]:
    """The value at the segments, its path, and the segments that are left where it is a text; ABSENT where there is nothing."""
    for number, segment in enumerate(segments):
        if isinstance(value, str):
            return value, path, segments[number:]
        part = _part(value, segment)
        if part is None:
            return ABSENT, path, segments[number:]
        value, path = value[part], (*path, part)
    return value, path, ()


def _part(value: Any, segment: object) -> str | int | None:
    """The key or index that a segment means."""
    if isinstance(segment, Match) and isinstance(value, list):
        found = [at for at, one in enumerate(value) if isinstance(one, dict) and one.get(segment.key) == segment.text]
        return found[0] if len(found) == 1 else None
    if isinstance(segment, int) and isinstance(value, list):
        return segment if segment < len(value) else None
    return segment if isinstance(segment, str) and isinstance(value, dict) and segment in value else None
