"""`glasskube-values` against the independent implementation: on lists of packages, and on their later states."""

from __future__ import annotations

import collections

from tests.reference.difference import shown
from tests.reference.glasskube import compare, course, generate, later

MODES = ("first", "later")
SEEN: collections.Counter[str] = collections.Counter()
"""What was compared of later states."""


def report(seed: int, mode: str) -> str:
    """The difference of the list of a seed, or of its later states; "" if there is none."""
    items, config = generate.case(seed)
    if mode == "later":
        walked = course.Course([course.Entry(item) for item in items], config)
        found = later.walk(seed, walked, SEEN)
        items = walked.state.inputs if walked.state else items
    else:
        found = compare.difference(items, config)
    return "" if found is None else shown([*items, config], found)
