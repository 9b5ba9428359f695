"""Pass Tekton params down to every pipeline, task and step that uses them, written out."""

from __future__ import annotations

from krm_values._kit.function import Function
from krm_values.tekton_params import plan

function = Function(__name__, "config:TektonParams", plan.plan)
