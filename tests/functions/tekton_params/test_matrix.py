"""The types of a matrix's values, and names that only some of its instances get (rule 34)."""

from __future__ import annotations

import pytest

from krm_values.tekton_params.matrix import names_some_lack
from tests.functions.tekton_params.support import data, document, pipeline, resolve, run

TASK = document("Task", "params: [{name: os}, {name: v}, {name: w, default: d}]", metadata="{name: t}")
OTHER = document("Pipeline", "params: [{name: os}, {name: v}, {name: w, default: d}]\ntasks: []", metadata="{name: t}")
EMBEDDED = "taskSpec: {params: [{name: w, default: d}], steps: [{name: s, script: $(params.os) $(params.v)}]}"
DECLARED = "taskSpec: {params: [{name: os}, {name: v}, {name: w, default: d}]}"
OS = "params: [{name: os, value: [linux, mac]}]"
MATRICES = {
    "a row that fits one instance": (
        f"{OS}, include: [{{params: [{{name: os, value: mac}}, {{name: v, value: x}}]}}]",
        "v",
        "os: linux",
    ),
    "a row that makes one": (
        f"{OS}, include: [{{params: [{{name: os, value: bsd}}, {{name: v, value: x}}]}}]",
        "v",
        "os: linux",
    ),
    "a second value": (
        f"{OS}, include: [{{params: [{{name: v, value: a}}]}}, {{params: [{{name: v, value: b}}]}}]",
        "os",
        "v: b",
    ),
    "rows alone": (
        "include: [{params: [{name: os, value: a}, {name: v, value: x}]}, {params: [{name: os, value: b}]}]",
        "v",
        "os: b",
    ),
    "a row for all": (f"{OS}, include: [{{params: [{{name: v, value: x}}]}}]", "", ""),
    "a default": (
        f"{OS}, include: [{{params: [{{name: v, value: x}}]}}, {{params: [{{name: os, value: mac}}, {{name: w, value: y}}]}}]",
        "",
        "",
    ),
    "values that cannot be equal": (
        "params: [{name: os, value: ['x-$(params.a[0])', bsd]}], include: [{params: [{name: os, value: mac}, {name: v, value: b}]}]",
        "v",
        "os: x-$(params.a[0])",
    ),
    "unknown values": (
        "params: [{name: os, value: ['$(params.a[*])']}], include: [{params: [{name: os, value: a}, {name: v, value: b}]}]",
        "",
        "",
    ),
}


@pytest.mark.parametrize("case", MATRICES)
@pytest.mark.parametrize("task", ["taskRef: {name: t}", "pipelineRef: {name: t}", EMBEDDED, DECLARED])
@pytest.mark.parametrize("key", ["tasks", "finally"])
@pytest.mark.parametrize("mode", ["implicit", "propagate"])
def test_rule_34_a_name_that_some_instances_lack(case, task, key, mode):
    matrix, name, instance = MATRICES[case]
    tasks = "" if key == "tasks" else "tasks: [], "
    text = pipeline(f"{{params: [{{name: a, type: array}}], {tasks}{key}: [{{name: t, {task}, matrix: {{{matrix}}}}}]}}")
    errors = resolve(f"{OTHER if task.startswith('pipelineRef') else TASK}\n---\n{text}", references=True, mode=mode).errors
    if name:
        assert len(errors) == 1
        assert f"34 {name}: " in errors[0]
        assert f"{{{instance}}}" in errors[0]
    else:
        assert errors == []


@pytest.mark.parametrize("task", [EMBEDDED, "taskRef: {name: t}"])
def test_rule_34_a_name_that_some_instances_may_lack(task):
    matrix = (
        "params: [{name: os, value: ['$(params.a)-x']}], include: [{params: [{name: os, value: b-x}, {name: v, value: b}]}]"
    )
    text = pipeline(f"params: [{{name: a}}]\ntasks: [{{name: t, {task}, matrix: {{{matrix}}}}}]")
    found = resolve(f"{TASK}\n---\n{text}", references=True).findings
    assert [(one.kind, one.severity) for one in found] == [("matrix-partial", "warning")]
    assert "v: an instance of the matrix may not get it" in found[0].message


@pytest.mark.parametrize("task", [EMBEDDED, "taskRef: {name: t}"])
def test_rule_34_a_value_of_the_task_or_a_run(task):
    text = f"{{name: t, {task}, params: [{{name: v, value: z}}], matrix: {{{OS}}}}}"
    assert resolve(f"{TASK}\n---\n" + run(f"pipelineSpec: {{tasks: [{text}]}}"), references=True).errors == []


def test_rule_34_a_name_that_no_step_reads_is_not_declared_for_some_instances():
    text = pipeline(f"tasks: [{{name: t, taskSpec: {{}}, matrix: {{{MATRICES['a row that makes one'][0]}}}}}]")
    (item,) = resolve(text, mode="implicit").items
    assert item["spec"]["tasks"][0]["taskSpec"] == {"params": [{"name": "os", "type": "string"}]}


def test_rule_34_many_rows_are_bounded():
    rows = [{"params": [{"name": f"n{index % 40}", "value": f"v{index}"}]} for index in range(3_000)]
    params = [{"name": f"n{index}", "value": [f"v{at}" for at in range(100)]} for index in range(40)]
    assert names_some_lack({"params": params, "include": rows}) == {}


ARRAYS = {
    "hello": "write a list",
    "{a: b}": "write a list",
    "[1, 2]": "quote its members",
    "[80, '443']": "quote its members",
    "'$(params[\"list\"][*])'": "write a list",
    "$(params.text)": "write a list",
    "$(params.list)": "",
    "'$(params.list[*])'": "",
    "['$(params.list[*])', a]": "",
    "'$(tasks.x.results.r[*])'": "",
    "[]": "",
}


@pytest.mark.parametrize("value", ARRAYS)
@pytest.mark.parametrize("task", ["taskRef: {name: u}", "taskSpec: {}", "taskSpec: {apiVersion: e.dev/v1, kind: E}"])
def test_rule_34_params_of_a_matrix_are_arrays(value, task):
    spec = f"tasks: [{{name: t, {task}, matrix: {{params: [{{name: m, value: {value}}}]}}}}]"
    given = "params: [{name: list, type: array, default: [a]}, {name: text, default: t}]\n"
    for text in (
        pipeline(given + spec),
        run(f"pipelineSpec:\n  {given}  {spec}"),
        pipeline(given + spec.replace("tasks", "tasks: []\nfinally", 1)),
    ):
        errors = resolve(text, mode="propagate").errors
        assert len(errors) == bool(ARRAYS[value])
        assert all("34 m: " in one and ARRAYS[value] in one for one in errors)


@pytest.mark.parametrize(("value", "count"), [("[a]", 1), ("{a: b}", 1), ("a", 0), ("1", 0), ("$(params.text)", 0)])
def test_rule_34_values_of_include_are_strings(value, count):
    spec = f"tasks: [{{name: t, taskRef: {{name: u}}, matrix: {{include: [{{params: [{{name: m, value: {value}}}]}}]}}}}]"
    errors = resolve(pipeline("params: [{name: text, default: t}]\n" + spec)).errors
    assert ["a matrix's `include` is a string" in one for one in errors] == [True] * count


def test_rule_34_a_list_in_v1beta1_is_judged_as_params():
    text = document("Pipeline", "tasks: [{name: t, taskRef: {name: u}, matrix: [{name: m, value: hello}]}]", "v1beta1")
    assert len(resolve(text).errors) == 1


def test_rule_34_a_reference_of_a_trigger_template_is_opaque():
    matrix = "{params: [{name: m, value: $(tt.params.list)}]}"
    assert (
        resolve(
            data(
                f"[{{apiVersion: tekton.dev/v1, kind: Pipeline, metadata: {{name: n}}, spec: {{tasks: [{{name: t, taskRef: {{name: u}}, matrix: {matrix}}}]}}}}]"
            )
        ).errors
        == []
    )


TITLES = {
    "$(params.os) $(params.own)": 0,
    "$(params.outer)": 1,
    "$(params.o.k)": 1,
    '$(params["os"]) $(params.os)': 0,
    '$(params["own"])': 1,
    "$(params.l[0])": 1,
}


@pytest.mark.parametrize("title", TITLES)
@pytest.mark.parametrize("task", ["taskRef: {name: u}", "taskSpec: {steps: [{name: s, image: i}]}"])
def test_rule_33_the_title_of_a_task_with_a_matrix_sees_its_own_strings(title, task):
    given = "params: [{name: outer, value: x}, {name: l, value: [x]}, {name: o, value: {k: x}}]"
    own = f"params: [{{name: own, value: x}}], matrix: {{{OS}}}, displayName: '{title}'"
    found = resolve(run(f"{given}\npipelineSpec: {{tasks: [{{name: t, {task}, {own}}}]}}"), mode="propagate").findings
    assert [one.kind for one in found if one.kind != "unused-param"] == ["title-not-replaced"] * TITLES[title]
