"""`tekton-params` against the independent implementation."""

from __future__ import annotations

from tests.reference.difference import shown
from tests.reference.tekton import compare
from tests.reference.tekton.generate import packages

MODES = tuple(packages.MODES)


def report(seed: int, mode: str) -> str:
    """The difference of the package of a seed, and the smallest package with such a difference; "" if there is none."""
    items, config = packages.package(seed), packages.MODES[mode]
    found = compare.difference(items, config, warnings=True)
    if found is None:
        return ""
    small = compare.shrunk(items, config, found.what, warnings=True)
    return shown(small, compare.difference(small, config, warnings=True) or found)
