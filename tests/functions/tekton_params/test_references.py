"""What is a reference, what only looks like one, and how a value is handed down (rules 17 to 20, 36, 46)."""

from __future__ import annotations

import pytest

from krm_values.tekton_params import params
from krm_values.tekton_params.params import Ref
from tests.functions.tekton_params.support import document, pipeline, resolve, run, task_run

REFERENCES = [
    ("$(params.a)", "a"),
    ("$(params.a-b_c)", "a-b_c"),
    ('$(params["a"])', "a"),
    ("$(params['a.b'])", "a.b"),
    ('$(params["a.b"][*])', "a.b"),
    ('$(params["a.b"][0])', "a.b[0]"),
    ("$(params.list[*])", "list"),
    ("$(params.list[12])", "list[12]"),
    ("$(params.obj.key)", "obj.key"),
    ("$(inputs.params.a)", "a"),
    ("$$(params.a)", "a"),
    ("x $(params.a) y", "a"),
    ("$(params.a.b.c)", "a.b.c"),
]
NO_REFERENCES = [
    "$(params. a)",
    "$( params.a)",
    "$(params.a )",
    '$(params["obj"].key)',
    '$(params.obj["key"])',
    '$(inputs.params["a"])',
    "$(params.1a)",
    "$(params['a\"])",
    "$(params.a[-1])",
    "$(params.a[])",
    "$(tasks.t.results.r)",
    "$(context.params.a)",
    "${params.a}",
    "params.a",
]


@pytest.mark.parametrize(("text", "label"), REFERENCES)
def test_rule_36_a_reference(text, label):
    assert [ref.label for ref in params.find(text)] == [label]


@pytest.mark.parametrize("text", NO_REFERENCES)
def test_rule_36_no_reference(text):
    assert params.find(text) == []


def test_rule_36_every_reference_of_a_text_in_order():
    text = "$(params.a)$(params.b[1]) and $(params['c'])"
    assert params.find(text) == [
        Ref("$(params.a)", "a"),
        Ref("$(params.b[1])", "b", index="1"),
        Ref("$(params['c'])", "c", bracket=True),
    ]


@pytest.mark.parametrize("text", ["$( params.a )", '$(params["o"].k)', '$(params.o["k"])', "$(params.1a)", "$(params .a)"])
def test_rule_36_what_only_looks_like_a_reference(text):
    assert params.lookalikes(f"echo {text}") == [text]


@pytest.mark.parametrize("text", ["$(params.a)", "$(params list)", "$(echo params.a)", "$(params)", "$params.a"])
def test_rule_36_what_does_not_even_look_like_one(text):
    assert params.lookalikes(text) == []


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("$(tasks.t.results.r)", True),
        ("a $(tasks.t.results.r[*])", True),
        (["x", "$(tasks.t.results.r.k)"], True),
        ({"k": "$(tasks.t.results.r)"}, True),
        ("$(tasks.t.status)", False),
        ("$(params.tasks)", False),
        (5, False),
    ],
)
def test_rule_46_result_references(value, expected):
    assert params.has_result(value) is expected


@pytest.mark.parametrize(
    ("name", "kind", "spelled"),
    [
        ("a", "string", "$(params.a)"),
        ("a", "array", ["$(params.a[*])"]),
        ("a", "object", "$(params.a[*])"),
        ("a.b", "string", '$(params["a.b"])'),
        ("a.b", "array", ['$(params["a.b"][*])']),
    ],
)
def test_rules_17_to_20_how_a_value_is_handed_down(name, kind, spelled):
    assert params.pass_through(name, kind) == spelled
    assert params.is_pass_through(spelled, name, kind)
    assert params.is_added_form(spelled, name)


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("$(params.a[*])", "array"),
        (["$(params['a'][*])"], "array"),
        (["$(params.a)"], "array"),
        ("$(params['a'])", "string"),
        ("$(params.a[*])", "object"),
    ],
)
def test_rule_24_other_spellings_that_hand_down_the_same(value, kind):
    assert params.is_pass_through(value, "a", kind)


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("$(params.a)", "array"),
        ("$(params['a'][*])", "array"),
        ("$(params['a'][*])", "object"),
        ("$(params.a[*])", "string"),
        (["$(params.a)"], "string"),
        (["$(params.a[*])", "more"], "array"),
        ("$(params.b)", "string"),
        ("$(params.a) ", "string"),
        ("$(inputs.params.a)", "string"),
        ("$(params.a.k)", "object"),
        (["$(params.a[0])"], "array"),
        (["$(inputs.params.a)"], "array"),
        (["$(inputs.params.a[*])"], "array"),
        ([], "array"),
        ({"k": "$(params.a.k)"}, "object"),
        (None, "string"),
    ],
)
def test_rule_24_what_is_no_pass_through(value, kind):
    assert not params.is_pass_through(value, "a", kind)


@pytest.mark.parametrize("mode", ["implicit", "propagate"])
@pytest.mark.parametrize(
    ("text", "hint"),
    [
        (run("params: [{name: brnach, value: x}]\npipelineSpec: {tasks: [{name: t, taskSpec: {steps: [{script: $(params.branch)}]}}]}"), "brnach"),
        (run("params: [{name: brnach, value: {k: v}}]\npipelineSpec: {tasks: [{name: t, taskSpec: {steps: [{script: $(params.branch.k)}]}}]}"), "brnach"),
        (run("params: [{name: brnach, value: [v]}]\npipelineSpec: {tasks: [{name: t, when: [{input: '$(params.branch[0])'}], taskSpec: {steps: []}}]}"), "brnach"),
        (run("pipelineSpec: {tasks: [{name: t, params: [{name: brnach, value: x}], taskSpec: {steps: [{script: $(params.branch)}]}}]}"), "brnach"),
        (run("pipelineSpec: {tasks: [{name: t, params: [{name: brnach, value: x}], pipelineSpec: {tasks: [{name: u, displayName: $(params.branch), taskSpec: {steps: []}}]}}]}"), "brnach"),
        (pipeline("tasks: [{name: t, params: [{name: brnach, value: x}], taskSpec: {steps: [{script: $(params.branch)}]}}]"), "brnach"),
        (task_run("params: [{name: brnach, value: x}]\ntaskSpec: {steps: [{script: $(params.branch)}]}"), "brnach"),
        (task_run("params: [{name: brnach, value: x}]\ntaskSpec: {params: [{name: branch}], steps: []}"), "branch"),
    ],
)  # fmt: skip
def test_rule_s9_one_typo_is_named_once(text, hint, mode):
    found = resolve(text, mode=mode).findings
    assert [one.message.partition("did you mean ")[2] for one in found if "did you mean" in one.message] == [f"`{hint}`?"]
    assert [one.severity for one in found if "did you mean" in one.message] == ["error" if hint == "brnach" else "warning"]


OBJECT = "{name: img, type: object, properties: {tag: {}}, default: {tag: t}}"
DOTTED = "{name: img.tag, default: x}"
SHARED = {
    "run": run("params: [{name: img, value: {tag: t}}, {name: img.tag, value: x}]\npipelineRef: {name: p}"),
    "TaskRun": task_run("params: [{name: img, value: {tag: t}}, {name: img.tag, value: [x]}]\ntaskRef: {name: p}"),
    "pipeline": pipeline(f"params: [{OBJECT}, {DOTTED}]\ntasks: []"),
    "run and pipeline": run(f"params: [{{name: img.tag, value: x}}]\npipelineSpec: {{params: [{OBJECT}], tasks: []}}"),
    "pipeline and task": pipeline(f"params: [{OBJECT}]\ntasks: [{{name: a, taskSpec: {{params: [{DOTTED}]}}}}]"),
    "finally": pipeline(f"tasks: []\nfinally: [{{name: a, taskSpec: {{params: [{OBJECT}, {DOTTED}]}}}}]"),
    "nested": pipeline(f"tasks: [{{name: a, pipelineSpec: {{params: [{OBJECT}, {DOTTED}], tasks: []}}}}]"),
    "Task": document("Task", f"params: [{OBJECT}, {DOTTED}]"),
    "given to a Task": document("Task", f"params: [{OBJECT}]", metadata="{name: t}")
    + "\n---\n"
    + pipeline("tasks: [{name: a, params: [{name: img.tag, value: x}], taskRef: {name: t}}]"),
    "StepAction": document("StepAction", f"params: [{OBJECT}, {DOTTED}]\nimage: i", "v1beta1", "{name: t}")
    + "\n---\n"
    + task_run("taskSpec: {steps: [{name: s, ref: {name: t}}]}"),
}


@pytest.mark.parametrize("case", SHARED)
def test_rule_43_a_name_that_is_spelled_as_a_key_of_an_object(case):
    (error,) = resolve(SHARED[case], references=True, mode="propagate").errors
    assert "`$(params.img.tag)` is also the key tag of the object img" in error
    other = SHARED[case].replace("img.tag", "img.other")
    assert resolve(other, references=True, mode="propagate").errors == []


@pytest.mark.parametrize(
    ("value", "severity", "words"),
    [
        ("$(params.list)", "error", "write `$(params.list[*])`"),
        ('$(params["list"])', "error", "write `$(params.list[*])`"),
        ('$(params["list"][*])', "warning", "write `$(params.list[*])`"),
        ("$(params.list[*])", "", ""),
        ("$(params.list[0])", "", ""),
        ('$(params["a.b"][*])', "", ""),
    ],
)
def test_rule_44_arrays_in_the_values_of_a_when(value, severity, words):
    given = "params: [{name: list, value: [a]}, {name: a.b, value: [a]}]\n"
    when = f"when: [{{input: i, operator: in, values: ['{value}']}}]"
    for text in (
        run(f"{given}pipelineSpec: {{tasks: [{{name: t, {when}, taskRef: {{name: x}}}}]}}"),
        run(f"{given}pipelineSpec: {{tasks: [], finally: [{{name: t, {when}, taskRef: {{name: x}}}}]}}"),
        task_run(f"{given}taskSpec: {{steps: [{{name: s, image: i, {when}}}]}}"),
    ):
        found = resolve(text).findings
        assert [one.severity for one in found] == ([severity] if severity else [])
        assert all(words in one.message for one in found)


PAIR = """$(params["l"][0]) $(params["x.y"])"""
PLACES = {
    "step": ("tasks: [{{name: t, taskSpec: {{steps: [{{name: s, image: i, script: '{}'}}]}}}}]", 1),
    "value": ("tasks: [{{name: t, taskRef: {{name: u}}, params: [{{name: v, value: '{}'}}]}}]", 1),
    "when": ("tasks: [{{name: t, taskRef: {{name: u}}, when: [{{input: '{}', operator: in, values: [a]}}]}}]", 1),
    "finally": ("tasks: []\n  finally: [{{name: t, taskSpec: {{steps: [{{name: s, image: i, script: '{}'}}]}}}}]", 0),
}


@pytest.mark.parametrize("place", PLACES)
def test_rule_36_an_element_in_brackets_before_other_brackets(place):
    spec, count = PLACES[place]
    given = "params: [{name: l, value: [a]}, {name: x.y, value: b}]\npipelineSpec:\n  "
    for text, expected in {
        PAIR: count,
        """$(params["x.y"]) $(params["l"][0])""": 0,
        """$(params.l[0]) $(params["x.y"])""": 0,
        """$(params["l"][0]) $(params[''x.y''])""": 0,
    }.items():
        found = resolve(run(given + spec.format(text)), mode="propagate").findings
        assert [one.kind for one in found if one.severity == "error"] == ["merged-brackets"] * expected


def test_rule_36_a_reference_that_is_not_closed_stays_text():
    (warning,) = resolve(task_run("taskSpec: {steps: [{name: s, image: i, script: 'a $(params.x $(context.y)'}]}")).warnings
    assert "`$(params.x` is not a reference" in warning


READERS = {
    "an element": ("script: '$(params.l[1])'", "error", "reads `$(params.l[1])`, and the list has 1 element"),
    "no values": (
        "when: [{input: a, operator: in, values: ['$(params.e[*])']}]",
        "warning",
        "reads `$(params.e[*])` as the `values` of a step's `when`, and the list is empty",
    ),
    "what there is": ("script: '$(params.l[0])'", "", ""),
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("references", [True, False])
def test_rule_44_a_referenced_object_reads_past_the_end(reader, references):
    field, severity, message = READERS[reader]
    spec = f"params: [{{name: l, type: array}}, {{name: e, type: array, default: []}}]\nsteps: [{{name: s, image: i, {field}}}]"
    inner = f"{{name: x, taskSpec: {{steps: [{{name: s, image: i, {field}}}]}}}}"
    both = "params: [{name: l, type: array}, {name: e, type: array, default: []}]\n"
    values = "params: [{name: l, value: [a]}]"
    task, called = (
        document("Task", spec, metadata="{name: t}"),
        document("Pipeline", f"{both}tasks: [{inner}]", metadata="{name: t}"),
    )
    for target, text in (
        (task, run(f"pipelineSpec: {{tasks: [{{name: x, taskRef: {{name: t}}, {values}}}]}}")),
        (task, task_run(f"{values}\ntaskRef: {{name: t}}")),
        (called, run(f"{values}\npipelineRef: {{name: t}}")),
    ):
        found = resolve(f"{target}\n---\n{text}", references=references).findings
        told = [one for one in found if one.item.number == 1]  # type: ignore[union-attr]
        assert [(one.severity, message in one.message) for one in told] == [(severity, True)] * (references and bool(severity))


def test_rule_44_a_referenced_pipeline_reads_past_the_end():
    step = "taskSpec: {steps: [{name: s, image: i, script: '$(params.l[1])'}]}"
    text = pipeline("params: [{name: l, type: array}]\ntasks: [{name: t, " + step + "}]")
    (error,) = resolve(
        f"{text}\n---\n" + run("params: [{name: l, value: [a]}]\npipelineRef: {name: n}"), references=True
    ).errors
    assert "Pipeline n reads `$(params.l[1])`, and the list has 1 element" in error


@pytest.mark.parametrize("texts", [("$(params.a.b.c)", '$(params["a.b.c"])'), ("$(params.a.b)", '$(params["a.b"])')])
@pytest.mark.parametrize("turn", [1, -1])
def test_rule_40_41_an_unknown_name_is_reported_beside_a_key_that_is_spelled_alike(texts, turn):
    script, value = texts[::turn]
    steps = f"steps: [{{name: s, image: i, script: '{script}'}}, {{name: t, image: i, script: '{value}'}}]"
    task = f"{{name: t, taskRef: {{name: x}}, params: [{{name: v, value: '{script}'}}, {{name: w, value: '{value}'}}]}}"
    for text, unknown in (
        (task_run(f"params: [{{name: a, value: x}}]\ntaskSpec: {{{steps}}}"), "unknown-param"),
        (run(f"params: [{{name: a, value: x}}]\npipelineSpec: {{tasks: [{task}]}}"), "unknown-in-pipeline"),
    ):
        kinds = [one.kind for one in resolve(text).findings if one.severity == "error"]
        assert [kind == unknown for kind in kinds] == [False, True][::turn]


def test_rule_44_an_empty_list_as_the_values_of_a_step():
    step = "{name: s, image: i, when: [{input: a, operator: in, values: ['$(params.e[*])']}]}"
    found = resolve(task_run(f"params: [{{name: e, value: []}}]\ntaskSpec: {{steps: [{step}]}}")).findings
    assert [one.kind for one in found] == ["no-values"]


@pytest.mark.parametrize(("value", "count"), [("x-$(params.a)", 1), ("$(params.a)", 0), ("v$(tasks.t.results.r)", 0)])
def test_rule_26_a_composed_value_that_is_none_of_an_enum(value, count):
    task = f"{{name: t, params: [{{name: p, value: '{value}'}}], taskSpec: {{params: [{{name: p, enum: [v, w]}}]}}}}"
    errors = resolve(pipeline(f"params: [{{name: a, enum: [v]}}]\ntasks: [{task}]")).errors
    assert [error.split(":")[0] for error in errors] == ["26 p"] * count


def test_rule_31_an_object_of_which_two_tasks_read_keys_gets_them_all():
    tasks = "[{name: a, taskSpec: {steps: [{script: $(params.o.m)}]}}, {name: b, params: [{name: o, value: {k: x}}], taskSpec: {steps: [{script: $(params.o.k)}]}}]"
    (item,) = resolve(
        run(f"params: [{{name: o, value: {{k: y, m: z}}}}]\npipelineSpec: {{tasks: {tasks}}}"), mode="propagate"
    ).items
    assert item["spec"]["pipelineSpec"]["tasks"][1]["params"] == [{"name": "o", "value": {"k": "x", "m": "$(params.o.m)"}}]
