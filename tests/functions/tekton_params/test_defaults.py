"""Defaults that supply only a part: of an object, or of what another default reads (rules 31, 32, 36, 45, 52, 56, 58)."""

from __future__ import annotations

import pytest

from tests.functions.tekton_params.support import document, pipeline, resolve, run, task_run

IMG = "{name: img, type: object, properties: {repo: {}, tag: {}}, default: {repo: r}}"
FULL = "{name: img, type: object, properties: {repo: {}, tag: {}}, default: {repo: r, tag: t}}"
STEPS = "steps: [{name: s, image: i, script: echo $(params.img.repo) $(params.img.tag)}]"
TASK = document("Task", f"params: [{IMG}]\n{STEPS}", metadata="{name: t}")
OTHER = document("Pipeline", f"params: [{IMG}]\ntasks: [{{name: a, taskRef: {{name: b}}}}]", metadata="{name: t}")
ACTION = document("StepAction", f"params: [{IMG}]\nimage: i", "v1beta1", "{name: t}")
BY_REFERENCE = {
    "task": (TASK, run("pipelineSpec: {tasks: [{name: a, taskRef: {name: t}}]}")),
    "finally": (TASK, run("pipelineSpec: {tasks: [], finally: [{name: a, taskRef: {name: t}}]}")),
    "stored": (TASK, pipeline("tasks: [{name: a, taskRef: {name: t}}]")),
    "pipelineRef": (OTHER, run("pipelineSpec: {tasks: [{name: a, pipelineRef: {name: t}}]}")),
    "TaskRun": (TASK, task_run("taskRef: {name: t}")),
    "PipelineRun": (OTHER, run("pipelineRef: {name: t}")),
    "step": (ACTION, task_run("taskSpec: {steps: [{name: s, ref: {name: t}}]}")),
}


@pytest.mark.parametrize("case", BY_REFERENCE)
def test_rule_52_a_default_without_all_keys_is_not_complete(case):
    (error,) = resolve("\n---\n".join(BY_REFERENCE[case]), references=True).errors
    assert "img.tag: " in error


def test_rule_52_an_object_is_passed_whose_default_lacks_keys():
    done = resolve(
        f"{TASK}\n---\n"
        + run("params: [{name: img, value: {tag: x}}]\npipelineSpec: {tasks: [{name: a, taskRef: {name: t}}]}"),
        references=True,
        mode="propagate",
    )
    assert done.findings == []
    assert done.items[1]["spec"]["pipelineSpec"]["tasks"][0]["params"] == [{"name": "img", "value": "$(params.img[*])"}]


def test_rule_58_an_object_is_passed_to_a_step_whose_action_has_a_default_that_lacks_keys():
    done = resolve(
        f"{ACTION}\n---\n"
        + task_run("params: [{name: img, value: {repo: r, tag: x}}]\ntaskSpec: {steps: [{name: s, ref: {name: t}}]}"),
        references=True,
    )
    assert done.errors == []
    assert done.items[1]["spec"]["taskSpec"]["steps"][0]["params"] == [{"name": "img", "value": "$(params.img[*])"}]


@pytest.mark.parametrize("mode", ["implicit", "propagate"])
def test_rule_31_a_key_that_only_the_pipelines_default_has_is_written_with_its_value(mode):
    task = f"{{name: a, params: [{{name: img, value: {{tag: x}}}}], taskSpec: {{{STEPS}}}}}"
    done = resolve(
        run(f"params: [{{name: img, value: {{tag: b}}}}]\npipelineSpec: {{params: [{FULL}], tasks: [{task}]}}"), mode=mode
    )
    assert done.findings == []
    assert done.items[0]["spec"]["pipelineSpec"]["tasks"][0]["params"] == [{"name": "img", "value": {"tag": "x", "repo": "r"}}]


FIELDS = {
    "value": "{name: a, params: [{name: u, value: $(params.img.repo)}], taskRef: {name: t}}",
    "when": "{name: a, taskRef: {name: t}, when: [{input: $(params.img.repo), operator: in, values: [a]}]}",
    "matrix": "{name: a, taskRef: {name: t}, matrix: {params: [{name: u, value: [$(params.img.repo)]}]}}",
    "include": "{name: a, taskRef: {name: t}, matrix: {include: [{params: [{name: u, value: $(params.img.repo)}]}]}}",
    "another name": "{name: a, params: [{name: o, value: '$(params.img[*])'}], "
    "taskSpec: {steps: [{name: s, image: i, script: $(params.o.repo)}]}}",
    "nested": "{name: a, params: [{name: img, value: '$(params.img[*])'}], pipelineSpec: {params: ["
    + FULL
    + "], tasks: [{name: b, displayName: $(params.img.repo), taskRef: {name: t}}]}}",
}


@pytest.mark.parametrize("field", FIELDS)
def test_rule_32_a_field_that_reads_a_key_of_the_pipelines_default_only_warns(field):
    given = "params: [{name: img, value: {tag: b}}]\n"
    done = resolve(run(f"{given}pipelineSpec: {{params: [{FULL}], tasks: [{FIELDS[field]}]}}"), mode="propagate")
    assert done.errors == []
    assert [one.kind for one in done.findings] == ["partial-object"]
    whole = given.replace("tag: b", "tag: b, repo: x")
    assert resolve(run(f"{whole}pipelineSpec: {{params: [{FULL}], tasks: [{FIELDS[field]}]}}"), mode="propagate").findings == []
    assert resolve(run(f"pipelineSpec: {{params: [{FULL}], tasks: [{FIELDS[field]}]}}"), mode="propagate").findings == []


def test_rule_32_an_object_passed_to_a_task_of_the_list_without_the_defaults_keys_warns():
    bare = TASK.replace(", default: {repo: r}", "")
    text = run(
        f"params: [{{name: img, value: {{tag: b}}}}]\npipelineSpec: {{params: [{FULL}], tasks: [{{name: a, taskRef: {{name: t}}}}]}}"
    )
    done = resolve(f"{bare}\n---\n{text}", references=True)
    assert [one.kind for one in done.findings] == ["partial-object"]


def test_rule_32_39_a_key_that_no_layer_gives_is_reported_once_and_not_said_to_be_in_a_default():
    declared = "{name: img, type: object, properties: {repo: {}, tag: {}}}"
    reads = "when: [{input: $(params.img.repo), operator: in, values: [r]}]"
    other = "params: [{name: other, value: '$(params.img[*])'}]"
    task = f"{{name: a, {reads}, {other}, taskSpec: {{params: [{declared}, {declared.replace('img', 'other')}], {STEPS}}}}}"
    text = run(f"params: [{{name: img, value: {{tag: b}}}}]\npipelineSpec: {{params: [{declared}], tasks: [{task}]}}")
    assert [(one.kind, one.tags) for one in resolve(text).findings] == [("missing-key", {"param": "img.repo"})]


def test_rule_32_a_run_by_reference_that_leaves_a_key_to_the_pipelines_default_warns():
    stored = document("Pipeline", f"params: [{FULL}]\ntasks: [{FIELDS['value']}]", metadata="{name: p}")
    for value, kinds in (("{tag: b}", ["partial-object"]), ("{tag: b, repo: x}", [])):
        text = run(f"params: [{{name: img, value: {value}}}]\npipelineRef: {{name: p}}")
        done = resolve(f"{stored}\n---\n{text}", references=True)
        assert [one.kind for one in done.findings] == kinds


def test_rule_37_a_workspace_that_reads_a_key_which_the_run_does_not_give_warns():
    text = run(
        "params: [{name: img, value: {tag: b}}]\nworkspaces: [{name: w, subPath: $(params.img.repo)}]\npipelineRef: {name: p}"
    )
    assert [one.kind for one in resolve(text).findings] == ["workspace-param"]
    assert resolve(text.replace("img.repo", "img.tag")).findings == []


PARTS = {
    "key": ("$(params.obj.k)", "error"),
    "element": ("$(params.list[0])", "error"),
    "whole list": ("$(params.list[*])", "error"),
    "whole object": ("$(params.obj)", "error"),
    "unknown": ("$(params.gone)", "error"),
    "within text": ("a-$(params.b)-$(params.obj.k)", "error"),
    "double brackets": ('$(params["b"])', "warning"),
    "single brackets": ("$(params['b'])", "warning"),
    "element in brackets": ('$(params["list"][0])', "warning"),
}
OTHERS = "{name: obj, type: object, properties: {k: {}}, default: {k: v}}, {name: list, type: array, default: [a, b]}, {name: b, default: B}"


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("mode", ["implicit", "propagate"])
def test_rule_45_a_default_that_reads_a_part_of_another_default(part, mode):
    written, severity = PARTS[part]
    spec = f"params: [{{name: d, default: '{written}'}}, {OTHERS}]\ntasks: []".replace("'$(params['b'])'", "\"$(params['b'])\"")
    found = resolve(run("pipelineSpec:\n  " + spec.replace("\n", "\n  ")), mode=mode).findings
    assert [(one.severity, one.rule, one.tags["param"]) for one in found] == [(severity, "45", "d")]
    stored = resolve(pipeline(spec), mode=mode).findings
    assert [one.severity for one in stored] == ["warning" if part == "unknown" else severity]


@pytest.mark.parametrize("text", ["$(params.b)", "$(params.b)/$(params.b)", "$(tasks.t.results.r)"])
def test_rule_45_a_default_that_reads_strings(text):
    assert resolve(run(f"pipelineSpec: {{params: [{{name: d, default: '{text}'}}, {OTHERS}], tasks: []}}")).findings == []


def test_rule_45_a_default_may_read_parts_of_what_the_run_gives():
    given = "params: [{name: obj, value: {k: v}}, {name: list, value: [a]}]\n"
    defaults = "{name: d, default: '$(params.obj.k)'}, {name: e, default: '$(params.list[0])'}"
    spec = f"pipelineSpec: {{params: [{defaults}, {OTHERS}], tasks: []}}"
    assert resolve(run(given + spec)).findings == []
    past = resolve(run(given + spec.replace("list[0]", "list[1]"))).findings
    assert [(one.severity, one.tags["param"]) for one in past] == [("error", "e")]
    required = "{name: obj, type: object, properties: {k: {}}}, {name: d, default: '$(params.obj.k)'}"
    assert resolve(pipeline(f"params: [{required}]\ntasks: []")).findings == []


@pytest.mark.parametrize(
    ("default", "kinds"),
    [
        ("['$(params.b)', '$(params[\"b\"])']", []),
        ("['$(params.obj.k)']", ["reference-in-default"]),
        ("['$(params.list[*])']", ["reference-in-default"]),
        ("['$(params.gone)']", ["default-reads-nothing"]),
    ],
)
def test_rule_45_members_of_a_default(default, kinds):
    spec = f"pipelineSpec: {{params: [{{name: d, type: array, default: {default}}}, {OTHERS}], tasks: []}}"
    found = resolve(run(spec)).findings
    assert [(one.kind, one.severity) for one in found] == [(kind, "warning") for kind in kinds]


HOST = "{name: host, default: h}, {name: port, default: p}, {name: obj, type: object, properties: {k: {}}, default: {k: v}}"
IN_TASK = {
    "one": ("{name: url, default: 'http://$(params.host)'}", ""),
    "the same twice": ("{name: url, default: '$(params.host)$(params.host)'}", ""),
    "a key": ("{name: url, default: '$(params.obj.k)'}", ""),
    "two": ("{name: url, default: '$(params.host):$(params.port)'}", "one reference of a default"),
    "declared before": ("{name: base, default: 'a$(params.host)'}, {name: url, default: '$(params.base)'}", ""),
    "declared later": ("{name: url, default: '$(params.base)'}, {name: base, default: 'a$(params.host)'}", "declared later"),
    "brackets": ("{name: url, default: '$(params[\"host\"])'}", "does not read brackets"),
    "member": ("{name: url, type: array, default: ['$(params.host)']}", "into the members"),
    "unknown": ("{name: url, default: '$(params.gone)'}", "other defaults of the same task only"),
}


@pytest.mark.parametrize("case", IN_TASK)
def test_rule_36_references_in_the_defaults_of_a_task(case):
    declared, words = IN_TASK[case]
    for text in (
        task_run(f"taskSpec: {{params: [{HOST}, {declared}]}}"),
        run(f"pipelineSpec: {{tasks: [{{name: a, taskSpec: {{params: [{HOST}, {declared}]}}}}]}}"),
        pipeline(f"tasks: []\nfinally: [{{name: a, taskSpec: {{params: [{HOST}, {declared}]}}}}]"),
        document("Task", f"params: [{HOST}, {declared}]"),
    ):
        found = resolve(text, mode="propagate").warnings
        assert len(found) == bool(words)
        assert all(words in one for one in found)
    assert resolve(
        task_run(f"params: [{{name: url, value: x}}]\ntaskSpec: {{params: [{HOST}, {declared}]}}")
    ).findings == [] or (case in ("declared later", "member"))


URL = "params: [{name: host, default: h}, {name: url, default: 'http://$(params.host)'}]"
GIVEN = "params: [{name: host, value: x}]"
URL_TASK = document("Task", URL, metadata="{name: t}")


@pytest.mark.parametrize(
    "text",
    [
        task_run(f"{GIVEN}\ntaskSpec: {{{URL}}}"),
        run(f"{GIVEN}\npipelineSpec: {{tasks: [{{name: a, taskSpec: {{{URL}}}}}]}}"),
        run(f"pipelineSpec: {{tasks: [{{name: a, {GIVEN}, taskSpec: {{{URL}}}}}]}}"),
        f"{URL_TASK}\n---\n" + task_run(f"{GIVEN}\ntaskRef: {{name: t}}"),
        f"{URL_TASK}\n---\n" + run(f"pipelineSpec: {{tasks: [{{name: a, {GIVEN}, taskRef: {{name: t}}}}]}}"),
    ],
)
def test_rule_36_a_tasks_default_gets_the_default_although_a_value_is_given(text):
    (warning,) = resolve(text, references=True, mode="propagate").warnings
    assert "becomes the default of that param, not the value that is given" in warning


def test_rule_58_the_default_of_a_step_action_that_reads_what_it_does_not_have():
    for default, errors in (("$(params.a)", 0), ("$(params.gone)", 1), ("$(params.o.k)", 1), ('x$(params.a)$(params["a"])', 1)):
        spec = f"params: [{{name: a}}, {{name: o, type: object, properties: {{k: {{}}}}, default: {{k: v}}}}, {{name: d, default: '{default}'}}]"
        action = document("StepAction", f"{spec}\nimage: i", "v1beta1", "{name: t}")
        step = task_run("taskSpec: {steps: [{name: s, ref: {name: t}, params: [{name: a, value: x}]}]}")
        assert len(resolve(f"{action}\n---\n{step}", references=True).errors) == errors
        given = step.replace("value: x}", "value: x}, {name: d, value: y}")
        assert resolve(f"{action}\n---\n{given}", references=True).errors == []
