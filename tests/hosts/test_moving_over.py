"""The same result as the tools whose place layered-values takes: real kustomize `replacements`, real `helm template -f`."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest
import yaml

from tests.functions.layered_values.support import data, item, run, told, values

pytestmark = pytest.mark.hosts

THING = """
apiVersion: x.test/v1
kind: Thing
metadata: {name: t}
spec:
  host: old
  image: nginx:1.0
  list: [{name: a, value: "1"}, {name: b, value: "2"}]
"""
SOURCE = """
apiVersion: x.test/v1
kind: Source
metadata: {name: s}
spec: {host: db.test:5432, tag: "1.10", map: {k: v}}
"""
REPLACEMENTS = [
    (
        "a field",
        "fieldPath: spec.host",
        "fieldPaths: [spec.host]",
        "path: spec.host, at: x",
        "spec.host: x",
    ),
    (
        "a piece of the source",
        "fieldPath: spec.host, options: {delimiter: ':', index: 0}",
        "fieldPaths: [spec.host]",
        "path: spec.host, at: x, part: {split: ':', index: 0}",
        "spec.host: x",
    ),
    (
        "a piece of the target",
        "fieldPath: spec.tag",
        "fieldPaths: [spec.image], options: {delimiter: ':', index: 1}",
        "path: spec.tag, at: x",
        "spec.image: {value: x, part: {split: ':', index: 1}}",
    ),
    (
        "an element by its name",
        "fieldPath: spec.host",
        "fieldPaths: ['spec.list.[name=b].value']",
        "path: spec.host, at: x",
        "'spec.list[name=b].value': x",
    ),
    (
        "each element",
        "fieldPath: spec.host",
        "fieldPaths: ['spec.list.*.value']",
        "path: spec.host, at: x",
        "'spec.list[*].value': x",
    ),
    (
        "an absent field that is created",
        "fieldPath: spec.host",
        "fieldPaths: [spec.deep.field], options: {create: true}",
        "path: spec.host, at: x",
        "spec.deep.field: {value: x, missing: create}",
    ),
    (
        "a map",
        "fieldPath: spec.map",
        "fieldPaths: [spec.map], options: {create: true}",
        "path: spec.map, at: x",
        "spec.map: {value: x, missing: create}",
    ),
]
LAYERS = [
    ("a: {b: 1, c: [1, 2]}\nd: x\n", "a: {c: [3], e: {f: 0}}\nd: ''\n"),
    ("a: {b: 1}\nm: {n: {o: 1}}\n", "a: {}\nm: {n: {p: 2}}\n"),
    ("a: true\nl: [1]\n", "a: false\nl: []\n"),
]


def tool(name: str) -> str:
    found = shutil.which(name)
    if not found:
        assert os.environ.get("KRM_HOSTS") != "required", f"{name} must be installed"
        pytest.skip(f"{name} is not installed")
    return found


@pytest.mark.parametrize(("source", "target", "layer", "field"), [pytest.param(*row[1:], id=row[0]) for row in REPLACEMENTS])
def test_replacements_of_kustomize(tmp_path, source, target, layer, field):
    program = tool("kustomize")
    (tmp_path / "all.yaml").write_text(f"{THING.strip()}\n---\n{SOURCE.strip()}\n")
    (tmp_path / "kustomization.yaml").write_text(
        f"resources: [all.yaml]\nreplacements:\n- source: {{kind: Source, name: s, {source}}}\n"
        f"  targets: [{{select: {{kind: Thing}}, {target}}}]\n"
    )
    done = subprocess.run([program, "build", str(tmp_path)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    theirs = {one["metadata"]["name"]: one for one in yaml.safe_load_all(done.stdout)}
    config = f"layers: [{{from: {{kind: Source, name: s}}, {layer}}}]\ntargets: [{{kind: Thing, fields: {{{field}}}}}]"
    state = run(config, THING, SOURCE)
    assert told(state) == []
    assert item(state, "t")["spec"] == theirs["t"]["spec"]


@pytest.mark.parametrize(("lower", "upper"), LAYERS)
def test_values_files_of_helm(tmp_path, lower, upper):
    program = tool("helm")
    (tmp_path / "chart" / "templates").mkdir(parents=True)
    (tmp_path / "chart" / "Chart.yaml").write_text("apiVersion: v2\nname: c\nversion: 1.0.0\n")
    (tmp_path / "chart" / "templates" / "all.yaml").write_text("{{ .Values | toYaml }}\n")
    (tmp_path / "a.yaml").write_text(lower)
    (tmp_path / "b.yaml").write_text(upper)
    files = ["-f", str(tmp_path / "a.yaml"), "-f", str(tmp_path / "b.yaml")]
    done = subprocess.run(
        [program, "template", str(tmp_path / "chart"), *files],
        capture_output=True,
        text=True,
        check=False,
        env=dict(os.environ),
    )
    assert done.returncode == 0, done.stderr
    theirs = yaml.safe_load(done.stdout)
    maps = [
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, "data": {"values.yaml": text}}
        for name, text in (("a", lower), ("b", upper))
    ]
    state = run("layers: [{configMap: a}, {configMap: b}]\ntargets: [{configMap: out}]", given=maps)
    assert data(item(state, "out")["data"]["values.yaml"]) == values(state, "out") == theirs
