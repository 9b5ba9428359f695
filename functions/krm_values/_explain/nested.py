"""Secrets that another resource holds, as a template does: what they hold is not shown either."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.pointer import get
from krm_values._kit.planner.withheld import is_secret_data

if TYPE_CHECKING:
    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._kit.planner.plan import Origin

_FIELDS = ("data", "stringData")


def is_inside(data: JSON, path: Path) -> bool:
    """Return whether a path leads into the values of a Secret that a resource of this data holds."""
    return leads_into(path) and any(
        part in _FIELDS and is_secret_data(get(data, path[:depth])) for depth, part in enumerate(path) if depth
    )


def leads_into(path: Path) -> bool:
    """Return whether a path may lead into one."""
    below = path[1:]
    return "data" in below or "stringData" in below


def is_hidden(origin: Origin) -> bool:
    """Return whether a layer's value is in a Secret, in one that a resource holds, or where a value from one is."""
    if origin.in_secret:
        return True
    return leads_into(origin.path) and origin.item is not None and is_inside(origin.item.data, origin.path)


def has_hidden(origin: Origin) -> bool:
    """Return the same of a layer's value and of those that it derives from."""
    return any(map(is_hidden, origin.trail())) if origin.via else is_hidden(origin)
