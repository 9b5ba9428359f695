"""Where the function differs from the operator's modules: one row for each, with an answer of both sides that was recorded.

Each row is a row of the manual's chapter "Differences from Glasskube". The comparison counts what a row explains, and nothing else may differ.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

REFUSED = "refused"


@dataclass(frozen=True)
class Row:
    """manual: the first cell of the manual's row. holds: whether it explains a difference of an operation (document, op, path, value)."""

    manual: str
    rule: str
    holds: Callable[[Any, str, str, Any], bool]
    recorded: tuple[tuple[str, str, str, str, str, str], ...]
    """(document, op, path, value, upstream's document or `refused`, ours)."""


def _segments(path: str) -> list[str]:
    return path.split("/")[1:]


def _has_number_or_null(value: Any) -> bool:
    if isinstance(value, dict | list):
        return any(map(_has_number_or_null, value.values() if isinstance(value, dict) else value))
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))


_A, _L = '{"a":{"b":1}}', '{"l":[1,2]}'
PATCHES = (
    Row(
        "a path without its first slash",
        "59",
        lambda _document, _op, path, _value: path[:1] not in ("", "/"),
        (
            (_A, "add", "a/new", "2", '{"a":{"b":1},"new":2}', '{"a":{"b":1,"new":2}}'),
            (_A, "add", "new", "2", REFUSED, '{"a":{"b":1},"new":2}'),
            (_A, "add", "#/new", "2", '{"a":{"b":1},"new":2}', REFUSED),
        ),
    ),
    Row(
        "a path with two first slashes, an empty name in a path",
        "59",
        lambda _document, _op, path, _value: "" in _segments(path),
        (
            (_A, "add", "//new", "2", _A, REFUSED),
            ('{"":{"b":1}}', "add", "/a//b", "2", REFUSED, REFUSED),
            ('{"a":{"":{}}}', "add", "/a//b", "2", REFUSED, '{"a":{"":{"b":2}}}'),
        ),
    ),
    Row(
        "an index like `-1`, `01` or `+1`",
        "63, 64",
        lambda _document, _op, path, _value: any(re.fullmatch("[+-][0-9]+|0[0-9]+", one) for one in _segments(path)),
        (
            (_L, "add", "/l/-1", "3", '{"l":[1,2,3]}', REFUSED),
            (_L, "replace", "/l/-1", "3", '{"l":[1,3]}', REFUSED),
            (_L, "remove", "/l/-2", "null", '{"l":[2]}', REFUSED),
            (_L, "replace", "/l/01", "3", '{"l":[1,3]}', REFUSED),
            (_L, "replace", "/l/+1", "3", '{"l":[1,3]}', REFUSED),
        ),
    ),
    Row(
        "a `~` that is neither `~0` nor `~1`, a `»`",
        "58",
        lambda _document, _op, path, _value: re.search("~(?![01])|»", path) is not None,
        ((_A, "add", "/~2", "2", '{"a":{"b":1},"~2":2}', REFUSED), (_A, "add", "/»", "2", '{"a":{"b":1},"»":2}', REFUSED)),
    ),
    Row(
        "`test` of a missing member, of numbers, of a list with null",
        "67",
        lambda _document, op, _path, value: op == "test" and _has_number_or_null(value),
        (
            (_A, "test", "/no", "null", _A, REFUSED),
            ('{"a":1.0}', "test", "/a", "1", REFUSED, '{"a":1.0}'),
            ('{"a":[null]}', "test", "/a", "[null]", REFUSED, '{"a":[null]}'),
        ),
    ),
    Row(
        "the whole document removed, or replaced by null",
        "68",
        lambda _document, op, path, value: path == "" and (op == "remove" or (op == "replace" and value is None)),
        (
            (_A, "replace", "", "null", "null", REFUSED),
            ('{"":1,"a":2}', "remove", "", "null", '{"a":2}', REFUSED),
        ),
    ),
)
MISSHAPEN = "a constraint that does not apply to the type"
"""The manual's row on manifests that the operator cannot read and the function can."""


def row_of(document: Any, op: str, path: str, value: Any) -> str:
    """The row that explains a difference of an operation, "" if none does."""
    return next((row.manual for row in PATCHES if row.holds(document, op, path, value)), "")
