"""Cartographer's paths in templates, on stamped objects and as keys of field selectors (rules 44 to 46, 60, 66, 101).

A path is a client-go JSONPath; its braces and its first dot are optional.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._golang import encoding_json
from krm_values._golang.jsonpath.evaluate import follow
from krm_values._golang.jsonpath.nodes import Field, PathError
from krm_values._golang.jsonpath.parser import parse
from krm_values._golang.jsonpath.values import Nil, Raw, RefusedError, Struct, Unknown, WaitsError, plain, unstructured

if TYPE_CHECKING:
    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._golang.jsonpath.nodes import Nodes
    from krm_values._golang.jsonpath.values import GoValue
    from krm_values.cartographer_params.path_budget import PathBudget

__all__ = ["PathError", "WaitsError", "find", "on_object", "one", "place", "read"]

ESCAPE = "a dot inside a name takes a backslash"
WHOLE = "reaches inside a value that can only be taken whole"


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


def find(expression: str, data: GoValue, budget: PathBudget | None = None) -> list[JSON]:
    """Return all values that the path finds in `data`.

    data: plain data (int and float are Go's int64 and float64) or values of `_golang/jsonpath/values`. An absent field finds
    nothing; the order below a wildcard or `..` is that of the map. Raises PathError for what is an error upstream, or is
    refused, and WaitsError where the path reaches an unknown output. budget: that of all paths of the run.
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


def one(expression: str, data: GoValue, budget: PathBudget | None = None) -> JSON:
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


def on_object(expression: str, data: JSON, budget: PathBudget | None = None) -> JSON:
    """Return `one` of an object as the API server returns it, from which outputs are read (rule 101)."""
    return one(expression, unstructured(encoding_json.normalised(data)), budget)


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
            return f"leads nowhere: `{path}` is not set"
        if not isinstance(fields, dict) or node.name not in fields:
            owner = f"`{path}` has no" if path else "no"
            return f"leads nowhere: {owner} `{node.name}`{_near(nodes[place:], fields)}"
        value, path = fields[node.name], f"{path}.{node.name}" if path else node.name
    return "finds nothing"


def _near(nodes: Nodes, fields: GoValue) -> str:
    """Return a hint with the name that was probably meant: one with unescaped dots, or the nearest."""
    if not isinstance(fields, dict):
        return ""
    plain_names = [node.name if isinstance(node, Field) else "" for node in nodes]
    for count in range(len(nodes), 1, -1):
        joined = ".".join(plain_names[:count])
        if joined in fields:
            escaped = joined.replace(".", "\\.")
            return f"; {ESCAPE}: `{escaped}`"
    near = suggest.nearest(plain_names[0], fields)
    return f'; did you mean "{near}"?' if near else ""
