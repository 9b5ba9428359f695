"""Where the values of the examples come from: file, object, line and list position of every winner and loser; and what kustomize makes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from krm_values._golang.yaml import read
from krm_values._kit.kio import documents
from krm_values._kit.layers import configmaps
from tests.functions.giantswarm_config.test_secrets import call, forms, shown

EXAMPLES = Path(__file__).parents[3] / "examples/flux-values"
STORIES = ["base-and-site", "into-the-release"]
MARKER = "Hs6dLq1vYb8kRf3w"


@pytest.fixture
def package(tmp_path):
    return lambda story: Path(shutil.copytree(EXAMPLES / story, tmp_path / story, ignore=shutil.ignore_patterns(".expected")))


def explained(folder: Path) -> list[dict[str, Any]]:
    return json.loads(call("explain", "--json", folder).stdout)["steps"][0]["decisions"]


@pytest.mark.parametrize("story", STORIES)
def test_every_leaf_names_file_object_line_and_position_of_winner_and_losers(package, story):
    folder = package(story)
    leaves = [decision for decision in explained(folder) if "after" in decision or decision.get("hidden")]
    assert len(leaves) == {"base-and-site": 7, "into-the-release": 6}[story]
    for origin in (origin for decision in leaves for origin in (decision["origin"], *decision["beaten"])):
        lines = (folder / origin["file"]["path"]).read_text().splitlines()
        leaf = (origin.get("inner") or origin["path"]).rpartition(".")[2]
        assert lines[origin["line"] - 1].strip().startswith(f"{leaf}:")
        assert origin["layer"] == "values" or origin["layer"] == f"valuesFrom[{origin['facts']['position'] - 1}]"


def test_the_replicas_are_the_releases_over_the_sites_over_the_bases(package):
    (decision,) = (d for d in explained(package("base-and-site")) if d.get("inner") == "replicas")
    told = [
        (o["layer"], o["file"]["path"], o["resource"]["kind"], o["path"], o["line"], o["value"])
        for o in (decision["origin"], *decision["beaten"])
    ]
    assert told == [
        ("values", "app/release.yaml", "HelmRelease", "spec.values.replicas", 26, 3),
        ("valuesFrom[1]", "site/values.yaml", "ConfigMap", 'data["pier9.yaml"]', 8, 2),
        ("valuesFrom[0]", "base/values.yaml", "ConfigMap", 'data["values.yaml"]', 8, 1),
    ]


@pytest.mark.parametrize("story", STORIES)
def test_the_marker_of_the_examples_secret_is_not_shown(package, story):
    folder = package(story)
    texts = [shown("explain", *more, folder) for more in ([], ["--json"], ["--patch"])]
    texts += [shown("render", "--diff", folder), shown("render", folder), shown("explain", "--json", folder)]
    texts.append((folder / "app/release.yaml").read_text())
    assert [form for form in forms(MARKER) for text in texts if form in text] == []


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
        command = ["kubectl", "kustomize", "--enable-alpha-plugins", folder]
        done = subprocess.run(command, env=environment, capture_output=True, check=True)
        return [item.data for item in documents.read(done.stdout, "built").items]

    return build


@pytest.mark.parametrize("story", STORIES)
def test_kustomize_builds_what_render_writes(package, kustomized, story):
    folder = package(story)
    built = {(item["kind"], item["metadata"]["name"]): item for item in kustomized(folder)}
    call("render", folder)
    files = sorted(folder.glob("*/*.yaml"))
    written = [item.data for path in files for item in documents.read(path.read_bytes(), str(path)).items]
    assert built == {(item["kind"], item["metadata"]["name"]): item for item in written}
    assert len(built) == {"base-and-site": 5, "into-the-release": 4}[story]


@pytest.mark.parametrize("story", STORIES)
def test_kustomizes_name_prefix_changes_no_value(package, kustomized, tmp_path, story):
    folder = package(story)
    plain = kustomized(folder)
    base = folder / "kustomization.yaml"
    base.write_text(base.read_text().split("transformers")[0] + "namePrefix: eu-\n")
    top = tmp_path / "top"
    top.mkdir()
    (top / "kustomization.yaml").write_text(f"resources: [../{story}]\ntransformers: [config.yaml]\n")
    shutil.copy(folder / "flux-values.yaml", top / "config.yaml")
    prefixed = kustomized(top)
    assert {item["metadata"]["name"][:3] for item in prefixed} == {"eu-"}
    assert values(prefixed) == values(plain)


def values(items: list[Any]) -> Any:
    """The values of the object that was written, or else of the release."""
    for item in items:
        if item["metadata"]["name"].endswith("-flux-values"):
            return read.read(configmaps.decode(item["data"]["values.yaml"])).data
    (release,) = (item for item in items if item["kind"] == "HelmRelease")
    return release["spec"]["values"]
