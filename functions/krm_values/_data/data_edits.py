"""Edits of plain data in place, and comparisons of values."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from krm_values._data.errors import EditError
from krm_values._data.go_numbers import LEAST, MOST
from krm_values._data.pointer import ABSENT, get, to_field, to_pointer
from krm_values._data.record import record
from krm_values._data.scalars import Text, like, source_of, text_of
from krm_values._data.values import FlowList

if TYPE_CHECKING:
    from typing import Any, TypeAlias, overload

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON

    Edit: TypeAlias = "Put | Remove | Move"


@record
class Put:
    """Set a value, add it, or (`insert`) put it before the element at an index."""

    path: Path
    value: JSON
    insert: bool = False
    after: str | None = None
    flow: bool = False  # a new map or list is written in flow style

    def apply(self, data: JSON) -> None:
        put(data, self.path, copy(self.value), insert=self.insert, after=self.after)


@record
class Remove:
    """Removal of a key or list element."""

    path: Path

    def apply(self, data: JSON) -> None:
        remove(data, self.path)


@record
class Move:
    """Move of a list element to another index."""

    path: Path
    to: int

    def apply(self, data: JSON) -> None:
        move(data, self.path, self.to)


def op(edit: Edit, data: JSON) -> str:
    """Return what an edit of this data is called in RFC 6902: `add`, `replace`, `remove` or `move`."""
    if isinstance(edit, Remove):
        return "remove"
    if isinstance(edit, Move):
        return "move"
    inserts = edit.insert and isinstance(get(data, edit.path[:-1]), list)
    return "add" if inserts or get(data, edit.path, ABSENT) is ABSENT else "replace"


def operation(edit: Edit, data: JSON, above: Path = ()) -> dict[str, JSON]:
    """Return an edit of this data as an operation of RFC 6902. above: the path of the data in what the operation is applied to."""
    made: dict[str, JSON] = {"op": op(edit, data)}
    if isinstance(edit, Move):
        return {**made, "from": to_pointer((*above, *edit.path)), "path": to_pointer((*above, *edit.path[:-1], edit.to))}
    made["path"] = to_pointer((*above, *edit.path))
    return {**made, "value": edit.value} if isinstance(edit, Put) else made


def put(data: JSON, path: Path, value: JSON, *, insert: bool = False, after: str | None = None) -> None:
    """Set a value, add it, or (`insert`) put it before an element. EditError if the parent is missing or has no such place."""
    parent = get(data, path[:-1], ABSENT) if path else None
    last = path[-1] if path else ""
    if isinstance(parent, dict) and isinstance(last, str):
        put_key(parent, last, value, after)
    elif isinstance(parent, list) and isinstance(last, int) and 0 <= last <= len(parent):
        parent[last : last + (not insert)] = [value]
    else:
        raise EditError(_nowhere(path, parent))


def put_key(data: dict[str, JSON], key: str, value: JSON, after: str | None) -> None:
    """Set a key; a new one is placed behind `after` ("" = first, None or an unknown key = last)."""
    if key in data or after is None or (after and (after not in data or after == next(reversed(data)))):
        data[key] = value
        return
    keys = list(data)
    place = keys.index(after) + 1 if after else 0
    data[key] = value
    for name in keys[place:]:
        data[name] = data.pop(name)


def remove(data: JSON, path: Path) -> bool:
    """Remove the key or element at `path`. Return False if there is none."""
    if not path or get(data, path, ABSENT) is ABSENT:
        return False
    parent: Any = get(data, path[:-1])
    del parent[path[-1]]
    return True


def move(data: JSON, path: Path, to: int) -> bool:
    """Move the list element at `path` to index `to`. Return False if it is there already. EditError if there is no such element."""
    elements = get(data, path[:-1], ABSENT) if path else None
    at = path[-1] if path else 0
    if not isinstance(elements, list) or not isinstance(at, int) or not (0 <= at < len(elements) and 0 <= to < len(elements)):
        raise EditError(f"cannot move `{to_field(path)}` to index {to}: there is no such element")
    elements.insert(to, elements.pop(at))
    return at != to


def same(a: object, b: object) -> bool:
    """Return whether two values are the same JSON: numbers by value (1 is 1.0, but not true); the order of keys does not matter."""
    if a is b:
        return True
    if type(a) is str or type(a) is Text:
        return (type(b) is str or type(b) is Text) and a == b
    if isinstance(a, dict):
        return isinstance(b, dict) and a.keys() == b.keys() and all(map(same, a.values(), map(b.__getitem__, a)))
    if isinstance(a, list):
        return isinstance(b, list) and len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return isinstance(a, bool) == isinstance(b, bool) and (a == b or _is_one_float(a, b))
    return type(a) is type(b) and a == b


def key_of(value: object) -> object:
    """Return a key for sets and dicts: equal for values that are the same JSON, as `same` has it."""
    if isinstance(value, dict):
        return "map", frozenset((key, key_of(below)) for key, below in value.items())
    if isinstance(value, list):
        return "list", tuple(map(key_of, value))
    if isinstance(value, float) and math.isnan(value):
        return "number", "nan"
    if isinstance(value, int) and not LEAST <= value <= MOST:
        try:
            return "number", float(value)
        except OverflowError:
            return "number", value
    return "boolean" if isinstance(value, bool) else "number" if isinstance(value, (int, float)) else "", value


def is_written_as(old: JSON, new: JSON) -> bool:
    """Return whether two values are the same and, where `new` remembers its source text, also written alike."""
    source = source_of(new)
    return same(old, new) and (not source or source == (source_of(old) or text_of(old)))


def _is_one_float(a: float, b: float) -> bool:
    """Return whether both are `.nan`, or one is a float and the other a whole number beyond 64 bits that Go reads as that float."""
    if isinstance(a, float) and isinstance(b, float):
        return math.isnan(a) and math.isnan(b)
    digits, number = (b, a) if isinstance(a, float) else (a, b)
    if not isinstance(number, float) or LEAST <= digits <= MOST:
        return False
    try:
        return float(digits) == number
    except OverflowError:
        return False


def is_resized(old: JSON, new: JSON) -> bool:
    """Return whether a key or an element exists in only one of the two values."""
    if isinstance(old, dict) and isinstance(new, dict):
        return old.keys() != new.keys() or any(is_resized(old[key], new[key]) for key in old)
    if isinstance(old, list) and isinstance(new, list):
        return len(old) != len(new) or any(map(is_resized, old, new))
    return any(isinstance(value, (dict, list)) and bool(value) for value in (old, new))


if TYPE_CHECKING:

    @overload
    def copy(value: dict[str, JSON]) -> dict[str, JSON]: ...
    @overload
    def copy(value: JSON) -> JSON: ...


def copy(value: JSON) -> JSON:
    """Return a deep copy of a value."""
    if type(value) is dict:
        return {key: item if type(item) is str else copy(item) for key, item in value.items()}
    if type(value) is list:
        return [item if type(item) is str else copy(item) for item in value]
    if isinstance(value, dict):
        return like(value, {key: copy(item) for key, item in value.items()})
    if isinstance(value, list):
        copies = [copy(item) for item in value]
        return FlowList(copies) if isinstance(value, FlowList) else like(value, copies)
    return value


def _nowhere(path: Path, parent: object) -> str:
    field, above = to_field(path), to_field(path[:-1]) or "the document"
    if parent is ABSENT:
        return f"cannot write `{field}`: `{above}` does not exist; write it first"
    if isinstance(parent, list):
        return f"cannot write `{field}`: the list has {len(parent)} elements"
    if isinstance(parent, dict):
        return f"cannot write `{field}`: `{above}` is a map and has no index"
    return f"cannot write `{field}`: `{above}` is not a map or list"
