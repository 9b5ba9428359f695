"""The fields in which Tekton replaces references, compared with what its own code replaces; references elsewhere (rules 36, S9)."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from krm_values.tekton_params.pipelines import never_replaced, pipeline_task_fields, task_fields
from tests.functions.tekton_params.support import data, document, pipeline, resolve, run, task_run

RECORDED = data(Path(__file__).with_name("replaced_fields.yaml").read_text())
READERS = {"task": task_fields, "pipelineTask": pipeline_task_fields}
FROM_THE_RUN = {"pipelineRef.params[].value"}  # replaced when the child run is made, from what is given to the run
FOR_PEOPLE = ("description", "params", "annotations")


def build(fields: list[str]) -> Any:
    """An object that has these fields, each with a reference."""
    spec: dict[str, Any] = {}
    for field in fields:
        steps = ["k" if step == "*" else step for step in field.replace("[]", ".[]").split(".")]
        here: Any = spec
        for step, following in pairwise(steps):
            empty: Any = [] if following == "[]" else {}
            if step == "[]":
                here[:] = here or [empty]
                here = here[0]
            else:
                here = here.setdefault(step, empty)
        if steps[-1] == "[]":
            here[:] = ["$(params.x)"]
        else:
            here[steps[-1]] = "$(params.x)"
    return spec


def written(path: tuple[Any, ...]) -> str:
    parts = ["[]" if isinstance(key, int) else ".*" if key == "k" else f".{key}" for key in path]
    return "".join(parts).lstrip(".")


@pytest.mark.parametrize("kind", READERS)
def test_rule_36_the_searched_fields_are_those_that_tekton_replaces(kind):
    recorded = RECORDED[kind]
    spec = build([*recorded["replaced"], *recorded["left"]])
    found = {written(field.path) for field in READERS[kind](spec, ())}
    assert found - FROM_THE_RUN == set(recorded["replaced"])
    assert len(recorded["replaced"]) > 10 < len(recorded["left"])


def test_rule_36_all_other_fields_of_a_task_are_never_replaced():
    recorded = RECORDED["task"]
    spec = build([*recorded["replaced"], *recorded["left"]])
    found = {written(field.path) for field in never_replaced(spec, ())}
    exempt = {
        field for field in recorded["left"] if field.startswith("workspaces") or any(word in field for word in FOR_PEOPLE)
    }
    assert found == set(recorded["left"]) - exempt


@pytest.mark.parametrize(
    "field",
    [
        "tasks: [{name: a, timeout: $(params.t), taskRef: {name: x}}]",
        "tasks: [{name: a, retries: $(params.t), taskRef: {name: x}}]",
        "tasks: [{name: a, runAfter: [$(params.t)], taskRef: {name: x}}]",
        "tasks: []\n  finally: [{name: a, timeout: $(params.t), taskRef: {name: x}}]",
        "tasks: [{name: a, taskSpec: {steps: [{name: s, timeout: $(params.t)}]}}]",
        "tasks: [{name: a, taskSpec: {volumes: [{name: v, hostPath: {path: $(params.t)}}]}}]",
        "tasks: [{name: a, pipelineSpec: {tasks: [{name: b, timeout: $(params.t), taskRef: {name: x}}]}}]",
        "results: [{name: r, value: $(params.t)}]\n  tasks: []",
    ],
)
def test_rule_36_a_reference_that_is_never_replaced_warns_and_is_no_use(field):
    found = resolve(run(f"params: [{{name: t, value: 1h}}]\npipelineSpec:\n  {field}"), mode="propagate").findings
    assert {one.kind: one.severity for one in found} == {"never-replaced": "warning", "unused-param": "warning"}
    stored = resolve(pipeline("params: [{name: t, default: 1h}]\n" + field.replace("\n  ", "\n")), mode="propagate").findings
    assert [one.kind for one in stored] == ["never-replaced"]


@pytest.mark.parametrize(
    "field",
    [
        "timeouts: {pipeline: $(params.t)}",
        "taskRunTemplate: {serviceAccountName: $(params.t)}",
        "taskRunSpecs: [{pipelineTaskName: a, serviceAccountName: $(params.t)}]",
        "taskRunSpecs: [{pipelineTaskName: a, computeResources: {limits: {cpu: $(params.t)}}}]",
    ],
)
def test_rule_36_fields_of_a_run_that_are_never_replaced(field):
    text = run(f"params: [{{name: t, value: 1h}}]\n{field}\npipelineSpec: {{tasks: [{{name: a, taskRef: {{name: x}}}}]}}")
    assert {one.kind for one in resolve(text, mode="propagate").findings} == {"never-replaced", "unused-param"}


def test_rule_36_descriptions_and_custom_tasks_are_no_such_fields():
    custom = "{name: b, taskSpec: {apiVersion: e.dev/v1, kind: E, spec: {a: $(params.t)}}}"
    text = run(
        "params: [{name: t, value: 1h}]\ntaskRunTemplate: {podTemplate: {nodeSelector: {a: $(params.t)}}}\n"
        f"pipelineSpec: {{description: see $(params.t), tasks: [{custom}]}}"
    )
    assert resolve(text, mode="propagate").findings == []
    assert [one.kind for one in resolve(document("Task", "steps: [{name: s, timeout: $(params.t)}]")).findings] == [
        "never-replaced"
    ]


GIT = "{resolver: git, params: [{name: url, value: $(params.url)}]}"
RESOLVERS = {
    "step": "tasks: [{name: a, taskSpec: {steps: [{name: s, ref: %s}]}}]",
    "task": "tasks: [{name: a, taskRef: %s}]",
    "pipeline": "tasks: [{name: a, pipelineRef: %s}]",
    "nested": "tasks: [{name: a, pipelineSpec: {tasks: [{name: b, pipelineRef: %s}]}}]",
    "finally": "tasks: []\n  finally: [{name: a, taskRef: %s}]",
}


@pytest.mark.parametrize("place", RESOLVERS)
@pytest.mark.parametrize("mode", ["implicit", "propagate"])
def test_rule_36_params_of_a_resolver_are_read(place, mode):
    spec = RESOLVERS[place] % GIT
    given = resolve(run(f"params: [{{name: url, value: u}}]\npipelineSpec:\n  {spec}"), mode=mode)
    assert given.findings == []
    assert given.items[0]["spec"]["pipelineSpec"]["params"] == [{"name": "url", "type": "string"}]
    assert len(resolve(run(f"pipelineSpec:\n  {spec}"), mode=mode).errors) == 1
    assert len(resolve(pipeline(spec.replace("\n  ", "\n")), mode=mode).errors) == 1


def test_rule_36_a_step_gets_the_name_that_its_resolver_reads():
    done = resolve(run("params: [{name: url, value: u}]\npipelineSpec:\n  " + RESOLVERS["step"] % GIT), mode="propagate")
    (task,) = done.items[0]["spec"]["pipelineSpec"]["tasks"]
    assert task["params"] == [{"name": "url", "value": "$(params.url)"}]
    assert task["taskSpec"]["params"] == [{"name": "url", "type": "string"}]


@pytest.mark.parametrize("text", [run(f"pipelineRef: {GIT}"), task_run(f"taskRef: {GIT}")])
def test_rule_36_params_of_a_runs_resolver_see_the_run_only(text):
    (error,) = resolve(text).errors
    assert "url: the params of a " in error
    given = text.replace("spec:\n", "spec:\n  params: [{name: url, value: u}]\n")
    assert resolve(given, mode="propagate").findings == []
    assert "did you mean `urls`" in resolve(given.replace("{name: url, value: u}", "{name: urls, value: u}")).errors[0]


def test_rule_36_params_of_a_pipelines_resolver_see_no_defaults():
    text = run("pipelineSpec:\n  params: [{name: url, default: u}]\n  " + RESOLVERS["pipeline"] % GIT)
    assert [(one.kind, one.severity) for one in resolve(text).findings] == [("never-replaced", "warning")]
