"""Values that a package computes: paths, sources and what becomes of what they find."""

from __future__ import annotations

from typing import Any

import pytest

from tests.functions.glasskube_values.packages import cluster, manifest, package, target
from tests.functions.glasskube_values.resources import THING, config_map, secret, thing
from tests.functions.glasskube_values.runs import found, level, run, told


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
        ("{ 'text' }", "", "text"),
        ("{ true }", "", True),
    ],
)
def test_without_a_resource_the_source_is_the_package(path, template, expected):
    state = transformed(package(suspend=False), path=path, template=template)
    assert (told(state), level(state)) == ([], expected)


def test_a_source_is_an_object_of_the_packages_namespace():
    items = [package(), thing({"n": 1}), thing({"n": 2}, namespace="marsh"), thing({"n": 3}, namespace=None)]
    assert level(transformed(*items, path="{ .spec.n }", **THING)) == 1
    assert level(transformed(cluster(), *items[1:], path="{ .spec.n }", scope="Cluster", **THING)) == 3


PORTS = {"ports": [{"name": "web", "port": 80, "weight": 2.50}, {"name": "tls", "port": 443.0, "weight": 0.5}]}


@pytest.mark.parametrize(
    ("path", "expected", "place"),
    [
        ("{ .spec.ports[?(@.name=='tls')].port }", 443, ("spec", "ports", 1, "port")),
        ("{ .spec.ports[?(@.port==443)].name }", "tls", ("spec", "ports", 1, "name")),
        ("{ .spec.ports[?(@.weight>1.0)].weight }", 2.5, ("spec", "ports", 0, "weight")),
        ("{ .spec.ports[-1:].name }", "tls", ("spec", "ports", 1, "name")),
        ("{ .spec.ports[?(@.port<100)]['name'] }", "web", ("spec", "ports", 0, "name")),
    ],
)
def test_filters_select_in_a_source_and_the_value_remembers_its_place(path, expected, place):
    state = transformed(package(), thing(PORTS), path=path, **THING)
    assert (told(state), level(state)) == ([], expected)
    (leaf,) = [decision.leaf for decision in state.outcome.decisions if decision.leaf]
    (source,) = leaf.origin.via
    assert (source.item.kind, source.path) == ("Thing", place)


@pytest.mark.parametrize(
    ("path", "resource", "words"),
    [
        ("{ $.metadata.labels.tier }", {}, "{ $.metadata.labels.tier } finds nothing in Package aviary/lumen"),
        ("{ $.spec.* }", {}, "finds 2 values in Package aviary/lumen, one is needed"),
        ("{ $.metadata.labels.tier }", {}, "lumen: it leads to `labels`, which does not exist"),
        ("{ .a", {}, "{ .a ends too early: a quote, bracket or brace is not closed"),
        ("{.kind}-{.metadata.name}", {}, "has 3 parts, in braces and beside them, and each is a value of its own: keep one"),
        ("{ $.spec.*[?(@.a)] }", {}, "has a filter where no list is"),
        ("", {}, "finds nothing in Package aviary/lumen, one is needed"),
        ("{ .a }", {"apiGroup": "v1", "kind": "ConfigMap", "name": "gone"}, 'ConfigMap "gone" not found in namespace aviary'),
        ("{ .a }", {"kind": "ConfigMap", "name": "env"}, "must have an `apiGroup`"),
        ("{ .a }", {"apiGroup": "a/b/c", "kind": "ConfigMap", "name": "env"}, '"a/b/c" is not group/version'),
    ],
)
def test_a_faulty_source_is_reported_with_its_transformation(path, resource, words):
    (error,) = told(transformed(package(), path=path, **resource))
    assert "transformation 1: " in error
    assert words in error


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [(1, 1, 1), (1, 2, "differ: keep one"), (1, True, "differ: keep one"), (1, 1.0, 1), (1, 1.5, "differ: keep one")],
)
def test_of_equal_sources_of_one_name_the_first_is_read(one, two, expected):
    state = transformed(package(), thing({"n": one}), thing({"n": two}), path="{ .spec.n }", **THING)
    if isinstance(expected, int):
        assert (told(state), level(state)) == ([], expected)
    else:
        (error,) = told(state)
        assert (
            f'transformation 1: Thing "thing" is in the list 2 times, in item 1 and item 2, and the objects {expected}' in error
        )


def test_a_source_that_only_the_cluster_has():
    source = {"path": "{ .data.k }", "resource": {"apiGroup": "v1", "kind": "ConfigMap", "name": "gone"}}
    given = manifest(transformations=[{"source": source, "targets": [target()]}])
    allowed = [{"kind": "ConfigMap", "name": "gone"}]
    state = run(package(), config_map(), manifests=[given], allowMissing=allowed)
    assert (told(state), level(state)) == ([], None)
    assert "transformation 1 is known in the cluster only" in told(state, "info")[0]


def test_a_transformation_of_a_secret_into_anything_else_is_a_warning():
    state = transformed(package(), secret(), path="{ .stringData.token }", apiGroup="v1", kind="Secret", name="vault")
    assert level(state) == "kelp-moss"
    (warning,) = told(state, "warning")
    assert "transformation 1 comes from a Secret and is written into ConfigMap aviary/env" in warning
    assert "kelp-moss" not in warning
    assert found(state, "vault", "Secret") == secret()


@pytest.mark.parametrize("is_wrapped", [False, True])
@pytest.mark.parametrize(
    ("path", "via"), [("{ $.metadata.name }", [("Package", ("metadata", "name"))]), ("text", []), ("{ 'text' }", [])]
)
def test_the_origin_of_a_transformation_is_its_place_in_the_manifest(path, via, is_wrapped):
    given = manifest(
        transformations=[{"source": {"path": "other"}, "targets": []}, {"source": {"path": path}, "targets": [target()]}]
    )
    wrapper = {
        "apiVersion": "krm-values.dev/v1alpha1",
        "kind": "PackageManifest",
        "metadata": {"name": "m"},
        "spec": {"manifest": given},
    }
    items = [package(), config_map(), *([wrapper] if is_wrapped else [])]
    state = run(*items, **({} if is_wrapped else {"manifests": [given]}))
    assert told(state) == []
    (leaf,) = [decision.leaf for decision in state.outcome.decisions if decision.leaf and decision.path == ("data", "LEVEL")]
    origin = leaf.origin
    place = ("transformations", 1, "source", "path")
    if is_wrapped:
        assert (origin.item.kind, origin.path) == ("PackageManifest", ("spec", "manifest", *place))
    else:
        assert (origin.item, origin.config) == (None, ("manifests", 0, *place))
    assert [(one.item.kind, one.path) for one in origin.via] == via


def test_text_in_the_path_of_a_source_that_is_a_secret_is_masked():
    resource = {"apiGroup": "v1", "kind": "Secret", "name": "vault"}
    state = transformed(package(), secret(), path="text", **resource)
    (leaf,) = [decision.leaf for decision in state.outcome.decisions if decision.leaf]
    assert leaf.origin.secret
