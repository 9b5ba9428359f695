"""What `explain` says of an object that an earlier run generated is what this run makes of it."""

from __future__ import annotations

import json

from tests.cli.packages import command, kptfile, write

CONFIG = """\
apiVersion: krm-values.dev/v1alpha1
kind: CartographerParams
metadata: {name: config}
spec: {emit: [params]}
"""
CHAIN = """\
apiVersion: carto.run/v1alpha1
kind: ClusterTemplate
metadata: {name: a}
spec:
  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}
---
apiVersion: carto.run/v1alpha1
kind: ClusterSupplyChain
metadata: {name: git}
spec:
  selector: {lane: a}
  resources:
  - {name: s, templateRef: {kind: ClusterTemplate, name: a}}
---
apiVersion: carto.run/v1alpha1
kind: Workload
metadata: {name: parcel, labels: {lane: a}}
"""


def test_a_constant_that_somebody_changed_is_told_as_it_is_written_again(tmp_path):
    files = {
        "Kptfile": kptfile("exec: krm-cartographer-params, configPath: config.yaml"),
        "config.yaml": CONFIG,
        "a.yaml": CHAIN,
    }
    made = write(tmp_path, files)
    assert command("render", made).returncode == 0
    (file,) = made.rglob("params.yaml")
    file.write_text(file.read_text().replace("kind: ClusterTemplate\n", "kind: Other\n"))
    told = json.loads(command("explain", made, "--json").stdout)["values"]
    (value,) = [one["value"] for one in told if one["path"] == "spec.steps[0].template.kind"]
    assert command("render", made).returncode == 0
    assert "kind: ClusterTemplate\n" in file.read_text()
    assert value == "ClusterTemplate"
