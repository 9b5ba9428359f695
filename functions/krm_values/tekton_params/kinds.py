"""The API groups that are read, with their kinds and versions.

Sources: github.com/tektoncd/pipeline (`pkg/apis/pipeline`) and github.com/tektoncd/triggers (`pkg/apis/triggers`).
"""

from __future__ import annotations

from krm_values._kit.planner.served import Served
from krm_values.tekton_params.scope.lookup import GROUP, KINDS

TRIGGERS = "triggers.tekton.dev"
TEMPLATE = "TriggerTemplate"
_VERSIONS = ("v1", "v1beta1", "v1alpha1")
_OTHERS = ("ClusterTask", "StepAction", "CustomRun", "Run", "VerificationPolicy", "PipelineResource", "Condition")
_TRIGGERS = ("TriggerBinding", "ClusterTriggerBinding", "EventListener", "Trigger", "Interceptor", "ClusterInterceptor")

PIPELINES = Served(GROUP, _VERSIONS, KINDS, _OTHERS)
SERVED = (PIPELINES, Served(TRIGGERS, ("v1beta1", "v1alpha1"), (TEMPLATE,), _TRIGGERS))
