"""A package with undo records of version 2, rendered again: the same files as of a fresh render, and no edit by hand is seen."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from krm_values._krm import names
from krm_values._yaml import decode
from tests.cli.packages import command

HERE = Path(__file__).parent
STORIES = sorted((HERE / "examples").glob("*.patch"))
EXAMPLES = HERE.parents[1] / "examples"


def cases() -> list[dict[str, Any]]:
    """The packages with numbers; a document of the file begins with its id."""
    _, *found = (HERE / "numbers.yaml").read_text().split("---\nid: ")
    return [decode.data("id: " + text) for text in found]  # type: ignore[misc]


def render(package: Path) -> dict[str, bytes]:
    """The files after `krm-values render`, which must say nothing of an edit by hand."""
    done = command("render", str(package))
    assert (done.returncode, "by hand" in done.stderr) == (0, False), done.stderr
    return {str(path.relative_to(package)): path.read_bytes() for path in package.rglob("*") if path.is_file()}


def package(folder: Path, case: dict[str, Any], files: dict[str, str]) -> Path:
    """A package of one step."""
    function = case["function"]
    step = f"mutators: [{{exec: krm-{function}, configPath: config.yaml}}]"
    config = {"apiVersion": names.API_VERSION, "kind": names.kind(function), "metadata": {"name": "c"}, "spec": case["config"]}
    config["metadata"]["annotations"] = {"config.kubernetes.io/local-config": "true"}
    head = f"apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {{name: p}}\npipeline:\n  {step}\n"
    for name, text in {"Kptfile": head, "config.yaml": json.dumps(config) + "\n", **files}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


CASES = cases()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_numbers(case, tmp_path):
    fresh = render(package(tmp_path / "fresh", case, case["files"]))
    again = render(package(tmp_path / "again", case, {**case["files"], **case["rendered"]}))
    kept = {name: text.encode() for name, text in case["rendered"].items()} if case.get("kept") else {}
    assert again == {**fresh, **kept}
    assert render(tmp_path / "again") == again


def test_there_are_cases_of_every_function_that_reads_numbers():
    found = [case["function"] for case in CASES]
    assert len(found) == 21
    assert set(found) == {"cartographer-params", "flux-values", "giantswarm-config", "glasskube-values", "tekton-params"}


@pytest.mark.parametrize("patch", STORIES, ids=lambda patch: patch.stem)
def test_example(patch, tmp_path):
    """Where an example's own files change, its patch has to be made anew, by a version that writes records of version 2."""
    function, _, story = patch.stem.partition(".")
    for name in ("fresh", "again"):
        shutil.copytree(EXAMPLES / function / story, tmp_path / name, ignore=shutil.ignore_patterns(".expected"))
    environment = {**os.environ, "GIT_CEILING_DIRECTORIES": str(tmp_path)}
    subprocess.run(["git", "apply", patch], cwd=tmp_path / "again", env=environment, check=True)
    assert render(tmp_path / "again") == render(tmp_path / "fresh")


def test_every_example_that_is_rendered_is_here():
    first = {path.stem for path in STORIES}
    assert first == {f"{path.parents[1].name}.{path.parent.name}" for path in EXAMPLES.glob("*/*/Kptfile")}
