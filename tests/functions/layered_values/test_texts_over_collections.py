"""A string that holds a map or list, over a map or list (rules 71, 72): what takes strings only gets strings."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from krm_values._data.pointer import get
from tests.functions.layered_values.support import item, kinds, run, told

SETTERS = {
    "labels": "app: web\nbuild: 20240101\ncanary: true\n",
    "json": '{"app": "web", "build": 20240101, "canary": true}',
    "env": "- {name: A, value: 20240101}\n- {name: B, value: off}\n- {name: C}\n",
    "template": "metadata: {labels: {build: 1}}\nspec: {containers: [{name: a, port: 1, env: [{name: A, value: 1}]}]}\n",
    "plain": "a: 1\nb: [true]\n",
    "spelling": "build: 1.10\n",
    "octal": "build: 0644\n",
    "map": "app: {x: 1}\n",
    "empty": "app: {}\n",
    "list": "app: [1]\n",
    "envmap": "- {name: A, value: {x: 1}}\n",
    "text": "hello",
}
LABELS = {"app": "web", "build": "20240101", "canary": "true"}
THINGS: dict[str, dict[str, Any]] = {
    "Deployment": {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "t", "labels": {}, "annotations": {"a": "b"}},
        "spec": {
            "selector": {"matchLabels": {}},
            "template": {"metadata": {"labels": {}}, "spec": {"nodeSelector": {}, "containers": [{"env": []}]}},
        },
        "free": {},
    },
    "ConfigMap": {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "t"}, "data": {}},
    "Secret": {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "t"}, "data": {}, "stringData": {}},
    "Application": {
        "apiVersion": "argoproj.io/v1alpha1",
        "kind": "Application",
        "metadata": {"name": "t"},
        "spec": {"source": {"helm": {"parameters": []}}},
    },
    "Bare": {"apiVersion": "x.test/v1", "kind": "Bare", "metadata": {"name": "t"}, "spec": {"containers": [{"name": "a"}]}},
}
_ENV = "spec.template.spec.containers[0].env"


def _state(kind: str, field: str, key: str, source: str = "configMap"):
    setters = {"apiVersion": "v1", "kind": source[0].upper() + source[1:], "metadata": {"name": "setters"}}
    setters["stringData" if source == "secret" else "data"] = SETTERS
    target = f"{{kind: {kind}, name: t, missing: create, allowSecrets: true, fields: {{'{field}': {key}}}}}"
    return run(f"layers: [{{{source}: setters, key: '*'}}]\ntargets: [{target}]", given=[setters, THINGS[kind]])


@pytest.mark.parametrize("source", ["configMap", "secret"])
@pytest.mark.parametrize("key", ["labels", "json"])
@pytest.mark.parametrize(
    ("kind", "field", "path"),
    [
        ("Deployment", "metadata.labels", ("metadata", "labels")),
        ("Deployment", "metadata.annotations", ("metadata", "annotations")),
        ("Deployment", "spec.selector.matchLabels", ("spec", "selector", "matchLabels")),
        ("Deployment", "spec.template.metadata.labels", ("spec", "template", "metadata", "labels")),
        ("Deployment", "spec.template.spec.nodeSelector", ("spec", "template", "spec", "nodeSelector")),
        ("ConfigMap", "data", ("data",)),
        ("Secret", "stringData", ("stringData",)),
        ("Bare", "metadata.labels", ("metadata", "labels")),
        ("Bare", "spec.deep.nodeSelector", ("spec", "deep", "nodeSelector")),
    ],
)
def test_a_map_of_strings_gets_strings(kind, field, path, key, source):
    state = _state(kind, field, key, source)
    assert told(state) == []
    found: Any = get(item(state, "t"), path)
    assert {key: text for key, text in found.items() if "krm-values.dev" not in key} == LABELS


def test_the_data_of_a_secret_is_encoded():
    found = item(_state("Secret", "data", "labels"), "t")["data"]
    assert {key: base64.b64decode(text).decode() for key, text in found.items()} == LABELS


@pytest.mark.parametrize(
    ("kind", "field", "path"),
    [
        ("Deployment", _ENV, ("spec", "template", "spec", "containers", 0, "env")),
        ("Application", "spec.source.helm.parameters", ("spec", "source", "helm", "parameters")),
        ("Bare", "spec.containers[name=a].env", ("spec", "containers", 0, "env")),
    ],
)
def test_a_list_of_variables_gets_strings(kind, field, path):
    state = _state(kind, field, "env")
    assert told(state) == []
    wanted = [{"name": "A", "value": "20240101"}, {"name": "B", "value": "off"}, {"name": "C"}]
    assert get(item(state, "t"), path) == wanted


def test_what_is_deeper_in_the_string_gets_strings_only_where_it_must():
    wanted = {
        "metadata": {"labels": {"build": "1"}},
        "spec": {"containers": [{"name": "a", "port": 1, "env": [{"name": "A", "value": "1"}]}]},
    }
    assert item(_state("Deployment", "spec.template", "template"), "t")["spec"]["template"] == wanted
    assert item(_state("Deployment", "free", "plain"), "t")["free"] == {"a": 1, "b": [True]}


@pytest.mark.parametrize(
    ("field", "key", "kind"),
    [
        ("metadata.labels", "map", "type"),
        ("metadata.labels", "empty", "type"),
        ("metadata.labels", "list", "type"),
        ("spec.template.spec.nodeSelector", "map", "type"),
        (_ENV, "envmap", "type"),
        ("metadata.labels", "spelling", "spelling"),
        ("metadata.labels", "octal", "spelling"),
        ("metadata.labels", "text", "type"),
    ],
)
def test_what_is_no_string_there_is_an_error_as_in_a_typed_layer(field, key, kind):
    assert kinds(_state("Deployment", field, key)) == [kind]


@pytest.mark.parametrize("value", ["{app: {x: 1}}", "{app: {}}", "{app: [1]}"])
def test_a_typed_layer_gives_the_same_error(value):
    config = f"layers: [{{values: {{v: {value}}}}}]\ntargets: [{{kind: Deployment, fields: {{metadata.labels: v}}}}]"
    state = run(config, given=[THINGS["Deployment"]])
    assert kinds(state) == ["type"]
    assert "`metadata.labels.app` of Deployment t takes strings only" in told(state)[0]


def test_explain_has_each_value_with_the_layer_of_the_string():
    decisions = [one for one in _state("Deployment", "metadata.labels", "labels").outcome.decisions if one.leaf]
    assert {(one.leaf.path, one.leaf.value, one.leaf.origin.layer) for one in decisions} == {
        (("metadata", "labels", key), text, "setters") for key, text in LABELS.items()
    }
