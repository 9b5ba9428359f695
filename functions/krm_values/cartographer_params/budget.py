"""Budgets for all stamped objects of a run, because tags can double a value from step to step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.limits import DEFAULT, beyond
from krm_values.cartographer_params.path_budget import PathBudget

if TYPE_CHECKING:
    from krm_values._data.limits import Limits
    from krm_values._data.values import JSON

_EACH = 256  # bytes of an entry of a map or list


class Room:
    """The budget for the values that tags insert, and for the steps of chains of stamped owners.

    paths: what is left for the paths of tags, selectors and outputs.
    """

    __slots__ = ("_left", "_limits", "_steps", "paths")

    def __init__(self, limits: Limits = DEFAULT) -> None:
        self._limits, self._left, self._steps = limits, limits.decoded_bytes, limits.chains
        self.paths = PathBudget()

    @property
    def is_full(self) -> bool:
        """Whether a limit was passed, which is an error: nothing more needs to be made."""
        return self._left < 0 or self.paths.is_ended

    @property
    def full(self) -> str:
        """The message of a value for which the budget is too small."""
        text = f"makes all stamped objects larger than {self._limits.decoded_bytes:,} bytes together"
        return beyond(self._limits, "decoded_bytes", text)

    @property
    def ended(self) -> str:
        """The message of an owner for which the budget of steps is too small."""
        text = f"is stamped by a chain, and more than {self._limits.chains:,} steps of chains are followed for such owners"
        return beyond(self._limits, "chains", text)

    def take(self, value: JSON) -> None:
        """Charge for a value that a tag inserts into an object."""
        stack: list[JSON] = [value]
        while stack and self._left >= 0:
            one = stack.pop()
            if isinstance(one, dict | list):
                self._left -= _EACH * len(one)
                stack += one.values() if isinstance(one, dict) else one
            elif isinstance(one, str):
                self._left -= len(one)

    def follow(self, steps: int) -> bool:
        """Charge for steps of a chain; return whether the budget suffices."""
        self._steps -= steps
        return self._steps >= 0
