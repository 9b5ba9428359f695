"""The Pipeline of a pipeline task and the StepAction of a step are references like a Task (rules 52 and 58)."""

from __future__ import annotations

import pytest

from tests.functions.tekton_params.support import document, pipeline, resolve, run, task_run

CHILD = document(
    "Pipeline", "params: [{name: must}, {name: list, type: array}, {name: may, default: d}]", metadata="{name: child}"
)
ACTION = document(
    "StepAction", "params: [{name: must}, {name: list, type: array}, {name: may, default: d}]", "v1beta1", "{name: act}"
)
OUTER = "[{name: must, value: x}, {name: list, value: [a]}, {name: may, value: m}]"
DECLARED = "[{name: must}, {name: list, type: array}, {name: may, default: x}]"
BOTH = [{"name": "must", "value": "$(params.must)"}, {"name": "list", "value": ["$(params.list[*])"]}]
MODES = ["implicit", "propagate"]
HOLDERS = {
    "a run": run(f"params: {OUTER}\npipelineSpec: {{tasks: [TASK]}}"),
    "a finally task": run(f"params: {OUTER}\npipelineSpec: {{tasks: [], finally: [TASK]}}"),
    "a stored Pipeline": pipeline(f"params: {DECLARED}\ntasks: [TASK]"),
    "a pipeline in a pipeline": run(
        f"params: {OUTER}\npipelineSpec: {{tasks: [{{name: n, pipelineSpec: {{tasks: [TASK]}}}}]}}"
    ),
    "two pipelines in a pipeline": run(
        f"params: {OUTER}\npipelineSpec: {{tasks: [{{name: n, pipelineSpec: {{tasks: [{{name: m, pipelineSpec: {{finally: [TASK]}}}}]}}}}]}}"
    ),
}


def within(holder: str, task: str, *others: str) -> str:
    return "\n---\n".join((*others, HOLDERS[holder].replace("TASK", task)))


def inner(item):
    """The spec of the innermost pipeline."""
    spec = item["spec"].get("pipelineSpec", item["spec"])
    while "pipelineSpec" in (first := (spec.get("tasks") or spec.get("finally"))[0]):
        spec = first["pipelineSpec"]
    return first


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("holder", HOLDERS)
def test_a_referenced_pipeline_gets_what_it_requires(holder, mode):
    found = resolve(within(holder, "{name: t, pipelineRef: {name: child}}", CHILD), mode=mode, references=True)
    assert found.findings == []
    assert inner(found.items[1])["params"] == BOTH
    assert list(inner(found.items[1])) == ["name", "pipelineRef", "params"]
    assert found.items[0] == resolve(CHILD).items[0]
    again = resolve(found.items, mode=mode, references=True)
    assert (again.edits, again.findings, again.facts) == ([], [], found.facts)


@pytest.mark.parametrize("holder", HOLDERS)
def test_reference_defaults_also_pass_what_has_a_default(holder):
    found = resolve(
        within(holder, "{name: t, pipelineRef: {name: child}}", CHILD),
        mode="propagate",
        references=True,
        referenceDefaults=True,
    )
    assert found.findings == []
    assert inner(found.items[1])["params"] == [*BOTH, {"name": "may", "value": "$(params.may)"}]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("reference", ["{name: child, resolver: git}", "{name: child, bundle: b}", "{name: gone}"])
def test_a_pipeline_that_is_not_in_the_list_is_left_alone(reference, mode):
    text = within("a stored Pipeline", f"{{name: t, pipelineRef: {reference}}}", CHILD)
    assert "params" not in inner(resolve(text, mode=mode, references=True).items[1])
    assert "params" not in inner(resolve(within("a run", "{name: t, pipelineRef: {name: child}}", CHILD), mode=mode).items[1])


def test_a_referenced_pipeline_must_get_what_it_requires():
    text = pipeline("params: [{name: list}]\ntasks: [{name: t, pipelineRef: {name: child}}]")
    assert resolve(f"{CHILD}\n---\n{text}", references=True).errors == [
        "39 must: Pipeline child needs it, task t does not pass it and no outer layer has it; pass a value",
        "38 list: Pipeline child wants an array, the outer layer has a string; change one of them or pass a value",
    ]
    own = pipeline(
        "tasks: [{name: t, pipelineRef: {name: child}, params: [{name: must, value: [x]}, {name: list, value: [x]}]}]"
    )
    assert resolve(f"{CHILD}\n---\n{own}", references=True).errors == [
        "38 must: Pipeline child wants a string, task t gives an array; change one of them",
    ]


def test_values_for_a_referenced_pipeline_are_in_its_enum_and_near_names_are_named():
    child = document("Pipeline", "params: [{name: level, enum: [low, high], default: low}]", metadata="{name: child}")
    task = "{name: t, pipelineRef: {name: child}, params: [{name: level, value: lwo}]}"
    assert [error[:15] for error in resolve(within("a run", task, child), references=True).errors] == ['26 level: "lwo"']
    task = "{name: t, pipelineRef: {name: child}, params: [{name: levle, value: low}]}"
    assert resolve(within("a stored Pipeline", task, child), references=True).warnings == [
        "S9 levle: task t neither declares nor uses this param; did you mean `level`?"
    ]
    task = "{name: t, pipelineRef: {name: child}, params: [{name: level, value: $(params.must)}]}"
    assert resolve(within("a stored Pipeline", task, child), references=True).findings == []  # no subset is asked for


@pytest.mark.parametrize("mode", MODES)
def test_what_a_referenced_pipeline_declares_is_not_unused(mode):
    text = run(
        "params: [{name: must, value: x}, {name: list, value: []}, {name: may, value: z}]\npipelineSpec: {tasks: [{name: t, pipelineRef: {name: child}}]}"
    )
    assert resolve(f"{CHILD}\n---\n{text}", mode=mode, references=True).findings == []


@pytest.mark.parametrize("size", [1, 2, 3, 30])
@pytest.mark.parametrize("nested", [False, True])
def test_pipelines_that_refer_to_each_other_in_a_circle_are_named(size, nested):
    def one(number: int) -> str:
        task = f"{{name: t, pipelineRef: {{name: p{number}}}}}"
        return f"{{name: n, pipelineSpec: {{finally: [{task}]}}}}" if nested else task

    texts = [document("Pipeline", f"tasks: [{one((n + 1) % size)}]", metadata=f"{{name: p{n}}}") for n in range(size)]
    outside = document("Pipeline", f"tasks: [{one(0)}]", metadata="{name: q}")
    found = resolve("\n---\n".join((outside, *texts)), references=True)
    names = [f"p{number}" for number in (*range(size), 0)]
    way = " -> ".join(names if len(names) <= 20 else (*names[:19], "p0"))
    assert found.errors == [
        f"52 Pipelines refer to each other in a circle, which Tekton refuses: {way}; remove one of the references"
    ]
    (error,) = found.findings
    place = ("pipelineSpec", "finally", 0) if nested else ()
    assert error.path == ("spec", "tasks", 0, *place, "pipelineRef")
    assert resolve("\n---\n".join(texts)).errors == []


STEPS = {
    "a TaskRun": (task_run(f"params: {OUTER}\ntaskSpec: {{steps: [STEP]}}"), ("spec", "taskSpec")),
    "a Task": (document("Task", f"params: {DECLARED}\nsteps: [STEP]"), ("spec",)),
    "a run": (
        run(f"params: {OUTER}\npipelineSpec: {{tasks: [{{name: t, taskSpec: {{steps: [STEP]}}}}]}}"),
        ("spec", "pipelineSpec", "tasks", 0, "taskSpec"),
    ),
    "a stored Pipeline": (
        pipeline(f"params: {DECLARED}\ntasks: [{{name: t, taskSpec: {{steps: [STEP]}}}}]"),
        ("spec", "tasks", 0, "taskSpec"),
    ),
    "a pipeline in a pipeline": (
        run(
            f"params: {OUTER}\npipelineSpec: {{tasks: [{{name: n, pipelineSpec: {{finally: [{{name: t, taskSpec: {{steps: [STEP]}}}}]}}}}]}}"
        ),
        ("spec", "pipelineSpec", "tasks", 0, "pipelineSpec", "finally", 0, "taskSpec"),
    ),
}


def step_of(item, path):
    for key in path:
        item = item[key]
    return item["steps"][0]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("version", ["v1beta1", "v1alpha1"])
@pytest.mark.parametrize("holder", STEPS)
def test_a_step_passes_what_its_step_action_requires(holder, version, mode):
    text, path = STEPS[holder]
    source = ACTION.replace("v1beta1", version) + "\n---\n" + text.replace("STEP", "{name: s, ref: {name: act}}")
    found = resolve(source, mode=mode, references=True)
    assert found.findings == []
    assert step_of(found.items[1], path) == {"name": "s", "ref": {"name": "act"}, "params": BOTH}
    assert list(step_of(found.items[1], path)) == ["name", "ref", "params"]
    again = resolve(found.items, mode=mode, references=True)
    assert (again.edits, again.findings, again.facts) == ([], [], found.facts)
    assert "params" not in step_of(resolve(source, mode=mode).items[1], path)


@pytest.mark.parametrize("holder", STEPS)
def test_a_step_keeps_its_own_values_and_gets_the_others(holder):
    text, path = STEPS[holder]
    step = "{ref: {name: act}, params: [{name: may, value: mine}, {name: list, value: [b]}]}"
    found = resolve(f"{ACTION}\n---\n{text.replace('STEP', step)}", mode="propagate", references=True, referenceDefaults=True)
    assert found.errors == []
    own = [{"name": "may", "value": "mine"}, {"name": "list", "value": ["b"]}]
    assert step_of(found.items[1], path)["params"] == [*own, BOTH[0]]


@pytest.mark.parametrize(
    ("step", "errors"),
    [
        (
            "{name: s, ref: {name: act}}",
            [
                "58 must: StepAction act needs it, the step does not pass it and its task does not have it; pass a value",
                "58 list: StepAction act wants an array, the task has a string; change one of them or pass a value",
            ],
        ),
        (
            "{name: s, ref: {name: act}, params: [{name: must, value: [x]}, {name: list, value: x}, {name: mya, value: y}]}",
            [
                "58 must: StepAction act wants a string, the step gives an array; change one of them",
                "58 list: StepAction act wants an array, the step gives a string; change one of them",
                "58 mya: StepAction act does not declare it, and Tekton refuses what it does not declare; did you mean `may`?",
            ],
        ),
        ('{name: s, ref: {name: act}, params: [{name: must, value: $(steps.a.results.b)}, {name: list, value: "$(steps.a.results.c[*])"}]}', []),
        ("{name: s, ref: {name: gone}, params: [{name: x, value: y}]}", []),
        ("{name: s, ref: {name: act, resolver: git}, params: [{name: x, value: y}]}", []),
        ("{name: s, image: i}", []),
    ],
)  # fmt: skip
@pytest.mark.parametrize("holder", ["Task", "TaskRun"])
def test_steps_are_checked_against_their_step_action(holder, step, errors):
    text = document("Task", f"params: [{{name: list, default: x}}]\nsteps: [{step}]")
    if holder == "TaskRun":
        text = task_run(f"taskSpec: {{params: [{{name: list, default: x}}], steps: [{step}]}}")
    assert resolve(f"{ACTION}\n---\n{text}", references=True).errors == errors
    assert resolve(f"{ACTION}\n---\n{text}").errors == []


@pytest.mark.parametrize("mode", MODES)
def test_what_a_step_action_needs_is_not_unused(mode):
    text = task_run(
        "params: [{name: must, value: x}, {name: list, value: []}]\ntaskSpec: {steps: [{name: s, ref: {name: act}}]}"
    )
    assert resolve(f"{ACTION}\n---\n{text}", mode=mode, references=True).findings == []


def test_the_keys_of_an_object_that_a_step_action_needs():
    action = document("StepAction", "params: [{name: o, properties: {k: {}, l: {}}}]", "v1beta1", "{name: act}")
    step = "{ref: {name: act}}"
    text = pipeline(f"""
params: [{{name: o, properties: {{k: {{}}, l: {{}}}}}}]
tasks: [{{name: t, params: [{{name: o, value: {{k: mine}}}}], taskSpec: {{steps: [{step}]}}}}]
""")
    found = resolve(f"{action}\n---\n{text}", mode="propagate", references=True)
    assert found.errors == []
    task = found.items[1]["spec"]["tasks"][0]
    assert task["params"] == [{"name": "o", "value": {"k": "mine", "l": "$(params.o.l)"}}]
    assert task["taskSpec"]["steps"][0]["params"] == [{"name": "o", "value": "$(params.o[*])"}]
    part = text.replace(step, "{ref: {name: act}, params: [{name: o, value: {k: x}}]}")
    (error,) = resolve(f"{action}\n---\n{part}", references=True).errors
    assert error.startswith("39 o.l: StepAction act declares the key and no layer gives it a value; add it to the value")


def test_what_an_earlier_run_added_to_a_step_is_listed_when_its_param_is_gone():
    text, _ = STEPS["a TaskRun"]
    found = resolve(f"{ACTION}\n---\n{text.replace('STEP', '{ref: {name: act}}')}", mode="propagate", references=True)
    item = found.items[1]
    item["spec"]["params"] = item["spec"]["params"][1:]
    (error, *_) = resolve([found.items[0], item], mode="propagate", references=True).errors
    assert "`spec.taskSpec.params[0]`" in error
    assert "`spec.taskSpec.steps[0].params[0]`" in error


@pytest.mark.parametrize(("default", "count"), [("", 1), (", default: [z]", 0)])
def test_rule_23_53_a_task_keeps_its_default_where_the_type_of_a_result_is_not_known(default, count):
    task = document("Task", f"params: [{{name: l, type: array{default}}}]", metadata="{name: do}")
    nested = "{name: n, params: [{name: l, value: '$(tasks.x.results.r[*])'}], pipelineSpec: {tasks: [{name: t, taskRef: {name: do}}]}}"
    text = f"{task}\n---\n" + pipeline(f"tasks: [{nested}, {{name: x, taskRef: {{name: unknown}}}}]")
    found = resolve(text, mode="propagate", references=True, referenceDefaults=True).findings
    assert [one.kind for one in found if one.rule == "23"] == ["unknown-result-type"] * count
