"""Which layer decides the value by which elements of lists are merged: the lowest, because another value there is another element."""

from __future__ import annotations

import json

import pytest

from tests.cli.packages import command, kptfile, write

CONFIG = """\
apiVersion: krm-values.dev/v1alpha1
kind: LayeredValues
metadata: {name: lv}
spec:
  layers: [{configMap: a}, {configMap: b}, {configMap: c}]
  merge: {env: {by: name}}
  targets:
  - {configMap: out}
  - {kind: Foo, missing: create, fields: {spec.env: env, spec.first: "env[0].name", spec.whole: "env[0]"}}
"""
LAYER = (
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}}}\ndata:\n  v: |\n    env:\n    - name: A\n      value: {name}\n"
)
PLACES = [("out", "env[0].name"), ("f", "spec.env[0].name"), ("f", "spec.first"), ("f", "spec.whole.name")]


@pytest.fixture
def package(tmp_path):
    files = {f"{name}.yaml": LAYER.format(name=name) for name in "abc"}
    step = kptfile("exec: krm-layered-values, configPath: lv.yaml")
    own = "apiVersion: x.io/v1\nkind: Foo\nmetadata: {name: f}\nspec: {env: []}\n"
    return write(tmp_path, {"Kptfile": step, "lv.yaml": CONFIG, "d.yaml": own, **files})


def values(package):
    """Return by resource and path each value with the files of its layers, the winner first."""
    found = {}
    for one in json.loads(command("explain", package, "--json").stdout)["values"]:
        if "winner" in one:
            files = [cell["file"] for cell in (one["winner"], *one["overridden"]) if cell["layer"] != "resource"]
            found[one["resource"]["name"], one.get("inner") or one["path"]] = one["value"], files
    return found


@pytest.mark.parametrize("place", PLACES)
def test_the_lowest_layer_decides_a_name_as_an_edit_shows(place, package):
    value, files = values(package)[place]
    assert (value, files) == ("A", ["a.yaml", "b.yaml", "c.yaml"])
    for name in "abc":
        file = package / f"{name}.yaml"
        text = file.read_text()
        file.write_text(text.replace("name: A", "name: NEW"))
        assert (values(package)[place][0] == "NEW") == (name == "a")
        file.write_text(text)
    (package / "a.yaml").write_text(LAYER.format(name="a").split("    - ")[0].replace("env:", "env: []"))
    assert values(package)[place] == ("A", ["b.yaml", "c.yaml"])


def test_other_values_of_the_element_are_decided_by_the_uppermost(package):
    assert values(package)["out", "env[0].value"] == ("c", ["c.yaml", "b.yaml", "a.yaml"])


def test_the_rule_says_why(package):
    text = command("explain", package, "ConfigMap/out", "env[0].name").stdout
    assert "rule: a overrides b and c: elements of lists are merged by this value, and" in text


def test_a_name_that_is_equal_as_text_alone_is_the_uppermost_layers(package):
    (package / "a.yaml").write_text(LAYER.format(name="a").replace("name: A", "name: 80"))
    for name in "bc":
        (package / f"{name}.yaml").write_text(LAYER.format(name=name).replace("name: A", 'name: "80"'))
    value, files = values(package)["out", "env[0].name"]
    assert (value, files[0]) == ("80", "c.yaml")
