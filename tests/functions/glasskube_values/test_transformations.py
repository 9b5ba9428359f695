"""Values that a package computes: paths, sources and what becomes of what they find."""

from __future__ import annotations

from typing import Any

import pytest

from krm_values.glasskube_values import jsonpath
from tests.functions.glasskube_values.support import (
    cluster,
    config_map,
    found,
    level,
    manifest,
    package,
    run,
    secret,
    target,
    thing,
    told,
)

DATA = {
    "a": {"b.c": 1, "d/e": "slash", "list": [{"n": "x"}, {"n": "y"}, {"m": None}], "it's": True},
    "kind": "Thing",
    "empty": [],
}


@pytest.mark.parametrize(
    ("path", "values"),
    [
        ("{ $.kind }", ["Thing"]),
        ("{.kind}", ["Thing"]),
        ("{ @.kind }", ["Thing"]),
        ("{$.a.b\\.c}", [1]),
        ("{ $.a['b.c'] }", [1]),
        ('{ $["a"]["d/e"] }', ["slash"]),
        ("{ $.a.d/e }", ["slash"]),
        ("{ $.a['it\\'s'] }", [True]),
        ("{ .a.list[0].n }", ["x"]),
        ("{ .a.list[-1].m }", [None]),
        ("{ .a.list[0:2].n }", ["x", "y"]),
        ("{ .a.list[*].n }", ["x", "y"]),
        ("{ ..n }", ["x", "y"]),
        ("{ .a.* }", [1, "slash", DATA["a"]["list"], True]),
        ("{ .empty[*] }", []),
        ("{ .nothing.below }", []),
        ("{ .kind.below }", []),
        ("{ .a.list[7] }", []),
        ("{ $ }", [DATA]),
        ("plain text", ["plain text"]),
        ("{ 'text' }", ["text"]),
        ("{.kind}-{.a.d/e}", ["Thing", "-", "slash"]),
        ("", []),
    ],
)
def test_paths(path, values):
    assert [value for _, value in jsonpath.find(DATA, path)] == values


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("{ .a", "a brace is not closed"),
        ("{ .list[?(@.n=='x')] }", "filters are not supported"),
        ("{ range .a }", "`range .a ` is not understood"),
        ("{ .a[x] }", "`[x] ` is not understood"),
    ],
)
def test_paths_that_cannot_be_read(path, why):
    with pytest.raises(jsonpath.JsonPathError, match=why.replace("[", r"\[")):
        jsonpath.find(DATA, path)


def transformed(*items: Any, path: str, template: str = "", scope: str = "Namespaced", **resource: str) -> Any:
    source = {"path": path, **({"resource": resource} if resource else {})}
    given = manifest(scope=scope, transformations=[{"source": source, "targets": [target(template=template)]}])
    return run(*items, config_map(), manifests=[given])


@pytest.mark.parametrize(
    ("path", "template", "expected"),
    [
        ("{ $.metadata.name }", "", "lumen"),
        ("{ $.metadata.namespace }", '"in {{ . }}"', "in aviary"),
        ("text", "", "text"),
        ("{ $.spec.suspend }", "", False),
        ("{ $.spec.suspend }", "{{ if . }}1{{ else }}0{{ end }}", 0),
        ("{ $.spec.packageInfo }", "", {"name": "lumen", "version": "v1"}),
    ],
)
def test_without_a_resource_the_source_is_the_package_and_the_result_keeps_its_type(path, template, expected):
    state = transformed(package(suspend=False), path=path, template=template)
    assert (told(state), level(state)) == ([], expected)


def test_a_source_is_an_object_of_the_packages_namespace():
    items = [package(), thing({"n": 1}), thing({"n": 2}, namespace="marsh"), thing({"n": 3}, namespace=None)]
    where = {"apiGroup": "aviary.example/v1", "kind": "Thing", "name": "thing"}
    assert level(transformed(*items, path="{ .spec.n }", **where)) == 1
    assert level(transformed(cluster(), *items[1:], path="{ .spec.n }", scope="Cluster", **where)) == 3


@pytest.mark.parametrize(
    ("path", "resource", "words"),
    [
        ("{ $.metadata.labels.tier }", {}, "{ $.metadata.labels.tier } finds nothing in Package aviary/lumen"),
        ("{ $.spec.* }", {}, "finds 2 values in Package aviary/lumen, one is needed"),
        ("{ .a", {}, "{ .a cannot be read: a brace is not closed"),
        ("{ .a }", {"apiGroup": "v1", "kind": "ConfigMap", "name": "gone"}, 'ConfigMap "gone" not found in namespace aviary'),
        ("{ .a }", {"kind": "ConfigMap", "name": "env"}, "must have an `apiGroup`"),
        ("{ .a }", {"apiGroup": "a/b/c", "kind": "ConfigMap", "name": "env"}, '"a/b/c" is not group/version'),
    ],
)
def test_what_is_wrong_with_a_source_is_said_with_the_number_of_the_transformation(path, resource, words):
    (error,) = told(transformed(package(), path=path, **resource))
    assert "transformation 1: " in error
    assert words in error


def test_a_source_that_only_the_cluster_has():
    source = {"path": "{ .data.k }", "resource": {"apiGroup": "v1", "kind": "ConfigMap", "name": "gone"}}
    given = manifest(transformations=[{"source": source, "targets": [target()]}])
    allowed = [{"kind": "ConfigMap", "name": "gone"}]
    state = run(package(), config_map(), manifests=[given], allowMissing=allowed)
    assert (told(state), level(state)) == ([], None)
    assert "transformation 1 waits for the cluster" in told(state, "info")[0]


def test_a_transformation_that_reads_a_secret_into_anything_else_is_a_warning():
    state = transformed(package(), secret(), path="{ .stringData.token }", apiGroup="v1", kind="Secret", name="vault")
    assert level(state) == "kelp-moss"
    (warning,) = told(state, "warning")
    assert "transformation 1 goes from a Secret into ConfigMap aviary/env" in warning
    assert "kelp-moss" not in warning
    assert found(state, "vault", "Secret") == secret()
