"""Comparisons in JSONPath filters: as in Go's templates, each kind compares only with itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._golang.jsonpath.nodes import PathError

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from krm_values._golang.jsonpath.values import GoValue

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
