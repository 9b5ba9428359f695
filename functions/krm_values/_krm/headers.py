"""apiVersion, kind, namespace and name of an item, found without parsing all of it."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

from krm_values._data.errors import InputError
from krm_values._data.limits import DEFAULT
from krm_values._data.scalars import read_plain, text_of
from krm_values._krm.item import Header
from krm_values._yaml import decode, encoding
from krm_values._yaml.parser import ENDS, STARTS, Alias, MappingEnd, MappingStart, Scalar, YAMLError, events

if TYPE_CHECKING:
    from typing import Any

    from krm_values._data.limits import Limits
    from krm_values._yaml.nodes import Outer
    from krm_values._yaml.parser import Next


# a plain, double-quoted or single-quoted value: three groups, of which one matches; `_one` gets the number of the first
_VALUE = rb"(?:((?![nN]ull|NULL)[A-Za-z0-9][\w./\-]*+(?::[\w./\-]++)*)|\"([\w./:\-]++)\"|'([\w./:\-]++)')"
_END = rb"(?: +(?:#[^\n]*+)?)?\n"


class Patterns:
    """Header patterns for items whose keys are at one column.

    Sound where no quoted scalar and no flow collection of the item spans a line break (`scan` proves that): each value is simple, and the
    line after it is not deeper, so the value ends there. Anything else is left to the parser.
    """

    def __init__(self, column: int) -> None:
        key, below = b" " * column, b" " * (column + 2)
        self._next_top, self._next_below = (rb"(?= {0,%d}[^ #\n]|\Z)" % depth for depth in (column, column + 2))
        self._top = (
            rb"(?: *\n| *#[^\n]*+\n)* *apiVersion: "
            + _VALUE
            + _END
            + key
            + b"kind: "
            + _VALUE
            + _END
            + key
            + b"metadata:"
            + _END
        )
        self._key = below
        self._keys = (below + b"name: " + _VALUE + _END, below + b"namespace: " + _VALUE + _END)
        self._usual = re.compile(self._top + b"".join(self._keys) + self._next_below)

    @cached_property  # compiled only for lists with other items than the usual ones
    def _metadata(self) -> re.Pattern[bytes]:
        line = self._key + rb"(?:[ #][^\n]*+|- [^\n]*+|[A-Za-z][\w./\-]*+:(?: [^\n]*+)?)\n"
        first = self._key + rb"[A-Za-z][\w./\-]*+:(?: [^\n]*+)?\n"  # so metadata is a block map whose keys are here
        return re.compile(self._top + b"(" + first + b"(?:" + line + b")*)" + self._next_top)

    @cached_property
    def _names(self) -> list[re.Pattern[bytes]]:
        return [re.compile(rb"(?m)^" + key + self._next_below) for key in self._keys]

    def match(self, data: bytes, start: int, end: int) -> tuple[bytes, bytes, bytes, bytes] | None:
        """Return apiVersion, kind, namespace and name; None if the item does not have the usual form. `start` is behind the dash."""
        found = self._usual.match(data, start, end)
        if found:  # in the order of the text: apiVersion, kind, name, namespace
            return _one(found, 1), _one(found, 4), _one(found, 10), _one(found, 7)
        found = self._metadata.match(data, start, end)
        if not found or b"<<" in found[7]:
            return None
        of_name, of_namespace = self._names
        name, namespace = self._only(of_name, b"name:", found[7]), self._only(of_namespace, b"namespace:", found[7])
        if not name or namespace is None:
            return None
        return _one(found, 1), _one(found, 4), namespace, name

    def _only(self, pattern: re.Pattern[bytes], key: bytes, metadata: bytes) -> bytes | None:
        """Return the simple value of a key of metadata; b"" if the key is absent, None if its value is not simple."""
        whole = self._key + key
        times = metadata.count(whole) - metadata.count(b" " + whole)
        if not times:
            return b""
        found = pattern.search(metadata)
        return _one(found, 1) if found and times == 1 else None


def read(text: bytes, outer: Outer | None = None, limits: Limits = DEFAULT) -> Header:
    """Return the header of one document, from the parser's events, up to the first error; the first of repeated keys counts."""
    found: dict[str, str] = {}
    try:
        special = _walk(events(text), found)
    except YAMLError:
        joined = encoding.join_surrogates(text.decode())
        return read(joined.encode(), outer, limits) if joined else _header(found)
    except _TooDeepError:
        return _header(found)
    return _header(_from_data(text, outer, limits) or found if special else found)


class _TooDeepError(Exception):
    """Collections that nest too deeply; the parser's time would grow with the square of their number."""


def _header(found: dict[str, str]) -> Header:
    return Header(*(found.get(key, "") for key in ("apiVersion", "kind", "namespace", "name")))


def _one(found: re.Match[bytes], group: int) -> bytes:
    return found[group] or found[group + 1] or found[group + 2]


def _walk(get: Next, found: dict[str, str]) -> bool:
    """Collect the header fields of the document. Return True if an alias or merge key is involved."""
    get(), get()
    if type(get()) is not MappingStart:
        return False
    special = False
    while not {"apiVersion", "kind", "metadata"} <= found.keys():
        key = get()
        if type(key) is MappingEnd:
            break
        name, value = _skip(key, get), get()
        special |= name == "<<" or (name in ("apiVersion", "kind", "metadata") and type(value) is Alias)
        if name == "metadata" and type(value) is MappingStart and name not in found:
            found["metadata"] = ""
            special |= _metadata(get, found)
        elif name in ("apiVersion", "kind") and type(value) is Scalar:
            found.setdefault(name, _text(value))
        else:
            _skip(value, get)
    return special


def _metadata(get: Next, found: dict[str, str]) -> bool:
    special = False
    while type(key := get()) is not MappingEnd:
        name, value = _skip(key, get), get()
        special |= name == "<<" or (name in ("name", "namespace") and type(value) is Alias)
        if name in ("name", "namespace") and type(value) is Scalar:
            found.setdefault(name, _text(value))
        else:
            _skip(value, get)
    return special


def _text(scalar: Any) -> str:
    value: str = scalar.value
    return value if scalar.style or read_plain(value) is not None else ""


def _skip(event: Any, get: Next) -> str:
    """Skip to the end of the node that begins with `event`; return its text if it is a scalar."""
    if type(event) is Scalar:
        text: str = event.value
        return text
    depth = 0
    while True:
        depth += (type(event) in STARTS) - (type(event) in ENDS)
        if not depth:
            return ""
        if depth > DEFAULT.depth:
            raise _TooDeepError
        event = get()


def _from_data(text: bytes, outer: Outer | None, limits: Limits) -> dict[str, str]:
    try:
        data = decode.to_data(decode.parse(text.decode(), outer, limits), limits=limits)
    except InputError:
        return {}
    if not isinstance(data, dict):
        return {}
    metadata = data.get("metadata")
    below = metadata if isinstance(metadata, dict) else {}
    pairs = [("apiVersion", data), ("kind", data), ("namespace", below), ("name", below)]
    return {key: text_of(holder[key]) for key, holder in pairs if isinstance(holder.get(key), (str, int, float))}
