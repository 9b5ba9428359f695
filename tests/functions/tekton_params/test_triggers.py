"""Runs in a TriggerTemplate are completed and checked as in the list (rule S11); `$(tt.params.N)` is opaque text (rules S12 and S13)."""

from __future__ import annotations

import pytest

from krm_values._data.pointer import to_field
from tests.functions.tekton_params.support import resolve
from tests.reference.tekton_controller.generate import Generator

PREFIX = "spec.resourcetemplates[1]."
OTHER = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"generateName": "note-"}, "data": {"spec": "$(params.a)"}}


def template(*elements, params=(), namespace="ci"):
    return {
        "apiVersion": "triggers.tekton.dev/v1beta1",
        "kind": "TriggerTemplate",
        "metadata": {"name": "t", "namespace": namespace},
        "spec": {"params": [{"name": name} for name in params], "resourcetemplates": list(elements)},
    }


def a_run(value, **spec):
    steps = [{"name": "s", "image": "busybox", "script": "echo $(params.a)"}]
    return {
        "apiVersion": "tekton.dev/v1",
        "kind": "PipelineRun",
        "metadata": {"generateName": "run-"},
        "spec": {
            "params": [{"name": "a", "value": value}],
            "pipelineSpec": {"tasks": [{"name": "t", "taskSpec": {"steps": steps}}]},
            **spec,
        },
    }


def found(resolved, prefix):
    """(severity, rule, kind, field, param) of each finding, the field without its prefix."""
    return [
        (one.severity, one.rule, one.kind, to_field(one.path).removeprefix(prefix), dict(one.tags)) for one in resolved.findings
    ]


@pytest.mark.parametrize("damaged", [False, True], ids=["sound", "damaged"])
@pytest.mark.parametrize("seed", range(300))
def test_an_element_is_treated_as_the_same_run_in_the_list(seed, damaged):
    generator = Generator(seed)
    first, *others = generator.damaged() if damaged else generator.items()
    if not isinstance(first, dict) or first.get("kind") not in ("PipelineRun", "TaskRun"):
        return
    alone = resolve([first, *others], **generator.config)
    namespace = first.get("metadata", {}).get("namespace", "")
    within = resolve([template(OTHER, first, OTHER, namespace=namespace), *others], **generator.config)
    assert within.items[0]["spec"]["resourcetemplates"] == [OTHER, alone.items[0], OTHER]
    assert sorted(map(repr, found(within, PREFIX))) == sorted(map(repr, found(alone, "")))


def test_elements_do_not_share_their_params():
    resolved = resolve([template(a_run("x"), a_run("y", params=[]))])
    assert ["40 a" in error for error in resolved.errors] == [True]
    assert resolved.findings[-1].path[:3] == ("spec", "resourcetemplates", 1)


@pytest.mark.parametrize(
    ("value", "kind"),
    [("$(tt.params.url)", "string"), (["-v", "$(tt.params.url)"], "array"), ({"key": "$(tt.params.url)"}, "object")],
)
def test_a_value_that_holds_a_trigger_param_has_the_type_of_its_form(value, kind):
    run = a_run(value)
    run["spec"]["pipelineSpec"]["tasks"][0]["taskSpec"]["steps"][0]["script"] = "echo"
    resolved = resolve([template(run, params=["url"])])
    assert resolved.errors == []
    declared = resolved.items[0]["spec"]["resourcetemplates"][0]["spec"]["pipelineSpec"]["params"]
    assert [entry["type"] for entry in declared] == [kind]


@pytest.mark.parametrize(
    ("element", "path"),
    [
        (a_run("$(tt.params.revison)-$(tt.params.revison)"), "spec.resourcetemplates[0].spec.params[0].value"),
        (OTHER | {"data": {"$(tt.params.revison)": "x"}}, 'spec.resourcetemplates[0].data["$(tt.params.revison)"]'),
        (OTHER | {"data": {"a": ["b", {"c": "$(tt.params.revison)"}]}}, "spec.resourcetemplates[0].data.a[1].c"),
    ],
)
def test_a_trigger_param_that_is_not_declared_is_an_error_once(element, path):
    resolved = resolve([template(element, params=["revision", "url"])])
    errors = [one for one in resolved.findings if one.severity == "error"]
    assert [(one.rule, to_field(one.path), one.tags) for one in errors] == [("S13", path, {"param": "revison"})]
    assert "did you mean `revision`?" in errors[0].message


def test_a_word_that_a_trigger_gives_is_not_checked():
    run = a_run("x")
    run["spec"]["pipelineSpec"]["tasks"][0]["taskSpec"]["params"] = [{"name": "a", "type": "$(tt.params.kind)"}]
    assert resolve([template(run, params=["kind"])]).errors == []


@pytest.mark.parametrize(("own", "looked_up"), [({}, "ci"), ({"namespace": "other"}, "other")])
def test_references_are_looked_up_in_the_runs_or_templates_namespace(own, looked_up):
    run = a_run("x", pipelineSpec={"tasks": [{"name": "t", "taskRef": {"name": "do"}}]})
    run["metadata"] |= own
    tasks = [
        {
            "apiVersion": "tekton.dev/v1",
            "kind": "Task",
            "metadata": {"name": "do", "namespace": namespace},
            "spec": {"params": [{"name": name}]},
        }
        for namespace, name in (("ci", "of-ci"), ("other", "of-other"))
    ]
    resolved = resolve([template(run), *tasks], references=True)
    assert [one.tags["param"] for one in resolved.findings if one.severity == "error"] == [f"of-{looked_up}"]


@pytest.mark.parametrize("declared", [["a"], ["b", "a"], ["b"]])
def test_a_param_of_the_template_is_read_in_its_own_form(declared):
    """`$(params.N)` is a reference of the run (rule S11): the message says how that of the template is written."""
    (error,) = (one for one in resolve([template(a_run("x", params=[]), params=declared)]).findings if one.severity == "error")
    assert (error.rule, to_field(error.path)) == (
        "40",
        "spec.resourcetemplates[0].spec.pipelineSpec.tasks[0].taskSpec.steps[0].script",
    )
    assert error.message.endswith(
        "no layer has it; the TriggerTemplate has it: write `$(tt.params.a)`"
        if "a" in declared
        else "no layer has it; declare it or give it a value"
    )
    alone = resolve([a_run("x", params=[])]).findings
    assert "tt.params" not in "".join(one.message for one in alone)
    written = template(a_run("$(tt.params.a)"), params=["a"])
    assert not [one for one in resolve([written]).findings if one.severity == "error"]
