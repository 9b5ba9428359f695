"""What a target overrides is what stood there: a map of which other targets wrote parts is composed of these and of the resource's own."""

from __future__ import annotations

import pytest

from krm_values._data.pointer import ABSENT, to_field
from tests.functions.glasskube_values.packages import helm, manifest, package, ref, target, value
from tests.functions.glasskube_values.runs import run, told

THING = {"apiGroup": "a.b/v1", "kind": "Thing", "name": "t"}


def thing(**spec):
    return {"apiVersion": "a.b/v1", "kind": "Thing", "metadata": {"name": "t", "namespace": "aviary"}, "spec": spec}


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        (["/spec/m/x"], {"spec.m.x": ["1 of spec.m.x"]}),
        (["/spec/m"], {"spec.m": ["{'x': 1, 'y': 2} of spec.m"]}),
        (["/spec/m/x", "/spec/m"], {"spec.m": ["{'x': 'v0', 'y': 2} of spec.m, spec.values.v0.value"]}),
        (["/spec/m", "/spec/m"], {"spec.m": ["v0 of spec.values.v0.value", "{'x': 1, 'y': 2} of spec.m"]}),
    ],
)
def test_what_stood_there(paths, expected):
    definitions = [value(f"v{number}", target(path, "replace", **THING)) for number, path in enumerate(paths)]
    given = {f"v{number}": f"v{number}" for number in range(len(paths))}
    named = {"apiVersion": "krm-values.dev/v1alpha1", "kind": "PackageManifest", "metadata": {"name": "lumen"}}
    state = run({**named, "spec": {"manifest": manifest(*definitions)}}, package(values=given), thing(m={"x": 1, "y": 2}))
    assert not told(state)
    assert lost(state, "Thing") == expected


def lost(state, kind):
    """What each value of an object of a kind overrides."""
    leaves = [one.leaf for one in state.outcome.decisions if one.leaf and one.item.data["kind"] == kind]
    return {
        to_field(leaf.path): [
            f"{origin.value} of {', '.join(to_field(one.path) for one in origin.via or (origin,))}"
            for origin in leaf.overridden
        ]
        for leaf in leaves
    }


NAMED = {"apiVersion": "krm-values.dev/v1alpha1", "kind": "PackageManifest", "metadata": {"name": "lumen"}}
DEFAULT = "spec.manifest.valueDefinitions.a.defaultValue"


@pytest.mark.parametrize("use", [True, ["a"], ["b"], False])
def test_a_default_is_what_there_would_be_without_the_value(use):
    targets = [
        target("/spec/m", "replace", template='"v{{.}}"', **THING),
        target("/spec/n", "add", **THING),
    ]
    definitions = [value("a", *targets, defaultValue="d"), value("b", target("/spec/b", **THING))]
    state = run(
        {**NAMED, "spec": {"manifest": manifest(*definitions)}}, package(values={"a": "x"}), thing(m=1), useDefaults=use
    )
    used = use in (True, ["a"])
    assert lost(state, "Thing") == {
        "spec.m": [*[f"vd of {DEFAULT}"] * used, "1 of spec.m"],
        "spec.n": [f"d of {DEFAULT}"] * used,
    }


def test_a_value_by_reference_overrides_no_default():
    definition = value("a", target("/spec/m", **THING), defaultValue="d")
    source = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c", "namespace": "aviary"}, "data": {"k": "x"}}
    given = package(values={"a": ref("configMapRef", "c", "k")})
    state = run({**NAMED, "spec": {"manifest": manifest(definition)}}, given, source, thing(m=1), useDefaults=True)
    assert lost(state, "Thing") == {"spec.m": ["1 of spec.m"]}


def test_a_default_that_is_not_valid_would_not_be_there():
    definition = value("a", target("/spec/m", **THING), defaultValue="d", constraints={"minLength": 3})
    items = {**NAMED, "spec": {"manifest": manifest(definition)}}, package(values={"a": "xyz"}), thing(m=1)
    assert lost(run(*items, useDefaults=["a"]), "Thing") == {"spec.m": ["1 of spec.m"]}


def test_what_a_target_removes_is_told_with_what_was_there():
    definitions = [value("a", target("/spec/m", **THING)), value("b", target("/spec/m", "remove", **THING))]
    state = run({**NAMED, "spec": {"manifest": manifest(*definitions)}}, package(values={"a": "x", "b": ""}), thing(m=1))
    assert lost(state, "Thing") == {"spec.m": ["x of spec.values.a.value"]}
    (found,) = (one for one in state.outcome.decisions if one.leaf and one.item.data["kind"] == "Thing")
    assert found.after is ABSENT


def test_what_a_target_removes_of_a_charts_values_is_told():
    chart = helm("lumen", values={"k": {"a": 1}, "l": [1]})
    targets = [target("/k", "remove", chart="lumen"), target("/l/0", "remove", chart="lumen")]
    state = run({**NAMED, "spec": {"manifest": manifest(value("a", *targets), helm=chart)}}, package(values={"a": ""}))
    told: dict[str, list[str]] = {"spec.chart.spec.chart": [], "spec.chart.spec.version": []}
    assert lost(state, "HelmRelease") == {"spec.values.k": ["{'a': 1} of spec.manifest.helm.values.k"], **told}


def patched(*patches, **spec):
    """The decisions about a Thing and the Helm objects after patches (op, path, template), each of a value of its own: a, b, c."""
    definitions = [
        value(name, target(path, op, template, **(THING if path.startswith(("/spec", "/metadata")) else {"chart": "lumen"})))
        for name, (op, path, template) in zip("abcd", patches, strict=False)
    ]
    chart = helm("lumen", values=spec.pop("values", {"l": [1, 2, 3]}))
    given = package(values={name: f"v{name}" for name, _ in definitions})
    state = run({**NAMED, "spec": {"manifest": manifest(*definitions, helm=chart)}}, given, thing(**spec))
    assert not told(state)
    return [one for one in state.outcome.decisions if one.leaf]


def gone(decisions):
    """Who removed what, by the path before the run."""
    return {to_field(one.path): (one.before, one.leaf.origin.layer) for one in decisions if one.after is ABSENT}


def test_each_of_several_elements_is_removed_by_its_own_target():
    removals = ("remove", "/spec/l/0", ""), ("remove", "/spec/l/0", ""), ("remove", "/spec/l/1", "")
    expected = {"spec.l[0]": ("p", "value a"), "spec.l[1]": ("q", "value b"), "spec.l[3]": ("s", "value c")}
    assert gone(patched(*removals, l=["p", "q", "r", "s"])) == expected


def test_a_removal_is_told_beside_an_element_that_is_added():
    decisions = patched(
        ("remove", "/spec/l/0", ""), ("remove", "/spec/l/1", ""), ("add", "/spec/l/0", ""), l=["p", "q", "r", "s"]
    )
    assert gone(decisions) == {"spec.l[2]": ("r", "value b")}
    assert [(to_field(one.path), one.before) for one in decisions if one.after == "vc"] == [("spec.l[0]", "p")]


def test_an_equal_element_is_not_taken_for_the_one_that_was_removed():
    assert gone(patched(("remove", "/spec/l/0", ""), l=["p", "p"])) == {"spec.l[0]": ("p", "value a")}


def test_an_element_overrides_its_own_value_wherever_it_stands():
    (found,) = [
        one.leaf for one in patched(("remove", "/spec/l/0", ""), ("replace", "/spec/l/0", ""), l=[1, 2, 3]) if one.after == "vb"
    ]
    assert (found.path, [(one.value, one.path) for one in found.overridden]) == (("spec", "l", 0), [(2, ("spec", "l", 1))])


def test_of_several_inserted_elements_each_is_new():
    inserts = ("add", "/spec/l/0", ""), ("add", "/spec/l/2", "")
    found = {
        to_field(one.path): (one.after, one.kept)
        for one in patched(*inserts, l=["p", "q"])
        if one.path[0] == "spec" and one.after in ("va", "vb")
    }
    assert found == {"spec.l[0]": ("va", False), "spec.l[2]": ("vb", False)}


def test_a_member_is_removed_by_the_last_target_that_left_it_out():
    labels = '{"name": "t", "namespace": "aviary", "labels": {"x": "{{.}}"}}'
    decisions = patched(
        ("add", "/metadata/labels", '{"x": "y"}'), ("replace", "/metadata", labels), ("remove", "/metadata/labels", "")
    )
    assert "metadata.labels" not in gone(decisions)
    kept = '{"name": "t", "namespace": "aviary", "labels": {"x": "{{.}}"}, "annotations": {}}'
    decisions = patched(("replace", "/metadata", kept), ("remove", "/metadata/namespace", ""))
    assert gone(decisions) == {"metadata.namespace": ("aviary", "value b")}


def test_what_is_left_of_a_charts_list_is_told_with_its_own_place():
    decisions = patched(("remove", "/l/0", ""), ("replace", "/l/0", ""))
    places = {
        to_field(one.path): to_field(one.leaf.origin.path) for one in decisions if one.path[:3] == ("spec", "values", "l")
    }
    assert places == {"spec.values.l[0]": "spec.values.b.value", "spec.values.l[1]": "spec.manifest.helm.values.l[2]"}


def test_a_loser_is_what_its_target_made_of_the_value():
    """Of a map that one wrote, the member that another has replaced."""
    first = value("a", target("/spec/n", template='"a-{{.}}"', **THING), target("/spec/m", template='{"x": "{{.}}"}', **THING))
    second = value("b", target("/spec/n", template='"b-{{.}}"', **THING), target("/spec/m/x", **THING))
    third = value("c", target("/spec/n", **THING), kind="number")
    given = package(values={"a": "one", "b": ref("configMapRef", "s", "k"), "c": "3"})
    source = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "s", "namespace": "aviary"}, "data": {"k": "two"}}
    state = run({**NAMED, "spec": {"manifest": manifest(first, second, third)}}, given, source, thing(), typed=True)
    assert not told(state)
    assert lost(state, "Thing") == {
        "spec.m.x": ["one of spec.values.a.value"],
        "spec.n": ["b-two of spec.values.b.valueFrom.configMapRef", "a-one of spec.values.a.value"],
    }


def test_a_loser_of_a_definition_with_a_type_has_it():
    definitions = [value(name, target("/spec/n", **THING), kind="number") for name in ("a", "b")]
    state = run(
        {**NAMED, "spec": {"manifest": manifest(*definitions)}}, package(values={"a": "3", "b": "4"}), thing(), typed=True
    )
    (leaf,) = [one.leaf for one in state.outcome.decisions if one.leaf and one.item.data["kind"] == "Thing"]
    assert (leaf.value, [one.value for one in leaf.overridden]) == (4, [3])
