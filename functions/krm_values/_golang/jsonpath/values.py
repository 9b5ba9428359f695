"""Values for paths: plain data, and Go's typed values where they behave differently.

Plain data represents Go's `interface{}` values: dict, list, str, bool, None, int for its integers, float for its floats.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.record import record
from krm_values._golang import encoding_json

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, TypeAlias

    from krm_values._data.values import JSON

    GoValue: TypeAlias = Any

_SMALLEST, _LARGEST = -(1 << 63), (1 << 63) - 1


class WaitsError(Exception):
    """An expression that uses a value which is not known yet."""


class Unknown:
    """A declared value that is not known yet."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN = Unknown()


@record
class Struct:
    """A Go struct. fields: by JSON name, those of an inlined struct too; "" is the inlined struct itself.

    parts: the values of a wildcard. written: the fields that JSON shows.
    """

    fields: Mapping[str, GoValue]
    parts: tuple[GoValue, ...]
    written: Mapping[str, GoValue]


@record
class Raw:
    """A struct that holds raw JSON: no path leads below it."""

    value: JSON


@record
class Pointer:
    """A pointer to a scalar that is set; it differs from the scalar only in comparisons."""

    value: GoValue


@record
class Opaque:
    """A Go value that JSON writes as a scalar but that is a struct inside, such as a time. inside: its names."""

    value: JSON
    inside: frozenset[str]


class Nil:
    """A list or map that is not set: null in JSON, and empty for a path."""

    __slots__ = ("is_list",)

    def __init__(self, *, is_list: bool) -> None:
        self.is_list = is_list


class Byte(int):
    """One byte of a string."""


class Hidden:
    """The inside of a Raw or an Opaque, which is never shown. inside: the names that lead further."""

    __slots__ = ("inside",)

    def __init__(self, inside: frozenset[str]) -> None:
        self.inside = inside


class RefusedError(Exception):
    """An expression that leads into a value which can only be used whole."""


NIL_LIST, NIL_MAP, RAW_BYTES = Nil(is_list=True), Nil(is_list=False), Hidden(frozenset())


def boxed(value: JSON | Unknown) -> GoValue:
    """Convert plain data for an evaluation context: every number is a float."""
    if isinstance(value, dict):
        return {key: boxed(below) for key, below in value.items()}
    if isinstance(value, list):
        return [boxed(below) for below in value]
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    return float(encoding_json.number(value))


def unstructured(value: JSON) -> GoValue:
    """Convert plain data as the API server's clients see it: whole numbers are integers."""
    if isinstance(value, dict):
        return {key: unstructured(below) for key, below in value.items()}
    if isinstance(value, list):
        return [unstructured(below) for below in value]
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    held = value if isinstance(value, int) else encoding_json.number(value) or 0
    return held if isinstance(held, int) and _SMALLEST <= held <= _LARGEST else float(encoding_json.number(held))


def plain(value: GoValue) -> JSON:
    """Convert a result to plain data as its JSON would be. WaitsError if an unknown value is part of it."""
    if isinstance(value, Unknown):
        raise WaitsError
    if isinstance(value, Hidden):
        raise RefusedError
    if isinstance(value, dict):
        return {key: plain(below) for key, below in value.items()}
    if isinstance(value, list):
        return [plain(below) for below in value]
    if isinstance(value, Struct):
        return {name: plain(below) for name, below in value.written.items()}
    if isinstance(value, Raw | Pointer | Opaque):
        return plain(value.value)
    return None if isinstance(value, Nil) else encoding_json.normalised(value)
