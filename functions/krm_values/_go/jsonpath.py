"""Evaluation of paths as in k8s.io/client-go/util/jsonpath, without `range`.

Every step takes the values found so far and returns the next ones. An index out of range, a filter on something that is not a list, and
a comparison of two kinds are errors; so is a missing field unless missing keys are allowed (`AllowMissingKeys`). A walk that visits
too many values is an error here; upstream would finish it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.limits import Budget
from krm_values._data.record import record
from krm_values._go import encoding_json, jsonpath_parser
from krm_values._go.jsonpath_parser import PathError, parse

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
    from typing import Any, TypeAlias

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._go.jsonpath_parser import Nodes

    GoValue: TypeAlias = Any
    Place: TypeAlias = Path | None  # None where it is not known, or where the value is part of the path itself
    Found: TypeAlias = tuple[GoValue, Place]
    Values: TypeAlias = Sequence[Found]


_RAW_FIELDS = frozenset(("Raw", "-"))


def find(data: GoValue, text: str, *, allow_missing: bool, steps: Budget | None = None) -> list[Values]:
    """Return what each piece of the text finds in `data`, with its path: a pair of braces is one piece, the text beside it another.

    data: plain data (int and float are Go's int64 and float64) or the classes of `values`. Members below a map's wildcard or `..` come in
    the order of the map. steps: the number of values that this walk may visit. PathError for everything that is an error upstream, for
    `range`, and beyond the steps.
    """
    return follow(data, parse(text), allow_missing=allow_missing, steps=steps)


def follow(data: GoValue, pieces: Sequence[Nodes], *, allow_missing: bool, steps: Budget | None = None) -> list[Values]:
    """Return what each piece finds in `data`. PathError, WaitsError or RefusedError."""
    steps = steps or steps_of_walk()
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


def _field(walk: Walk, values: Values, node: jsonpath_parser.Field) -> Values:
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
    return value.inside if isinstance(value, (Opaque, Hidden)) else ()


def _wildcard(walk: Walk, values: Values, _: jsonpath_parser.Wildcard) -> Values:
    found: list[Found] = []
    for value, place in walk.dereferenced(values):
        if isinstance(value, (Raw, Opaque, Hidden)):
            raise RefusedError
        found += walk.parts(value, place)
    return found


def _recursive(walk: Walk, values: Values, _: jsonpath_parser.Recursive) -> Values:
    found: list[Found] = []
    stack = list(reversed(values))
    while stack:
        ((value, place),) = walk.dereferenced((stack.pop(),))
        parts = walk.parts(value, place)
        if parts:
            found.append((value, place))
            stack.extend(reversed(parts))
    return found


def _slice(walk: Walk, values: Values, node: jsonpath_parser.Slice) -> Values:
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


def _bounds(node: jsonpath_parser.Slice, length: int) -> tuple[int, int]:
    start = node.start or 0
    end = length if node.end is None else node.end
    return start + length * (start < 0), end + length * (end < 0 or (end == 0 and node.derived))


def _check(node: jsonpath_parser.Slice, start: int, end: int, length: int, values: Values) -> None:
    entries = f"the list has {length} {'entry' if length == 1 else 'entries'}"
    if not 0 <= start < length:
        raise PathError(f"has the index {node.start or 0}, but {entries}", tuple(values))
    if not 0 <= end <= length:
        raise PathError(f"has a slice that ends at {node.end}, but {entries}", tuple(values))
    if start > end:
        raise PathError("has a slice that ends before it starts", tuple(values))
    if node.step is not None and node.step <= 0:
        raise PathError(f"has the step {node.step}; it must be over 0", tuple(values))


def _union(walk: Walk, values: Values, node: jsonpath_parser.Union) -> Values:
    try:
        return [found for branch in node.branches for found in _along(walk, values, branch)]
    except PathError as error:
        raise PathError(error.fact, tuple(values), missing=error.missing) from error


def _filter(walk: Walk, values: Values, node: jsonpath_parser.Filter) -> Values:
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


def _compares(walk: Walk, entry: Found, node: jsonpath_parser.Filter, values: Values, found: Values) -> bool:
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


def _text(_: Walk, __: Values, node: jsonpath_parser.QuotedText) -> Values:
    return ((node.value, None),)


def _literal(walk: Walk, values: Values, node: jsonpath_parser.Literal) -> Values:
    walk.count(len(values))
    return ((node.value, None),) * len(values)


def _identifier(_: Walk, values: Values, node: jsonpath_parser.Identifier) -> Values:
    if node.name == "end":
        raise PathError("has `end` without a `range`")
    raise PathError(f'has the bare word "{node.name}"; a name follows a dot', tuple(values))


_STEPS: dict[type, Callable[[Walk, Values, Any], Values]] = {
    jsonpath_parser.Field: _field,
    jsonpath_parser.Wildcard: _wildcard,
    jsonpath_parser.Recursive: _recursive,
    jsonpath_parser.Slice: _slice,
    jsonpath_parser.Union: _union,
    jsonpath_parser.Filter: _filter,
    jsonpath_parser.QuotedText: _text,
    jsonpath_parser.Literal: _literal,
    jsonpath_parser.Identifier: _identifier,
}


# Comparisons in JSONPath filters: as in Go's templates, each kind compares only with itself.

_ORDER: dict[str, Callable[[Any, Any], bool]] = {
    "==": lambda left, right: left == right,
    "!=": lambda left, right: left != right,
    "<": lambda left, right: left < right,
    "<=": lambda left, right: left <= right,
    ">": lambda left, right: left > right,
    ">=": lambda left, right: left >= right,
}


def passes(left: GoValue, operator: str, right: GoValue) -> bool:
    """Return whether the comparison holds. PathError for an unknown operator and for kinds that do not compare."""
    if operator not in _ORDER:
        raise PathError(f'has the operator "{operator}"; there are ==, !=, <, <=, > and >=')
    kinds = _kind(left), _kind(right)
    is_order = operator not in ("==", "!=")
    if "" in kinds or (is_order and kinds == ("a boolean", "a boolean")):
        raise PathError(f"compares what has no {'order' if is_order else 'plain value'}")
    if kinds[0] != kinds[1]:
        raise PathError(f"compares {kinds[0]} with {kinds[1]}{_numbers(kinds)}")
    return _ORDER[operator](left, right)


def _kind(value: GoValue) -> str:
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, str):
        return "a string"
    if isinstance(value, float):
        return "a float"
    return "a whole number" if isinstance(value, int) else ""


def _numbers(kinds: tuple[str, str]) -> str:
    if set(kinds) != {"a whole number", "a float"}:
        return ""
    return "; write 80.0 for 80" if kinds[1] == "a whole number" else "; write 80 for 80.0"


# Values for paths: plain data, and Go's typed values where they behave differently.
#
# Plain data represents Go's `interface{}` values: dict, list, str, bool, None, int for its integers, float for its floats.

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
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return value
    return float(encoding_json.number(value))


def unstructured(value: JSON) -> GoValue:
    """Convert plain data as the API server's clients see it: whole numbers are integers."""
    if isinstance(value, dict):
        return {key: unstructured(below) for key, below in value.items()}
    if isinstance(value, list):
        return [unstructured(below) for below in value]
    if isinstance(value, bool) or not isinstance(value, (int, float)):
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
    if isinstance(value, (Raw, Pointer, Opaque)):
        return plain(value.value)
    return None if isinstance(value, Nil) else encoding_json.normalised(value)


# The state that all steps of one JSONPath share: the values below a value, and the number of values visited.

MOST = 200_000
"""Values that one walk may visit and make, all together."""


class TooFarError(Exception):
    """A walk that visits or makes too many values. Not a PathError, which an existence filter would take as an answer."""


def steps_of_walk(most: int = MOST) -> Budget:
    """Return the budget of one walk: values that it may visit and make."""
    return Budget(most, TooFarError)


class Walk:
    """One walk. allow_missing: whether a missing field is allowed."""

    __slots__ = ("_steps", "allow_missing")

    def __init__(self, steps: Budget, *, allow_missing: bool) -> None:
        self._steps, self.allow_missing = steps, allow_missing

    def count(self, values: int) -> None:
        """Count values that are visited or made. TooFarError beyond the limit."""
        self._steps.take(values)

    def dereferenced(self, values: Values) -> Iterator[Found]:
        """Yield the values with pointers followed. WaitsError for a value that is not known yet."""
        self.count(len(values))
        for value, place in values:
            if value is UNKNOWN:
                raise WaitsError
            yield (value.value, place) if isinstance(value, Pointer) else (value, place)

    def parts(self, value: GoValue, place: Place) -> Values:
        """Return the values directly below a value: entries of a list or map, fields of a struct, bytes of a string."""
        if isinstance(value, (dict, list, str)):
            self.count(len(value))
        if isinstance(value, dict):
            return [(entry, below(place, key)) for key, entry in value.items()]
        if isinstance(value, list):
            return [(entry, below(place, index)) for index, entry in enumerate(value)]
        return [(part, None) for part in _hidden_parts(value)]


def below(place: Place, step: str | int) -> Place:
    """Return the path of a value one step below another."""
    return None if place is None else (*place, step)


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
