"""Paths of Cartographer: a path, and the data that it is followed in, as JSON."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from krm_values._go import jsonpath as kit
from krm_values._go.jsonpath import RefusedError, boxed, unstructured
from krm_values.cartographer_params import paths
from tests.fuzz.target import Target, parts, require

CASES = Path(__file__).parents[2] / "conformance"
_PATH = re.compile(r"\$\(([^)\n]+)\)\$|[pP]ath: *([^\n#]+)")
DATA = [
    b'{"a": [{"b": 1, "c": "x"}, {"b": 2.5, "c": "y"}], "d": {"e.f": true, "g": null}, "h": "text"}',
    b'{"status": {"conditions": [{"type": "Ready", "status": "True"}]}, "spec": {"params": [{"name": "n", "value": {"k": [1, 2, 3]}}]}}',
    b"[[[[1, 2], [3]], []], {}]",
    b"null",
]
TOKENS = [
    *(
        b"{",
        b"}",
        b"..",
        b".",
        b"*",
        b"[*]",
        b"[0]",
        b"[-1]",
        b"[0:2]",
        b"[::2]",
        b"[0,1]",
        b"['a']",
        b"['a','b']",
        b"[?(@.b==1)]",
    ),
    *(
        b'[?(@.c=="x")]',
        b"[?(@.b<2)]",
        b"[?(@.c)]",
        b"@",
        b"$",
        b"range",
        b"end",
        b"\\",
        b"\\.",
        b"'",
        b'"',
        b"(",
        b")",
        b"!=",
        b">=",
    ),
    *(b"9" * 25, b"-", b"+", b"1.5", b"true", b"\n", b" ", b"\0", b"..*", b"[?(@..a)]", b"[?(@.a==@.b)]", b"\xd9\xa3", b"[]"),
]


def seeds() -> list[bytes]:
    found = {
        (hit[1] or hit[2]).strip("\"' ").encode()
        for path in CASES.glob("cartographer*.yaml")
        for hit in _PATH.finditer(path.read_text("utf-8"))
    }
    return [
        path + b"\0" + data
        for path in {*found, *TOKENS, b".a[?(@.b==1)].c", b".spec.params[?(@.name=='n')].value.k[1:]"}
        for data in DATA
    ]


def check(data: bytes) -> str:
    """Values or a PathError. What is found with a place stands there; a wildcard that may miss fields finds no less than one that may not."""
    path, text = (part.decode(errors="replace") for part in parts(data, 2))
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        given = {"a": text}
    if not _is_finite(given):
        return "no JSON"
    outcome = [_found(path, given, boxed), _found(path, given, unstructured)]
    for find in (paths.one, paths.on_object):
        try:
            find(path, given)
        except paths.PathError as error:
            require(str(error), "no message")
    return outcome[0]


def _is_finite(value: Any) -> bool:
    """Whether no number in it is beyond what JSON holds, as where data is read."""
    if isinstance(value, dict | list):
        return all(map(_is_finite, value.values() if isinstance(value, dict) else value))
    return not isinstance(value, int | float) or -1e308 < value < 1e308


def _found(path: str, given: Any, as_go: Any) -> str:
    held = as_go(given)
    try:
        strict = kit.find(held, path, allow_missing=False)
    except RefusedError:
        return "refused"
    except paths.PathError:
        strict = None
    try:
        found = kit.find(held, path, allow_missing=True)
    except (paths.PathError, RefusedError):
        require(strict is None, "found, but not where fields may be missing")
        return "error"
    for value, place in (hit for piece in found for hit in piece if hit[1] is not None):
        there = held
        for step in place:
            there = there[step]
        require(there is value or there == value or value != value, f"{place} is not where it was found")
    return "found" if any(found) else "nothing"


TARGET = Target("jsonpath", seeds, check, TOKENS)
