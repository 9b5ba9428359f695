"""Paths in which a key with dots, or a path with slashes, is written as if each part were a key of its own."""

from __future__ import annotations

import json

import pytest

from krm_values.layered_values import paths
from krm_values.layered_values.paths import PathError
from tests.functions.layered_values.support import item, run, told

CONFIG_MAP = """
apiVersion: v1
kind: ConfigMap
metadata:
  name: t
  labels: {app: web, app.kubernetes.io/version: "1"}
  annotations: {example.com/owner: a}
data:
  app: "a: 1"
  app.yaml: |
    pool: {size: 1, max.size: 2}
  plain: text
"""
THING = """
apiVersion: a.b/v1
kind: Thing
metadata: {name: t}
spec:
  n: 5
  n.o: 6
  list: [{name: x, m: {a.b/c: 1}}]
  matchLabels: {}
  nodeSelector: {app: null}
"""


def _errors(field: str, item_text: str, kind: str, missing: str) -> list[str]:
    config = f"layers: [{{values: {{v: '7'}}}}]\ntargets: [{{kind: {kind}, missing: {missing}, fields: {{'{field}': v}}}}]"
    return told(run(config, item_text))


@pytest.mark.parametrize("missing", ["error", "create", "skip"])
@pytest.mark.parametrize(
    ("field", "meant"),
    [
        ("data.app.yaml.pool.size", 'data["app.yaml"].pool.size'),
        ('data["app.yaml"].pool.max.size', 'data["app.yaml"].pool["max.size"]'),
        ("metadata.annotations.example.com/owner", 'metadata.annotations["example.com/owner"]'),
        ("metadata.labels.app.kubernetes.io/version", 'metadata.labels["app.kubernetes.io/version"]'),
    ],
)
def test_a_dotted_key_without_brackets_is_shown_with_them(field: str, meant: str, missing: str):
    (line,) = _errors(field, CONFIG_MAP, "ConfigMap", missing)
    assert line.endswith(f"; did you mean `{meant}`?")


@pytest.mark.parametrize("missing", ["error", "create", "skip"])
@pytest.mark.parametrize(
    ("field", "meant"),
    [("spec.n.o", 'spec["n.o"]'), ("spec.list[name=x].m.a.b/c", 'spec.list[name=x].m["a.b/c"]')],
)
def test_a_dotted_key_beside_a_scalar_or_in_an_element(field: str, meant: str, missing: str):
    (line,) = _errors(field, THING, "Thing", missing)
    assert line.endswith(f"; did you mean `{meant}`?")


@pytest.mark.parametrize(
    ("kind", "field", "form"),
    [
        ("ConfigMap", "metadata.labels.a.b/c", 'metadata.labels["a.b/c"]'),
        ("ConfigMap", "metadata.annotations.a.b.c/d", 'metadata.annotations["a.b.c/d"]'),
        ("ConfigMap", "data.new.yaml", 'data["new.yaml"]'),
        ("Secret", "stringData.a.b", 'stringData["a.b"]'),
        ("Thing", "spec.matchLabels.a.b/c", 'spec.matchLabels["a.b/c"]'),
        ("Thing", "spec.nodeSelector.app.b/c", 'spec.nodeSelector["app.b/c"]'),
        ("Thing", "spec.list[name=y].labels.a.b/c", 'spec.list[name=y].labels["a.b/c"]'),
        ("Thing", "spec.deep.nodeSelector.a.b/c", 'spec.deep.nodeSelector["a.b/c"]'),
    ],
)
@pytest.mark.parametrize("missing", ["error", "create"])
def test_nothing_is_made_below_a_place_of_strings(kind: str, field: str, form: str, missing: str):
    items = {"ConfigMap": CONFIG_MAP, "Thing": THING, "Secret": "{apiVersion: v1, kind: Secret, metadata: {name: s}}"}
    (line,) = _errors(field, items[kind], kind, missing)
    assert line.endswith(f"takes a string, so nothing can be made below it; a key with dots is written `{form}`")
    config = f"layers: [{{values: {{v: '7'}}}}]\ntargets: [{{kind: {kind}, missing: create, fields: {{'{form}': v}}}}]"
    assert told(run(config, items[kind])) == []


def test_no_key_with_dots_is_advised_where_none_is_meant():
    (line,) = _errors("metadata.labels.a[name=b]", CONFIG_MAP, "ConfigMap", "create")
    assert line.endswith("is absent: `metadata.labels.a` takes a string, so nothing can be made below it")


def test_a_map_is_still_made_below_other_places():
    config = "layers: [{values: {v: '7'}}]\ntargets: [{kind: Thing, missing: create, fields: {spec.data.a.b: v}}]"
    assert item(run(config, THING), "t")["spec"]["data"] == {"a": {"b": "7"}}


@pytest.mark.parametrize(
    ("path", "meant"),
    [
        ("/spec/replicas", "spec.replicas"),
        ("/spec/containers/0/image", "spec.containers[0].image"),
        ("/metadata/annotations/a.b~1c", 'metadata.annotations["a.b/c"]'),
        ("/spec.replicas", "spec.replicas"),
        ("spec/replicas", "spec.replicas"),
    ],
)
@pytest.mark.parametrize("missing", ["error", "create"])
def test_a_path_with_slashes_is_shown_with_dots(path: str, meant: str, missing: str):
    (line,) = _errors(path, THING, "Thing", missing)
    assert f"`{path}` separates keys with slashes; separate keys with dots: `{meant}`" in line


@pytest.mark.parametrize("read", [paths.value_path, paths.key_path, paths.source_path, paths.strategy_path, paths.field_path])
def test_every_path_of_a_config_refuses_slashes_at_its_beginning(read):
    with pytest.raises(PathError, match=r"separate keys with dots: `a\.b`"):
        read("/a/b")
    assert read('["/a"].b') == ("/a", "b")


@pytest.mark.parametrize(
    ("source", "meant"),
    [
        ("{from: {kind: ConfigMap}, path: data.app.yaml.pool}", 'data["app.yaml"].pool'),
        ("{from: {kind: ConfigMap}, path: metadata.labels.app.kubernetes.io/version, at: x}", 'app.kubernetes.io/version"]'),
        ("{from: {kind: ConfigMap}, path: metadata.annotations.example.com/owner, at: x}", 'annotations["example.com/owner"]'),
        ("{from: {kind: Thing}, path: spec.n.o, at: x}", 'spec["n.o"]'),
        ("{configMap: t, key: app.yaml, path: pool.max.size, at: x}", 'pool["max.size"]'),
    ],
)
def test_a_source_names_the_dotted_key_as_well(source: str, meant: str):
    (line,) = told(run(f"layers: [{source}]\ntargets: [{{configMap: o}}]", CONFIG_MAP, THING))
    assert line.endswith(f"{meant}`?")


@pytest.mark.parametrize(
    ("config", "meant"),
    [
        ("layers: [{values: {v: {a.b: 1, c: {$value: v.a.b}}}}]\ntargets: [{configMap: o}]", 'v["a.b"]'),
        ("layers: [{values: {v: {a.b: 1}}}]\ntargets: [{configMap: o, value: v.a.b}]", 'v["a.b"]'),
        ("layers: [{values: {v: {a: {}, a.b: {c: 1}}}}]\ntargets: [{kind: Thing, fields: {spec.n: v.a.b.c}}]", 'v["a.b"].c'),
        ("layers: [{values: {v: {a.b: [1]}}}]\nmerge: {v.a.b: append}\ntargets: [{configMap: o}]", 'v["a.b"]'),
    ],
)
def test_the_path_of_a_value_names_the_dotted_key_as_well(config: str, meant: str):
    state = run(config, THING)
    line = [*told(state), *told(state, "warning")][0]
    assert line.endswith(f"; did you mean `{meant}`?")


@pytest.mark.parametrize(
    "text", ["a.b", "a[0].b", "a[*][name=x.y].b", 'a["b.c/d"].e', "*.hosts", '["*"]', 'a[name="x]y"]', "[name=web][0]"]
)
def test_the_text_of_a_path_is_read_as_the_same_path(text: str):
    assert paths.parse(paths.path_text(paths.parse(text))) == paths.parse(text)


LISTS = "{apiVersion: a.b/v1, kind: Thing, metadata: {name: t}, spec: {list: [{n: 1}], text: 'a: [{n: 1}]', m: {'8443': x}}}"


@pytest.mark.parametrize(
    ("field", "said"),
    [
        ("spec.list.0.n", "`spec.list` is of type array, and the path continues as below a map; write `[0]` for an element"),
        ("spec.list.*.n", "`spec.list` is of type array, and the path continues as below a map; write `[*]` for each element"),
        (
            "spec.text.a.0.n",
            "`spec.text.a` is of type array, and the path continues as below a map; write `[0]` for an element",
        ),
        ('spec.m."8443"', 'has a key that begins with a quote; a key is quoted in brackets: `spec.m["8443"]`'),
        ("spec.m.'a.b'.c", 'has a key that begins with a quote; a key is quoted in brackets: `spec.m["a.b"].c`'),
        ('"spec".m', 'has a key that begins with a quote; a key is quoted in brackets: `["spec"].m`'),
    ],
)
@pytest.mark.parametrize("missing", ["error", "create", "skip"])
def test_forms_of_other_tools_are_told_the_brackets(field: str, said: str, missing: str):
    target = json.dumps({"kind": "Thing", "missing": missing, "fields": {field: "v"}})
    (line,) = told(run(f"layers: [{{values: {{v: 7}}}}]\ntargets: [{target}]", LISTS))
    assert line.endswith(said)


@pytest.mark.parametrize(
    ("config", "meant"),
    [
        ("layers: [{from: {kind: Thing}, path: spec.list.0.n, at: v}]\ntargets: [{configMap: o}]", "spec.list[0].n"),
        ("layers: [{values: {h: [1]}}]\ntargets: [{configMap: o, value: h.0}]", "h[0]"),
        ("layers: [{values: {h: [1], r: {$value: h.0}}}]\ntargets: [{configMap: o}]", "h[0]"),
        ("layers: [{values: {h: [{a: [1]}]}}]\nmerge: {h.*.a: append}\ntargets: [{configMap: o}]", "h[*].a"),
    ],
)
def test_sources_and_values_are_told_the_index(config: str, meant: str):
    state = run(config, LISTS)
    assert [*told(state), *told(state, "warning")][0].endswith(f"; did you mean `{meant}`?")


def test_elements_that_merge_by_a_number_and_a_string_are_a_warning():
    config = """
layers: [{{values: {{h: [{{port: 80, a: 1}}]}}, name: x}}, {{values: {{h: [{{port: {port}, b: 1}}]}}, name: y}}]
merge: {{h: {{by: port}}}}
targets: [{{configMap: o}}]
"""
    (line,) = told(run(config.format(port="'80'")), "warning")
    assert "`by: port` merges elements whose `port` is a string in layer y and a number in layer x" in line
    assert told(run(config.format(port="80")), "warning") == []
