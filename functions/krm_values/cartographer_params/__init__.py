"""Resolve Cartographer's params for each Workload and Deliverable and write the objects that its supply chain would stamp."""

from __future__ import annotations

from krm_values._run.function import Function
from krm_values.cartographer_params.kinds import GROUP, OWNERS, SERVED

function = Function(
    __name__,
    "config:CartographerParams",
    "plan:plan",
    tools=("ytt",),
    serves=SERVED,
    kinds=tuple(f"{kind}.{GROUP}" for kind in OWNERS),
    precedence="the chain's value overrides the owner's, and both override defaults",
    order=("template.default", "blueprint.default", "resource.default", "owner.value", "blueprint.value", "resource.value"),
    misspelt="S7",
)
