"""Plain data: the values of YAML and JSON, a list to be written in flow style, and data in one order."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    JSON: TypeAlias = dict[str, "JSON"] | list["JSON"] | str | bool | int | float | None


class FlowList(list["JSON"]):
    """A list that is written in flow style inside block style; it equals a plain list."""

    __slots__ = ()


def by_keys(value: JSON, scalar: Callable[[JSON], JSON] = lambda value: value) -> JSON:
    """Return a copy of plain data with the keys of every map sorted. scalar: converts each string, number, boolean or null."""
    if isinstance(value, dict):
        return {key: by_keys(value[key], scalar) for key in sorted(value)}
    return [by_keys(entry, scalar) for entry in value] if isinstance(value, list) else scalar(value)
