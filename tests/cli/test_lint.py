"""`krm-values lint FUNCTION FILES`: the errors and warnings of a run on these files, and nothing else."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from tests.cli.packages import command, snapshot, write
from tests.test_examples import STORIES
from tests.test_originals import FOLDERS

from krm_values._run import registry

OWN = "glasskube-values"
"""Its lint is of manifests: tests/functions/glasskube_values/test_lint.py."""


def step_of(folder):
    """Return the function of a package with one step, "" for another one."""
    if not (folder / "Kptfile").exists():
        return next(name for name in registry.functions() if (folder / f"{name}.yaml").exists()).replace(OWN, "")
    steps = re.findall(r"exec: krm-([a-z-]+)", (folder / "Kptfile").read_text())
    return steps[0] if len(steps) == 1 and steps[0] != OWN else ""


SINGLE = [(step_of(folder), folder) for folder in [*STORIES, *FOLDERS] if step_of(folder)]


@pytest.mark.parametrize(("function", "folder"), SINGLE, ids=lambda value: getattr(value, "name", value))
def test_it_says_what_a_run_refuses_or_warns_of(function, folder, tmp_path):
    package = Path(shutil.copytree(folder, tmp_path / "package"))
    before = snapshot(package)
    done, run = command("lint", function, "package", cwd=tmp_path), command("run", function, "package", cwd=tmp_path)
    assert snapshot(package) == before
    told = [line for line in run.stderr.splitlines() if line.startswith(("error: ", "warning: "))]
    assert [re.sub(r" \[[\w-]+\]$", "", line) for line in done.stdout.splitlines()] == told
    assert (done.returncode, done.stderr) == (run.returncode, "")
    assert command("lint", "--strict", function, "package", cwd=tmp_path).returncode == int(bool(told))


def test_these_are_all_functions():
    assert {function for function, _ in SINGLE} | {OWN} >= set(registry.functions())


@pytest.mark.parametrize(("function", "folder"), SINGLE[:12], ids=lambda value: getattr(value, "name", value))
def test_it_never_says_that_something_differs(function, folder, tmp_path):
    package = Path(shutil.copytree(folder, tmp_path / "package"))
    before = command("lint", function, "package", cwd=tmp_path)
    for path in package.glob("*.yaml"):
        if "krm-values.dev/v1alpha1" in path.read_text():
            path.write_text(re.sub(r"(?m)^spec:(?: \{\})?$", "spec:\n  check: true", path.read_text()))
    assert command("run", function, "package", cwd=tmp_path).returncode == 1
    after = command("lint", function, "package", cwd=tmp_path)
    places = re.compile(r":\d+:\d+:")
    assert (after.returncode, places.sub(":", after.stdout)) == (before.returncode, places.sub(":", before.stdout))


def test_files_that_the_function_does_not_read_are_a_warning(tmp_path):
    write(tmp_path, {"a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"})
    done = command("lint", "flux-values", "a.yaml", cwd=tmp_path)
    text = "warning: found no HelmRelease among 1 resource: there is nothing to check [unmatched]\n"
    assert (done.returncode, done.stdout) == (0, text)


def test_stdin_and_formats(tmp_path):
    wrong = "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: a}\nspec: {valuesFrom: 1}\n"
    done = command("lint", "flux-values", "-", stdin=wrong, cwd=tmp_path)
    assert (done.returncode, done.stdout.startswith("error: stdin:4:")) == (1, True)
    done = command("lint", "flux-values", "--format", "sarif", "-", stdin=wrong, cwd=tmp_path)
    assert json.loads(done.stdout)["runs"][0]["results"][0]["level"] == "error"


def test_help_has_the_exit_codes():
    done = command("lint", "--help")
    assert "exit codes:\n  0  no error\n  1  an error; with --strict, a warning\n  2  " in done.stdout
