"""A text at the `targetPath` of a HelmRelease stood there, whatever key it has in its object."""

from __future__ import annotations

import json

import pytest
from tests.answers import cells
from tests.cli.packages import command, kptfile, write

RELEASE = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: web, namespace: n}
spec:
  interval: 5m
  chart: {spec: {chart: web, sourceRef: {kind: HelmRepository, name: r}}}
  valuesFrom:
  - {kind: ConfigMap, name: base}
  - {kind: ConfigMap, name: one, valuesKey: k, targetPath: 'a.b\\.c'}
  - {kind: ConfigMap, name: one, valuesKey: k, targetPath: l}
  - {kind: ConfigMap, name: two, valuesKey: k, targetPath: l}
  values: %s
"""
OBJECT = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s, namespace: n}\ndata:\n  %s\n"


def told(tmp_path, output, values, base):
    """Of each value, what its cells are and where above it they stood, within the values."""
    files = {
        "Kptfile": kptfile("exec: krm-flux-values, configPath: config.yaml"),
        "config.yaml": f"apiVersion: krm-values.dev/v1alpha1\nkind: FluxValues\nmetadata: {{name: c}}\nspec: {{output: {output}}}\n",
        "release.yaml": RELEASE % values,
        "objects.yaml": "---\n".join(
            OBJECT % one for one in (("base", f"values.yaml: '{base}'"), ("one", "k: first"), ("two", "k: second"))
        ),
    }
    done = command("explain", write(tmp_path, files), "--json")
    assert done.returncode == 0, done.stderr
    listed = [one for one in json.loads(done.stdout)["values"] if one["kind"] == "decided" and "value" in one]
    return {
        place(one.get("inner") or one["path"]): [(cell["value"], place(cell.get("at", ""))) for cell in cells(one)]
        for one in listed
    }


def place(path):
    return path.removeprefix("spec.values.")


@pytest.mark.parametrize("output", ["object", "inline"])
def test_what_a_map_replaces_at_a_target_path_stood_there(tmp_path, output):
    assert told(tmp_path, output, "{a: {b.c: {y: 2}}, l: {z: 3}}", "a: {x: 1}") == {
        'a["b.c"].y': [(2, ""), ("first", 'a["b.c"]')],
        "a.x": [(1, "")],
        "l.z": [(3, ""), ("second", "l"), ("first", "l")],
    }


@pytest.mark.parametrize("output", ["object", "inline"])
def test_what_a_target_path_overrides_stood_above_it(tmp_path, output):
    found = told(tmp_path, output, "{a: {x: 1}}", "{a: null, l: {z: 1}}")
    assert found['a["b.c"]'] == [("first", ""), (None, "a")]
    assert found["l"] == [("second", ""), ("first", ""), ({"z": 1}, "")]
