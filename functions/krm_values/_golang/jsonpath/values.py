"""What a path walks over: plain data, and Go's typed values where those behave otherwise.

Plain data stands for Go's `interface{}` values: dict, list, str, bool, None, int for its integers, float for its floats.
"""

from __future__ import annotations

from krm_values._data.record import record
from krm_values._golang import encoding_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, TypeAlias

    from krm_values._data.values import JSON

    GoValue: TypeAlias = Any

_SMALLEST, _LARGEST = -(1 << 63), (1 << 63) - 1


class WaitsError(Exception):
    """An expression touched what only a cluster will know."""


class Unknown:
    """Stands in a context where an output is declared but not known."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN = Unknown()


@record
class Struct:
    """A Go struct. fields: by JSON name, those of an inlined struct too, and "" is that struct itself.

    parts: what a wildcard gives. written: what JSON shows.
    """

    fields: Mapping[str, GoValue]
    parts: tuple[GoValue, ...]
    written: Mapping[str, GoValue]


@record
class Raw:
    """A struct that holds raw JSON, as the values of params and inputs are: no path leads below it."""

    value: JSON


@record
class Pointer:
    """A pointer to a scalar that is set; only comparing tells it from the scalar."""

    value: GoValue


@record
class Opaque:
    """A Go value that JSON writes as a scalar but that is a struct inside: a time, a quantity. inside: names in there."""

    value: JSON
    inside: frozenset[str]


class Nil:
    """A list or a map that is not set: null in JSON, and empty for a path."""

    __slots__ = ("is_list",)

    def __init__(self, *, is_list: bool) -> None:
        self.is_list = is_list


class Byte(int):
    """One byte of a text."""


class Hidden:
    """What is inside a Raw or an Opaque, and must never be shown. inside: the names that lead on in there."""

    __slots__ = ("inside",)

    def __init__(self, inside: frozenset[str]) -> None:
        self.inside = inside


class RefusedError(Exception):
    """The expression would reach into what can only be taken whole."""


NIL_LIST, NIL_MAP, RAW_BYTES = Nil(is_list=True), Nil(is_list=False), Hidden(frozenset())


def boxed(value: JSON | Unknown) -> GoValue:
    """Plain data as it stands in a context: every number a float."""
    if isinstance(value, dict):
        return {key: boxed(below) for key, below in value.items()}
    if isinstance(value, list):
        return [boxed(below) for below in value]
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    return float(encoding_json.number(value))


def unstructured(value: JSON) -> GoValue:
    """Plain data as it comes from the API server: whole numbers are integers."""
    if isinstance(value, dict):
        return {key: unstructured(below) for key, below in value.items()}
    if isinstance(value, list):
        return [unstructured(below) for below in value]
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    held = value if isinstance(value, int) else encoding_json.number(value) or 0
    return held if isinstance(held, int) and _SMALLEST <= held <= _LARGEST else float(encoding_json.number(held))


def plain(value: GoValue) -> JSON:
    """A result as JSON gives it back. WaitsError where an unknown output is part of it."""
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
