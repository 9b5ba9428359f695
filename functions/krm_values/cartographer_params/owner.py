"""The typed view of an owner: its fields as the controller reads them through its Go type (rules 45, 73 and 76)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._golang.jsonpath.values import NIL_LIST, NIL_MAP, Nil, Opaque, Pointer, Raw, Struct
from krm_values.cartographer_params.kinds import (
    BOOLEAN,
    NUMBER,
    OWNERS,
    QUANTITY,
    RAW,
    STRING,
    TIME,
    Fields,
    ListOf,
    MapOf,
    Ptr,
)
from krm_values.cartographer_params.quantity import canonical
from krm_values.cartographer_params.times import in_utc

if TYPE_CHECKING:
    from collections.abc import Callable

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._golang.jsonpath.values import GoValue
    from krm_values.cartographer_params.kinds import GoType

_IN_TIME = frozenset(("", "Time", "wall", "ext", "loc"))
_IN_LOCATION = frozenset(("name", "zone", "tx", "extend", "cacheStart", "cacheEnd", "cacheZone"))
_IN_QUANTITY = frozenset(("", "i", "d", "s", "Format", "value", "scale", "Dec", "unscaled"))


class OwnerTypeError(Exception):
    """A field of an owner that the API server refuses. path: within the owner. wanted: the type that it must have."""

    def __init__(self, path: Path, wanted: str, found: JSON) -> None:
        super().__init__(f"must be {wanted}")
        self.path, self.wanted, self.found = path, wanted, found


def typed(owner: dict[str, JSON]) -> Struct:
    """Return the typed view of a Workload, Deliverable or Runnable. Raises OwnerTypeError.

    Fields that the type lacks are dropped. Unset fields are present: null for pointers, lists and maps, "" and 0 for scalars,
    {} for structs such as `spec.build`.
    """
    return _struct(OWNERS[str(owner["kind"])], owner, ())


def _struct(fields: Fields, value: JSON, path: Path) -> Struct:
    value = {} if value is None else value
    if not isinstance(value, dict):
        raise OwnerTypeError(path, "a map", value)
    inlined = _struct(fields.inlined, value, path) if fields.inlined else None
    found: dict[str, GoValue] = {**inlined.fields, "": inlined} if inlined else {}
    written: dict[str, GoValue] = dict(inlined.written) if inlined else {}
    for marked, kind in fields.names.items():
        name = marked.removesuffix("!")
        found[name] = _made(kind, value.get(name), (*path, name))
        if name != marked or not _is_empty(found[name]):
            written[name] = found[name]
    own = tuple(found[name.removesuffix("!")] for name in fields.names)
    return Struct(found, (inlined, *own) if inlined else own, written)


def _made(kind: GoType, value: JSON, path: Path) -> GoValue:
    if isinstance(kind, Fields):
        return _struct(kind, value, path)
    if isinstance(kind, Ptr):
        made = None if value is None else _made(kind.to, value, path)
        return Pointer(made) if isinstance(made, str | int) else made
    if isinstance(kind, ListOf):
        return _list(kind, value, path)
    return _map(kind, value, path) if isinstance(kind, MapOf) else _SCALARS[kind](value, path)


def _list(kind: ListOf, value: JSON, path: Path) -> GoValue:
    if value is None:
        return NIL_LIST
    if not isinstance(value, list):
        raise OwnerTypeError(path, "a list", value)
    return [_made(kind.entries, entry, (*path, index)) for index, entry in enumerate(value)]


def _map(kind: MapOf, value: JSON, path: Path) -> GoValue:
    if value is None:
        return NIL_MAP
    if not isinstance(value, dict):
        raise OwnerTypeError(path, "a map", value)
    return {key: _made(kind.entries, below, (*path, key)) for key, below in value.items()}


def _string(value: JSON, path: Path) -> GoValue:
    if value is not None and not isinstance(value, str):
        raise OwnerTypeError(path, "a string", value)
    return value or ""


def _number(value: JSON, path: Path) -> GoValue:
    if isinstance(value, bool) or not isinstance(value, int | None):
        raise OwnerTypeError(path, "a whole number", value)
    return value or 0


def _boolean(value: JSON, path: Path) -> GoValue:
    if not isinstance(value, bool | None):
        raise OwnerTypeError(path, "true or false", value)
    return value or False


def _time(value: JSON, path: Path) -> GoValue:
    found = in_utc(value) if isinstance(value, str) else None
    if value is not None and found is None:
        raise OwnerTypeError(path, "a time such as 2024-05-17T09:30:00Z", value)
    return Opaque(found or None, _IN_TIME | _IN_LOCATION if found else _IN_TIME)


def _quantity(value: JSON, path: Path) -> GoValue:
    found = canonical(value)
    if found is None:
        raise OwnerTypeError(path, "a quantity such as 500m or 1Gi", value)
    return Opaque(found, _IN_QUANTITY)


def _raw(value: JSON, _: Path) -> GoValue:
    return Raw(value)


def _is_empty(value: GoValue) -> bool:
    """Return whether Go's `omitempty` leaves it out, which it never does with structs."""
    return value is None or isinstance(value, Nil) or (isinstance(value, str | int | list | dict) and not value)


_SCALARS: dict[str, Callable[[JSON, Path], GoValue]] = {
    STRING: _string,
    NUMBER: _number,
    BOOLEAN: _boolean,
    TIME: _time,
    QUANTITY: _quantity,
    RAW: _raw,
}
