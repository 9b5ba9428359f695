"""The commands that are killed: `envgene process` and `sink` over four environments, and `render` of a package."""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from unittest import mock

from krm_values._cli import clean, main, render
from krm_values._krm.findings import Report
from krm_values.envgene_sd.repository import run as runner
from krm_values.envgene_sd.repository import sd_files
from tests.crash_consistency.trees import Tree, held, lay

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
ENVIRONMENT = "environments/[^/]+/[^/]+"
NEW, DELTAS = "north/new-1", "out/deltas"
_NAMED = ("east/prod-7", "east/prod-8", "west/dev-1", NEW)
_NEW_TOO = ("--create", *(word for name in _NAMED for word in ("--environment", name)))
_DATA = json.dumps({"applications": [{"version": "ledger:3.2.0", "deployPostfix": "finance"}]})


Command = Callable[[Path], int]


@dataclass(frozen=True)
class Scenario:
    """`writing`: the module through which the command writes; `part`: what the paths of files that are computed together have in common."""

    name: str
    old: Tree
    writing: ModuleType
    command: Command
    part: str = ""


def process() -> Scenario:
    """Files are changed, made and removed, in three environments, and a fourth one is made."""
    return Scenario("process", _repository(), runner, lambda root: step(root, _DATA, *_NEW_TOO), ENVIRONMENT)


def deltas() -> Scenario:
    """The same with the Delta SDs in another directory, which is made."""
    old = _repository()
    return Scenario(
        "deltas", old, runner, lambda root: step(root, _DATA, *_NEW_TOO, "--delta-dir", str(root / DELTAS)), ENVIRONMENT
    )


def sink() -> Scenario:
    """A list that changes an SD, removes two Delta SDs and makes an environment."""
    old = _repository()
    return Scenario("sink", old, runner, _sink)


def _sink(root: Path) -> int:
    with mock.patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(_LIST))):
        return main.main(["envgene", "sink", str(root)])


def _listed() -> bytes:
    """What `envgene source` says of the repository, with other versions and without its Delta SDs; and an environment more."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, "tree")
        lay(root, _repository())
        items = sd_files.items(root, ["east/prod-7", "east/prod-8"], report := Report())
    assert not report.findings
    texts = [text for found in items.values() for text in found if "delta-sd" not in text]
    made = texts[0].replace("east/prod-7", NEW).replace("east.prod-7", NEW.replace("/", "."))
    made = "".join(line for line in made.splitlines(keepends=True) if "source-digest" not in line)
    return sd_files.listed([*(text.replace("mailer:1.8.2", "mailer:2.0.0") for text in texts), made])


def _repository() -> Tree:
    return {
        SD.format("east/prod-7", "sd.yaml"): _sd("# the books\n", "ledger:3.1.0", "mailer:1.8.2"),
        SD.format("east/prod-7", "delta_sd.yaml"): _sd("", "mailer:1.8.2"),
        SD.format("east/prod-8", "sd.yml"): _sd("---\n", "mailer:1.8.2"),
        SD.format("west/dev-1", "delta_sd.yml"): _sd("# left over\n", "ghost:1.0.0"),
        "environments/west/dev-1/env_definition.yml": b"inventory: {}\n",
    }


def rendering() -> Scenario:
    """Files are changed, made and removed, in two packages; to render them again changes nothing."""
    old = {"Kptfile": b"apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: both\n", "apps/left-over.yaml": LEFT_OVER}
    for name, example in EXAMPLES.items():
        old |= {f"{name}/{path}": content for path, content in held(example).items() if not path.startswith(".expected/")}
    return Scenario("render", old, render, lambda root: main.main(["render", str(root)]))


def cleaning() -> Scenario:
    """Undo records leave the files of two rendered packages."""
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stderr(io.StringIO()):
        root = Path(folder, "tree")
        made = rendering()
        lay(root, made.old)
        assert made.command(root) == 0
        old = held(root)
    return Scenario("clean", old, clean, lambda root: main.main(["clean", str(root)]))


def step(root: Path, data: str, *options: str) -> int:
    """`envgene process` with this SD_DATA, of all environments unless some are named."""
    own = {"SD_SOURCE_TYPE": "json", "SD_DATA": data}
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("SD_", "ENV_"))}
    with mock.patch.dict(os.environ, {**kept, **own}, clear=True):
        return main.main(["envgene", "process", str(root), *(options or ["--all"])])


def _sd(head: str, *versions: str) -> bytes:
    lines = "".join(f"- version: {version}\n  deployPostfix: finance\n" for version in versions)
    return f"{head}applications:\n{lines}".encode()


_LIST = _listed()
