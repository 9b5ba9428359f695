"""`layered-values` against the independent implementation of its rules, and the laws that hold for every stack."""

from __future__ import annotations

from tests.reference.layered_values import compare, laws
from tests.reference.layered_values.made import Stack
from tests.reference.layered_values.scalars import written

MODES = ("result", "laws")


def report(seed: int, mode: str) -> str:
    """The difference of the stack of a seed, or the laws that it breaks; "" if there is none."""
    found = compare.difference(seed) if mode == "result" else laws.broken(seed)
    if not found:
        return ""
    stack = Stack(seed)
    return "\n".join([*written({"config": stack.config, "items": stack.items}), *found])
