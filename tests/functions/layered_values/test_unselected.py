"""A selector that selects nothing says what there is instead, in targets and in layers."""

from __future__ import annotations

import pytest

from tests.functions.layered_values.support import run, told

WEB = "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, labels: {tier: front}}, spec: {replicas: 1}}"
DEV = "{apiVersion: apps/v1, kind: Deployment, metadata: {name: api, namespace: dev}, spec: {replicas: 1}}"
BASE = "{apiVersion: v1, kind: ConfigMap, metadata: {name: base, namespace: dev}, data: {v.yaml: 'a: 1'}}"
LOCAL = "{apiVersion: a.b/v1, kind: Note, metadata: {name: n, annotations: {config.kubernetes.io/local-config: 'true'}}, spec: {a: 1}}"
READ = " (of a package, only files below the directory of its Kptfile are read)"
CASES = [
    ("kind: Deployment, name: web, namespace: prod", "; Deployment `web` has no namespace"),
    ("kind: Deployment, name: api, namespace: prod", "; Deployment `api` has the namespace `dev`"),
    ("kind: Deployment, name: 'w*', namespace: prod", "; Deployment `web` has no namespace"),
    ("kind: Deployment, name: web, apiVersion: apps/v2", "; Deployment `web` has the apiVersion `apps/v1`"),
    ("kind: Deployment, name: web, labels: {tier: back}", "; Deployment `web` has the label `tier: front`"),
    ("kind: Deployment, name: web, labels: {team: '*'}", "; Deployment `web` has no label `team`"),
    ("kind: Deployment, name: wbe", "; did you mean `web`?"),
    ("kind: Deployment, name: other", ""),
    ("kind: Deploymnt, name: web", "; did you mean `Deployment`?"),
    ("kind: StatefulSet, name: web", f"; the list has no StatefulSet, only ConfigMap, Deployment, Note{READ}"),
    ("kind: StatefulSet", f"; the list has no StatefulSet, only ConfigMap, Deployment, Note{READ}"),
    ("kind: 'Note*'", "; Note `n` is selected only by its kind and name, without a star: it is a Kptfile or for local use"),
]


@pytest.mark.parametrize(("selector", "end"), CASES)
def test_a_target_that_selects_nothing_says_what_there_is(selector: str, end: str):
    config = f"layers: [{{values: {{r: 1}}}}]\ntargets: [{{{selector}, fields: {{spec.replicas: r}}}}]"
    (line,) = told(run(config, WEB, DEV, BASE, LOCAL))
    assert line.partition(";")[2] == end.removeprefix(";")


@pytest.mark.parametrize(("selector", "end"), CASES)
def test_a_layer_says_the_same(selector: str, end: str):
    config = f"layers: [{{from: {{{selector}}}, path: spec}}]\ntargets: [{{configMap: o}}]"
    (line,) = told(run(config, WEB, DEV, BASE, LOCAL))
    assert line.endswith(f") is not in the list{end}: add it, or set `optional: true`")


def test_a_named_object_in_another_namespace_is_told():
    (line,) = told(run("layers: [{configMap: base, namespace: prod}]\ntargets: [{configMap: o}]", BASE))
    assert "is not in the list; ConfigMap `base` has the namespace `dev`: add it" in line


def test_a_list_without_resources_is_told():
    (line,) = told(run("layers: [{values: {r: 1}}]\ntargets: [{kind: Deployment, fields: {spec.replicas: r}}]"))
    assert line.endswith(f"no resource has kind: Deployment; the list has no Deployment{READ}")
