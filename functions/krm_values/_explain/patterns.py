"""Patterns of paths: `controller.replicaCount`, `spec.values.*`, `**.image.tag`, `params[0].value`, `data["values.yaml"]`."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from krm_values._data.errors import UsageError
from krm_values._data.shown import described

if TYPE_CHECKING:
    from krm_values._data.pointer import Path

    Parts = tuple[str, ...]

_ANY_DEPTH = "**"
_ENDS = ".["
_MATCH = re.compile(r"\[[^\[\]\"=]+=")


class Pattern:
    """A pattern and its source. `*` matches one part of a path, `**` any number of parts; within a name `*` matches any characters."""

    __slots__ = ("_any_depth", "_last", "_parts", "_quoted", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        found = _parts(text)
        self._parts = tuple(part for part, _ in found)
        self._quoted = tuple(quoted for _, quoted in found)
        last, quoted = found[-1]
        self._last = "" if not quoted and any(c in last for c in "*?") else last
        self._any_depth = (_ANY_DEPTH, False) in found

    def fits(self, path: Path) -> bool:
        """Return whether the pattern matches a whole path."""
        if not self._any_depth and len(path) != len(self._parts):
            return False
        if self._last and path and str(path[-1]) != self._last:  # nearly always
            return False
        return self._reaches_end(tuple(map(str, path)))

    def __repr__(self) -> str:
        return f"Pattern({self.text!r})"

    def _reaches_end(self, path: Parts) -> bool:
        """Return whether the parts match the whole path, by tracking which positions of the path each part can reach."""
        reached = {0}
        for part, quoted in zip(self._parts, self._quoted, strict=True):
            if part == _ANY_DEPTH and not quoted:
                reached = {*range(min(reached), len(path) + 1)}
            else:
                reached = {one + 1 for one in reached if one < len(path) and _is_one(part, path[one], quoted=quoted)}
            if not reached:
                return False
        return len(path) in reached


def _parts(text: str) -> list[tuple[str, bool]]:
    """Return the parts, each with whether it was quoted. UsageError if the text is not a path."""
    found, at = [], 0
    while at < len(text):
        part, quoted, at = _part(text, at)
        if at < 0:
            break
        found.append((part, quoted))
    if at < 0 or not found:
        advice = ": elements are addressed by number here, as `[0]`, or all, as `[*]`" if _MATCH.search(text) else ""
        must = "must be a path or a pattern of one, as `spec.values.*` or `**.image.tag`"
        raise UsageError(f"{must}; found {described(text)}{advice}")
    return found


def _part(text: str, at: int) -> tuple[str, bool, int]:
    """Return the part that begins at an offset, whether it is quoted, and where it ends (-1 if there is no part)."""
    if text.startswith('["', at):
        end = _quote(text, at + 2)
        return text[at + 2 : end].replace('\\"', '"').replace("\\\\", "\\"), True, end + 2 if text.startswith('"]', end) else -1
    if text[at] == "[":
        end = text.find("]", at)
        index = text[at + 1 : end]
        return index, False, end + 1 if end > 0 and (index == "*" or index.isdigit()) else -1
    at += bool(at and text[at] == ".")
    end = min((found for c in _ENDS if (found := text.find(c, at)) >= 0), default=len(text))
    return text[at:end], False, end if end > at and "]" not in text[at:end] else -1


def _quote(text: str, at: int) -> int:
    """Return the offset of the closing quote, -1 if there is none."""
    while at < len(text) and text[at] != '"':
        at += 1 + (text[at] == "\\")
    return at


def _is_one(part: str, name: str, *, quoted: bool) -> bool:
    if quoted or not any(c in part for c in "*?"):
        return part == name
    return part == "*" or fnmatchcase(name, part.replace("[", "[[]"))
