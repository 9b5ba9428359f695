"""Elements of a list into which a step inserts, and from which it removes: each is told where it is in the end, with what it was before."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.answers import decided
from tests.cli.packages import command

KPTFILE = """\
apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: p}
pipeline:
  mutators:
  - exec: krm-layered-values
    configPath: config.yaml
"""
CONFIG = """\
apiVersion: krm-values.dev/v1alpha1
kind: LayeredValues
metadata: {name: c}
spec:
  layers: [{name: a, values: {none: null, one: u, two: v}}]
  targets:
  - kind: Thing
    name: t
    fields: {%s}
"""
THING = "apiVersion: a/v1\nkind: Thing\nmetadata: {name: t}\nspec:\n  l:\n  - p # of p\n  - q # of q\n  - r # of r\n"


def package(path: Path, **fields: str) -> Path:
    given = ", ".join(f'"spec.l{place}": {{value: {value}}}' for place, value in fields.items())
    for name, text in (("Kptfile", KPTFILE), ("config.yaml", CONFIG % given), ("t.yaml", THING)):
        (path / name).write_text(text)
    return path


def told(path: Path) -> list[Any]:
    """Each decided value: its path, the value, and what it overrides with the line in the file."""
    done = command("explain", "--json", path)
    assert done.returncode == 0, done.stderr
    return [
        (one["path"], one.get("value", "removed"), [(cell["value"], cell["path"]) for cell in one["overridden"]])
        for one in decided(done.stdout)
    ]


@pytest.mark.parametrize("renders", [0, 1, 2])
def test_an_element_before_which_others_go_is_told_where_it_is(tmp_path, renders):
    path = package(tmp_path, **{"[0]": "none", "[1]": "one", "[2]": "two"})
    for _ in range(renders):
        assert command("render", path).returncode == 0
    assert told(path) == [
        ("spec.l[0]", "u", [("q", "spec.l[1]")]),
        ("spec.l[0]", "removed", [("p", "spec.l[0]")]),
        ("spec.l[1]", "v", [("r", "spec.l[2]")]),
    ]


def test_what_two_fields_create_in_one_place_is_told_once(tmp_path):
    path = package(tmp_path)
    fields = '"spec.n.a": {value: one, missing: create}, "spec.n.b": {value: two, missing: create}'
    (path / "config.yaml").write_text(CONFIG % fields)
    assert told(path) == [("spec.n.a", "u", []), ("spec.n.b", "v", [])]


def test_an_element_is_not_taken_for_its_neighbour_that_had_its_value(tmp_path):
    """Nothing is removed, and each element keeps its comment."""
    path = package(tmp_path, **{"[0]": "one", "[1]": "two"})
    (path / "t.yaml").write_text(THING.replace("- q", "- u").replace("- r", "- v"))
    assert told(path) == [("spec.l[0]", "u", [("p", "spec.l[0]")]), ("spec.l[1]", "v", [("u", "spec.l[1]")])]
    assert command("render", path).returncode == 0
    assert (path / "t.yaml").read_text().endswith("  l:\n  - u # of p\n  - v # of q\n  - v # of r\n")


@pytest.mark.parametrize("renders", [0, 2])
@pytest.mark.parametrize("at", ["0", "1", "-"])
def test_an_element_that_is_inserted_overrides_nothing(tmp_path, at, renders):
    path = package(tmp_path)
    target = f"{{resource: {{apiGroup: a/v1, kind: Thing, name: t}}, patch: {{op: add, path: /spec/l/{at}}}}}"
    manifest = f"{{name: m, scope: Cluster, defaultNamespace: d, valueDefinitions: {{v: {{type: text, targets: [{target}]}}}}}}"
    head = "apiVersion: packages.glasskube.dev/v1alpha1\nkind: ClusterPackage\nmetadata: {name: m}\n"
    (path / "p.yaml").write_text(f"{head}spec: {{packageInfo: {{name: m, version: v1}}, values: {{v: {{value: new}}}}}}\n")
    (path / "Kptfile").write_text(KPTFILE.replace("layered", "glasskube"))
    config = f"apiVersion: krm-values.dev/v1alpha1\nkind: GlasskubeValues\nmetadata: {{name: c}}\nspec: {{manifests: [{manifest}]}}\n"
    (path / "config.yaml").write_text(config)
    for _ in range(renders):
        assert command("render", path).returncode == 0
    assert told(path) == [(f"spec.l[{3 if at == '-' else at}]", "new", [])]


def test_a_list_that_another_layer_has_is_told_at_the_place_of_the_list(tmp_path):
    """Also where a layer has it under another name than the object."""
    path = package(tmp_path)
    layers = "[{name: a, values: {x: [{n: 1}]}}, {name: b, values: {x: [{n: 2}]}}]"
    config = CONFIG.replace("[{name: a, values: {none: null, one: u, two: v}}]", layers)
    (path / "config.yaml").write_text(config % "spec.e: x")
    (path / "t.yaml").write_text(THING.replace("spec:\n", "spec:\n  e:\n  - n: 0\n"))
    (found,) = decided(command("explain", "--json", path).stdout)
    assert (found["path"], found["value"]) == ("spec.e[0].n", 2)
    assert [(one["layer"], one["value"], one.get("at")) for one in found["overridden"]] == [
        ("a", [{"n": 1}], "spec.e"),
        ("resource", [{"n": 0}], "spec.e"),
    ]
