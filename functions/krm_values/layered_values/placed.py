"""The place of a finding about a layer's value: in the object that has it, or in the functionConfig."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._kit.planner.item import Item

if TYPE_CHECKING:
    from typing import Any

    from krm_values._kit.planner.plan import Origin


def at(origin: Origin | None) -> dict[str, Any]:
    """Return the fields of a finding that give the place of a value; none if it is not known."""
    if origin is None:
        return {}
    if isinstance(origin.item, Item):
        return {"item": origin.item, "path": origin.path, "at": origin}
    return {"config": origin.config} if origin.config is not None else {}
