"""Cartographer's paths in templates, on stamped objects and as keys of field selectors (rules 44 to 46, 60, 66, 101).

A path is a client-go JSONPath; its braces and its first dot are optional. All paths of a run share one budget, because many tags may
each search one long list, and all tags share one, because they can double a value from step to step.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.limits import DEFAULT, beyond
from krm_values._go import encoding_json, jsonpath
from krm_values._go.jsonpath import Nil, Raw, RefusedError, Struct, Unknown, WaitsError, follow, plain, unstructured
from krm_values._go.jsonpath_parser import Field, PathError, parse

if TYPE_CHECKING:
    from krm_values._data.limits import Budget, Limits
    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._go.jsonpath import GoValue
    from krm_values._go.jsonpath_parser import Nodes

__all__ = ["PathError", "RunBudget", "WaitsError", "find", "names", "on_object", "one", "place", "plain_names", "read"]

ESCAPE = "a dot inside a name takes a backslash"
WHOLE = "reaches inside a value that can only be taken whole"
MOST = 2_000_000
"""Values that all paths of a run may visit and make, not counting the first ones of each path."""
_FREE = 100
"""Values that each path may visit and make at no charge: the number of short paths grows with the number of objects."""
_EACH = 256  # bytes of an entry of a map or list


@lru_cache(maxsize=4096)
def read(expression: str) -> Nodes:
    """Parse a path; cached, because the paths of a template are evaluated for every owner.

    Raises PathError if it is empty or does not parse, which is what admission checks of a selector's key (rule 30).
    """
    if not expression:
        raise PathError("is empty")
    pieces = parse(_wrapped(expression))
    if len(pieces) != 1:
        raise PathError("is more than one path: there must be one pair of braces, or none")
    return pieces[0]


def find(expression: str, data: GoValue, budget: RunBudget | None = None) -> list[JSON]:
    """Return all values that the path finds in `data`.

    data: plain data (int and float are Go's int64 and float64) or values of `_go/jsonpath`. An absent field finds
    nothing; the order below a wildcard or `..` is that of the map. Raises PathError for what is an error upstream, or is
    refused, and WaitsError where the path reaches an unknown output. budget: that of the run.
    """
    nodes, steps = read(expression), budget.steps() if budget else None
    try:
        (found,) = follow(data, [nodes], allow_missing=True, steps=steps)
        return [plain(value) for value, _ in found]
    except RefusedError as refused:
        raise PathError(WHOLE) from refused
    finally:
        if budget and steps:
            budget.charge(steps)


def one(expression: str, data: GoValue, budget: RunBudget | None = None) -> JSON:
    """Return the one value that the path finds. Raises PathError if it finds none (`missing`) or several; otherwise as `find`."""
    found = find(expression, data, budget)
    if len(found) > 1:
        raise PathError(f"finds {len(found)} values; one is needed")
    if not found:
        raise PathError(_absence(read(expression), data), missing=True)
    return found[0]


def place(expression: str, data: JSON) -> Path | None:
    """Return where the one value is that the path finds in plain data; None if it finds none or several, or does not parse."""
    try:
        (found,) = follow(data, [read(expression)], allow_missing=True)
    except (PathError, RefusedError, WaitsError):
        return None
    return found[0][1] if len(found) == 1 else None


def on_object(expression: str, data: JSON, budget: RunBudget | None = None) -> JSON:
    """Return `one` of an object as the API server returns it, from which outputs are read (rule 101)."""
    return one(expression, unstructured(encoding_json.normalised(data)), budget)


def names(expression: str) -> list[str] | None:
    """Return the names of a path, "" for a part that is not a plain name; None if it does not parse."""
    try:
        return [node.name if isinstance(node, Field) else "" for node in read(expression)]
    except PathError:
        return None


def plain_names(expression: str) -> tuple[str, ...]:
    """Return the names with which a path begins, up to the first part that is not a plain name."""
    found = names(expression) or []
    return tuple(found[: found.index("")] if "" in found else found)


def _wrapped(expression: str) -> str:
    if not expression.startswith("{."):
        expression = f"{{{expression}" if expression.startswith(".") else f"{{.{expression}"
    return expression if expression.endswith("}") else expression + "}"


def _absence(nodes: Nodes, data: GoValue) -> str:
    """Return why nothing was found: the first missing name, and the nearest existing one."""
    value, path = data, ""
    for place, node in enumerate(nodes):
        fields = value.fields if isinstance(value, Struct) else value
        if isinstance(value, Raw) and path:
            return f"leads below `{path}`, but a param's value is given whole only"
        if not isinstance(node, Field) or isinstance(fields, Unknown):
            break
        if fields is None or isinstance(fields, Nil):
            return f"cannot be resolved: `{path}` is not set"
        if not isinstance(fields, dict) or node.name not in fields:
            owner = f"`{path}` has no field" if path else "no field"
            return f"cannot be resolved: {owner} `{node.name}`{_near(nodes[place:], fields)}"
        value, path = fields[node.name], f"{path}.{node.name}" if path else node.name
    return "finds nothing"


def _near(nodes: Nodes, fields: GoValue) -> str:
    """Return a hint with the name that was probably meant: one with unescaped dots, or the nearest."""
    if not isinstance(fields, dict):
        return ""
    parts = [node.name if isinstance(node, Field) else "" for node in nodes]
    for count in range(len(nodes), 1, -1):
        joined = ".".join(parts[:count])
        if joined in fields:
            escaped = joined.replace(".", "\\.")
            return f"; {ESCAPE}: `{escaped}`"
    near = suggest.nearest(parts[0], fields)
    return f'; did you mean "{near}"?' if near else ""


class RunBudget:
    """What paths may visit, tags may insert, and chains of stamped owners may add to a run."""

    __slots__ = ("_bytes", "_chain_steps", "_limits", "_path_steps", "_paths_ended")

    def __init__(self, limits: Limits = DEFAULT) -> None:
        self._limits, self._bytes, self._chain_steps = limits, limits.decoded_bytes, limits.chains
        self._path_steps, self._paths_ended = MOST, False

    @property
    def is_spent(self) -> bool:
        """Whether paths or tags have passed their limit, which is an error: nothing more needs to be made."""
        return self._bytes < 0 or self._paths_ended

    def steps(self) -> Budget:
        """Return what the next path may visit. PathError where all have visited too much."""
        if self._path_steps > 0:
            return jsonpath.steps_of_walk()
        self._paths_ended = True
        text = f"is not followed: the paths of this run have taken {MOST:,} steps"
        raise PathError(f"{text}; pick fewer entries of long lists, or hand on the whole list")

    def charge(self, steps: Budget) -> None:
        """Subtract what a path has visited."""
        visited = steps.most - max(steps.left, 0)
        self._path_steps -= max(visited - _FREE, 0)

    def insert(self, value: JSON) -> str:
        """Subtract a value that a tag inserts into an object; return what is wrong if paths or tags have passed their limit, else ""."""
        stack: list[JSON] = [value]
        while stack and self._bytes >= 0:
            one = stack.pop()
            if isinstance(one, (dict, list)):
                self._bytes -= _EACH * len(one)
                stack += one.values() if isinstance(one, dict) else one
            elif isinstance(one, str):
                self._bytes -= len(one)
        if not self.is_spent:
            return ""
        text = f"makes all stamped objects larger than {self._limits.decoded_bytes:,} bytes together"
        return beyond(self._limits, "decoded_bytes", text)

    def follow(self, steps: int) -> str:
        """Subtract the steps of a stamped owner's chain; return what is wrong if those of all are too many, else ""."""
        self._chain_steps -= steps
        if self._chain_steps >= 0:
            return ""
        text = f"is stamped by a chain, and more than {self._limits.chains:,} steps of chains are followed for such owners"
        return beyond(self._limits, "chains", text)
