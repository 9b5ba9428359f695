"""What a second, independent reading of the rules found in the planner."""

from __future__ import annotations

import pytest

from tests.functions.tekton_params.support import data, document, pipeline, resolve, run

HANDED_ON = run("""
params: [{name: o, value: {k: a, h: b}}]
pipelineSpec:
  params: [{name: o, properties: {k: {type: string}}}]
  tasks:
  - name: t
    params: [{name: q, value: "$(params.o[*])"}]
    taskSpec: {params: [{name: q, properties: {k: {}, h: {}}}], steps: []}
""")
NESTED = """
params: [{name: o, properties: {k: {type: string}, j: {type: string}, i: {type: string}}}]
tasks:
- name: t
  params: [{name: o, value: {j: x}}]
  pipelineSpec:
    tasks:
    - name: u
"""
UNKNOWN_RESULT = """
tasks:
- name: t
  params: [{name: v, value: "$(tasks.gone.results.r[*])"}]
  pipelineSpec:
    tasks:
    - {name: u, taskSpec: {steps: [{args: ["$(params.v[*])"]}]}}
"""


def first_value(item):
    spec = item["spec"].get("pipelineSpec", item["spec"])
    return spec["tasks"][0]["params"][0]["value"]


@pytest.mark.parametrize("value", ["$(params.b)", "x-$(params.b)"])
def test_rule_26_28_a_default_of_a_stored_pipeline_is_a_value_of_its_tasks(value):
    text = f"""
params: [{{name: b, default: "on"}}]
tasks:
- name: t
  params: [{{name: n, value: {value}}}]
  taskSpec: {{params: [{{name: n, enum: ["010"]}}], steps: []}}
"""
    assert [error[:5] for error in resolve(pipeline(text)).errors] == ["26 n:"]


@pytest.mark.parametrize("mode", ["implicit", "propagate"])
def test_rule_32_39_a_renamed_object_hands_down_all_keys_of_the_run(mode):
    assert resolve(HANDED_ON, mode=mode).errors == []


@pytest.mark.parametrize(
    ("inner", "keys"),
    [
        ("taskSpec: {params: [{name: o, properties: {k: {}, j: {}}}], steps: []}", {"j", "k"}),
        ("{params: [{name: o, value: {i: y}}], taskSpec: {params: [{name: o, properties: {k: {}, i: {}}}]}}", {"j", "k"}),
        ("{params: [{name: q, value: '$(params.o[*])'}], taskSpec: {steps: [{script: $(params.q.k)}]}}", {"j", "k", "i"}),
        ("taskSpec: {steps: [{script: $(params.o.i)}]}", {"j", "i"}),
        ("{params: [{name: o, value: {j: y}}], taskSpec: {steps: [{script: $(params.o.j)}]}}", {"j"}),
    ],
)
def test_rule_31_what_a_nested_pipeline_needs_of_an_object_counts_as_read(inner, keys):
    source = pipeline(NESTED)
    task = data(f"name: u\n{inner}") if not inner.startswith("{") else {"name": "u", **data(inner)}
    item = data(source)
    item["spec"]["tasks"][0]["pipelineSpec"]["tasks"] = [task]
    found = resolve([item], mode="propagate")
    assert found.errors == []
    assert set(first_value(found.items[0])) == keys
    assert resolve(found.items, mode="propagate").edits == []


def test_rule_31_a_task_referenced_in_a_nested_pipeline_gets_its_keys():
    task = document("Task", "params: [{name: o, properties: {k: {}, j: {}}}]", metadata="{name: do}")
    item = data(pipeline(NESTED))
    item["spec"]["tasks"][0]["pipelineSpec"]["tasks"] = [{"name": "u", "taskRef": {"name": "do"}}]
    found = resolve([data(task), item], mode="propagate", references=True)
    assert found.errors == []
    assert first_value(found.items[1]) == {"j": "x", "k": "$(params.o.k)"}


@pytest.mark.parametrize("text", ["$(params.o.k[0])", "$(params.o.)", "$(params.o..k)"])
def test_rule_36_a_key_takes_no_index_and_is_not_empty(text):
    found = resolve(
        run(
            f"params: [{{name: o, value: {{k: v}}}}]\npipelineSpec: {{tasks: [{{name: t, taskSpec: {{steps: [{{script: '{text}'}}]}}}}]}}"
        ),
        mode="propagate",
    )
    assert found.edits == []
    assert [warning[:2] for warning in found.warnings] == ["36"]


def test_rule_37_a_custom_task_has_no_pod():
    text = """
params: [{name: a, value: x}]
taskRunSpecs: [{pipelineTaskName: t, podTemplate: {nodeSelector: {zone: $(params.a)}}}]
pipelineSpec: {tasks: [{name: t, taskSpec: {apiVersion: ops.example.org/v1, kind: Wait}}]}
"""
    assert resolve(run(text), mode="propagate").edits == []


@pytest.mark.parametrize("mode", ["implicit", "propagate"])
def test_rule_23_a_result_of_unknown_type_that_goes_into_a_nested_pipeline(mode):
    assert [error[:5] for error in resolve(pipeline(UNKNOWN_RESULT), mode=mode).errors] == ["23 v:"]
    found = resolve(run("pipelineSpec:\n" + "\n".join("  " + line for line in UNKNOWN_RESULT.splitlines())), mode=mode)
    assert found.errors == []
    assert [warning[:5] for warning in found.warnings] == ["23 v:"]


def test_rule_38_an_entry_of_a_list_is_no_string_field():
    text = """
params: [{name: m, value: [a]}]
pipelineSpec:
  tasks:
  - name: t
    params: [{name: m, value: text}]
    taskSpec: {steps: [{ref: {name: act}, params: [{name: p, value: ["$(params.m)"]}]}]}
"""
    assert resolve(run(text)).errors == []


def test_rule_38_a_type_that_is_not_known_stays_so_under_another_name():
    text = """
tasks:
- name: t
  params: [{name: o, value: $(tasks.gone.results.r)}]
  pipelineSpec:
    tasks:
    - name: u
      params: [{name: q, value: "$(params.o[*])"}]
      taskSpec: {params: [{name: q, properties: {k: {}}}], steps: []}
"""
    assert resolve(pipeline(text)).errors == []
