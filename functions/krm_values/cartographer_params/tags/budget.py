"""What is left of the room that all objects of a run may take: tags can double a value from step to step."""

from __future__ import annotations

from krm_values._data.limits import DEFAULT, beyond

TYPE_CHECKING = False
if TYPE_CHECKING:
    from krm_values._data.limits import Limits
    from krm_values._data.values import JSON

_EACH = 256  # bytes of an entry of a map or list


class Room:
    """Counts what tags put into objects, and the steps of chains that are followed for owners which a chain has stamped."""

    __slots__ = ("_left", "_limits", "_steps")

    def __init__(self, limits: Limits = DEFAULT) -> None:
        self._limits, self._left, self._steps = limits, limits.decoded_bytes, limits.chains

    @property
    def is_full(self) -> bool:
        return self._left < 0

    @property
    def full(self) -> str:
        """That there is no room left."""
        text = f"makes all stamped objects larger than {self._limits.decoded_bytes:,} bytes together"
        return beyond(self._limits, "decoded_bytes", text)

    @property
    def ended(self) -> str:
        """That too many steps were followed."""
        text = f"is stamped by a chain, and more than {self._limits.chains:,} steps of chains are followed for such owners"
        return beyond(self._limits, "chains", text)

    def take(self, value: JSON) -> None:
        """A value that a tag has found goes into an object."""
        stack: list[JSON] = [value]
        while stack and self._left >= 0:
            one = stack.pop()
            if isinstance(one, dict | list):
                self._left -= _EACH * len(one)
                stack += one.values() if isinstance(one, dict) else one
            elif isinstance(one, str):
                self._left -= len(one)

    def follow(self, steps: int) -> bool:
        """Whether so many steps more may be followed."""
        self._steps -= steps
        return self._steps >= 0
