"""A difference between a function and the independent implementation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from krm_values._yaml import emit


@dataclass(frozen=True)
class Difference:
    """What differs (`errors`, `items`, `warnings` or `crash`) and both answers."""

    what: str
    function: Any
    reference: Any


def shown(documents: list[Any], found: Difference) -> str:
    """The input as YAML and both answers."""
    lines = [found.what, *"\n---\n".join("\n".join(emit.block(one)) for one in documents).split("\n")]
    for who, answer in (("function", found.function), ("reference", found.reference)):
        lines += [f"--- {who}", *map(str, answer if isinstance(answer, list) else [answer])]
    return "\n".join(lines)
