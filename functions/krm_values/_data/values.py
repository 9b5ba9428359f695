"""Plain data: the values of YAML and JSON, and a list to be written in flow style."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    JSON: TypeAlias = dict[str, "JSON"] | list["JSON"] | str | bool | int | float | None


class FlowList(list["JSON"]):
    """A list that is written in flow style inside block style; it equals a plain list."""

    __slots__ = ()
