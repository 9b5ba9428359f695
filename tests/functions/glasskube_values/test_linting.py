"""What lint finds is a warning of a run, once, and not where the run says the same as an error."""

from __future__ import annotations

import pytest

from tests.functions.glasskube_values.packages import cluster
from tests.functions.glasskube_values.resources import THING, thing
from tests.functions.glasskube_values.runs import run
from tests.functions.glasskube_values.test_lint import FINE, WRONG, chart, manifest, resource

READABLE = {name: case for name, case in WRONG.items() if case[1] != "error manifest"}
SCOPE = ("manifest", "11")  # the manifests of lint write no scope


def said(data, *items, level=None, **config):
    """(severity, kind) of all findings of a run with one Package."""
    values = {} if level is None else {"level": level}
    return told_by(cluster(values=values), *items, manifests=[data], **config)


def told_by(*items, **config):
    """(severity, kind for lint) of all findings of a run."""
    state = run(*items, **config)
    return [(one.severity, one.tags.get("lint", one.kind)) for one in state.outcome.findings if (one.kind, one.rule) != SCOPE]


@pytest.mark.parametrize("name", READABLE)
def test_a_fault_is_a_warning_where_nothing_is_configured(name):
    data, expected = READABLE[name]
    config = {"typed": False} if "text-boolean" in expected else {}  # else the value is written as such (S28)
    found = said(data, **config)
    if "transformation" in {kind for _, kind in found}:
        assert [severity for severity, _ in found] == ["error"], "transformations need no values"
    else:
        severity, kind = expected.split()
        assert found == [("info" if severity == "info" else "warning", kind)]


@pytest.mark.parametrize("name", FINE)
def test_what_is_fine_is_no_warning(name):
    assert said(FINE[name]) == []


@pytest.mark.parametrize(
    ("definition", "level", "expected"),
    [
        ({"constraints": {"pattern": "("}}, "a", [("error", "validation")]),
        ({"type": "options", "options": []}, "a", [("error", "validation")]),
        ({"targets": [chart("{{")]}, "a", [("error", "template")]),
        ({"targets": [chart("{{ . }}")]}, "a", [("error", "template")]),
        ({"targets": [chart("{{ . }}")]}, "7", [("warning", "template-json")]),
        ({"targets": [chart(op="Add")]}, "a", [("error", "patch")]),
        ({"targets": [resource(path="/spec/list/-1", **THING)]}, "a", [("error", "patch")]),
        ({"targets": [resource(path="/spec/list/01", **THING)]}, "a", [("error", "patch")]),
        ({"targets": [resource(path="/spec/no/01", **THING)]}, "a", [("error", "patch"), ("warning", "pointer")]),
        ({"targets": [resource(path="/spec/a~b", **THING)]}, "a", [("error", "patch")]),
        ({"targets": [resource(**{**THING, "apiGroup": "a/b/c"})]}, "a", [("error", "target")]),
        ({"targets": [resource(**{**THING, "apiGroup": "aviary.example"})]}, "a", [("error", "target"), ("warning", "api-group")]),
        ({"targets": [{**chart(), "chartName": "no"}]}, "a", [("error", "target")]),
        ({"constraints": {"minLength": 3}, "defaultValue": "b"}, "a", [("error", "validation"), ("warning", "default")]),
        ({"constraints": {"min": 2, "max": 1}, "type": "number"}, "1", [("error", "validation"), ("warning", "bounds")]),
    ],
)  # fmt: skip
def test_a_defect_is_said_once(definition, level, expected):
    assert said(manifest(definition), thing({"list": [1, 2]}), level=level) == expected


def test_a_default_that_is_used_is_an_error_and_no_warning_beside_it():
    data = manifest({"constraints": {"minLength": 3}, "defaultValue": "b"})
    assert said(data, useDefaults=True) == [("error", "validation")]


DEAD = manifest({"targets": [resource(name="ducks"), resource()]})


def test_a_resource_that_is_not_in_the_list_is_said_if_resources_are():
    """By the run, if the value is configured; what is not set is not written anywhere and loses nothing."""
    eggs = {**thing({}, name="eggs"), "apiVersion": "apps/v1", "kind": "Deployment"}
    assert said(DEAD) == []
    assert said(DEAD, eggs) == []
    assert said(DEAD, eggs, level="a") == [("warning", "target")]


BROKEN = {"constraints": {"pattern": "("}}


def test_a_manifest_that_no_package_takes_is_looked_at():
    assert told_by(manifests=[manifest(BROKEN, colour="red")]) == [("warning", "unknown-key"), ("warning", "pattern")]


def test_two_packages_of_one_manifest_do_not_say_its_faults_twice():
    """Nor do two manifests that are the same data."""
    items = [cluster("lumen"), cluster("other")]
    data = manifest(BROKEN, colour="red")
    expected = [("warning", "unknown-key"), ("warning", "pattern")]
    assert sorted(told_by(*items, manifests=[data])) == sorted(expected)
    assert sorted(told_by(*items, manifests=[data, dict(data)])) == sorted(expected)


def test_what_one_package_says_is_not_taken_for_the_other_s():
    """Both manifests have a definition of this name and fault; it is configured only in the first."""
    other = {**manifest(BROKEN), "name": "other"}
    items = [cluster(values={"level": "a"}), cluster("other", "other")]
    found = told_by(*items, manifests=[manifest(BROKEN), other])
    assert found == [("error", "validation"), ("warning", "pattern")]


def test_a_manifest_that_cannot_be_read_is_still_looked_at():
    """The rest of its faults come with the error, each once."""
    data = manifest({"constraints": {"minLength": 1.5, "pattern": "("}, "targets": [chart("{{")]})
    assert sorted(said(data)) == [("error", "manifest"), ("warning", "pattern"), ("warning", "template")]


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        (chart(op="move"), [("error", "transformation")]),
        (chart(path="/a~b"), [("error", "transformation")]),
        (chart(path="/list/01"), [("error", "transformation")]),
        (chart("{{"), [("error", "transformation")]),
        (chart("{{ . }}"), [("error", "transformation")]),
        (resource(**{**THING, "apiGroup": "a/b/c"}), [("error", "transformation")]),
        ({**chart(), "chartName": "no"}, [("warning", "transformation")]),
        (resource(**{**THING, "name": "no"}), [("warning", "transformation")]),
        (resource(**{**THING, "apiGroup": "aviary.example"}), [("warning", "transformation"), ("warning", "api-group")]),
        (chart(path="a"), [("warning", "slash")]),
    ],
)  # fmt: skip
def test_a_defect_of_a_transformation_is_said_once(target, expected):
    data = manifest()
    data["helm"]["values"] = {"list": [1, 2]}
    assert said({**data, "transformations": [{"source": {"path": "{ $.metadata.name }"}, "targets": [target]}]}) == expected
