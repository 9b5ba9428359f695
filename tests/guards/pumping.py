"""Texts on which a backtracking expression takes long."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import Any


def samples(pattern: str) -> list[str]:
    """Return characters that an expression matches, one of each of its sets, and one that it does not."""
    parsed = re._parser.parse(pattern)  # type: ignore[attr-defined]
    found = dict.fromkeys(_characters(parsed))
    return [*found][:9]


def _characters(node: Any) -> Iterator[str]:
    if isinstance(node, tuple) and len(node) == 2:
        name, value = str(node[0]), node[1]
        if name in ("LITERAL", "NOT_LITERAL"):
            yield chr(value) if name == "LITERAL" else "q"
            return
        if name == "RANGE":
            yield chr(value[0])
            return
        if name == "ANY":
            yield "q"
            return
        if name == "CATEGORY":
            yield {"CATEGORY_DIGIT": "1", "CATEGORY_SPACE": " ", "CATEGORY_WORD": "w"}.get(str(value), "-")
            return
    if isinstance(node, tuple | list) or hasattr(node, "data"):
        for each in getattr(node, "data", node):
            yield from _characters(each)


def texts(pattern: str | bytes, size: int) -> Iterator[str | bytes]:
    """Return each character, and each pair of them, repeated, with an end that does not match and behind a beginning that does."""
    is_text = isinstance(pattern, str)
    known = samples(pattern if isinstance(pattern, str) else pattern.decode("latin-1"))
    units = [*known, *("".join(pair) for pair in itertools.permutations(known[:6], 2)), "".join(known)]
    for unit, start, end in itertools.product(units, ["", *known[:3]], ["\x01", *known[-2:]]):
        text = start + unit * (size // len(unit)) + end
        yield text if is_text else text.encode("utf-8")
