"""Paths in the functionConfig: `spec.containers[name=web].image`, `hosts[0]`, `metadata.annotations["a.b/c"]`, `*.hosts`."""

from __future__ import annotations

import re
from itertools import takewhile
from typing import TYPE_CHECKING

from krm_values._data.pointer import ABSENT, get, index_of, to_field
from krm_values._data.record import record
from krm_values._data.scalars import text_of
from krm_values._data.shown import type_of

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
_UNREADABLE = 'cannot be read: keys are separated by one dot; a key with dots is written `["a.b"]`'
LONGEST = 200
"""Parts of a path."""


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
    """`[name=web]`: every element whose `key` is the string `text`, or a number or boolean that is written so."""

    key: str
    text: str


class Elements:
    """Finds elements of lists by the text of a key. Each element is read once, however many paths lead into its list."""

    __slots__ = ("_read",)

    def __init__(self) -> None:
        self._read: dict[int, tuple[list[Any], dict[str, _ByText]]] = {}

    def find(self, match: Match, elements: list[Any], path: Path) -> list[int]:
        """Return the indices of the elements of a list at a path. AmbiguousError if the key is a number in one and a string in another."""
        by_text = self._read.setdefault(id(elements), (elements, {}))[1].setdefault(match.key, _ByText())
        found = by_text.read(elements, match.key).get(match.text, [])
        types = [type_of(elements[index][match.key]) for index in found]
        other = next((index for index, its_type in zip(found, types, strict=True) if its_type != types[0]), 0)
        if other:
            raise AmbiguousError(*((*path, index, match.key) for index in (found[0], other)))
        return found

    def will_change(self, data: Any, path: Path) -> None:
        """Forget what was read of a list whose element is about to be replaced or to get another text. One more at its end needs no call."""
        *above, last = path
        elements: Any = get(data, (*above,)) if isinstance(last, int) else ()
        if isinstance(last, int) and last < len(elements):
            self._read.pop(id(elements), None)
        elif above and isinstance(above[-1], int) and (known := self._read.get(id(get(data, (*above[:-1],))))):
            known[1].pop(str(last), None)


class _ByText(dict[str, list[int]]):
    """The indices of a list's elements by the text of a key, as far as the list was read."""

    size = 0

    def read(self, elements: list[Any], key: str) -> _ByText:
        """Read what the list has now beyond that."""
        for index in range(self.size, len(elements)):
            one = elements[index]
            value = one.get(key) if isinstance(one, dict) else None
            if value is not None and not isinstance(value, (dict, list)):
                self.setdefault(text_of(value), []).append(index)
        self.size = len(elements)
        return self


class AmbiguousError(Exception):
    """`[port=80]` where one element has the number and another one the string. Their places are its arguments."""


def parse(text: str) -> Segments:
    """Return the segments of a path; `.` has none. PathError if it cannot be parsed."""
    if text == WHOLE:
        return ()
    if text.startswith("/"):
        raise _slashes(text)
    at = 0
    found: list[Segment] = []
    while at < len(text) or not found:
        if text[at : at + 1] == "[":
            segment, at = _bracket(text, at)
        elif found and text[at] != ".":
            raise PathError(_UNREADABLE)
        else:
            segment, at = _key(text, at + 1 if found else at)
        found.append(segment)
        if len(found) > LONGEST:
            raise PathError(f"must have at most {LONGEST} parts: no resource is that deep")
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
    if not found or any(isinstance(segment, (int, Match)) for segment in found):
        raise PathError("must have keys, `*` and `[*]` only")
    return found


def source_path(text: str) -> Segments:
    """Parse the path that a layer reads: it leads to one value."""
    found = parse(text)
    if any(isinstance(segment, (Each, AnyKey)) for segment in found):
        raise PathError("must lead to one value: neither `*` nor `[*]` may be in it")
    return found


def field_path(text: str) -> Segments:
    """Parse the path of a field that is written."""
    found = parse(text)
    if not found:
        raise PathError("is the whole resource, which is never written: name a field")
    if isinstance(found[0], str) and "/" in found[0] and not text.startswith("["):
        raise _slashes(text)
    return found


def path_text(segments: Segments) -> str:
    """Return the text of a path."""
    text = ""
    for one in segments:
        if isinstance(one, (str, AnyKey)):
            key = "*" if isinstance(one, AnyKey) else to_field((one,))
            text += f".{key}" if text and not key.startswith("[") else key
        elif isinstance(one, Match):
            value = to_field((one.text,))
            text += f"[{one.key}={value.removeprefix('[').removesuffix(']')}]"
        else:
            text += "[*]" if isinstance(one, Each) else f"[{one}]"
    return text


def down(value: Any, segments: Segments, elements: Elements, above: Path = ()) -> tuple[Any, Path, Segments]:
    """Follow a path to one value. Return the value, its path in keys and indices, and the segments that remain below a text; ABSENT if there is none.

    above: the path of the value, for an AmbiguousError.
    """
    path: Path = ()
    for number, segment in enumerate(segments):
        if isinstance(value, str):
            return value, path, segments[number:]
        part = _named(value, segment, elements, (*above, *path))
        if part is None:
            return ABSENT, path, segments[number:]
        value, path = value[part], (*path, part)
    return value, path, ()


_MOST_DOTS = 20  # in a key that a message suggests


def with_dots(data: Any, path: Path, segments: Segments) -> Segments:
    """Return the segments of the path that was meant, where a key of the data has dots and was read as several keys; () if there is none.

    path: the place in the data to which the first segments lead, and beyond which the others do not.
    """
    for start in range(len(path), -1, -1):
        parent = get(data, path[:start])
        if not isinstance(parent, dict):
            continue
        names = [one for one in takewhile(lambda one: isinstance(one, str), segments[start:]) if isinstance(one, str)]
        for end in range(min(len(names), _MOST_DOTS + 1), max(1, len(path) - start), -1):
            if (key := ".".join(names[:end])) in parent:
                return (*segments[:start], key, *segments[start + end :])
    return ()


def _named(value: Any, segment: Segment, elements: Elements, path: Path) -> str | int | None:
    """Return the key or index of the one value that a segment names."""
    if isinstance(segment, Match) and isinstance(value, list):
        found = elements.find(segment, value, path)
        return found[0] if len(found) == 1 else None
    if isinstance(segment, int) and isinstance(value, list):
        return segment if segment < len(value) else None
    return segment if isinstance(segment, str) and isinstance(value, dict) and segment in value else None


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
        raise PathError(_UNREADABLE)
    if found[0] == "*":
        return AnyKey(), found.end()
    if found[0][0] in "\"'":
        raise _quoted_key(text, at)
    return _ESCAPED.sub(r"\1", found[0]), found.end()


def _quoted_key(text: str, at: int) -> PathError:
    """Return the error for `m."8443"`, with the path that was meant."""
    key, _, rest = text[at + 1 :].partition(text[at])
    escaped = re.sub(r'(["\\])', r"\\\1", key)
    meant = f'{text[:at].removesuffix(".")}["{escaped}"]{rest}'
    return PathError(f"has a key that begins with a quote; a key is quoted in brackets: `{meant}`")


def with_index(segments: Segments, size: int) -> Segments:
    """Return the path that was meant, where `.0` or `.*`, as kustomize writes them, follow a list; () otherwise. size: of the path to the list."""
    one = segments[size] if size < len(segments) else ""
    index = index_of(one) if isinstance(one, str) else None
    if index is None and not isinstance(one, AnyKey):
        return ()
    return (*segments[:size], Each() if index is None else index, *segments[size + 1 :])


def _slashes(text: str) -> PathError:
    parts = [part.replace("~1", "/").replace("~0", "~") for part in text.split("/") if part]
    indexed = [part if (index := index_of(part)) is None else index for part in parts]
    meant = to_field((*indexed,)) if len(parts) > 1 else "".join(parts)
    form = f": `{meant}`" if meant else ""
    return PathError(
        f"separates keys with slashes; separate keys with dots{form} (one key with slashes is `{to_field((text,))}`)"
    )
