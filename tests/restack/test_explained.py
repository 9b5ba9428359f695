"""What explain says of values that later steps change in part, replace or move: as the file has it, before and after a render."""

from __future__ import annotations

import json

import pytest

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
    found = json.loads(command("explain", "--json=v1alpha1", directory).stdout)["values"]
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
