"""Enums, numbers that become another text, and fields of which Tekton takes one (rules 21, 26, S6, S12)."""

from __future__ import annotations

import pytest

from tests.functions.tekton_params.support import document, pipeline, resolve, run, task_run

ENUMS = {
    "[x, y]": 0,
    "[x, y], default: ''": 0,
    "[x, y], default: x": 0,
    "[x, x]": 1,
    "[x, y], default: z": 1,
    "[x], type: array": 1,
    "[x], type: object, properties: {k: {}}": 1,
}


@pytest.mark.parametrize("enum", ENUMS)
def test_rule_26_the_enum_of_a_declaration(enum):
    declared = f"params: [{{name: e, enum: {enum}}}]"
    for text in (
        pipeline(f"{declared}\ntasks: []"),
        document("Task", declared),
        pipeline(
            f"tasks: []\nfinally: [{{name: a, params: [{{name: e, value: $(tasks.x.results.r)}}], taskSpec: {{{declared}}}}}]"
        ),
    ):
        assert len([one for one in resolve(text).errors if "enum" in one or "is not one of" in one]) == ENUMS[enum]


ENUM = "params: [{name: e, enum: [x, y]}]"
TASK = document("Task", ENUM, metadata="{name: t}")
STORED = document("Pipeline", f"{ENUM}\ntasks: []", metadata="{name: t}")


@pytest.mark.parametrize(("value", "count"), [("x", 0), ("''", 0), ("z", 1)])
def test_rule_26_values_of_an_enum(value, count):
    given = f"params: [{{name: e, value: {value}}}]"
    for text in (
        run(f"{given}\npipelineSpec: {{{ENUM}, tasks: []}}"),
        task_run(f"{given}\ntaskSpec: {{{ENUM}}}"),
        f"{TASK}\n---\n" + task_run(f"{given}\ntaskRef: {{name: t}}"),
        f"{TASK}\n---\n" + pipeline(f"tasks: [{{name: a, {given}, taskRef: {{name: t}}}}]"),
        f"{STORED}\n---\n" + run(f"{given}\npipelineRef: {{name: t}}"),
        pipeline(f"tasks: [{{name: a, taskSpec: {{{ENUM}}}, matrix: {{params: [{{name: e, value: [{value}, y]}}]}}}}]"),
    ):
        assert len(resolve(text, references=True).errors) == count


NUMBERS = {
    "1.20": "1.2",
    "0755": "493",
    "1e3": "1000",
    "0x10": "16",
    "1.5": "",
    "80": "",
    "'1.20'": "",
    "true": "",
    "v1.20": "",
}


@pytest.mark.parametrize("written", NUMBERS)
def test_rule_21_numbers_that_become_another_text(written):
    entry = f"[{{name: p, value: {written}}}]"
    git = f"{{resolver: git, params: {entry}}}"
    for text in (
        run(f"params: {entry}\npipelineRef: {{name: x}}"),
        task_run(f"params: {entry}\ntaskRef: {{name: x}}"),
        pipeline(f"tasks: [{{name: a, params: {entry}, taskRef: {{name: x}}}}]"),
        pipeline(f"tasks: []\nfinally: [{{name: a, matrix: {{include: [{{params: {entry}}}]}}, taskRef: {{name: x}}}}]"),
        pipeline(f"tasks: [{{name: a, taskRef: {git}}}]"),
        document(
            "Task", f"steps: [{{name: s, params: {entry}, ref: {git.replace('name: p', 'name: q').replace(written, 'x')}}}]"
        ),
        document("Task", f"params: [{{name: p, default: {written}}}]"),
        pipeline(f"params: [{{name: p, default: {written}}}]\ntasks: []"),
    ):
        found = [one for one in resolve(text).findings if one.kind == "text-digits"]
        assert len(found) == bool(NUMBERS[written])
        assert all(f"`{NUMBERS[written]}`" in one.message for one in found)


@pytest.mark.parametrize(
    ("value", "count"), [("[80, 443]", 1), ("[a, 1]", 1), ("{a: 1}", 1), ("['80']", 0), ("[[1]]", 0), ("{a: b}", 0)]
)
def test_rule_21_lists_with_numbers_are_strings(value, count):
    for text in (
        run(f"params: [{{name: p, value: {value}}}]\npipelineRef: {{name: x}}"),
        document("Task", f"params: [{{name: p, default: {value}}}]"),
    ):
        found = [one for one in resolve(text).findings if one.kind == "retyped-list"]
        assert len(found) == count
        assert all("quote them" in one.message for one in found)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (run("pipelineRef: {name: x}\npipelineSpec: {tasks: []}"), "`pipelineRef` and `pipelineSpec`"),
        (task_run("taskRef: {name: x}\ntaskSpec: {}"), "`taskRef` and `taskSpec`"),
        (document("TaskRun", "taskRef: {name: x}\ntaskSpec: {}", "v1beta1"), "`taskRef` and `taskSpec`"),
        (pipeline("tasks: [{name: a, taskRef: {name: x}, taskSpec: {}}]"), "`taskRef` and `taskSpec`"),
        (
            pipeline("tasks: []\nfinally: [{name: a, pipelineRef: {name: x}, pipelineSpec: {tasks: []}}]"),
            "`pipelineRef` and `pipelineSpec`",
        ),
        (pipeline("tasks: [{name: a, taskRef: {name: x}, pipelineRef: {name: y}}]"), "`taskRef` and `pipelineRef`"),
        (
            pipeline("tasks: [{name: a, pipelineSpec: {tasks: [{name: b, taskRef: {name: x}, taskSpec: {}}]}}]"),
            "`taskRef` and `taskSpec`",
        ),
    ],
)
def test_rule_s6_a_reference_beside_a_spec(text, words):
    (error,) = resolve(text).errors
    assert words in error


@pytest.mark.parametrize(
    ("default", "count"), [('"a\\nb"', 1), ("'a \"b\"'", 1), ("'a\\d'", 1), ("plain text", 0), ("$(tt.params.b)", 0)]
)
def test_rule_s12_a_default_that_breaks_the_json_text(default, count):
    text = (
        "apiVersion: triggers.tekton.dev/v1beta1\nkind: TriggerTemplate\nmetadata: {name: n}\n"
        f"spec:\n  params: [{{name: a, default: {default}}}, {{name: b}}]\n  resourcetemplates: []"
    )
    assert [one.kind for one in resolve(text).findings] == ["trigger-default"] * count
