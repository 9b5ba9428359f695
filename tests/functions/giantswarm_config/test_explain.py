"""Where the values of the example come from: file, object, line and priority of every winner and loser; and kustomize's renaming."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.functions.giantswarm_config.test_secrets import call, forms, shown

EXAMPLE = Path(__file__).parents[3] / "examples/giantswarm-config/stage-and-region"
MARKERS = ["Qk7vWz2mXr9TbL4c", "n8HdYp5sJg3KfUq6", "Zt1RwVe0oNx7MyCa"]


@pytest.fixture
def package(tmp_path):
    return Path(shutil.copytree(EXAMPLE, tmp_path / "p", ignore=shutil.ignore_patterns(".expected")))


def test_every_leaf_names_file_object_line_and_priority_of_winner_and_losers(package):
    decisions = _explained(package)["steps"][0]["decisions"]
    assert len(decisions) == 18
    for decision in decisions:
        for origin in (decision["origin"], *decision["beaten"]):
            assert origin["file"]["path"].endswith(".yaml")
            assert origin["resource"]["kind"] in ("ConfigMap", "Secret")
            assert {"priority", "band"} <= set(origin["facts"])
            line = (package / origin["file"]["path"]).read_text().splitlines()[origin["line"] - 1]
            assert re.match(rf" *{origin['inner'].rpartition('.')[2]}:", line)


def test_the_replicas_are_the_stages_over_the_clusters_over_the_catalogs(package):
    document = _explained(package)
    (decision,) = (d for d in document["steps"][0]["decisions"] if (d["path"], d["inner"]) == ("data.values", "replicas"))
    told = [
        (o["layer"], o["facts"]["priority"], o["file"]["path"], o["resource"]["name"], o["line"], o["value"])
        for o in (decision["origin"], *decision["beaten"])
    ]
    assert told == [
        ("extraConfigs[0]", 60, "stage/prod.yaml", "stage-prod", 8, 3),
        ("config", 50, "app/cluster.yaml", "pier9-cluster", 9, 2),
        ("catalog harbour", 0, "catalog/defaults.yaml", "harbour-defaults", 9, 1),
    ]


def test_no_marker_of_the_examples_secrets_is_shown(package):
    texts = [shown("explain", *more, package) for more in ([], ["--json"], ["--patch"])]
    texts += [shown("render", "--diff", package), shown("render", package), shown("explain", "--json", package)]
    assert [form for marker in MARKERS for form in forms(marker) for text in texts if form in text] == []


def test_kustomizes_name_prefix_changes_no_value(package, tmp_path):
    if not shutil.which("kubectl"):
        assert os.environ.get("KRM_HOSTS") != "required", "kubectl must be installed"
        pytest.skip("kubectl is not installed")
    environment = {
        **os.environ,
        "KUSTOMIZE_PLUGIN_HOME": str(tmp_path / "plugins"),
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    }
    subprocess.run(["krm-values", "kustomize", "install-plugins"], env=environment, check=True, capture_output=True)
    command = ["kubectl", "kustomize", "--enable-alpha-plugins", package]
    plain = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
    base = package / "kustomization.yaml"
    base.write_text(base.read_text().split("transformers")[0] + "namePrefix: eu-\n")
    top = tmp_path / "top"
    top.mkdir()
    (top / "kustomization.yaml").write_text("resources: [../p]\ntransformers: [config.yaml]\n")
    shutil.copy(package / "giantswarm-config.yaml", top / "config.yaml")
    command[-1] = top
    prefixed = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
    held = re.findall(
        r"^kind: ConfigMap\nmetadata:(?:\n .*)*?\n  name: (?:eu-)?lighthouse-chart-values$", prefixed, re.MULTILINE
    )
    assert held
    assert _values(prefixed) == _values(plain)


def _values(text: str) -> str:
    """The merged text of the ConfigMap that is written."""
    (document,) = (part for part in text.split("---\n") if "generated-by" in part and "kind: ConfigMap" in part)
    return document.split("kind: ConfigMap")[0]


def _explained(package: Path) -> dict[str, Any]:
    return json.loads(call("explain", "--json", package).stdout)
