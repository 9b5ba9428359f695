"""Evaluation of paths as in k8s.io/client-go/util/jsonpath, without `range`.

Every step takes the values found so far and returns the next ones. An index out of range, a filter on something that is not a list, and
a comparison of two kinds are errors; so is a missing field unless missing keys are allowed (`AllowMissingKeys`). A walk that visits
too many values is an error here; upstream would finish it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._golang.jsonpath import nodes
from krm_values._golang.jsonpath.budget import Steps, TooFarError, Walk, below
from krm_values._golang.jsonpath.compare import passes
from krm_values._golang.jsonpath.nodes import PathError
from krm_values._golang.jsonpath.parser import parse
from krm_values._golang.jsonpath.values import UNKNOWN, Hidden, Nil, Opaque, Raw, RefusedError, Struct, WaitsError

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Sequence
    from typing import Any

    from krm_values._golang.jsonpath.budget import Found, Values
    from krm_values._golang.jsonpath.nodes import Nodes
    from krm_values._golang.jsonpath.values import GoValue

_RAW_FIELDS = frozenset(("Raw", "-"))


def find(data: GoValue, text: str, *, allow_missing: bool, steps: Steps | None = None) -> list[Values]:
    """Return what each piece of the text finds in `data`, with its path: a pair of braces is one piece, the text beside it another.

    data: plain data (int and float are Go's int64 and float64) or the classes of `values`. Members below a map's wildcard or `..` come in
    the order of the map. steps: the number of values that this walk may visit. PathError for everything that is an error upstream, for
    `range`, and beyond the steps.
    """
    return follow(data, parse(text), allow_missing=allow_missing, steps=steps)


def follow(data: GoValue, pieces: Sequence[Nodes], *, allow_missing: bool, steps: Steps | None = None) -> list[Values]:
    """Return what each piece finds in `data`. PathError, WaitsError or RefusedError."""
    steps = steps or Steps()
    walk = Walk(steps, allow_missing=allow_missing)
    try:
        return [_along(walk, ((data, ()),), piece) for piece in pieces]
    except TooFarError:
        raise PathError(
            f"takes more than {steps.most:,} steps; say which members are meant instead of `..`, `*` and long unions"
        ) from None


def _along(walk: Walk, values: Values, piece: Nodes) -> Values:
    """Follow the nodes of a piece from each of the values."""
    for node in piece:
        values = _STEPS[type(node)](walk, values, node)
    return values


def _field(walk: Walk, values: Values, node: nodes.Field) -> Values:
    found: list[Found] = []
    for value, place in walk.dereferenced(values):
        if node.name in _inside(value):
            raise RefusedError
        fields = value.fields if isinstance(value, Struct) else value
        if isinstance(fields, dict) and node.name in fields:
            found.append((fields[node.name], below(place, node.name)))
    if values and not found and not walk.allow_missing:
        raise PathError(f"leads to `{node.name}`, which does not exist", missing=True)
    return found


def _inside(value: GoValue) -> Container[str]:
    """Return the names that lead into a value that can only be used whole."""
    if isinstance(value, Raw):
        return _RAW_FIELDS
    return value.inside if isinstance(value, Opaque | Hidden) else ()


def _wildcard(walk: Walk, values: Values, _: nodes.Wildcard) -> Values:
    found: list[Found] = []
    for value, place in walk.dereferenced(values):
        if isinstance(value, Raw | Opaque | Hidden):
            raise RefusedError
        found += walk.parts(value, place)
    return found


def _recursive(walk: Walk, values: Values, _: nodes.Recursive) -> Values:
    found: list[Found] = []
    stack = list(reversed(values))
    while stack:
        ((value, place),) = walk.dereferenced((stack.pop(),))
        parts = walk.parts(value, place)
        if parts:
            found.append((value, place))
            stack.extend(reversed(parts))
    return found


def _slice(walk: Walk, values: Values, node: nodes.Slice) -> Values:
    found: list[Found] = []
    for value, place in walk.dereferenced(values):
        if value is None:
            continue
        entries = _entries(value, values, "an index")
        start, end = _bounds(node, len(entries))
        if start == end:
            return found
        _check(node, start, end, len(entries), values)
        wanted = range(start, end, node.step or 1)
        walk.count(len(wanted))
        found.extend((entries[index], below(place, index)) for index in wanted)
    return found


def _bounds(node: nodes.Slice, length: int) -> tuple[int, int]:
    start = node.start or 0
    end = length if node.end is None else node.end
    return start + length * (start < 0), end + length * (end < 0 or (end == 0 and node.derived))


def _check(node: nodes.Slice, start: int, end: int, length: int, values: Values) -> None:
    entries = f"the list has {length} {'entry' if length == 1 else 'entries'}"
    if not 0 <= start < length:
        raise PathError(f"has the index {node.start or 0}, but {entries}", tuple(values))
    if not 0 <= end <= length:
        raise PathError(f"has a slice that ends at {node.end}, but {entries}", tuple(values))
    if start > end:
        raise PathError("has a slice that ends before it starts", tuple(values))
    if node.step is not None and node.step <= 0:
        raise PathError(f"has the step {node.step}; it must be over 0", tuple(values))


def _union(walk: Walk, values: Values, node: nodes.Union) -> Values:
    try:
        return [found for branch in node.branches for found in _along(walk, values, branch)]
    except PathError as error:
        raise PathError(error.fact, tuple(values), missing=error.missing) from error


def _filter(walk: Walk, values: Values, node: nodes.Filter) -> Values:
    found: list[Found] = []
    for value, place in walk.dereferenced(values):
        for entry in walk.parts(_entries(value, values, "a filter"), place):
            passes = (
                _exists(walk, entry, node.left) if node.operator == "exists" else _compares(walk, entry, node, values, found)
            )
            if passes:
                found.append(entry)
    return found


def _exists(walk: Walk, entry: Found, left: Nodes) -> bool:
    try:
        return bool(_along(walk, (entry,), left))
    except PathError as error:
        return bool(error.partial)


def _compares(walk: Walk, entry: Found, node: nodes.Filter, values: Values, found: Values) -> bool:
    try:
        left = _one(_along(walk, (entry,), node.left))
        right = _one(_along(walk, (entry,), node.right)) if left else ()
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


def _entries(value: GoValue, values: Values, what: str) -> list[GoValue]:
    if isinstance(value, list):
        return value
    if isinstance(value, Nil) and value.is_list:
        return []
    if isinstance(value, Hidden):
        raise RefusedError
    raise PathError(f"has {what} where no list is", tuple(values))


def _text(_: Walk, __: Values, node: nodes.Text) -> Values:
    return ((node.value, None),)


def _literal(walk: Walk, values: Values, node: nodes.Literal) -> Values:
    walk.count(len(values))
    return ((node.value, None),) * len(values)


def _identifier(_: Walk, values: Values, node: nodes.Identifier) -> Values:
    if node.name == "end":
        raise PathError("has `end` without a `range`")
    raise PathError(f'has the bare word "{node.name}"; a name follows a dot', tuple(values))


_STEPS: dict[type, Callable[[Walk, Values, Any], Values]] = {
    nodes.Field: _field,
    nodes.Wildcard: _wildcard,
    nodes.Recursive: _recursive,
    nodes.Slice: _slice,
    nodes.Union: _union,
    nodes.Filter: _filter,
    nodes.Text: _text,
    nodes.Literal: _literal,
    nodes.Identifier: _identifier,
}
