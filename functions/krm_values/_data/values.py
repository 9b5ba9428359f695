"""Plain data: what YAML and JSON hold, and a list that is to be written in flow style."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    JSON: TypeAlias = dict[str, "JSON"] | list["JSON"] | str | bool | int | float | None


class FlowList(list["JSON"]):
    """A list that is written in flow style inside what is written in block style; equal to a plain list."""

    __slots__ = ()
