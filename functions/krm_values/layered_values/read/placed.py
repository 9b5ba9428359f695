"""Where a finding about a layer's value is shown: in the object that has it, or in the functionConfig."""

from __future__ import annotations

from krm_values._kit.planner.item import Item

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from krm_values._kit.planner.plan import Origin


def at(origin: Origin | None) -> dict[str, Any]:
    """The fields of a finding that say where a value is; none where nobody knows."""
    if origin is None:
        return {}
    if isinstance(origin.item, Item):
        return {"item": origin.item, "path": origin.path, "at": origin}
    return {"config": origin.config} if origin.config is not None else {}
