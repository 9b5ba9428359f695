"""Messages: what was found with its JSON type, the nearest name of everything that has names, and the order they come in."""

from __future__ import annotations

import json

import pytest
from tests.cli.packages import command, kptfile, write

RELEASE = "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: app, namespace: team}\nspec:\n"
BASE = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: base-values, namespace: team}\ndata:\n  values.yaml: |\n    a: 1\n"
CATALOG = "apiVersion: application.giantswarm.io/v1alpha1\nkind: Catalog\nmetadata: {name: harbour, namespace: giantswarm}\nspec: {}\n"
APP = "apiVersion: application.giantswarm.io/v1alpha1\nkind: App\nmetadata: {name: web, namespace: team}\nspec:\n"
CHAIN = """\
apiVersion: carto.run/v1alpha1
kind: ClusterSupplyChain
metadata: {name: chain}
spec:
  selector: {a: b}
  resources:
  - name: source
    templateRef: {kind: ClusterSourceTemplate, name: git-source}
  - name: image
    templateRef: {kind: ClusterImageTemplate, name: kpack}
    sources:
    - {resource: sorce, name: source}
"""
TEMPLATES = """\
---
apiVersion: carto.run/v1alpha1
kind: ClusterSourceTemplate
metadata: {name: git-sources}
spec: {template: {apiVersion: v1, kind: ConfigMap, metadata: {name: x}}, urlPath: .data.a, revisionPath: .data.a}
---
apiVersion: carto.run/v1alpha1
kind: ClusterImageTemplate
metadata: {name: kpack}
spec: {template: {apiVersion: v1, kind: ConfigMap, metadata: {name: y}}, imagePath: .data.a}
"""


@pytest.fixture
def errors(tmp_path):
    """What a command says on stderr of these files, by line."""

    def call(files: dict[str, str], *arguments: str, stdin: str = "") -> list[str]:
        return command(*arguments, stdin=stdin, cwd=write(tmp_path, files)).stderr.splitlines()

    return call


TYPES = [
    ("valuesFrom: 75", "found number 75"),
    ("valuesFrom: '75'", 'found string "75"'),
    ("valuesFrom: {}", "found object"),
    ("valuesFrom: [true]", "found boolean true"),
    ("valuesFrom: [{kind: ConfigMap, name: [a]}]", "found array"),
    ("valuesFrom: [{kind: ConfigMap, name: a, optional: 1.50}]", "found number 1.50"),
    ("values: text", 'found string "text"'),
]


@pytest.mark.parametrize(("field", "found"), TYPES)
def test_a_mistake_of_the_type_says_the_type_that_was_found(errors, field, found):
    (line,) = errors({"a.yaml": f"{RELEASE}  {field}\n"}, "run", "flux-values", "a.yaml")
    assert line.startswith("error: a.yaml:5:")
    assert line.endswith(found)


@pytest.mark.parametrize(
    ("function", "text", "hint"),
    [
        ("flux-values", RELEASE + "  valuesFrom: [{kind: ConfigMap, name: base-valeus}]\n---\n" + BASE, "did you mean `base-values`?"),
        ("flux-values", RELEASE + "  valuesFrom: [{kind: ConfigMap, name: base-values, valuesKey: valeus.yaml}]\n---\n" + BASE, "did you mean `values.yaml`?"),
        ("giantswarm-config", APP + "  catalog: harbor\n---\n" + CATALOG, "did you mean `harbour`?"),
        ("giantswarm-config", APP + "  catalog: harbour\n  userConfig: {configMap: {name: base-valus, namespace: team}}\n---\n" + CATALOG + "---\n" + BASE, "did you mean `base-values`?"),
        ("cartographer-params", CHAIN + TEMPLATES, "did you mean `source`?"),
        ("cartographer-params", CHAIN.replace("sorce", "source") + TEMPLATES, "did you mean `git-sources`?"),
    ],
    ids=["ConfigMap", "key", "Catalog", "userConfig", "step", "template"],
)  # fmt: skip
def test_the_nearest_name_is_told(errors, function, text, hint):
    assert any(hint in line for line in errors({"a.yaml": text}, "run", function, "a.yaml"))


@pytest.mark.parametrize(
    ("step", "hint"),
    [
        ("exec: krm-flux-value", "did you mean `krm-flux-values`?"),
        ("exec: krm-value run flux-values", "did you mean `krm-values run flux-values`?"),
        ("image: ghcr.io/some/flux-valuse:v1", "did you mean `flux-values`?"),
    ],
)
def test_the_nearest_program_of_a_kptfile_is_told(errors, step, hint):
    (line,) = errors({"Kptfile": kptfile(step)}, "render", ".")
    assert hint in line
    (other,) = errors({"Kptfile": kptfile("exec: kubeval")}, "render", ".")
    assert "did you mean" not in other


def test_what_cannot_be_read_comes_before_what_follows_from_it(errors):
    first = RELEASE + "  valuesFrom: [{kind: ConfigMap, name: gone}]\n"
    broken = BASE.replace("base-values", "broken").replace("a: 1", "a: [")
    last = RELEASE.replace("name: app", "name: b") + "  valuesFrom: [{kind: ConfigMap, name: broken}]\n"
    found = errors({"a.yaml": first, "b.yaml": last, "z.yaml": broken}, "run", "flux-values", "a.yaml", "b.yaml", "z.yaml")
    assert [line.split(":")[1].strip() for line in found] == ["z.yaml", "a.yaml"]


def test_findings_come_by_severity_file_and_line(errors):
    entry = "  valuesFrom: [{kind: ConfigMap, name: gone%s}]\n"
    files = {f"{name}.yaml": RELEASE.replace("app", name) + entry % name for name in "cab"}
    files["b.yaml"] += "---\n" + RELEASE.replace("app", "b2") + entry % "b2"
    found = errors(files, "run", "flux-values", "c.yaml", "b.yaml", "a.yaml")
    places = [line.split(": ")[1] for line in found if line.startswith("error: ")]
    assert places == ["a.yaml:5:16", "b.yaml:5:16", "b.yaml:11:16", "c.yaml:5:16"]


def test_several_of_one_name_are_two_places_and_a_count(errors):
    task = "apiVersion: tekton.dev/v1\nkind: Task\nmetadata: {name: build, namespace: ci}\nspec: {params: [{name: a}], steps: []}\n"
    run = "apiVersion: tekton.dev/v1\nkind: TaskRun\nmetadata: {name: r, namespace: ci}\nspec: {taskRef: {name: build}}\n"
    config = "apiVersion: krm-values.dev/v1alpha1\nkind: TektonParams\nmetadata: {name: c}\nspec: {references: true}\n"
    files = {"c.yaml": config, "run.yaml": run, **{f"{name}.yaml": task for name in "wxyz"}}
    found = errors(files, "run", "tekton-params", "--config", "c.yaml", *(name for name in files if name != "c.yaml"))
    assert any("4 Tasks named build are equally near (w.yaml:1, x.yaml:1 and 2 more)" in line for line in found)


def test_a_parent_that_is_missing_mentions_create_parents(errors):
    manifest = {
        "apiVersion": "krm-values.dev/v1alpha1", "kind": "PackageManifest", "metadata": {"name": "p"},
        "spec": {"manifest": {"name": "p", "valueDefinitions": {"v": {"type": "text", "targets": [
            {"resource": {"apiGroup": "v1", "kind": "ConfigMap", "name": "c", "namespace": "p"}, "patch": {"op": "add", "path": "/a/b"}}]}}}},
    }  # fmt: skip
    package = {
        "apiVersion": "packages.glasskube.dev/v1alpha1", "kind": "ClusterPackage", "metadata": {"name": "p"},
        "spec": {"packageInfo": {"name": "p", "version": "v1"}, "values": {"v": {"value": "x"}}},
    }  # fmt: skip
    target = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c, namespace: p}\n"
    files = {"m.json": json.dumps(manifest), "p.json": json.dumps(package), "t.yaml": target}
    found = errors(files, "run", "glasskube-values", "m.json", "p.json", "t.yaml")
    assert any("add /a/b: /a does not exist; set `createParents: true` to create it" in line for line in found)
