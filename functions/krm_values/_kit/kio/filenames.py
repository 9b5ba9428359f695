"""The names of files: how a patch spells them, and which ones a new file may have."""

from __future__ import annotations

from krm_values._data.shown import described

_LONGEST = 255  # bytes of a name
_SHORT = {"\n": "\\n", "\t": "\\t", "\r": "\\r", '"': '\\"', "\\": "\\\\"}


def header(path: str) -> str:
    """A path as the headers of a diff spell it: in quotes, with the escapes that git and patch read, where it is not seen as it is."""
    if path.isprintable() and '"' not in path and "\\" not in path:
        return path
    return '"' + "".join(_SHORT.get(c) or (c if c.isprintable() else _octal(c)) for c in path) + '"'


def wrong_with(path: str) -> str:
    """What forbids a new file of this slash path, "" if nothing does.

    It must lead downwards only. A folder or file whose name begins with a dot belongs to a tool, which may run what is in it.
    """
    parts = path.split("/")
    if any(part in ("", ".", "..") for part in parts):
        return "must lead to a file inside the package"
    if not path.isprintable():
        return "must not hold control characters"
    if hidden := next((part for part in parts if part.startswith(".")), ""):
        return f"must not have a part that begins with a dot; found {described(hidden)}"
    if long := next((part for part in parts if len(_bytes(part)) > _LONGEST), ""):
        return f"must not have a part of more than {_LONGEST} bytes, found one of {len(_bytes(long))}"
    return ""


def _octal(c: str) -> str:
    return "".join(f"\\{byte:03o}" for byte in _bytes(c))


def _bytes(name: str) -> bytes:
    """As a file system holds it."""
    return name.encode("utf-8", "surrogateescape")
