"""Pass Tekton params to every pipeline, task and step that uses them, and write the result out."""

from __future__ import annotations

from krm_values._run.function import Function
from krm_values.tekton_params.upstream_fields import GROUP, KINDS, SERVED, TEMPLATE, TRIGGERS

function = Function(
    __name__,
    "config:TektonParams",
    "plan:plan",
    records_on_request=True,
    serves=SERVED,
    # not Task: by itself it gives the function nothing to do, except StepActions with `references`
    kinds=(*(f"{kind}.{GROUP}" for kind in KINDS if kind != "Task"), f"{TEMPLATE}.{TRIGGERS}"),
    precedence="what is passed overrides a default, and of defaults the outermost counts",
    order=("Pipeline", "Task", "taskSpec", "pipeline", "run", "matrix", "pipelineTask"),
    misspelt="S7",
)
