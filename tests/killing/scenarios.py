"""The commands that are killed: `envgene process` over three environments, and `render` of a package."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from unittest import mock

from krm_values._cli import main, render
from krm_values.envgene_sd import running
from tests.killing.trees import Tree, held

ROOT = Path(__file__).parents[2]
EXAMPLES = {
    "apps": ROOT / "examples/giantswarm-config/stage-and-region",
    "pipelines": ROOT / "examples/tekton-params/build-and-deploy",
}
LEFT_OVER = b"""\
apiVersion: v1
kind: ConfigMap
metadata:
  name: left-over
  annotations:
    krm-values.dev/generated-by: giantswarm-config
    krm-values.dev/generated-from: App.application.giantswarm.io/default/gone/configMap
data: {}
"""
SD = "environments/{}/Inventory/solution-descriptor/{}"


@dataclass(frozen=True)
class Scenario:
    """`writing`: the module through which the command writes."""

    name: str
    old: Tree
    writing: ModuleType
    command: Callable[[Path], int]


def process() -> Scenario:
    """Files are changed, made and removed, in three environments."""
    old = {
        SD.format("east/prod-7", "sd.yaml"): _sd("# the books\n", "ledger:3.1.0", "mailer:1.8.2"),
        SD.format("east/prod-7", "delta_sd.yaml"): _sd("", "mailer:1.8.2"),
        SD.format("east/prod-8", "sd.yml"): _sd("---\n", "mailer:1.8.2"),
        SD.format("west/dev-1", "delta_sd.yml"): _sd("# left over\n", "ghost:1.0.0"),
        "environments/west/dev-1/env_definition.yml": b"inventory: {}\n",
    }
    data = json.dumps({"applications": [{"version": "ledger:3.2.0", "deployPostfix": "finance"}]})
    return Scenario("process", old, running, lambda root: step(root, data))


def rendering() -> Scenario:
    """Files are changed, made and removed, in two packages; to render them again changes nothing."""
    old = {"Kptfile": b"apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: both\n", "apps/left-over.yaml": LEFT_OVER}
    for name, example in EXAMPLES.items():
        old |= {f"{name}/{path}": content for path, content in held(example).items() if not path.startswith(".expected/")}
    return Scenario("render", old, render, lambda root: main.main(["render", str(root)]))


def step(root: Path, data: str) -> int:
    """`envgene process` of all environments with this SD_DATA."""
    own = {"SD_SOURCE_TYPE": "json", "SD_DATA": data}
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("SD_", "ENV_"))}
    with mock.patch.dict(os.environ, {**kept, **own}, clear=True):
        return main.main(["envgene", "process", str(root), "--all"])


def _sd(head: str, *versions: str) -> bytes:
    lines = "".join(f"- version: {version}\n  deployPostfix: finance\n" for version in versions)
    return f"{head}applications:\n{lines}".encode()
