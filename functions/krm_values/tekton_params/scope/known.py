"""What is known about a param: the shape of its value, and its origins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.record import record, replace
from krm_values._data.scalars.tags import like

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

    sure: whether the type is known; an undeclared result counts as a string.
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

    filled: the keys of an object that have a value. passed_on: those that `[*]` passes on. origins: that of the value, then the overridden
    ones, nearest first. source: the origin of the type. carried: what a copy of its declaration carries.
    """

    name: str
    shape: Shape
    origins: tuple[Origin, ...]
    source: Origin
    carried: dict[str, JSON]
    filled: Keys | None = None
    passed_on: Keys | None = None

    @property
    def type(self) -> str:
        return self.shape.type

    def carries(self, *, implicit: bool) -> dict[str, JSON]:
        """Return what an added declaration has besides name and type."""
        if implicit:
            return like(self.carried, dict(self.carried))
        return {key: value for key, value in self.carried.items() if self.type == "object" and key != "description"}

    def key_origins(self, key: str) -> tuple[Origin, ...]:
        """Return the origins of one key of an object."""
        return tuple(
            replace(origin, value=origin.value[key], path=(*origin.path, key))
            for origin in self.origins
            if isinstance(origin.value, dict) and key in origin.value
        )
