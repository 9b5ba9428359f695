"""Where the values of examples come from: file, object, line and position or priority of winner and losers; and what kustomize makes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from krm_values._go import yaml
from krm_values._krm import documents
from krm_values._run import objects
from tests.answers import cells, decided
from tests.cli.packages import command

EXAMPLES = Path(__file__).parents[2] / "examples"
LEAVES = {
    "flux-values/base-and-site": 7,
    "flux-values/into-the-release": 6,
    "giantswarm-config/stage-and-region": 18,
}
"""The values that are decided in an example."""
STORIES = pytest.mark.parametrize("story", LEAVES)
WRITTEN = {"flux-values/base-and-site": 5, "flux-values/into-the-release": 4}
"""The resources of an example after a run, where `render` writes what kustomize builds."""


@pytest.fixture
def package(tmp_path):
    return lambda story: Path(shutil.copytree(EXAMPLES / story, tmp_path / "p", ignore=shutil.ignore_patterns(".expected")))


def explained(folder: Path) -> list[dict[str, Any]]:
    done = command("explain", "--json", folder)
    assert done.returncode == 0
    return decided(done.stdout)


@STORIES
def test_every_leaf_names_file_line_and_rank_of_winner_and_losers(package, story):
    folder = package(story)
    leaves = [value for value in explained(folder) if "removed" not in value]
    assert len(leaves) == LEAVES[story]
    for origin in (cell for value in leaves for cell in cells(value)):
        lines = (folder / origin["file"]).read_text().splitlines()
        leaf = (origin.get("inner") or origin["path"]).rpartition(".")[2]
        assert lines[origin["line"] - 1].strip().startswith(f"{leaf}:")
        if story.startswith("giantswarm"):
            assert origin["resource"]["kind"] in ("ConfigMap", "Secret")
            assert {"priority", "band"} <= set(origin["facts"])
        else:
            assert origin["layer"] == "values" or origin["layer"] == f"valuesFrom[{origin['facts']['position'] - 1}]"


REPLICAS = {
    "flux-values/base-and-site": [
        ("values", None, "app/release.yaml", "HelmRelease beacon", "spec.values.replicas", 26, 3),
        ("valuesFrom[1]", None, "site/values.yaml", "ConfigMap beacon-site", 'data["pier9.yaml"]', 8, 2),
        ("valuesFrom[0]", None, "base/values.yaml", "ConfigMap beacon-base", 'data["values.yaml"]', 8, 1),
    ],
    "giantswarm-config/stage-and-region": [
        ("extraConfigs[0]", 60, "stage/prod.yaml", "ConfigMap stage-prod", "data.values", 8, 3),
        ("config", 50, "app/cluster.yaml", "ConfigMap pier9-cluster", "data.values", 9, 2),
        ("catalog harbour", 0, "catalog/defaults.yaml", "ConfigMap harbour-defaults", "data.values", 9, 1),
    ],
}


@pytest.mark.parametrize("story", REPLICAS)
def test_the_replicas_are_the_upper_layers_over_the_lower_ones(package, story):
    path = {"flux-values": "", "giantswarm-config": "data.values"}[story.partition("/")[0]]
    found = explained(package(story))
    (value,) = (one for one in found if one.get("inner") == "replicas" and path in ("", one["path"]))
    told = [
        (
            *(o["layer"], o.get("facts", {}).get("priority"), o["file"]),
            *(f"{o['resource']['kind']} {o['resource']['name']}", o["path"], o["line"], o["value"]),
        )
        for o in cells(value)
    ]
    assert told == REPLICAS[story]


@pytest.fixture
def kustomized(tmp_path):
    if not shutil.which("kubectl"):
        assert os.environ.get("KRM_HOSTS") != "required", "kubectl must be installed"
        pytest.skip("kubectl is not installed")
    environment = {
        **os.environ,
        "KUSTOMIZE_PLUGIN_HOME": str(tmp_path / "plugins"),
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    }
    subprocess.run(["krm-values", "kustomize", "install-plugins"], env=environment, check=True, capture_output=True)

    def build(folder: Path) -> list[Any]:
        words = ["kubectl", "kustomize", "--enable-alpha-plugins", folder]
        done = subprocess.run(words, env=environment, capture_output=True, check=True)
        return [item.data for item in documents.read(done.stdout, "built").items]

    return build


@pytest.mark.parametrize("story", WRITTEN)
def test_kustomize_builds_what_render_writes(package, kustomized, story):
    folder = package(story)
    built = {(item["kind"], item["metadata"]["name"]): item for item in kustomized(folder)}
    assert command("render", folder).returncode == 0
    files = sorted(folder.glob("*/*.yaml"))
    written = [item.data for path in files for item in documents.read(path.read_bytes(), str(path)).items]
    assert built == {(item["kind"], item["metadata"]["name"]): item for item in written}
    assert len(built) == WRITTEN[story]


@STORIES
def test_kustomizes_name_prefix_changes_no_value(package, kustomized, tmp_path, story):
    folder = package(story)
    plain = kustomized(folder)
    base = folder / "kustomization.yaml"
    base.write_text(base.read_text().split("transformers")[0] + "namePrefix: eu-\n")
    top = tmp_path / "top"
    top.mkdir()
    (top / "kustomization.yaml").write_text("resources: [../p]\ntransformers: [config.yaml]\n")
    shutil.copy(folder / f"{story.partition('/')[0]}.yaml", top / "config.yaml")
    prefixed = kustomized(top)
    assert any(item["metadata"]["name"].startswith("eu-") for item in prefixed)
    assert values(prefixed) == values(plain)


def values(items: list[Any]) -> Any:
    """The values of the objects that were written, or else of the release."""
    made = [item for item in items if item["metadata"]["name"].endswith(("-flux-values", "-chart-values", "-chart-secrets"))]
    if made:
        texts = [(item["kind"], text) for item in made for text in item["data"].values()]
        return [yaml.read(objects.decode(text) if kind == "Secret" else text).data for kind, text in texts]
    (release,) = (item for item in items if item["kind"] == "HelmRelease")
    return release["spec"]["values"]
