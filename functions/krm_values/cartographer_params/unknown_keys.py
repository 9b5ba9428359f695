"""Keys of Cartographer's objects that are not fields of their type: the API server drops them or refuses the object."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._kit.planner import fields
from krm_values.cartographer_params.upstream_fields import SHAPES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from krm_values._kit.planner.item import Item
    from krm_values._kit.planner.plan import Finding, New

_RULE = "S5"


def keys(item: Item | New) -> Iterator[Finding]:
    """Yield a warning for each unknown key of an owner, chain or template."""
    data = item.data
    kind = data.get("kind") if isinstance(data, dict) else None
    yield from fields.shape_warnings(item, SHAPES.get(str(kind)), _RULE)
    yield from fields.warnings(item, fields.unknown_keys(data, SHAPES.get(str(kind))), _RULE)
