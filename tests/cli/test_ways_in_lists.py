"""In a list that earlier functions left behind, a value's way goes on with the functions that made or edited the resource it is in."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.answers import cells, decided, whole
from tests.cli.packages import command

EXAMPLES = Path(__file__).parents[2] / "examples"
ALL_SIX = EXAMPLES / "pipelines/all-six"
STEPS = re.findall(r"exec: krm-(\S+)", (ALL_SIX / "Kptfile").read_text())


def listed(tmp_path: Path, count: int) -> str:
    """The list after so many steps of the pipeline."""
    package = Path(shutil.copytree(ALL_SIX, tmp_path / "package", ignore=shutil.ignore_patterns(".expected")))
    head, _, steps = (package / "Kptfile").read_text().partition("  - exec")
    kept = "".join(f"  - exec{step}" for step in steps.split("  - exec")[:count])
    (package / "Kptfile").write_text(head + kept if kept else head.partition("pipeline:")[0])
    done = command("render", package, "-o", "stdout")
    assert done.returncode == 0
    return done.stdout


def values(function: str, given: str) -> list[Any]:
    config = ALL_SIX / f"{function}.yaml"
    done = command("explain", "--json", "--config", config, stdin=given, KRM_FUNCTION=function)
    assert done.returncode == 0, done.stderr
    return decided(done.stdout)


def names(cell: dict[str, Any]) -> list[str]:
    """The resources on the way to a cell; its layer and those of what it was composed of, with the resource that each is in."""
    hops = [hop["resource"]["kind"] for hop in cell["way"]]
    return hops + [f"{one['layer']} {one.get('resource', {}).get('kind', '')}".strip() for one in whole(cell)]


SEEN = {
    "cartographer-params": (
        "spec.values.ingress.host",
        ["ClusterTemplate", "owner.value Workload", "glasskube-values Package"],
    ),
    "flux-values": ("ingress.host", ["values HelmRelease", "cartographer-params Workload"]),
    "tekton-params": (
        "spec.pipelineSpec.params[0].type",
        ["run PipelineRun", "cartographer-params Workload"],
    ),
}
"""A value that each function decides, and its way as far as the list tells."""


@pytest.mark.parametrize("function", SEEN)
def test_after_the_steps_before_it(function, tmp_path):
    found = values(function, listed(tmp_path, STEPS.index(function)))
    path, way = SEEN[function]
    assert [names(one["winner"]) for one in found if one.get("inner", one["path"]) == path] == [way]


@pytest.mark.parametrize("function", STEPS)
def test_nobody_wrote_what_a_function_made(function, tmp_path):
    given = listed(tmp_path, STEPS.index(function))
    items = yaml.safe_load(given)["items"]
    made = {one["metadata"]["name"] for one in items if "generated-by" in str(one["metadata"].get("annotations"))}
    told = [one for value in values(function, given) for cell in cells(value) for one in whole(cell)]
    found = [
        cell
        for cell in told
        if cell.get("resource", {}).get("name") in made and cell["resource"]["kind"] in ("HelmRelease", "PipelineRun")
    ]
    assert not any(cell["origin"] == "authored" for cell in found)
    assert found or function not in ("flux-values", "tekton-params")


def test_marks_that_lead_in_a_circle_end(tmp_path):
    text = """\
apiVersion: config.kubernetes.io/v1
kind: ResourceList
items:
- apiVersion: helm.toolkit.fluxcd.io/v2
  kind: HelmRelease
  metadata:
    name: a
    namespace: x
    annotations: {krm-values.dev/generated-by: one, krm-values.dev/generated-from: ConfigMap/x/b}
  spec:
    chartRef: {kind: OCIRepository, name: a}
    interval: 1m
    valuesFrom: [{kind: ConfigMap, name: b}]
- apiVersion: v1
  kind: ConfigMap
  metadata:
    name: b
    namespace: x
    annotations: {krm-values.dev/generated-by: two, krm-values.dev/generated-from: HelmRelease.helm.toolkit.fluxcd.io/x/a}
  data: {values.yaml: "a: 1"}
functionConfig: {apiVersion: krm-values.dev/v1alpha1, kind: FluxValues, metadata: {name: c}}
"""
    done = command("explain", "--json", stdin=text)
    (value,) = decided(done.stdout)
    assert names(value["winner"]) == ["valuesFrom[0] ConfigMap", "two HelmRelease"]
    assert "  + valuesFrom[0]  " in command("explain", stdin=text).stdout
    assert "      <- two  stdin:4\n" in command("explain", stdin=text).stdout


def test_a_record_that_cannot_be_read_tells_nothing(tmp_path):
    given = listed(tmp_path, 1)
    broken = re.sub(r"(undo\.glasskube-values: )'.*'", r"\1'{'", given)
    assert broken != given
    done = command("explain", "--json", "--config", ALL_SIX / "giantswarm-config.yaml", stdin=broken)
    assert "glasskube-values" not in "".join(name for value in decided(done.stdout) for name in names(value["winner"]))
