"""Pass Tekton params down to every pipeline, task and step that uses them, written out."""

from __future__ import annotations

from krm_values._kit.api.function import Function
from krm_values.tekton_params import plan
from krm_values.tekton_params.kinds import SERVED
from krm_values.tekton_params.scope.lookup import GROUP, KINDS

function = Function(
    __name__,
    "config:TektonParams",
    plan.plan,
    serves=SERVED,
    kinds=tuple(f"{kind}.{GROUP}" for kind in KINDS if kind != "Task"),
    precedence="what is passed overrides a default, and of defaults the outermost counts",
)
