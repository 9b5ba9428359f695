"""The paths of patches: RFC 6901 pointers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from krm_values._data.values import JSON

_BAD_TILDE = re.compile("~(?![01])")
_INDEX = re.compile("0|[1-9][0-9]*")
_DIGITS = 18
LEVELS = 200
"""Segments of a path; no reader accepts deeper collections."""


class PatchError(Exception):
    """An operation that cannot be applied. kind: `op`, `pointer`, `index`, `missing`, `test` or `many`. message: quotes no value."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind, self.message = kind, message


def read(path: str) -> tuple[str, ...]:
    """Return the decoded segments of a target's path, () for the whole document. Raises PatchError if it is not a pointer.

    Without a leading slash one is added. A `~` that is neither `~0` nor `~1` is refused.
    """
    if path.count("/") > LEVELS:
        raise PatchError("pointer", f"the path has more than {LEVELS} segments")
    if "»" in path:
        raise PatchError(
            "pointer", f'"{path}" is not a JSON pointer: no target leads into a document within a string, and no name has `»`'
        )
    if _BAD_TILDE.search(path):
        raise PatchError("pointer", f'"{path}" is not a JSON pointer: `~` must be written `~0`')
    return segments(path)


def segments(path: str) -> tuple[str, ...]:
    """Return the decoded segments of a path, whether or not it begins with a slash."""
    return tuple(map(decode, path.removeprefix("/").split("/"))) if path else ()


def decode(segment: str) -> str:
    """Decode a segment."""
    return segment.replace("~1", "/").replace("~0", "~")


def index(segment: str) -> int | None:
    """Return a segment as an index; None for anything else."""
    return int(segment) if _INDEX.fullmatch(segment) and len(segment) <= _DIGITS else None


def kind_of(value: JSON) -> str:
    """Return the type of a value for a message."""
    match value:
        case None:
            return "null"
        case bool():
            return "a boolean"
        case str():
            return "a string"
        case dict():
            return "a map"
        case list():
            return "a list"
    return "a number"
