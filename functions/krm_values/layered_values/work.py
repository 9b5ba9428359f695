"""Budgets for composing values: steps of a schema, and values that references repeat."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.limits import beyond

if TYPE_CHECKING:
    from krm_values._data.limits import Limits

MOST = 1_000_000
"""Steps of a schema in a run: values that its defaults examine or fill, and keywords that are checked."""
LONGEST = 300
"""References in a chain of references."""
_CHARACTERS = 1_024  # of a string that count as one more value


class TooMuchError(Exception):
    """A budget that is exceeded. `message` says which."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class Steps:
    """The budget of steps for the schema of a run."""

    __slots__ = ("_left",)

    def __init__(self) -> None:
        self._left = MOST

    def take(self, steps: int = 1) -> None:
        """Count steps. TooMuchError if there are more than are left."""
        self._left -= steps
        if self._left < 0:
            raise TooMuchError(
                f"takes more than {MOST:,} steps on the values: its `$ref`s or defaults multiply; write fewer of them into each other"
            )


class Repeats:
    """The budget of values that references of one document may repeat."""

    __slots__ = ("_found", "_limits")

    def __init__(self, limits: Limits) -> None:
        self._limits, self._found = limits, 0

    def take(self, value: object) -> None:
        """Count a value: a list with all that is in it, a long string by its length. TooMuchError beyond the budget."""
        self._found += _size(value)
        if self._found > self._limits.aliases:
            text = f"must not repeat more than {self._limits.aliases:,} values by references, found more"
            raise TooMuchError(beyond(self._limits, "aliases", text))


def _size(value: object) -> int:
    if isinstance(value, str):
        return 1 + len(value) // _CHARACTERS
    if isinstance(value, dict | list):
        return 1 + sum(map(_size, value.values() if isinstance(value, dict) else value))
    return 1
