"""Following paths as k8s.io/client-go/util/jsonpath does: what `kubectl -o jsonpath` means, but for `range`.

Every step takes what is found so far and gives what is found next. A bound, a filter on what is no list or a comparison of
two kinds is an error; a field that is nowhere is one too unless missing keys are allowed (`AllowMissingKeys`).
"""

from __future__ import annotations

from krm_values._kit.govalues import (
    NIL_LIST,
    RAW_BYTES,
    UNKNOWN,
    Byte,
    Hidden,
    Nil,
    Opaque,
    Pointer,
    Raw,
    RefusedError,
    Struct,
    WaitsError,
)
from krm_values._kit.jsonpathcompare import passes
from krm_values._kit.jsonpathnodes import (
    Field,
    Filter,
    Identifier,
    Literal,
    PathError,
    Recursive,
    Slice,
    Text,
    Union,
    Wildcard,
)
from krm_values._kit.jsonpathparser import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Sequence
    from typing import TypeAlias

    from krm_values._kit.govalues import GoValue
    from krm_values._kit.jsonpathnodes import Nodes
    from krm_values._kit.pointer import Path

    Place: TypeAlias = Path | None  # None where it is not known, or where the value stands in the path itself
    Found: TypeAlias = tuple[GoValue, Place]
    Values: TypeAlias = Sequence[Found]

_RAW_FIELDS = frozenset(("Raw", "-"))


def find(data: GoValue, text: str, *, allow_missing: bool) -> list[Values]:
    """What each piece of the text finds in `data`, with its place: a pair of braces is one piece, the text beside it another.

    data: plain data (int and float are Go's int64 and float64) or values of `govalues`. The order below a map's wildcard or
    `..` is the map's own. PathError for everything that is an error upstream, and for `range`.
    """
    return [walk(((data, ()),), nodes, allow_missing=allow_missing) for nodes in parse(text)]


def walk(values: Values, nodes: Nodes, *, allow_missing: bool) -> Values:
    """Follow the nodes from each of the values. PathError, WaitsError or RefusedError."""
    for node in nodes:
        values = _STEPS[type(node)](values, node, allow_missing=allow_missing)
    return values


def _field(values: Values, node: Field, *, allow_missing: bool) -> Values:
    found: list[Found] = []
    for value, place in _there(values):
        if node.name in _inside(value):
            raise RefusedError
        fields = value.fields if isinstance(value, Struct) else value
        if isinstance(fields, dict) and node.name in fields:
            found.append((fields[node.name], _below(place, node.name)))
    if values and not found and not allow_missing:
        raise PathError(f"leads to `{node.name}`, which is not there", missing=True)
    return found


def _inside(value: GoValue) -> Container[str]:
    """The names that lead into a value that can only be taken whole."""
    if isinstance(value, Raw):
        return _RAW_FIELDS
    return value.inside if isinstance(value, Opaque | Hidden) else ()


def _wildcard(values: Values, *_: object, **__: bool) -> Values:
    found: list[Found] = []
    for value, place in _there(values):
        if isinstance(value, Raw | Opaque | Hidden):
            raise RefusedError
        found += _parts(value, place)
    return found


def _recursive(values: Values, *_: object, **__: bool) -> Values:
    found: list[Found] = []
    stack = list(reversed(values))
    while stack:
        ((value, place),) = _there((stack.pop(),))
        below = _parts(value, place)
        if below:
            found.append((value, place))
            stack.extend(reversed(below))
    return found


def _parts(value: GoValue, place: Place) -> Values:
    """What lies directly below a value: the entries of a list or map, the fields of a struct, the bytes of a text."""
    if isinstance(value, dict):
        return [(entry, _below(place, key)) for key, entry in value.items()]
    if isinstance(value, list):
        return [(entry, _below(place, index)) for index, entry in enumerate(value)]
    return [(part, None) for part in _hidden_parts(value)]


def _hidden_parts(value: GoValue) -> Iterable[GoValue]:
    if isinstance(value, Struct):
        return value.parts
    if isinstance(value, str):
        return map(Byte, value.encode("utf-8", "surrogateescape"))
    if isinstance(value, Raw):
        return (NIL_LIST if value.value is None else RAW_BYTES,)
    if isinstance(value, Opaque):
        return (Hidden(value.inside),)
    return (Byte(0),) if isinstance(value, Hidden) else ()


def _slice(values: Values, node: Slice, **_: bool) -> Values:
    found: list[Found] = []
    for value, place in _there(values):
        if value is None:
            continue
        entries = _entries(value, place, values, "an index")
        start, end = _bounds(node, len(entries))
        if start == end:
            return found
        _check(node, start, end, len(entries), values)
        found.extend(entries[start : end : node.step or 1])
    return found


def _bounds(node: Slice, length: int) -> tuple[int, int]:
    start = node.start or 0
    end = length if node.end is None else node.end
    return start + length * (start < 0), end + length * (end < 0 or (end == 0 and node.derived))


def _check(node: Slice, start: int, end: int, length: int, values: Values) -> None:
    entries = f"the list has {length} {'entry' if length == 1 else 'entries'}"
    if not 0 <= start < length:
        raise PathError(f"has the index {node.start or 0}, but {entries}", tuple(values))
    if not 0 <= end <= length:
        raise PathError(f"has a slice that ends at {node.end}, but {entries}", tuple(values))
    if start > end:
        raise PathError("has a slice that ends before it starts", tuple(values))
    if node.step is not None and node.step <= 0:
        raise PathError(f"has the step {node.step}; it must be over 0", tuple(values))


def _union(values: Values, node: Union, *, allow_missing: bool) -> Values:
    try:
        return [found for branch in node.branches for found in walk(values, branch, allow_missing=allow_missing)]
    except PathError as error:
        raise PathError(error.fact, tuple(values), missing=error.missing) from error


def _filter(values: Values, node: Filter, *, allow_missing: bool) -> Values:
    found: list[Found] = []
    for value, place in _there(values):
        for entry in _entries(value, place, values, "a filter"):
            if node.operator == "exists":
                passes = _exists(entry, node.left, allow_missing=allow_missing)
            else:
                passes = _compares(entry, node, values, found, allow_missing=allow_missing)
            if passes:
                found.append(entry)
    return found


def _exists(entry: Found, left: Nodes, *, allow_missing: bool) -> bool:
    try:
        return bool(walk((entry,), left, allow_missing=allow_missing))
    except PathError as error:
        return bool(error.partial)


def _compares(entry: Found, node: Filter, values: Values, found: Values, *, allow_missing: bool) -> bool:
    try:
        left = _one(walk((entry,), node.left, allow_missing=allow_missing))
        right = _one(walk((entry,), node.right, allow_missing=allow_missing)) if left else ()
    except PathError as error:
        raise PathError(f"has a filter that {error.fact}" if error.missing else error.fact, tuple(values)) from error
    if not left or not right:
        return False
    try:
        return passes(left[0], node.operator, right[0])
    except PathError as error:
        raise PathError(error.fact, tuple(found)) from error


def _one(found: Values) -> Sequence[GoValue]:
    if len(found) > 1:
        raise PathError("has a filter that compares more than one value")
    if found and found[0][0] is UNKNOWN:
        raise WaitsError
    return [value for value, _ in found]


def _entries(value: GoValue, place: Place, values: Values, what: str) -> Values:
    if isinstance(value, list):
        return _parts(value, place)
    if isinstance(value, Nil) and value.is_list:
        return ()
    if isinstance(value, Hidden):
        raise RefusedError
    raise PathError(f"has {what} where no list is", tuple(values))


def _text(_: Values, node: Text, **__: bool) -> Values:
    return ((node.value, None),)


def _literal(values: Values, node: Literal, **_: bool) -> Values:
    return ((node.value, None),) * len(values)


def _identifier(values: Values, node: Identifier, **_: bool) -> Values:
    if node.name == "end":
        raise PathError("has `end` without a `range`")
    raise PathError(f'has the bare word "{node.name}"; a name follows a dot', tuple(values))


def _below(place: Place, step: str | int) -> Place:
    return None if place is None else (*place, step)


def _there(values: Values) -> Iterator[Found]:
    """Through pointers; a value that is not known yet stops everything."""
    for value, place in values:
        if value is UNKNOWN:
            raise WaitsError
        yield (value.value, place) if isinstance(value, Pointer) else (value, place)


_STEPS: dict[type, Callable[..., Values]] = {
    Field: _field,
    Wildcard: _wildcard,
    Recursive: _recursive,
    Slice: _slice,
    Union: _union,
    Filter: _filter,
    Text: _text,
    Literal: _literal,
    Identifier: _identifier,
}
