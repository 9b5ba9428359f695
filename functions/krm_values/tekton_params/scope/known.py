"""What is known of a param: the shape of its value, and where that comes from."""

from __future__ import annotations

from krm_values._data.record import record, replace
from krm_values._data.scalars.tags import like

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import TypeAlias

    from krm_values._data.values import JSON
    from krm_values._kit.planner.plan import Origin
    from krm_values.tekton_params.spec.references import Result

    Keys: TypeAlias = tuple[str, ...]
    Results: TypeAlias = Callable[[Result], "Shape"]
    Scope: TypeAlias = Mapping[str, "Known"]


@record
class Shape:
    """The type of a value, "" where it cannot be known; an object's keys, a list's length and a string's text, None likewise.

    sure: whether the type is known; a result that nobody declares is taken for a string.
    """

    type: str
    keys: Keys | None = None
    length: int | None = None
    text: str | None = None
    sure: bool = True


UNKNOWN = Shape("")


@record
class Known:
    """A param as one layer sees it.

    keys: those that may be read. filled: those that have a value; handed: those that `[*]` hands down. origins: the value's, then
    those it beat, nearest first. source: who gave the type. carried: what a copy of its declaration carries.
    """

    name: str
    shape: Shape
    origins: tuple[Origin, ...]
    source: Origin
    carried: dict[str, JSON]
    filled: Keys | None = None
    handed: Keys | None = None

    @property
    def type(self) -> str:
        return self.shape.type

    def carries(self, *, implicit: bool) -> dict[str, JSON]:
        """What an added declaration has beside name and type."""
        if implicit:
            return like(self.carried, dict(self.carried))
        return {key: value for key, value in self.carried.items() if self.type == "object" and key != "description"}

    def key_origins(self, key: str) -> tuple[Origin, ...]:
        """The origins of one key of an object."""
        return tuple(
            replace(origin, value=origin.value[key], path=(*origin.path, key))
            for origin in self.origins
            if isinstance(origin.value, dict) and key in origin.value
        )
