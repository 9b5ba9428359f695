"""Configure Glasskube packages: resolve and check their values, patch resources, and write their Helm releases."""

from __future__ import annotations

from krm_values._kit.api.function import Function
from krm_values.glasskube_values import plan
from krm_values.glasskube_values.manifest.packages import GROUP, KINDS

function = Function(
    __name__,
    "config:GlasskubeValues",
    plan.plan,
    record=plan.records,
    removal=plan.removal,
    serves=plan.SERVED,
    kinds=tuple(f"{kind}.{GROUP}" for kind in KINDS),
    precedence="the package's value replaces what is there",
)
