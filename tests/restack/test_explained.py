"""What explain says of values that later steps change in part, replace or move: as the file has it, before and after a render."""

from __future__ import annotations

import json

import pytest

from tests.answers import decided
from tests.cli.packages import command, kptfile, write

TARGET = """\
apiVersion: v1
kind: Target
metadata:
  name: t
spec:
  m: {a: 0}
  l: [a]
data: 'm: {a: 0}'
"""


def config(path, value):
    """A step that writes one field."""
    spec = {"layers": [{"name": "own", "values": {"x": value}}], "targets": [_target(path)]}
    return json.dumps({"apiVersion": "krm-values.dev/v1alpha1", "kind": "LayeredValues", "spec": spec})


def _target(path):
    return {"kind": "Target", "name": "t", "fields": {path: {"value": "x", "missing": "create"}}}


def values(directory):
    found = decided(command("explain", "--json", directory).stdout)
    return {value["path"] + value.get("inner", ""): (value["value"], value["step"]) for value in found if "value" in value}


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (("spec.l", ["b", "c"]), ("spec.l[0]", "d"), {"spec.l": (["d", "c"], 0), "spec.l[0]": ("d", 1)}),
        (("spec.l[0]", "d"), ("spec.l", ["b", "c"]), {"spec.l": (["b", "c"], 1)}),
        (("spec.m.b", 1), ("spec.m", {"c": 2}), {"spec.m.c": (2, 1)}),
        (("spec.m", {"c": 2}), ("spec.m.a", 1), {"spec.m.c": (2, 0), "spec.m.a": (1, 1)}),
        (("data.m", {"b": 1}), ("data.m", {"c": 2}), {"datam.c": (2, 1)}),
        (("data.m.b", 1), ("data.m", {"c": 2}), {"datam.c": (2, 1)}),
    ],
)
def test_values_are_those_of_the_file(first, second, expected, tmp_path):
    steps = [f"exec: krm-layered-values, configPath: {name}.json" for name in "ab"]
    named = [
        config(*one).replace('"spec"', f'"metadata": {{"name": "{name}"}}, "spec"', 1)
        for name, one in zip("ab", (first, second), strict=True)
    ]
    write(tmp_path, {"Kptfile": kptfile(*steps), "t.yaml": TARGET, "a.json": named[0], "b.json": named[1]})
    assert values(tmp_path) == expected
    assert command("render", tmp_path).returncode == 0
    assert values(tmp_path) == expected


@pytest.mark.parametrize(
    ("text", "first", "second", "expected"),
    [
        ("a: '{b: 1, c: 2}'\nd: 1\n", ("a.b", 5), ("d", 7), {"a.b": (5, 0), "d": (7, 1)}),
        ("a: '{b: 1, c: 2}'\n", ("a.b", 5), ("a.c", 7), {"a.b": (5, 0), "a.c": (7, 1)}),
        ("a: '{b: 1, c: 2}'\n", ("a.b", 5), ("a.b", 7), {"a.b": (7, 1)}),
        ("a: '{b: 1}'\n", ("a", "{b: 2}"), ("a.b", 7), {"a": ("{b: 7}", 0), "a.b": (7, 1)}),
        ("a: 'b: ''c: 3'''\nd: 1\n", ("a.b.c", 5), ("d", 7), {"a.b.c": (5, 0), "d": (7, 1)}),
        ("- 'b: 3'\n- c: 1\n", ("[0].b", 5), ("[1].c", 7), {"[0].b": (5, 0), "[1].c": (7, 1)}),
        ("- b: 3\n- c: 1\n", ("[0].b", 5), ("[1].c", 7), {"[0].b": (5, 0), "[1].c": (7, 1)}),
        ('{"b": 3, "c": 1, "d": "x\\/y"}', ("b", 5), ("c", 7), {"b": (5, 0), "c": (7, 1)}),
    ],
)
def test_values_in_texts_are_those_of_the_file(text, first, second, expected, tmp_path):
    steps = [f"exec: krm-layered-values, configPath: {name}.json" for name in "ab"]
    target = {"apiVersion": "v1", "kind": "Target", "metadata": {"name": "t"}, "data": {"k": text}}
    files = {"Kptfile": kptfile(*steps), "t.yaml": json.dumps(target)}
    for name, (path, value) in zip("ab", (first, second), strict=True):
        own = json.loads(config(f"data.k{'' if path[0] == '[' else '.'}{path}", value))
        files[f"{name}.json"] = json.dumps(own | {"metadata": {"name": name}})
    write(tmp_path, files)
    expected = {f"data.k{path}": value for path, value in expected.items()}
    assert values(tmp_path) == expected
    assert command("render", tmp_path).returncode == 0
    assert values(tmp_path) == expected


@pytest.mark.parametrize("stops", ["its target is another", "its selector is another", "no layer sets the value"])
def test_a_last_step_that_writes_no_more_is_no_more_told(stops, tmp_path):
    """What it wrote is still in the file, and what steps before it wrote is explained as the next render leaves it."""
    steps = [f"exec: krm-layered-values, configPath: {name}.json" for name in "abc"]
    files = {"Kptfile": kptfile(*steps), "t.yaml": TARGET}
    for name, path, value in (("a", "spec.m.a", 5), ("b", "spec.n", 6), ("c", "spec.m.a", 7)):
        files[f"{name}.json"] = json.dumps(json.loads(config(path, value)) | {"metadata": {"name": name}})
    write(tmp_path, files)
    assert command("render", tmp_path).returncode == 0
    last = json.loads(files["c.json"])
    if stops == "its target is another":
        last["spec"]["targets"][0] |= {"name": "other", "optional": True}
    elif stops == "no layer sets the value":
        last["spec"]["layers"][0]["values"] = {}
        last["spec"]["targets"][0]["fields"]["spec.m.a"]["optional"] = True
    else:
        last["spec"]["targets"][0]["optional"] = True
        files["Kptfile"] = kptfile(*steps[:2], f"{steps[2]}, selectors: [{{kind: Other}}]")
    write(tmp_path, {"c.json": json.dumps(last), "Kptfile": files["Kptfile"]})
    expected = {"spec.m.a": (5, 0), "spec.n": (6, 1)}
    assert values(tmp_path) == expected
    assert command("render", tmp_path).returncode == 0
    assert values(tmp_path) == expected
