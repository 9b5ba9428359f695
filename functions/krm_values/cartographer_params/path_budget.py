"""The budget of steps for all paths of a run: many tags may each search one long list."""

from __future__ import annotations

from krm_values._golang.jsonpath.budget import Steps
from krm_values._golang.jsonpath.nodes import PathError

MOST = 2_000_000
"""Values that all paths of a run may visit and make, not counting the first ones of each path."""
_FREE = 100
"""Values that each path may visit and make at no charge: the number of short paths grows with the number of objects."""


class PathBudget:
    """The steps that are left for all paths of a run. is_ended: whether a path was refused because none was left."""

    __slots__ = ("_left", "is_ended")

    def __init__(self) -> None:
        self._left = MOST
        self.is_ended = False

    def steps(self) -> Steps:
        """Return what the next path may take. PathError where all have taken too much."""
        if self._left > 0:
            return Steps()
        self.is_ended = True
        text = f"is not followed: the paths of this run have taken {MOST:,} steps"
        raise PathError(f"{text}; pick fewer entries of long lists, or hand on the whole list")

    def charge(self, steps: Steps) -> None:
        """Subtract what a path has taken."""
        taken = steps.most - max(steps.left, 0)
        self._left -= max(taken - _FREE, 0)
