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
