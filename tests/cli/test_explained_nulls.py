"""An empty map that is left when its nulls are removed is at the place of the map, and what it overrides stood there or above."""

from __future__ import annotations

import json

import pytest
from tests.answers import cells
from tests.cli.packages import command, kptfile, write

CONFIG = """\
apiVersion: krm-values.dev/v1alpha1
kind: LayeredValues
metadata: {name: c}
spec:
  nulls: remove
  layers:
  - name: a
    values:
      m: %s
  - name: b
    values:
      m: %s
  targets:
  - {configMap: out, key: v, value: .}
"""


@pytest.mark.parametrize(
    ("below", "above", "value", "expected"),
    [
        ("{n: 5}", "{n: {z: null}}", "m.n", [({}, "m.n", None), (5, "m.n", None)]),
        ("5", "{z: null}", "m", [({}, "m", None), (5, "m", None)]),
        ("5", "{n: {z: {y: null}}}", "m.n.z", [({}, "m.n.z", None), (5, "m", "m")]),
    ],
)
def test_an_empty_map_has_the_place_of_the_map(tmp_path, below, above, value, expected):
    files = {
        "Kptfile": kptfile("exec: krm-layered-values, configPath: config.yaml"),
        "config.yaml": CONFIG % (below, above),
    }
    done = command("explain", write(tmp_path, files), value, "--json")
    assert done.returncode == 0, done.stderr
    (found,) = [one for one in json.loads(done.stdout)["values"] if one["inner"] == value]
    told = [(one["value"], one["path"].partition(".values.")[2], one.get("at")) for one in cells(found)]
    assert told == expected
