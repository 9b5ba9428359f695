"""Names of files: as the header of a patch writes them, and which names a new file may have."""

from __future__ import annotations

import re

from krm_values._data.shown import described

_DRIVE = re.compile("[A-Za-z]:")
_LONGEST = 255  # bytes of a name
_SHORT = {"\n": "\\n", "\t": "\\t", "\r": "\\r", '"': '\\"', "\\": "\\\\"}


def header(path: str) -> str:
    """Return a path as it is written in the header of a diff: quoted, with the escapes of git and patch, if it has special characters."""
    if path.isprintable() and '"' not in path and "\\" not in path:
        return path
    return '"' + "".join(_SHORT.get(c) or (c if c.isprintable() else _octal(c)) for c in path) + '"'


def wrong_with(path: str) -> str:
    """Return why a new file must not have this slash path, "" if it may.

    It must lead downwards only. A name that begins with a dot belongs to a tool, which may execute the content.
    """
    parts = path.split("/")
    if any(part in ("", ".", "..") for part in parts):
        return "must lead to a file inside the package"
    if not path.isprintable():
        return "must not hold control characters"
    if hidden := next((part for part in parts if part.startswith(".")), ""):
        return f"must not have a part that begins with a dot; found {described(hidden)}"
    if elsewhere := next(filter(leads_elsewhere, parts), ""):
        return f"must not have a backslash or begin a part with a drive, which leads elsewhere on Windows; found {described(elsewhere)}"
    if long := next((part for part in parts if len(_bytes(part)) > _LONGEST), ""):
        return f"must not have a part of more than {_LONGEST} bytes, found one of {len(_bytes(long))}"
    return ""


def leads_elsewhere(part: str) -> bool:
    """Return whether a part of a path, which is a plain name here, is a path of its own where Windows reads it."""
    return "\\" in part or _DRIVE.match(part) is not None


def _octal(c: str) -> str:
    return "".join(f"\\{byte:03o}" for byte in _bytes(c))


def _bytes(name: str) -> bytes:
    """Return the bytes of a name in the file system."""
    return name.encode("utf-8", "surrogateescape")
