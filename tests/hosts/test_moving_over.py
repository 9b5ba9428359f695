"""The answers of kustomize and helm in docs/moving-over.md's pairs, asked of the real programs. Those of kpt's functions and ytt are recorded."""

from __future__ import annotations

import re
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest
import yaml

from krm_values._data.data_edits import same
from tests.functions.layered_values.pairs import changes, ours, pairs, resources
from tests.functions.layered_values.support import item
from tests.hosts.machine import Machine, lacking

CHART = {"chart.yaml": "chart/values.yaml", "schema.json": "chart/values.schema.json"}
KUSTOMIZE = [pytest.param(pair, id=pair["id"]) for pair in pairs("kustomize")]
HELM = [pytest.param(pair, id=pair["id"]) for pair in pairs("helm")]
SAME_IN_A_CHART = [
    pytest.param(pair, id=pair["id"])
    for pair in pairs("helm")
    if "answer" in pair and ("differs" not in pair or pair.get("same in a chart"))
]


@pytest.mark.parametrize("pair", KUSTOMIZE)
def test_kustomize_answers_so(machine: Machine, tmp_path: Path, pair: dict[str, Any]) -> None:
    machine.needs("kustomize")
    version = re.search(r"v(\d+)\.(\d+)", machine.run("kustomize", "version").stdout)
    if version and (int(version[1]), int(version[2])) < (5, 8):
        lacking(f"kustomize {version[0]} lacks what v5.8 has: sourceValue, paths into texts")
    given = resources(pair)
    (tmp_path / "all.yaml").write_text("---\n".join(given), "utf-8")
    (tmp_path / "kustomization.yaml").write_text(f"resources: [all.yaml]\n{pair['theirs']}", "utf-8")
    done = machine.run("kustomize", "build", tmp_path, code=None)
    if "refused" in pair:
        assert pair["refused"] in done.stderr
        return
    found = changes([*map(yaml.safe_load, given)], [*yaml.safe_load_all(done.stdout)])
    assert same(found, pair["answer"]), found


@pytest.mark.parametrize("pair", HELM)
def test_helm_answers_so(machine: Machine, tmp_path: Path, pair: dict[str, Any]) -> None:
    done = template(machine, tmp_path, pair, *pair["theirs"].split())
    if "refused" in pair:
        assert pair["refused"] in done.stderr
        return
    assert same(yaml.safe_load(done.stdout), pair["answer"]), done.stdout


@pytest.mark.parametrize("pair", SAME_IN_A_CHART)
def test_a_chart_gets_the_same_from_our_document(machine: Machine, tmp_path: Path, pair: dict[str, Any]) -> None:
    (tmp_path / "ours.yaml").write_text(item(ours("helm", pair), "out")["data"]["values.yaml"], "utf-8")
    done = template(machine, tmp_path, pair, "-f", "ours.yaml")
    assert same(yaml.safe_load(done.stdout), pair["answer"]), done.stdout


def template(machine: Machine, folder: Path, pair: dict[str, Any], *arguments: str) -> CompletedProcess[str]:
    """What helm makes of a chart that prints its values."""
    machine.needs("helm")
    (folder / "chart/templates").mkdir(parents=True)
    (folder / "chart/Chart.yaml").write_text("apiVersion: v2\nname: chart\nversion: 1.0.0\n", "utf-8")
    (folder / "chart/templates/all.yaml").write_text("{{ .Values | toYaml }}\n", "utf-8")
    for name, content in pair.get("files", {}).items():
        (folder / CHART.get(name, name)).write_text(content, "utf-8")
    return machine.run("helm", "template", "chart", *arguments, cwd=folder, code=None)
