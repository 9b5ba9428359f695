"""Following a parsed path as k8s.io/client-go/util/jsonpath v0.28.2 does with AllowMissingKeys(true).

Every step takes the values found so far and gives those found next. An absent field gives nothing; a bound, a filter on
what is no list or a comparison of two kinds is an error.
"""

from __future__ import annotations

from krm_values.cartographer_params.govalues import (
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
from krm_values.cartographer_params.jsonpath_nodes import (
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

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Sequence
    from typing import Any

    from krm_values.cartographer_params.govalues import GoValue
    from krm_values.cartographer_params.jsonpath_nodes import Nodes

    Values = Sequence[GoValue]

_RAW_FIELDS = frozenset(("Raw", "-"))
_ORDER: dict[str, Callable[[Any, Any], bool]] = {
    "==": lambda left, right: left == right,
    "!=": lambda left, right: left != right,
    "<": lambda left, right: left < right,
    "<=": lambda left, right: left <= right,
    ">": lambda left, right: left > right,
    ">=": lambda left, right: left >= right,
}


def walk(values: Values, nodes: Nodes) -> Values:
    """Follow the nodes from each of the values. PathError, WaitsError or RefusedError."""
    for node in nodes:
        values = _STEPS[type(node)](values, node)
    return values


def _field(values: Values, node: Field) -> Values:
    found: list[GoValue] = []
    for value in map(_there, values):
        if node.name in _inside(value):
            raise RefusedError
        fields = value.fields if isinstance(value, Struct) else value
        if isinstance(fields, dict) and node.name in fields:
            found.append(fields[node.name])
    return found


def _inside(value: GoValue) -> Container[str]:
    """The names that lead into a value that can only be taken whole."""
    if isinstance(value, Raw):
        return _RAW_FIELDS
    return value.inside if isinstance(value, Opaque | Hidden) else ()


def _wildcard(values: Values, _: Wildcard) -> Values:
    return [below for value in values for below in _below(value)]


def _below(value: GoValue) -> Values:
    value = _there(value)
    if isinstance(value, Raw | Opaque | Hidden):
        raise RefusedError
    return _parts(value)


def _recursive(values: Values, _: Recursive) -> Values:
    found: list[GoValue] = []
    stack = list(reversed(values))
    while stack:
        value = _there(stack.pop())
        below = _parts(value)
        if below:
            found.append(value)
            stack.extend(reversed(below))
    return found


def _parts(value: GoValue) -> Values:
    """What lies directly below a value: the entries of a list or map, the fields of a struct, the bytes of a text."""
    if isinstance(value, dict):
        return tuple(value.values())
    if isinstance(value, Struct):
        return value.parts
    if isinstance(value, str):
        return tuple(map(Byte, value.encode("utf-8", "surrogateescape")))
    if isinstance(value, Raw):
        return (NIL_LIST if value.value is None else RAW_BYTES,)
    if isinstance(value, Opaque):
        return (Hidden(value.inside),)
    if isinstance(value, Hidden):
        return (Byte(0),)
    return value if isinstance(value, list) else ()


def _slice(values: Values, node: Slice) -> Values:
    found: list[GoValue] = []
    for value in map(_there, values):
        if value is None:
            continue
        entries = _entries(value, values, "an index")
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


def _union(values: Values, node: Union) -> Values:
    try:
        return [found for branch in node.branches for found in walk(values, branch)]
    except PathError as error:
        raise PathError(error.fact, tuple(values)) from error


def _filter(values: Values, node: Filter) -> Values:
    found: list[GoValue] = []
    for value in map(_there, values):
        for entry in _entries(value, values, "a filter"):
            if _exists(entry, node) if node.operator == "exists" else _compares(entry, node, values, found):
                found.append(entry)
    return found


def _exists(entry: GoValue, node: Filter) -> bool:
    try:
        return bool(walk((entry,), node.left))
    except PathError as error:
        return bool(error.partial)


def _compares(entry: GoValue, node: Filter, values: Values, found: Values) -> bool:
    try:
        left = _one(walk((entry,), node.left))
        right = _one(walk((entry,), node.right)) if left else ()
    except PathError as error:
        raise PathError(error.fact, tuple(values)) from error
    if not left or not right:
        return False
    if node.operator not in _ORDER:
        raise PathError(f'has the operator "{node.operator}"; there are ==, !=, <, <=, > and >=', tuple(found))
    kinds = _kind(left[0]), _kind(right[0])
    is_order = node.operator not in ("==", "!=")
    if "" in kinds or (is_order and kinds == ("a boolean", "a boolean")):
        raise PathError(f"compares what has no {'order' if is_order else 'plain value'}", tuple(found))
    if kinds[0] != kinds[1]:
        raise PathError(f"compares {kinds[0]} with {kinds[1]}{_numbers(kinds)}", tuple(found))
    return _ORDER[node.operator](left[0], right[0])


def _numbers(kinds: tuple[str, str]) -> str:
    if set(kinds) != {"a whole number", "a float"}:
        return ""
    return "; write 80.0 for 80" if kinds[1] == "a whole number" else "; write 80 for 80.0"


def _one(found: Values) -> Values:
    if len(found) > 1:
        raise PathError("has a filter that compares more than one value")
    if found and found[0] is UNKNOWN:
        raise WaitsError
    return found


def _kind(value: GoValue) -> str:
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, str):
        return "a text"
    if isinstance(value, float):
        return "a float"
    return "a whole number" if isinstance(value, int) else ""


def _entries(value: GoValue, values: Values, what: str) -> Sequence[GoValue]:
    if isinstance(value, list):
        return value
    if isinstance(value, Nil) and value.is_list:
        return ()
    if isinstance(value, Hidden):
        raise RefusedError
    raise PathError(f"has {what} where no list is", tuple(values))


def _text(_: Values, node: Text) -> Values:
    return (node.value,)


def _literal(values: Values, node: Literal) -> Values:
    return (node.value,) * len(values)


def _identifier(values: Values, node: Identifier) -> Values:
    if node.name == "end":
        raise PathError("has `end` without a `range`")
    raise PathError(f'has the bare word "{node.name}"; a name follows a dot', tuple(values))


def _there(value: GoValue) -> GoValue:
    """Through a pointer; a value that is not known yet stops everything."""
    if value is UNKNOWN:
        raise WaitsError
    return value.value if isinstance(value, Pointer) else value


_STEPS: dict[type, Callable[[Any, Any], Values]] = {
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
