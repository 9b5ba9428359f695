"""Where each value comes from and what it beats, nearest first."""

from __future__ import annotations

import pytest

from krm_values._data.pointer import to_field
from krm_values.tekton_params import function
from tests.cli.packages import SIMPLE, command, write
from tests.functions.tekton_params.support import document, pipeline, resolve, run, task_run

TASK = document("Task", "params: [{name: a, type: string, default: of-task}, {name: b, type: string}]", metadata="{name: do}")
T0 = "spec.pipelineSpec.tasks[0]"

ORIGINS = [
    (
        "a run's value beats the defaults of pipeline and task",
        run("""
params: [{name: a, value: x}]
pipelineSpec:
  params: [{name: a, type: string, default: p}]
  tasks: [{name: t, taskSpec: {params: [{name: a, type: string, default: t}]}}]
"""),
        {
            "spec.pipelineSpec.params[0].type": ["pipeline string spec.pipelineSpec.params[0]"],
            f"{T0}.params[0].value": [
                "run x spec.params[0].value",
                "pipeline p spec.pipelineSpec.params[0].default",
                f"taskSpec t {T0}.taskSpec.params[0].default",
            ],
            f"{T0}.taskSpec.params[0].type": [f"taskSpec string {T0}.taskSpec.params[0]"],
        },
    ),
    (
        "an own value beats the run's; a copied declaration is no layer",
        run("""
params: [{name: a, value: x}]
pipelineSpec:
  params: [{name: a, type: string}]
  tasks: [{name: t, params: [{name: a, value: mine}], taskSpec: {params: [{name: a, type: string}]}}]
"""),
        {
            "spec.pipelineSpec.params[0].type": ["run x spec.params[0].value"],
            f"{T0}.params[0].value": [f"pipelineTask mine {T0}.params[0].value", "run x spec.params[0].value"],
            f"{T0}.taskSpec.params[0].type": [f"pipelineTask mine {T0}.params[0].value"],
        },
    ),
    (
        "an authored pass-through has the origin of an added one",
        pipeline("""
params: [{name: a, type: string}]
tasks: [{name: t, params: [{name: a, value: "$(params['a'])"}], taskSpec: {params: [{name: a, type: string}]}}]
"""),
        {
            "spec.params[0].type": ["pipeline string spec.params[0]"],
            "spec.tasks[0].params[0].value": ["pipeline None spec.params[0]"],
        },
    ),
    (
        "each key of an object that a task overrides",
        run("""
params: [{name: o, value: {a: x, b: y}}]
pipelineSpec:
  tasks: [{name: t, params: [{name: o, value: {a: mine, own: z}}], taskSpec: {}}]
"""),
        {
            "spec.pipelineSpec.params[0].type": ["run {'a': 'x', 'b': 'y'} spec.params[0].value"],
            "spec.pipelineSpec.params[0].properties.a.type": ["run x spec.params[0].value.a"],
            "spec.pipelineSpec.params[0].properties.b.type": ["run y spec.params[0].value.b"],
            f"{T0}.params[0].value.a": [f"pipelineTask mine {T0}.params[0].value.a", "run x spec.params[0].value.a"],
            f"{T0}.params[0].value.own": [f"pipelineTask z {T0}.params[0].value.own"],
            f"{T0}.params[0].value.b": ["run y spec.params[0].value.b"],
            f"{T0}.taskSpec.params[0].type": [f"pipelineTask {{'a': 'mine', 'own': 'z'}} {T0}.params[0].value"],
            f"{T0}.taskSpec.params[0].properties.a.type": [f"pipelineTask mine {T0}.params[0].value.a"],
            f"{T0}.taskSpec.params[0].properties.b.type": ["run y spec.params[0].value.b"],
            f"{T0}.taskSpec.params[0].properties.own.type": [f"pipelineTask z {T0}.params[0].value.own"],
        },
    ),
    (
        "a default of a task that nothing overrides, and one that a task's own value does",
        run("""
pipelineSpec:
  tasks:
  - {name: t, taskSpec: {params: [{name: a, type: string, default: mine}]}}
  - {name: u, params: [{name: a, value: x}], taskSpec: {params: [{name: a, type: string, default: mine}]}}
"""),
        {
            f"{T0}.taskSpec.params[0].type": [f"taskSpec string {T0}.taskSpec.params[0]"],
            f"{T0}.taskSpec.params[0].default": [f"taskSpec mine {T0}.taskSpec.params[0].default"],
            "spec.pipelineSpec.tasks[1].params[0].value": [
                "pipelineTask x spec.pipelineSpec.tasks[1].params[0].value",
                "taskSpec mine spec.pipelineSpec.tasks[1].taskSpec.params[0].default",
            ],
            "spec.pipelineSpec.tasks[1].taskSpec.params[0].type": ["taskSpec string spec.pipelineSpec.tasks[1].taskSpec.params[0]"],
        },
    ),
    (
        "a name of a matrix",
        run("pipelineSpec: {tasks: [{name: t, matrix: {params: [{name: m, value: [x]}]}, taskSpec: {}}]}"),
        {f"{T0}.taskSpec.params[0].type": [f"matrix ['x'] {T0}.matrix.params[0].value"]},
    ),
    (
        "through a pipeline in a pipeline",
        run("params: [{name: a, value: x}]\npipelineSpec: {tasks: [{name: c, pipelineSpec: {tasks: [{name: t, taskSpec: {}}]}}]}"),
        {
            path: ["run x spec.params[0].value"]
            for path in (
                "spec.pipelineSpec.params[0].type",
                f"{T0}.params[0].value",
                f"{T0}.pipelineSpec.params[0].type",
                f"{T0}.pipelineSpec.tasks[0].params[0].value",
                f"{T0}.pipelineSpec.tasks[0].taskSpec.params[0].type",
            )
        },
    ),
    (
        "the keys of an object that a task declares are as its author wrote them",
        run("""
params: [{name: a, value: {k: x}}]
pipelineSpec: {tasks: [{name: t, taskSpec: {params: [{name: a, type: object, properties: {k: {type: string}}, default: {k: d}}]}}]}
"""),
        {
            "spec.pipelineSpec.params[0].properties.k.type": ["run x spec.params[0].value.k"],
            "spec.pipelineSpec.params[0].type": ["run {'k': 'x'} spec.params[0].value"],
            f"{T0}.params[0].value": [
                "run {'k': 'x'} spec.params[0].value",
                f"taskSpec {{'k': 'd'}} {T0}.taskSpec.params[0].default",
            ],
            f"{T0}.taskSpec.params[0].type": [f"taskSpec object {T0}.taskSpec.params[0]"],
        },
    ),
    (
        "a TaskRun has types only",
        task_run("params: [{name: a, value: x}]\ntaskSpec: {params: [{name: b, default: [d]}]}"),
        {
            "spec.taskSpec.params[1].type": ["run x spec.params[0].value"],
        },
    ),
    (
        "a referenced Task",
        TASK + "\n---\n" + pipeline("params: [{name: a, default: p}, {name: b}]\ntasks: [{name: t, taskRef: {name: do}, params: [{name: b, value: mine}]}]"),
        {
            "spec.tasks[0].params[0].value": ["pipelineTask mine spec.tasks[0].params[0].value", "pipeline None spec.params[1]"],
            "spec.tasks[0].params[1].value": ["pipeline p spec.params[0].default", "Task of-task spec.params[0].default"],
        },
    ),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), [case[1:] for case in ORIGINS], ids=[case[0] for case in ORIGINS])
@pytest.mark.parametrize("runs", [1, 2])
def test_origins(runs, text, expected):
    config = {"references": True, "referenceDefaults": True} if "kind: Task\n" in text else {}
    found = resolve(text, **config)  # type: ignore[arg-type]
    if runs == 2:
        found = resolve(found.items, **config)  # type: ignore[arg-type]
    told = {
        to_field(decision.path): [
            f"{origin.layer} {origin.value} {to_field(origin.path)}"
            for origin in (decision.leaf.origin, *decision.leaf.overridden)
        ]
        for decision in found.decisions
        if decision.leaf and decision.leaf.kind != "copied"
    }
    assert told == expected
    assert {layer.partition(" ")[0] for layers in told.values() for layer in layers} <= {*function.order}


def test_what_another_mode_copied_is_no_layer_in_a_pipeline_in_a_pipeline_either():
    nested = "{name: c, pipelineSpec: {tasks: [{name: t, taskSpec: {steps: [{script: $(params.a)}]}}]}}"
    declared = "{name: a, type: string, description: d, default: x}"
    copied = resolve(run(f"pipelineSpec: {{params: [{declared}], tasks: [{nested}]}}")).items
    leaves = [decision.leaf for decision in resolve(copied, mode="propagate").decisions if decision.leaf]
    origins = {origin.path for leaf in leaves for origin in (leaf.origin, *leaf.overridden)}
    assert {path[:4] for path in origins} == {("spec", "pipelineSpec", "params", 0)}


def test_a_value_made_of_others_tells_where_they_come_from():
    text = run(
        "params: [{name: a, value: x}]\npipelineSpec: {tasks: [{name: t, params: [{name: b, value: $(params.a)-1}], taskRef: {name: x}}]}"
    )
    (decision,) = [decision for decision in resolve(text).decisions if to_field(decision.path).endswith("params[0].value")]
    assert decision.kept
    assert [(origin.layer, origin.value) for origin in decision.leaf.origin.via] == [("run", "x")]  # type: ignore[union-attr]


COPIED = run("""
params: [{name: c, value: dev}]
pipelineSpec:
  params:
  - {name: a, type: array, description: d, default: [x, y]}
  - {name: o, default: {k: v}, properties: {k: {type: string}, l: {}}}
  tasks:
  - {name: t, params: [{name: c, value: $(params.c)}], taskSpec: {params: [{name: c, enum: [prod, dev]}]}}
""")


@pytest.mark.parametrize("runs", [1, 2])
def test_each_value_of_an_entry_tells_how_it_follows_from_which_place(runs):
    found = resolve(COPIED)
    if runs == 2:
        found = resolve(found.items)
    leaves = [decision.leaf for decision in found.decisions if decision.leaf and decision.leaf.kind]
    inner, outer = f"{T0}.taskSpec.params", "spec.pipelineSpec.params"
    assert {to_field(leaf.path): f"{leaf.kind} {to_field(leaf.origin.path)}" for leaf in leaves} == {
        f"{outer}[2].name": "copied spec.params[0].name",
        f"{outer}[2].type": "derived spec.params[0].value",
        f"{outer}[2].enum": f"copied {inner}[0].enum",
        f"{T0}.params[0].name": "copied spec.params[0].name",
        f"{T0}.params[0].value": "effective spec.params[0].value",
        **{f"{T0}.params[{index}].name": f"copied {outer}[{index - 1}].name" for index in (1, 2)},
        **{f"{T0}.params[{index}].value": f"effective {outer}[{index - 1}].default" for index in (1, 2)},
        **{f"{inner}[1].{key}": f"copied {outer}[0].{key}" for key in ("name", "type", "description", "default")},
        **{f"{inner}[2].{key}": f"copied {outer}[1].{key}" for key in ("name", "default.k", "properties.k.type")},
        **{f"{inner}[2].{key}": f"derived {outer}[1]" for key in ("type", "properties.l.type")},
    }
    assert all(leaf.value == leaf.origin.value for leaf in leaves if leaf.kind == "copied")


def test_an_enum_of_several_tasks_derives_from_all():
    tasks = ", ".join(
        f"{{name: {name}, params: [{{name: c, value: $(params.c)}}], taskSpec: {{params: [{{name: c, enum: {enum}}}]}}}}"
        for name, enum in (("t", "[prod, dev, test]"), ("u", "[dev, prod]"))
    )
    found = resolve(run(f"params: [{{name: c, value: dev}}]\npipelineSpec: {{tasks: [{tasks}]}}"))
    (leaf,) = [decision.leaf for decision in found.decisions if decision.leaf and decision.path[-1] == "enum"]
    assert (leaf.kind, leaf.value) == ("derived", ["prod", "dev"])
    assert [to_field(origin.path) for origin in leaf.origin.via] == [
        f"spec.pipelineSpec.tasks[{index}].taskSpec.params[0].enum" for index in (0, 1)
    ]


def test_what_is_copied_is_printed_if_a_word_asks_for_it(tmp_path):
    package, path = write(tmp_path, SIMPLE), f"{T0}.taskSpec.params[0].name"
    shown, asked = (command("explain", package, *words).stdout for words in ([], [path]))
    assert [line for line in shown.splitlines() if line.startswith("spec.")] == [f"{T0}.params[0].value = $(params.url)"]
    assert f"{path} = url\n  + run  run.yaml:8  url\n" in asked
    assert command("render", package).returncode == 0
    assert command("explain", package).stdout == shown
    assert command("explain", package, path).stdout == asked
