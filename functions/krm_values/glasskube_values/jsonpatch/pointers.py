"""The paths of patches: RFC 6901 pointers, and how upstream reads others."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from krm_values._data.values import JSON

_BAD_TILDE = re.compile("~(?![01])")
_INDEX = re.compile("0|[1-9][0-9]*")
_ATOI = re.compile("[+-]?[0-9]+")
_DIGITS = 18
SEPARATOR = "\u00bb"
"""Between a pointer to a string and a pointer into the document that the string holds; only in the recommended profile."""
LEVELS = 200
"""Segments of a path; no reader accepts deeper collections."""


class PatchError(Exception):
    """An operation that cannot be applied. kind: `op`, `pointer`, `index`, `missing`, `test` or `embedded`. message: quotes no value."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind, self.message = kind, message


def read(path: str, *, upstream: bool = False) -> tuple[str, ...]:
    """Return the decoded segments of a target's path, () for the whole document. Raises PatchError if it is not a pointer.

    Without a leading slash one is added; upstream drops the first segment instead. A `~` that is neither `~0` nor `~1` is refused, but
    upstream keeps it.
    """
    if path.count("/") > LEVELS:
        raise PatchError("pointer", f"the path has more than {LEVELS} segments")
    if upstream:
        if path and "/" not in path:
            raise PatchError("pointer", f'"{path}" is not a JSON pointer: it must begin with a slash')
        return tuple(map(decode, path.split("/")[1:]))
    found = _BAD_TILDE.search(path)
    if found:
        raise PatchError("pointer", f'"{path}" is not a JSON pointer: `~` must be written `~0`')
    return segments(path)


def segments(path: str) -> tuple[str, ...]:
    """Return the decoded segments of a path, whether or not it begins with a slash."""
    return tuple(map(decode, path.removeprefix("/").split("/"))) if path else ()


def decode(segment: str) -> str:
    """Decode a segment; unknown escapes are left alone, as upstream does."""
    return segment.replace("~1", "/").replace("~0", "~")


def index(segment: str, *, upstream: bool = False) -> int | None:
    """Return a segment as an index: by RFC 6901, or upstream whatever Go's `Atoi` reads, including negative ones; None for anything else."""
    known = _ATOI if upstream else _INDEX
    if not known.fullmatch(segment) or len(segment.lstrip("+-").lstrip("0")) > _DIGITS:
        return None
    return int(segment)


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
