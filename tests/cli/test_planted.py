"""The law of places: whatever function finds a mistake, in whatever form the document is written, `file:line:column` is where it was planted."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from tests.cli.packages import command, kptfile, write
from tests.cli.planted import CONFIGS, ELEMENT, MARK, RESOURCES, as_json, block, planted

from krm_values._krm import names

TABLE = yaml.safe_load((Path(__file__).parent / "planted.yaml").read_text("utf-8"))
IN_RESOURCES = [case for case in TABLE if "documents" in case]
IN_CONFIGS = [case for case in TABLE if "documents" not in case]
BESIDE = {
    "flux-values": """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: user, namespace: team}
spec:
  interval: 1m
  chart: {spec: {chart: app, sourceRef: {kind: HelmRepository, name: charts}}}
  valuesFrom:
  - {kind: ConfigMap, name: base}
  - {kind: ConfigMap, name: over, optional: true}
""",
    "giantswarm-config": """\
apiVersion: application.giantswarm.io/v1alpha1
kind: App
metadata: {name: user, namespace: team}
spec:
  catalog: c
  name: user
  namespace: web
  version: 1.0.0
  kubeConfig: {inCluster: true}
  userConfig: {configMap: {name: base, namespace: team}}
---
apiVersion: application.giantswarm.io/v1alpha1
kind: Catalog
metadata: {name: c, namespace: giantswarm}
spec: {}
""",
    "glasskube-values": """\
apiVersion: packages.glasskube.dev/v1alpha1
kind: ClusterPackage
metadata: {name: user}
spec:
  packageInfo: {name: lumen, version: v1}
  values: {level: {value: x}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: env, namespace: aviary}
data: {A: b}
""",
    "envgene-sd": """\
apiVersion: krm-values.dev/v1alpha1
kind: SolutionDescriptor
metadata: {name: east.one.sd, annotations: {krm-values.dev/environment: east/one}}
spec: {applications: []}
""",
}
EMPTY = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: empty}\ndata: {}\n"


@pytest.fixture
def called(tmp_path):
    """A command in a directory with these files: its stderr."""

    def call(files: dict[str, str], *arguments: str) -> str:
        return command(*arguments, "-v", cwd=write(tmp_path, files)).stderr

    return call


def found(stderr: str, words: list[str]) -> list[str]:
    """The addresses of the findings that name all the words."""
    lines = [line for line in stderr.splitlines() if all(word in line for word in words)]
    assert lines, stderr
    return [re.sub(r"^\w+: ", "", line).partition(": ")[0] for line in lines]


def parsed(documents: str) -> list[dict[str, object]]:
    return list(yaml.safe_load_all(documents))


def config(function: str, spec: str) -> dict[str, object]:
    return {
        "apiVersion": names.API_VERSION,
        "kind": names.kind(function),
        "metadata": {"name": "c"},
        "spec": yaml.safe_load(spec),
    }


def named(case: dict[str, object]) -> str:
    return f"{case['function']}: {case['name']}"


@pytest.mark.parametrize("form", RESOURCES)
@pytest.mark.parametrize("case", IN_RESOURCES, ids=named)
def test_of_resources(called, case, form):
    documents = parsed(case["documents"])
    (holder,) = [one for one in documents if MARK in block(one) or ELEMENT in block(one)]
    held = planted(RESOURCES[form](holder))
    others = "---\n".join([BESIDE.get(case["function"], EMPTY), *(block(one) for one in documents if one is not holder)])
    files = {
        "in/held.yaml": held.text,
        "others.yaml": others,
        "c.yaml": block(config(case["function"], case.get("spec", "{}"))),
    }
    for verb in ("run", "explain"):
        stderr = called(files, verb, case["function"], "--config", "c.yaml", "in/held.yaml", "others.yaml")
        assert f"in/held.yaml:{held.line}:{held.column}" in found(stderr, case["words"]), stderr


@pytest.mark.parametrize("form", CONFIGS)
@pytest.mark.parametrize("case", IN_CONFIGS, ids=named)
def test_of_configs(called, case, form):
    held = planted(CONFIGS[form](config(case["function"], case["spec"])))
    files = {"a/c.yaml": held.text, "others.yaml": BESIDE.get(case["function"], EMPTY)}
    for verb in ("run", "explain"):
        stderr = called(files, verb, case["function"], "--config", "a/c.yaml", "others.yaml")
        assert f"a/c.yaml:{held.line}:{held.column}" in found(stderr, case["words"]), stderr


@pytest.mark.parametrize("form", ["file", "ConfigMap, literal"])
@pytest.mark.parametrize("case", IN_CONFIGS, ids=named)
def test_of_configs_of_a_package(called, case, form):
    held = planted(CONFIGS[form](config(case["function"], case["spec"])))
    step = f"exec: krm-{case['function']}, configPath: a/c.yaml"
    files = {"Kptfile": kptfile(step), "a/c.yaml": held.text, "others.yaml": BESIDE.get(case["function"], EMPTY)}
    for verb in ("render", "explain"):
        stderr = called(files, verb, ".")
        assert f"a/c.yaml:{held.line}:{held.column}" in found(stderr, case["words"]), stderr


@pytest.mark.parametrize("case", IN_CONFIGS, ids=named)
def test_of_the_config_map_of_a_step(called, case):
    spec = yaml.safe_load(case["spec"])
    texts = {
        key: value if isinstance(value, str) else (as_json if key == "SD_DATA" else block)(value) for key, value in spec.items()
    }
    pipeline = {"mutators": [{"exec": f"krm-{case['function']}", "configMap": texts}]}
    held = planted(block({"apiVersion": "kpt.dev/v1", "kind": "Kptfile", "metadata": {"name": "p"}, "pipeline": pipeline}))
    files = {"Kptfile": held.text, "others.yaml": BESIDE.get(case["function"], EMPTY)}
    for verb in ("render", "explain"):
        stderr = called(files, verb, ".")
        assert f"Kptfile:{held.line}:{held.column}" in found(stderr, case["words"]), stderr


MANIFESTS = [
    case for case in IN_RESOURCES if "PackageManifest" in case["documents"] and case["name"] == "the type of a definition"
]


@pytest.mark.parametrize("form", [block, as_json], ids=["YAML", "JSON"])
@pytest.mark.parametrize("case", MANIFESTS, ids=named)
def test_of_manifests_that_are_linted(case, form, tmp_path):
    (document,) = parsed(case["documents"])
    held = planted("# a package\n" + form(document["spec"]["manifest"]))
    done = command("lint", "glasskube-values", write(tmp_path, {"p/package.yaml": held.text}) / "p")
    assert f"p/package.yaml:{held.line}:{held.column}: " in done.stdout
