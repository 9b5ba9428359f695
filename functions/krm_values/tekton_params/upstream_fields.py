"""The kinds of Tekton and their fields, as data.

Source: github.com/tektoncd/pipeline, the Go types of `pkg/apis/pipeline/v1` and `v1beta1` after v1.15.0 (commit 3ee1745ae5b2), which
`config/300-crds` repeats; of TriggerTemplates github.com/tektoncd/triggers, `pkg/apis/triggers/v1alpha1` and `v1beta1` (commit
12c3f5fc8cf2). A shape is read by `_krm/shapes`: None is not judged (metadata, free maps, types of Kubernetes itself), "" is a scalar,
`a|b` one of these words, a list of one a list, a dict a closed map (`*`: any keys), a tuple any of its shapes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._krm.shapes import Served, resource

if TYPE_CHECKING:
    from typing import Any

    Shape = Any
    Fields = dict[str, Any]

GROUP, TRIGGERS = "tekton.dev", "triggers.tekton.dev"
VERSIONS = ("v1", "v1beta1")
UNREAD_VERSIONS = ("v1alpha1",)
STEP_ACTION_VERSIONS = ("v1beta1", "v1alpha1")
KINDS = ("PipelineRun", "TaskRun", "Pipeline", "Task")
TEMPLATE = "TriggerTemplate"
_OTHERS = ("ClusterTask", "StepAction", "CustomRun", "Run", "VerificationPolicy", "PipelineResource", "Condition")
_TRIGGERS = ("TriggerBinding", "ClusterTriggerBinding", "EventListener", "Trigger", "Interceptor", "ClusterInterceptor")
PIPELINES = Served(GROUP, VERSIONS, KINDS, _OTHERS, UNREAD_VERSIONS)
SERVED = (PIPELINES, Served(TRIGGERS, ("v1beta1", "v1alpha1"), (TEMPLATE,), _TRIGGERS))

_ANY_TYPE = "string|array|object"
_ON_ERROR = "continue|stopAndFail"
_PROPERTIES: Shape = {"*": {"*": None, "type": "string"}}

# The fields of entries of `params` and of references. `objects.py` knows such maps by the identity of these dicts: no copies below.
PARAM: Fields = {"name": "", "value": None}
DECLARATION: Fields = {
    "name": "",
    "type": _ANY_TYPE,
    "description": "",
    "properties": _PROPERTIES,
    "default": None,
    "enum": [""],
}
STEP_REF: Fields = {"name": "", "resolver": "", "params": [PARAM]}
TASK_REF: Fields = {**STEP_REF, "kind": "", "apiVersion": ""}
PIPELINE_REF: Fields = {**STEP_REF, "apiVersion": ""}
OLD_TASK_REF: Fields = {**TASK_REF, "bundle": ""}
OLD_PIPELINE_REF: Fields = {**PIPELINE_REF, "bundle": ""}

_RESULT: Fields = {"name": "", "type": _ANY_TYPE, "description": "", "properties": _PROPERTIES}
_TASK_RESULT: Fields = {**_RESULT, "value": None}
_PIPELINE_RESULT: Fields = {"name": "", "type": _ANY_TYPE, "description": "", "value": None}
_WHEN: Fields = {"input": "", "operator": "in|notin", "values": [""], "cel": ""}
_INCLUDE: Fields = {"name": "", "params": [PARAM]}
_MATRIX: Fields = {"params": [PARAM], "include": [_INCLUDE]}
_OUTPUT: Fields = {"path": ""}

_WORKSPACE_USAGE: Fields = {"name": "", "mountPath": ""}
_TASK_WORKSPACE: Fields = {"name": "", "description": "", "mountPath": "", "readOnly": "", "optional": ""}
_PIPELINE_WORKSPACE: Fields = {"name": "", "description": "", "optional": ""}
_PASSED_WORKSPACE: Fields = {"name": "", "workspace": "", "subPath": ""}
_BOUND_WORKSPACE: Fields = {
    "name": "",
    "subPath": "",
    "volumeClaimTemplate": None,
    "persistentVolumeClaim": None,
    "emptyDir": None,
    "configMap": None,
    "secret": None,
    "projected": None,
    "csi": None,
}

_CONTAINER: Fields = {
    "image": "",
    "command": [""],
    "args": [""],
    "workingDir": "",
    "envFrom": [None],
    "env": [None],
    "volumeMounts": [None],
    "volumeDevices": [None],
    "imagePullPolicy": "",
    "securityContext": None,
}
_SERVICE: Fields = {
    "ports": [None],
    "livenessProbe": None,
    "readinessProbe": None,
    "startupProbe": None,
    "lifecycle": None,
    "terminationMessagePath": "",
    "terminationMessagePolicy": "",
    "stdin": "",
    "stdinOnce": "",
    "tty": "",
}
_STEP: Fields = {
    **_CONTAINER,
    "name": "",
    "displayName": "",
    "script": "",
    "timeout": "",
    "workspaces": [_WORKSPACE_USAGE],
    "onError": _ON_ERROR,
    "stdoutConfig": _OUTPUT,
    "stderrConfig": _OUTPUT,
    "ref": STEP_REF,
    "params": [PARAM],
    "results": [_RESULT],
    "when": [_WHEN],
}
_SIDECAR: Fields = {
    **_CONTAINER,
    **_SERVICE,
    "name": "",
    "script": "",
    "workspaces": [_WORKSPACE_USAGE],
    "restartPolicy": "",
}
_NEW_RESOURCES: Fields = {"computeResources": None}
_OLD_RESOURCES: Fields = {"resources": None}

_TASK: Fields = {
    "params": [DECLARATION],
    "displayName": "",
    "description": "",
    "volumes": [None],
    "workspaces": [_TASK_WORKSPACE],
    "results": [_TASK_RESULT],
}
TASK: Fields = {
    **_TASK,
    "steps": [{**_STEP, **_NEW_RESOURCES}],
    "stepTemplate": {**_CONTAINER, **_NEW_RESOURCES},
    "sidecars": [{**_SIDECAR, **_NEW_RESOURCES}],
}
OLD_TASK: Fields = {
    **_TASK,
    **_OLD_RESOURCES,
    "steps": [{**_STEP, **_SERVICE, **_OLD_RESOURCES}],
    "stepTemplate": {**_CONTAINER, **_SERVICE, **_OLD_RESOURCES, "name": ""},
    "sidecars": [{**_SIDECAR, **_OLD_RESOURCES}],
}
_EMBEDDED: Fields = {"apiVersion": "", "kind": "", "metadata": None, "spec": None}

_PIPELINE_TASK: Fields = {
    "name": "",
    "displayName": "",
    "description": "",
    "when": [_WHEN],
    "retries": "",
    "runAfter": [""],
    "params": [PARAM],
    "workspaces": [_PASSED_WORKSPACE],
    "timeout": "",
    "onError": _ON_ERROR,
}
PIPELINE_TASK: Fields = {
    **_PIPELINE_TASK,
    "matrix": _MATRIX,
    "taskRef": TASK_REF,
    "taskSpec": {**TASK, **_EMBEDDED},
    "pipelineRef": PIPELINE_REF,
}
OLD_PIPELINE_TASK: Fields = {
    **_PIPELINE_TASK,
    **_OLD_RESOURCES,
    "matrix": (_MATRIX, [PARAM]),
    "taskRef": OLD_TASK_REF,
    "taskSpec": {**OLD_TASK, **_EMBEDDED},
    "pipelineRef": OLD_PIPELINE_REF,
}

_PIPELINE: Fields = {
    "displayName": "",
    "description": "",
    "params": [DECLARATION],
    "workspaces": [_PIPELINE_WORKSPACE],
    "results": [_PIPELINE_RESULT],
}
PIPELINE: Fields = {**_PIPELINE, "tasks": [PIPELINE_TASK], "finally": [PIPELINE_TASK]}
OLD_PIPELINE: Fields = {**_PIPELINE, **_OLD_RESOURCES, "tasks": [OLD_PIPELINE_TASK], "finally": [OLD_PIPELINE_TASK]}
PIPELINE_TASK["pipelineSpec"] = PIPELINE
OLD_PIPELINE_TASK["pipelineSpec"] = OLD_PIPELINE

_RUN: Fields = {"params": [PARAM], "status": "", "workspaces": [_BOUND_WORKSPACE], "managedBy": ""}
_TIMEOUTS: Fields = {"pipeline": "", "tasks": "", "finally": ""}
_STEP_SPECS: Shape = [{"name": "", **_NEW_RESOURCES}]
_STEP_OVERRIDES: Shape = [{"name": "", **_OLD_RESOURCES}]
_TASK_RUN_SPEC: Fields = {"pipelineTaskName": "", "metadata": None, "computeResources": None, "timeout": ""}

PIPELINE_RUN: Fields = {
    **_RUN,
    "pipelineRef": PIPELINE_REF,
    "pipelineSpec": PIPELINE,
    "timeouts": _TIMEOUTS,
    "taskRunTemplate": {"podTemplate": None, "serviceAccountName": ""},
    "taskRunSpecs": [
        {
            **_TASK_RUN_SPEC,
            "serviceAccountName": "",
            "podTemplate": None,
            "stepSpecs": _STEP_SPECS,
            "sidecarSpecs": _STEP_SPECS,
        }
    ],
}
OLD_PIPELINE_RUN: Fields = {
    **_RUN,
    "pipelineRef": OLD_PIPELINE_REF,
    "pipelineSpec": OLD_PIPELINE,
    "resources": None,
    "serviceAccountName": "",
    "timeouts": _TIMEOUTS,
    "timeout": "",
    "podTemplate": None,
    "taskRunSpecs": [
        {
            **_TASK_RUN_SPEC,
            "taskServiceAccountName": "",
            "taskPodTemplate": None,
            "stepOverrides": _STEP_OVERRIDES,
            "sidecarOverrides": _STEP_OVERRIDES,
        }
    ],
}
_TASK_RUN: Fields = {
    **_RUN,
    "debug": {"breakpoints": {"onFailure": "", "beforeSteps": [""]}},
    "serviceAccountName": "",
    "statusMessage": "",
    "retries": "",
    "timeout": "",
    "podTemplate": None,
    "computeResources": None,
}
TASK_RUN: Fields = {
    **_TASK_RUN,
    "taskRef": TASK_REF,
    "taskSpec": TASK,
    "stepSpecs": _STEP_SPECS,
    "sidecarSpecs": _STEP_SPECS,
}
OLD_TASK_RUN: Fields = {
    **_TASK_RUN,
    "taskRef": OLD_TASK_REF,
    "taskSpec": OLD_TASK,
    "resources": None,
    "stepOverrides": _STEP_OVERRIDES,
    "sidecarOverrides": _STEP_OVERRIDES,
}

MOVED: dict[str, dict[str, str]] = {
    "v1": {
        "bundle": "resolver",
        "resources": "computeResources",
        "serviceAccountName": "taskRunTemplate.serviceAccountName",
        "podTemplate": "taskRunTemplate.podTemplate",
        "timeout": "timeouts.pipeline",
        "taskServiceAccountName": "serviceAccountName",
        "taskPodTemplate": "podTemplate",
        "stepOverrides": "stepSpecs",
        "sidecarOverrides": "sidecarSpecs",
    },
    "v1beta1": {
        "computeResources": "resources",
        "taskRunTemplate": "podTemplate",
        "stepSpecs": "stepOverrides",
        "sidecarSpecs": "sidecarOverrides",
    },
}
"""By version: where a field of the other version is now, seen from the object that it was in."""

OBJECTS: dict[tuple[str, str], Fields] = {
    ("v1", "PipelineRun"): resource(spec=PIPELINE_RUN),
    ("v1", "TaskRun"): resource(spec=TASK_RUN),
    ("v1", "Pipeline"): resource(spec=PIPELINE),
    ("v1", "Task"): resource(spec=TASK),
    ("v1beta1", "PipelineRun"): resource(spec=OLD_PIPELINE_RUN),
    ("v1beta1", "TaskRun"): resource(spec=OLD_TASK_RUN),
    ("v1beta1", "Pipeline"): resource(spec=OLD_PIPELINE),
    ("v1beta1", "Task"): resource(spec=OLD_TASK),
}
"""The whole object, by version and kind."""

TRIGGER_TEMPLATE: Fields = resource(
    spec={"params": [{"name": "", "description": "", "default": ""}], "resourcetemplates": [{"*": None}]},
)
"""A TriggerTemplate of both versions. The objects in it are judged by themselves."""
