"""Objects that are not read because of their apiVersion or kind, in the list and in a TriggerTemplate: a warning names them."""

from __future__ import annotations

import pytest

from krm_values._data.pointer import to_field
from krm_values._krm import findings as results
from krm_values._run import invoke
from tests.conformance.cases import resource_list

KINDS = ["PipelineRun", "TaskRun", "Pipeline", "Task"]
SPEC = {"spec": {"params": [{"name": "a", "value": "x"}]}}


def warned(*items):
    outcome = invoke.answer(resource_list(list(items), "tekton-params", {}), "tekton-params")[1]
    assert not outcome.edited
    found = outcome.findings
    return [(one.severity, one.kind, to_field(one.path), results.message(one, named=False)) for one in found]


def template(*elements, version="v1beta1"):
    return {
        "apiVersion": f"triggers.tekton.dev/{version}",
        "kind": "TriggerTemplate",
        "metadata": {"name": "t"},
        "spec": {"resourcetemplates": [{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "m"}}, *elements]},
    }


def an_object(version, kind):
    return {
        "apiVersion": f"tekton.dev/{version}",
        "kind": kind,
        "metadata": {"name": "n"},
        **(SPEC if kind.endswith("Run") else {}),
    }


OLD = 'has the version "v1alpha1", which is not read; known are v1, v1beta1'


@pytest.mark.parametrize("kind", KINDS)
def test_an_old_version_is_not_read_and_a_warning_says_so(kind):
    assert warned(an_object("v1alpha1", kind)) == [("warning", "version", "apiVersion", f"stdin:4:3: {OLD}")]
    field = "spec.resourcetemplates[1].apiVersion"
    assert warned(template(an_object("v1alpha1", kind))) == [("warning", "version", field, f"stdin:14:7: {OLD}")]


@pytest.mark.parametrize("kind", ["Run", "StepAction", "Condition", "PipelineResource", "VerificationPolicy", "ClusterTask"])
def test_other_kinds_are_not_read_in_any_version(kind):
    item = {"apiVersion": "tekton.dev/v1alpha1", "kind": kind, "metadata": {"name": "n"}}
    assert warned(item) == warned(template(item)) == []


@pytest.mark.parametrize("version", ["v1alph1", "v1alpha", "v1alpha2", "v1aplha1", "v1bta1"])
@pytest.mark.parametrize("kind", KINDS)
def test_no_advice_leads_to_a_version_that_is_not_read(kind, version):
    for item in (an_object(version, kind), template(an_object(version, kind))):
        said = warned(item)
        assert [(severity, found) for severity, found, *_ in said] == [("warning", "misspelt-kind")]
        assert "did you mean `tekton.dev/v1" in said[0][3]
        assert "did you mean `tekton.dev/v1alpha1" not in said[0][3]


ELEMENTS = {
    "kind": ({"apiVersion": "tekton.dev/v1", "kid": "PipelineRun"}, "kid"),
    "kind in the other case": ({"apiVersion": "tekton.dev/v1beta1", "Kind": "TaskRun"}, "Kind"),
    "apiVersion": ({"apiVerson": "tekton.dev/v1", "kind": "PipelineRun"}, "apiVerson"),
    "apiVersion in the other case": ({"apiversion": "tekton.dev/v1", "kind": "TaskRun"}, "apiversion"),
}


@pytest.mark.parametrize(("header", "key"), ELEMENTS.values(), ids=ELEMENTS)
def test_a_misspelt_key_of_a_header_in_a_template(header, key):
    """As at the top of an object."""
    element = {**header, "metadata": {"name": "n"}, **SPEC}
    near = "kind" if key.lower().startswith("k") else "apiVersion"
    text = f"`{key}` is not a field of a resource, so this is not read; did you mean `{near}`?"
    line = list(element).index(key)
    inside = ("warning", "misspelt-kind", f"spec.resourcetemplates[1].{key}", f"stdin:{14 + line}:7: {text}")
    assert inside in warned(template(element))
    assert ("warning", "misspelt-kind", key, f"stdin:{4 + line}:3: {text}") in warned(element)


@pytest.mark.parametrize("key", ["metdata", "spc"])
def test_a_misspelt_key_below_a_whole_header_stays_a_key(key):
    element = {"apiVersion": "tekton.dev/v1", "kind": "PipelineRun", key: {}}
    assert [(kind, field) for _, kind, field, _ in warned(template(element))] == [
        ("unknown-key", f"spec.resourcetemplates[1].{key}")
    ]


@pytest.mark.parametrize(
    "element",
    [
        {"apiVersion": "batch/v1", "knd": "Job"},
        {"apiVerson": "batch/v1", "kind": "Job"},
        {"kid": "PipelineRun"},
        {"apiVersion": "tekton.dev/v1"},
        {"kind": "PipelineRun"},
        {"apiVersion": ["tekton.dev/v1"], "kind": {"a": 1}},
    ],
)
def test_elements_that_may_be_anything_are_left_alone(element):
    assert warned(template(element)) == []
