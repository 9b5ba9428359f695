"""An entry that names a layer (`extraConfigs[0]`) is among what the layer is there because of, as is what an earlier step wrote into it."""

from __future__ import annotations

import json

from tests.cli.packages import command, kptfile, write

APP = """\
apiVersion: application.giantswarm.io/v1alpha1
kind: App
metadata: {name: web, namespace: demo}
spec:
  catalog: harbour
  name: web
  namespace: demo
  version: 1.0.0
  kubeConfig: {inCluster: true}
  extraConfigs:
  - {name: low, namespace: demo}
  - {name: high, namespace: demo, priority: 60}
"""
CATALOG = """\
apiVersion: krm-values.dev/v1alpha1
kind: GiantswarmConfig
metadata: {name: config}
spec: {allowMissing: [{kind: Catalog, name: harbour}]}
"""
MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}, namespace: demo}}\ndata: {{values: 'cpu: {cpu}'}}\n"
LAYERS = """\
apiVersion: krm-values.dev/v1alpha1
kind: LayeredValues
metadata: {name: rank}
spec:
  layers:
  - values:
      priority: 70
  targets: [{kind: App, name: web, fields: {'spec.extraConfigs[0].priority': {value: priority, missing: create}}}]
"""


def test_a_priority_that_an_earlier_step_wrote(tmp_path):
    steps = kptfile("exec: krm-layered-values, configPath: rank.yaml", "exec: krm-giantswarm-config, configPath: config.yaml")
    maps = {f"{name}.yaml": MAP.format(name=name, cpu=cpu) for name, cpu in (("low", 1), ("high", 2))}
    package = write(tmp_path / "web", {"Kptfile": steps, "app.yaml": APP, "rank.yaml": LAYERS, "config.yaml": CATALOG, **maps})
    found = json.loads(command("explain", str(package), "--json").stdout)
    value = next(one for one in found["values"] if one.get("inner") == "cpu")
    winner = value["winner"]
    assert (winner["layer"], winner["value"]) == ("extraConfigs[0]", 1)
    because = [found["references"][number] for number in winner["because"]]
    assert {key: because[1][key] for key in ("kind", "file", "line")} == {"kind": "entry", "file": "rank.yaml", "line": 7}
