"""The example's instance repository: what each run of `envgene process` changes, says, and how `explain` accounts for it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[3] / "examples/envgene-sd/instance-repository"
RUNS = sorted((EXAMPLE / "runs").iterdir())
ENVIRONMENT = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}", "NO_COLOR": "1"}


def call(command, cwd):
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=cwd,
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.stdout, done.returncode


@pytest.fixture
def copy(tmp_path):
    """The example, its instance in a git repository of its own."""
    target = tmp_path / "copy"
    shutil.copytree(EXAMPLE, target)
    commit = "git -c user.name=x -c user.email=x commit --quiet --message=x"
    assert call(f"git init --quiet && git add --all && {commit}", target / "instance") == ("", 0)
    return target


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run.name)
def test_a_run_changes_what_its_patch_says(run, copy, golden):
    out, code = call((run / "command").read_text(), copy)
    assert code == (1 if "fails" in run.name else 0)
    golden(out, run / "output.txt")
    golden(call("git add --intent-to-add . && git diff", copy / "instance")[0], run / "diff.patch")


@pytest.mark.parametrize("run", [run for run in RUNS if (run / "explain").exists()], ids=lambda run: run.name)
def test_explain_prints_the_stored_table(run, copy, golden):
    golden(call((run / "explain").read_text(), copy)[0], run / "explain.txt")
