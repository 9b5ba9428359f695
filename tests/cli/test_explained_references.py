"""A reference to a scalar that is overridden is told as what it leads to: that would be the value without the winner."""

from __future__ import annotations

import json

from tests.answers import cells
from tests.cli.packages import command, kptfile, write

FILES = {
    "Kptfile": kptfile("exec: krm-layered-values, configPath: config.yaml"),
    "config.yaml": """\
apiVersion: krm-values.dev/v1alpha1
kind: LayeredValues
metadata: {name: c}
spec:
  layers:
  - name: low
    values:
      host: below
  - name: a
    secret: s
  - name: b
    values:
      host: own
      port: 3
      scalar: {$value: host}
      map: {$value: all}
      within: {x: {$value: host}, y: 2}
      hidden: {$value: password}
      all: {p: {$value: port}, q: q}
  - name: c
    values:
      scalar: c
      map: {p: 4}
      within: c
      hidden: c
  targets:
  - {kind: Thing, name: t, fields: {spec.scalar: {value: scalar}, spec.map: {value: map}}}
  - {configMap: out, key: within, value: within}
  - {configMap: out, key: hidden, value: hidden}
""",
    "secret.yaml": "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {v: 'password: hush-hush'}\n",
    "t.yaml": "apiVersion: a/v1\nkind: Thing\nmetadata: {name: t}\nspec: {scalar: x, map: {p: 0}}\n",
}


def told(tmp_path, files=FILES, *words):
    """Of each value, what its cells are, with the place in the config and where above the value it stood."""
    done = command("explain", write(tmp_path, files), "--json", *words)
    assert done.returncode == 0, done.stderr
    listed = [one for one in json.loads(done.stdout)["values"] if one["kind"] == "decided"]
    return {
        one["path"]: [(cell.get("value", "hidden"), cell.get("path"), cell.get("at", "")) for cell in cells(one)]
        for one in listed
    }


def test_a_loser_that_is_a_reference_is_what_it_leads_to(tmp_path):
    found = told(tmp_path)
    assert found["spec.scalar"] == [
        ("c", "spec.layers[3].values.scalar", ""),
        ("own", "spec.layers[2].values.host", ""),
        ("x", "spec.scalar", ""),
    ]
    assert found["spec.map.p"] == [
        (4, "spec.layers[3].values.map.p", ""),
        ({"$value": "all"}, "spec.layers[2].values.map", "spec.map"),
        ({"p": 0}, "spec.map", "spec.map"),
    ]
    assert found["data.within"] == [("c", "spec.layers[3].values.within", ""), ({"x": "own", "y": 2}, None, "")]


def test_what_is_told_is_the_value_without_the_winner(tmp_path):
    (scalar,) = told(
        tmp_path, FILES | {"config.yaml": FILES["config.yaml"].replace("      scalar: c\n", "")}, "spec.scalar"
    ).values()
    assert [value for value, _, _ in scalar] == ["own", "below", "x"]


def test_two_that_lead_to_each_other(tmp_path):
    one, other = "{a: {$value: b}, b: {$value: a}}", "{a: 1, b: 2}"
    layers = f"[{{name: l, values: {one}}}, {{name: m, values: {other}}}]"
    config = f"apiVersion: krm-values.dev/v1alpha1\nkind: LayeredValues\nmetadata: {{name: c}}\nspec:\n  layers: {layers}\n"
    config += "  targets: [{kind: Thing, name: t, fields: {spec.scalar: a}}]\n"
    found = told(tmp_path, FILES | {"config.yaml": config})
    assert [value for value, _, _ in found["spec.scalar"]] == ["1", 2, "x"]


def test_a_reference_to_a_value_of_a_secret_is_not_shown(tmp_path):
    assert told(tmp_path)["data.hidden"][1][0] == "hidden"
    for words in (["--json"], [], ["--all"]):
        assert "hush-hush" not in command("explain", tmp_path, *words).stdout


def test_a_reference_that_leads_to_nothing_stays_where_it_is_overridden(tmp_path):
    files = FILES | {"config.yaml": FILES["config.yaml"].replace("scalar: {$value: host}", "scalar: {$value: nowhere}")}
    assert told(tmp_path, files)["spec.scalar"][1][0] == {"$value": "nowhere"}
