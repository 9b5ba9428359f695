"""Ordinary texts read in one pass, straight from the parser's events: what nearly every layer of values is.

Anchors, tags, merge keys, keys that are no texts, whatever Go refuses and whatever there is to be said of a text are not ordinary.
"""

from __future__ import annotations

import math

from krm_values._kit.godecode import number
from krm_values._kit.gofacts import ORDINARY, SUSPECT, kind_of
from krm_values._kit.goparser import is_plainly_one
from krm_values._kit.goscalars import resolve
from krm_values._kit.parser import (
    DEPTH,
    DocumentEnd,
    DocumentStart,
    MappingEnd,
    MappingStart,
    Scalar,
    SequenceEnd,
    StreamEnd,
    YAMLError,
    events,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, TypeAlias

    from krm_values._kit.data import JSON
    from krm_values._kit.goscalars import GoScalar
    from krm_values._kit.parser import Next
    from krm_values._kit.pointer import Path

    Places: TypeAlias = dict[str | int, "tuple[int, Places]"]

_NO_PLACES: Places = {}


class Numbers:
    """Where the values of an ordinary text stand: the lines of its root, keys and list elements, in the order of the data."""

    __slots__ = ("_data", "_lines", "_places")

    def __init__(self, data: JSON, lines: list[int]) -> None:
        self._data, self._lines = data, lines
        self._places: tuple[int, Places] | None = None

    def of(self, path: Path) -> int | None:
        """The line from 1 of the key or list element at `path`; None where there is none."""
        if self._places is None:
            lines = iter(self._lines)
            self._places = next(lines), _places(self._data, lines)
        place: tuple[int, Places] | None = self._places
        for part in path:
            place = place[1].get(part) if place else None
        return place[0] + 1 if place else None


def read(text: str, *, floats: bool) -> tuple[JSON, Numbers] | None:
    """The data of an ordinary text and its lines; None of any other."""
    if not is_plainly_one(text):
        return None
    reader = _Reader(events(text), floats=floats)
    try:
        data = reader.document()
    except (_UnusualError, YAMLError):
        return None
    return data, Numbers(data, reader.lines)


class _UnusualError(Exception):
    """Not an ordinary text."""


class _Reader:
    """One reading. `_values` and `_keys` are the plain scalars met so far: most come again and again."""

    __slots__ = ("_depth", "_floats", "_get", "_keys", "_values", "lines")

    def __init__(self, get: Next, *, floats: bool) -> None:
        self._get, self._floats, self._depth = get, floats, 0
        self._keys: set[str] = set()
        self._values: dict[str, GoScalar] = {}
        self.lines: list[int] = []

    def document(self) -> JSON:
        """The data of the only document."""
        self._get()
        start: Any = self._get()
        if type(start) is not DocumentStart or start.version or start.tags:
            raise _UnusualError
        root = self._get()
        self.lines.append(root.start_mark.line)
        data = self._value(root)
        if type(self._get()) is not DocumentEnd or type(self._get()) is not StreamEnd:
            raise _UnusualError
        return data

    def _value(self, event: Any) -> JSON:
        kind = type(event)
        if event.anchor or event.tag:
            raise _UnusualError
        if kind is Scalar:
            return event.value if event.style else self._plain(event.value)
        self._depth += 1
        if self._depth > DEPTH:
            raise _UnusualError
        value = self._map() if kind is MappingStart else self._list()
        self._depth -= 1
        return value

    def _map(self) -> dict[str, JSON]:
        found: dict[str, JSON] = {}
        get, keys, lines = self._get, self._keys, self.lines
        event: Any
        while type(event := get()) is Scalar:
            key = event.value
            if not event.style and key not in keys:
                keys.add(_ordinary_key(key))
            if key in found or event.anchor or event.tag:
                raise _UnusualError
            lines.append(event.start_mark.line)  # type: ignore[union-attr]
            found[key] = self._value(get())
        if type(event) is not MappingEnd:
            raise _UnusualError
        return found

    def _list(self) -> list[JSON]:
        found: list[JSON] = []
        while True:
            event: Any = self._get()
            if type(event) is SequenceEnd:
                return found
            self.lines.append(event.start_mark.line)
            found.append(self._value(event))

    def _plain(self, text: str) -> JSON:
        values = self._values
        if text not in values:
            values[text] = _ordinary(text, floats=self._floats)
        return values[text]


def _ordinary_key(text: str) -> str:
    if text == "<<" or not isinstance(resolve(text), str) or kind_of(text, text, floats=True):
        raise _UnusualError
    return text


def _ordinary(text: str, *, floats: bool) -> GoScalar:
    value = resolve(text)
    if text in ORDINARY or text[0] not in SUSPECT:
        return value
    if kind_of(text, value, floats=floats) or (isinstance(value, float) and not math.isfinite(value)):
        raise _UnusualError
    return number(value, floats=floats)


def _places(value: JSON, lines: Iterator[int]) -> Places:
    if isinstance(value, dict):
        return {key: (next(lines), _places(item, lines)) for key, item in value.items()}
    if isinstance(value, list):
        return {index: (next(lines), _places(item, lines)) for index, item in enumerate(value)}
    return _NO_PLACES
