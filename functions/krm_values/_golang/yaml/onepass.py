"""Ordinary YAML as Go reads it, in one pass; nearly every document is ordinary.

Not ordinary are merge keys, keys that are not strings, whatever Go refuses, and whatever has a lint.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from krm_values._data.limits import DEFAULT
from krm_values._data.pointer import ABSENT, get
from krm_values._data.scalars.go import is_date, resolve
from krm_values._golang.yaml.decode import number
from krm_values._golang.yaml.lints import ORDINARY, SUSPECT, kind_of
from krm_values._golang.yaml.parser import is_plainly_one
from krm_values._yaml import fastpath
from krm_values._yaml.encoding import LineStarts
from krm_values._yaml.fastpath import UnusualError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from krm_values._data.limits import Limits
    from krm_values._data.pointer import Path
    from krm_values._data.scalars.go import GoScalar
    from krm_values._data.values import JSON

    Place = tuple[int, int]


_FEW = 3


class Starts:
    """The places of the values of an ordinary text. The first few are looked for, then it is parsed again for all."""

    __slots__ = ("_asked", "_data", "_places", "_text")

    def __init__(self, text: str, data: JSON) -> None:
        self._text, self._data, self._asked = text, data, 0
        self._places: dict[Path, Place] | None = None

    def of(self, path: Path) -> tuple[int, int] | None:
        """Return line and column, from 0, of the key or list element at `path`; None if there is none."""
        if self._places is None:
            self._asked += 1
            if path and self._asked <= _FEW and (found := self._start(path)) is not None:
                return self._text.count("\n", 0, found), found - self._text.rfind("\n", 0, found) - 1
            if not path:
                return LineStarts(self._text).place(next(fastpath.starts(self._text)))
            places = map(LineStarts(self._text).place, fastpath.starts(self._text))
            self._places = {(): next(places)}
            _put_places(self._data, places, (), self._places)
        return self._places.get(path)

    def _start(self, path: Path) -> int | None:
        names = [part for part in path if isinstance(part, str)]
        is_there = len(names) == len(path) and get(self._data, path, ABSENT) is not ABSENT
        return fastpath.start_of(self._text, names) if is_there else None


def read(text: str, *, floats: bool, limits: Limits = DEFAULT) -> tuple[JSON, Starts] | None:
    """Return the data of an ordinary text and its places; None for any other text."""
    if not is_plainly_one(text):
        return None
    try:
        data = fastpath.read(text, _FLOATS if floats else _NUMBERS, limits)
    except UnusualError:
        return None
    return data, Starts(text, data)


def _key(text: str) -> str:
    if text == "<<" or not isinstance(resolve(text), str) or is_date(text):
        raise UnusualError
    return text


def _float_value(text: str) -> GoScalar:
    return _value(text, floats=True)


def _value(text: str, *, floats: bool = False) -> GoScalar:
    value = resolve(text)
    if text in ORDINARY or text[0] not in SUSPECT:
        return value
    if kind_of(text, value, floats=floats) or (isinstance(value, float) and not math.isfinite(value)):
        raise UnusualError
    return number(value, floats=floats)


_NUMBERS, _FLOATS = fastpath.Scalars(_value, _key), fastpath.Scalars(_float_value, _key)


def _put_places(value: JSON, places: Iterator[Place], path: Path, found: dict[Path, Place]) -> None:
    """Put the place of each key and list element below a path, in the order of the text."""
    for key, item in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        at = (*path, key)
        found[at] = next(places)
        if type(item) is dict or isinstance(item, list):
            _put_places(item, places, at, found)
