"""What an earlier run added counts as the author's: nothing is pruned, and errors that follow from it say what to delete."""

from __future__ import annotations

import re
from copy import deepcopy
from typing import Any

import pytest

from tests.functions.tekton_params.support import Resolved, pipeline, resolve, run, task_run

RUN = run("""
params: [{name: a, value: x}, {name: o, value: {k: v, m: w}}, {name: idle, value: x}]
pipelineSpec:
  tasks:
  - {name: t, taskSpec: {steps: [{script: $(params.a) $(params.o.k)}]}}
  - {name: u, params: [{name: o, value: {m: mine}}], taskSpec: {steps: [{script: $(params.o.k)}]}}
""")
TASKS = "spec.pipelineSpec.tasks"


def after(text: str, change: Any, **config: Any) -> Resolved:
    """A run over what a run over `text` left, changed by `change`."""
    first = resolve(text, **config)
    assert first.errors == []
    items = deepcopy(first.items)
    change(items[0]["spec"])
    return resolve(items, **config)


def test_changing_the_mode_prunes_nothing():
    implicit = resolve(RUN).items
    assert resolve(implicit, mode="propagate").items == implicit


def test_a_new_param_is_added_beside_what_stands():
    found = after(RUN, lambda spec: spec["params"].append({"name": "new", "value": "y"}))
    assert [entry["name"] for entry in found.items[0]["spec"]["pipelineSpec"]["params"]] == ["a", "o", "idle", "new"]


def test_a_changed_value_of_the_same_type_changes_nothing_else():
    found = after(RUN, lambda spec: spec["params"][0].update(value="other"))
    assert not found.edited


def dropped(spec):
    del spec["params"][0]


def retyped(spec):
    spec["params"][0]["value"] = ["x"]


def without_key(spec):
    del spec["params"][1]["value"]["k"]


def with_new_key(spec):
    spec["params"][1]["value"]["new"] = "v"
    spec["pipelineSpec"]["tasks"][0]["taskSpec"]["steps"][0]["script"] = "$(params.o.new)"


ADVICE = "; if an earlier run wrote them, delete these and run again: "
OF_A = [
    "spec.pipelineSpec.params[0]",
    f"{TASKS}[0].params[0]",
    f"{TASKS}[0].taskSpec.params[0]",
]
OF_O = [
    "spec.pipelineSpec.params[1]",
    f"{TASKS}[0].params[1]",
    f"{TASKS}[0].taskSpec.params[1]",
    f"{TASKS}[1].params[0].value.k",
    f"{TASKS}[1].taskSpec.params[0]",
]
LEFTOVERS = [
    (
        dropped,
        "39 a: the pipelineSpec declares it without a default and no layer gives it a value; add a default or a value",
        OF_A,
    ),
    (retyped, "38 a: the run gives an array, the pipelineSpec declares a string; change one of them", OF_A),
    (
        without_key,
        "39 o.k: the pipelineSpec declares the key and no layer gives it a value; add it to the value or to a default",
        OF_O,
    ),
    (with_new_key, "44 o.new: object o has no key new, its keys are k, m", OF_O),
]


@pytest.mark.parametrize(("change", "error", "lines"), LEFTOVERS, ids=[case[0].__name__ for case in LEFTOVERS])
def test_an_error_that_follows_from_leftovers_lists_every_line(change, error, lines):
    found = after(RUN, change, mode="propagate")
    assert found.errors == [error + ADVICE + ", ".join(f"`{line}`" for line in lines)]


MENDED = [
    (dropped, OF_A, ["40 a: unknown parameter in task t: no layer has it; declare it or give it a value"]),
    (retyped, OF_A, ["44 a: a whole array may be used in `command` and `args` only; name an element here"]),
    (without_key, OF_O, ["44 o.k: object o has no key k, its keys are m"] * 2),
    (with_new_key, OF_O, []),
]


@pytest.mark.parametrize(("change", "lines", "errors"), MENDED, ids=[case[0].__name__ for case in MENDED])
def test_after_deleting_those_lines_only_the_authors_own_errors_are_left(change, lines, errors):
    items = resolve(RUN, mode="propagate").items
    change(items[0]["spec"])
    for line in reversed(lines):
        *parents, last = [int(part) if part.isdigit() else part for part in re.findall(r"[^.\[\]]+", line)]
        holder: Any = items[0]
        for part in parents:
            holder = holder[part]
        del holder[last]
    assert resolve(items, mode="propagate").errors == errors


def test_copies_of_a_declaration_are_listed_too():
    text = pipeline(
        "params: [{name: a, type: string, default: d, description: text}]\ntasks: [{name: t, taskSpec: {steps: []}}]"
    )

    def to_array(spec):
        spec["params"][0].update(type="array", default=["d"])

    assert after(text, to_array).errors == [
        "44 a: `$(params.a)` does not pass on the array; write the list `['$(params.a)']`"
        + ADVICE
        + "`spec.tasks[0].params[0]`"
    ]


def test_a_declaration_that_is_gone_from_a_pipeline():
    text = pipeline("params: [{name: a, type: string}]\ntasks: [{name: t, taskSpec: {steps: []}}]")

    def without(spec):
        spec["params"] = []

    assert after(text, without).errors == [
        "41 a: this field of task t reads the pipeline's params, which have no such name (it exists only on task t);"
        " declare it or give it a value" + ADVICE + "`spec.tasks[0].params[0]`, `spec.tasks[0].taskSpec.params[0]`"
    ]


def test_an_array_that_became_a_string():
    text = pipeline("params: [{name: a, type: array}]\ntasks: [{name: t, taskSpec: {steps: []}}]")

    def to_string(spec):
        spec["params"][0]["type"] = "string"

    assert after(text, to_string).errors == [
        "44 a: is a string, so `$(params.a[*])` stays text; write `$(params.a)`, or declare an array"
        + ADVICE
        + "`spec.params[0]`, `spec.tasks[0].params[0]`, `spec.tasks[0].taskSpec.params[0]`"
    ]


def test_the_lines_of_a_task_run():
    found = after(task_run("params: [{name: a, value: x}]\ntaskSpec: {steps: []}"), lambda spec: spec.update(params=[]))
    assert found.errors == [
        "39 a: the taskSpec declares it without a default and no layer gives it a value; add a default or a value"
        + ADVICE
        + "`spec.taskSpec.params[0]`"
    ]


def test_what_its_author_described_is_not_called_a_leftover():
    text = run("pipelineSpec: {params: [{name: a, type: string, description: mine}], tasks: []}")
    assert "earlier run" not in resolve(text).errors[0]
