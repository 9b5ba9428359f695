"""Pass Tekton params down to every pipeline, task and step that uses them, written out."""

from __future__ import annotations

from krm_values._kit.function import Function
from krm_values._kit.served import Served
from krm_values.tekton_params import plan
from krm_values.tekton_params.lookup import GROUP, KINDS

_VERSIONS = ("v1", "v1beta1", "v1alpha1")
_OTHERS = ("ClusterTask", "StepAction", "CustomRun", "Run", "VerificationPolicy", "PipelineResource", "Condition")

function = Function(
    __name__,
    "config:TektonParams",
    plan.plan,
    serves=(Served(GROUP, _VERSIONS, KINDS, _OTHERS),),
    kinds=tuple(f"{kind}.{GROUP}" for kind in KINDS if kind != "Task"),
)
