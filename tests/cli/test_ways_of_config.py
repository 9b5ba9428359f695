"""A value that the functionConfig holds has its line there, whatever form the config has."""

from __future__ import annotations

import pytest
from tests.cli.explained import explained
from tests.cli.packages import kptfile, write

LAYERED = """\
apiVersion: krm-values.dev/v1alpha1
kind: LayeredValues
metadata: {name: web, annotations: {config.kubernetes.io/local-config: "true"}}
spec:
  layers:
  - name: defaults
    values:
      replicas: 2
      ingress: {host: a.example}
  - {configMap: base, key: values.yaml}
  SCHEMA
  targets:
  - configMap: out
"""
IN_CONFIG = """schema:
    properties:
      size: {default: small}
      log:
        $ref: '#/definitions/log'
    definitions:
      log:
        default: {}
        properties:
          level: {default: warn}
"""
BASE = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: base}
data:
  values.yaml: |
    replicas: 3
    log: {}
  schema.yaml: |
    properties:
      size:
        default: small
"""
SD = """\
apiVersion: krm-values.dev/v1alpha1
kind: SolutionDescriptor
metadata:
  name: sd
  annotations: {krm-values.dev/environment: east/prod}
spec:
  applications:
  - version: ledger:1.0.0
    deployPostfix: finance
"""
ENVGENE = """\
apiVersion: krm-values.dev/v1alpha1
kind: EnvgeneSd
metadata: {name: c, annotations: {config.kubernetes.io/local-config: "true"}}
spec:
  ENV_NAMES: east/prod
  SD_SOURCE_TYPE: json
  SD_DATA:
    applications:
    - {version: "ledger:2.0.0", deployPostfix: finance}
"""


def ends(package):
    """Layer, file and line of the begin of each winner and of each that it overrides, by path."""
    return {
        (title, path, inner): [(end.layer, end.file, end.line) for ends in answer.ends for end in ends]
        for (title, _, path, inner), answer in explained(package).items()
    }


def layered(package, schema):
    files = {"Kptfile": kptfile("exec: krm-layered-values, configPath: config.yaml"), "base.yaml": BASE}
    return write(package, {**files, "config.yaml": LAYERED.replace("SCHEMA", schema)})


def test_inline_values_and_defaults_of_a_schema_in_the_config(tmp_path):
    found = {inner: way for (_, _, inner), way in ends(layered(tmp_path, IN_CONFIG)).items()}
    assert found == {
        ("replicas",): [("base", "base.yaml", 6), ("defaults", "config.yaml", 8)],
        ("ingress", "host"): [("defaults", "config.yaml", 9)],
        ("log", "level"): [("schema", "config.yaml", 20)],
        ("size",): [("schema", "config.yaml", 13)],
    }


def test_defaults_of_a_schema_in_a_config_map(tmp_path):
    found = ends(layered(tmp_path, "schemaFrom: {configMap: base, key: schema.yaml}"))
    assert [way for (_, _, inner), way in found.items() if inner == ("size",)] == [[("schema", "base.yaml", 11)]]


@pytest.mark.parametrize("form", ["file", "Kptfile"])
def test_sd_data(tmp_path, form):
    if form == "file":
        files, line = {"Kptfile": kptfile("exec: krm-envgene-sd, configPath: config.yaml"), "config.yaml": ENVGENE}, 9
    else:
        data = """{ENV_NAMES: east/prod, SD_SOURCE_TYPE: json,
      SD_DATA: '{"applications": [{"version": "ledger:2.0.0", "deployPostfix": "finance"}]}'}"""
        files, line = {"Kptfile": kptfile(f"exec: krm-envgene-sd, configMap: {data}")}, 8
    package = write(tmp_path, {**files, "sd.yaml": SD})
    (way,) = (way for (title, path, _), way in ends(package).items() if title.endswith(" sd") and path[-1] == "version")
    source = "config.yaml" if form == "file" else "Kptfile"
    assert way == [("SD_DATA[0]", source, line), ("Full SD", "sd.yaml", 8)]


MANIFEST = """\
  name: cart
  scope: Namespaced
  defaultNamespace: shop
  helm:
    repositoryUrl: https://charts.example.test
    chartName: cart
    chartVersion: 1.0.0
    values:
      tier: gold
  valueDefinitions:
    size:
      type: text
      defaultValue: small
      targets: [{chartName: cart, patch: {op: add, path: /size}}]
"""
PACKAGE = """\
apiVersion: packages.glasskube.dev/v1alpha1
kind: Package
metadata: {name: cart, namespace: shop}
spec:
  packageInfo: {name: cart, version: v1.0.0}
  values: {}
"""
GLASSKUBE = """\
apiVersion: krm-values.dev/v1alpha1
kind: GlasskubeValues
metadata: {name: c, annotations: {config.kubernetes.io/local-config: "true"}}
spec:
  useDefaults: true
"""


@pytest.mark.parametrize("place", ["config", "file"])
def test_manifests_of_packages(tmp_path, place):
    manifest = "".join(f"  {line}\n" for line in MANIFEST.splitlines())
    wrapped = GLASSKUBE.replace("GlasskubeValues", "PackageManifest").replace("  useDefaults: true\n", "  manifest:\n")
    if place == "config":
        files = {"config.yaml": f"{GLASSKUBE}  manifests:\n{manifest.replace('    name', '  - name', 1)}"}
    else:
        files = {"config.yaml": GLASSKUBE, "manifest.yaml": wrapped + manifest}
    kpt = kptfile("exec: krm-glasskube-values, configPath: config.yaml")
    package = write(tmp_path, {"Kptfile": kpt, "package.yaml": PACKAGE, **files})
    source = "config.yaml" if place == "config" else "manifest.yaml"
    lines = [line.strip() for line in (package / source).read_text().splitlines()]
    found = {path[2:]: answer for (_, _, path, _), answer in explained(package).items() if path[:2] == ("spec", "values")}
    assert found.keys() == {("size",), ("tier",)}
    for (key,), text in ((("size",), "defaultValue: small"), (("tier",), "tier: gold")):
        assert [(end.file, lines[end.line - 1]) for end in found[(key,)].ends[0]] == [(source, text)]
