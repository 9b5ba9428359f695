"""A field of a stamped object that is a param is told with the layers of the param, whether or not the params are written, too."""

from __future__ import annotations

import json

import pytest

from tests.cli.packages import command, kptfile, write

FILES = {
    "Kptfile": kptfile("exec: krm-cartographer-params, configPath: cp.yaml"),
    "cp.yaml": """\
apiVersion: krm-values.dev/v1alpha1
kind: CartographerParams
metadata: {name: cp}
spec: {emit: %s}
""",
    "chain.yaml": """\
apiVersion: carto.run/v1alpha1
kind: ClusterSupplyChain
metadata: {name: web}
spec:
  selector: {kind: web}
  params:
  - {name: level, default: debug}
  - {name: only, value: chain}
  resources:
  - name: conf
    templateRef: {kind: ClusterConfigTemplate, name: conf}
""",
    "t.yaml": """\
apiVersion: carto.run/v1alpha1
kind: ClusterConfigTemplate
metadata: {name: conf}
spec:
  configPath: .data
  params:
  - {name: level, default: info}
  template:
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: conf}
    data:
      level: $(params.level)$
      only: $(params.only)$
""",
    "w.yaml": """\
apiVersion: carto.run/v1alpha1
kind: Workload
metadata: {name: w, namespace: n, labels: {kind: web}}
spec:
  params:
  - {name: level, value: warn}
""",
}


def asked(tmp_path, emit, *words):
    files = {**FILES, "cp.yaml": FILES["cp.yaml"] % emit}
    done = command("explain", write(tmp_path, files), *words)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("emit", ["[objects]", "[params, objects]"])
def test_each_layer_has_its_name_and_rank(tmp_path, emit):
    listed = json.loads(asked(tmp_path, emit, "ConfigMap/conf", "data.*", "--json"))["values"]
    found = {one["path"]: [(cell["layer"], cell["value"]) for cell in (one["winner"], *one["overridden"])] for one in listed}
    assert found == {
        "data.level": [("owner.value", "warn"), ("blueprint.default", "debug"), ("template.default", "info")],
        "data.only": [("blueprint.value", "chain")],
    }
    ranks = [cell["rank"] for one in listed if one["path"] == "data.level" for cell in (one["winner"], *one["overridden"])]
    assert ranks == sorted(ranks, reverse=True)
    assert "rule: owner.value overrides blueprint.default and template.default" in asked(tmp_path, emit, "data.level")
    assert "data.level" in asked(tmp_path, emit, "--overridden-by", "owner.value")


def test_the_layers_of_params_are_listed_without_the_params(tmp_path):
    rows = [line.split() for line in asked(tmp_path, "[objects]", "--layers").splitlines()[2:]]
    assert [(row[0], " ".join(row[2:])) for row in rows] == [
        ("template", "wins 3 of 3"),
        ("template.default", "wins 0 of 1"),
        ("blueprint.default", "wins 0 of 1"),
        ("owner.value", "wins 1 of 1"),
        ("blueprint.value", "wins 1 of 1"),
    ]
