"""Paths in the functionConfig: `spec.containers[name=web].image`, `hosts[0]`, `metadata.annotations["a.b/c"]`, `*.hosts`."""

from __future__ import annotations

import re

from krm_values._data.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import UnionType
    from typing import Any, TypeAlias

    from krm_values._data.pointer import Path

    Segment: TypeAlias = "str | int | Each | AnyKey | Match"
    Segments: TypeAlias = tuple[Segment, ...]

WHOLE = "."
_INDEX = re.compile(r"\[(0|[1-9][0-9]{0,8})\]")
_QUOTED = re.compile(r'\["((?:[^"\\]|\\.)*)"\]')
_MATCH = re.compile(r'\[([^\]=\["]+)=(?:"((?:[^"\\]|\\.)*)"|([^\]]*))\]')
_KEY = re.compile(r"(?:[^.\[\]\\]|\\.)+")
_ESCAPED = re.compile(r"\\(.)")
_ADVICE = 'keys are separated by one dot; a key with dots is written `["a.b"]`'


class PathError(ValueError):
    """A path that cannot be parsed, or that is not allowed in its field. `message` says why."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


@record
class Each:
    """`[*]`: every element of a list."""


@record
class AnyKey:
    """`*`: every key of a map."""


@record
class Match:
    """`[name=web]`: every element whose `key` is the string `text`."""

    key: str
    text: str


def parse(text: str) -> Segments:
    """Return the segments of a path; `.` has none. PathError if it cannot be parsed."""
    if text == WHOLE:
        return ()
    at, found = 0, list[str | int | Each | AnyKey | Match]()
    while at < len(text) or not found:
        if text[at : at + 1] == "[":
            segment, at = _bracket(text, at)
        else:
            if found:
                at += 1 if text[at] == "." else _refuse(text)
            segment, at = _key(text, at)
        found.append(segment)
    return tuple(found)


def value_path(text: str) -> Path:
    """Parse the path of one value: keys and indexes only."""
    return _only(text, str | int, "must name one value: only keys and indices may be in it")


def key_path(text: str) -> Path:
    """Parse the path of the map into which values are put: keys only."""
    return _only(text, str, "must have keys only")


def strategy_path(text: str) -> Segments:
    """Parse the path of a merge strategy: keys, `*` and `[*]`."""
    found = parse(text)
    if not found or any(isinstance(segment, int | Match) for segment in found):
        raise PathError("must have keys, `*` and `[*]` only")
    return found


def source_path(text: str) -> Segments:
    """Parse the path that a layer reads: it leads to one value."""
    found = parse(text)
    if any(isinstance(segment, Each | AnyKey) for segment in found):
        raise PathError("must lead to one value: neither `*` nor `[*]` may be in it")
    return found


def field_path(text: str) -> Segments:
    """Parse the path of a field that is written."""
    found = parse(text)
    if not found:
        raise PathError("is the whole resource, which is never written: name a field")
    return found


def _only(text: str, kinds: type[str | int] | UnionType, must: str) -> Path:
    found: tuple[Any, ...] = parse(text)
    if not all(isinstance(segment, kinds) for segment in found):
        raise PathError(must)
    return found


def _bracket(text: str, at: int) -> tuple[Segment, int]:
    if text.startswith("[*]", at):
        return Each(), at + 3
    if found := _INDEX.match(text, at):
        return int(found[1]), found.end()
    if found := _QUOTED.match(text, at):
        return _ESCAPED.sub(r"\1", found[1]), found.end()
    if found := _MATCH.match(text, at):
        wanted = found[3] if found[2] is None else _ESCAPED.sub(r"\1", found[2])
        return Match(found[1].strip(), wanted), found.end()
    raise PathError('cannot be read: a bracket holds an index, `*`, `key=value` or `"a key"`')


def _key(text: str, at: int) -> tuple[Segment, int]:
    found = _KEY.match(text, at)
    if not found:
        raise PathError(f"cannot be read: {_ADVICE}")
    if found[0] == "*":
        return AnyKey(), found.end()
    return _ESCAPED.sub(r"\1", found[0]), found.end()


def _refuse(_: str) -> int:
    raise PathError(f"cannot be read: {_ADVICE}")
