"""CONTRIBUTING.md's function, made from the page's own blocks in a copy of the project, fails no test."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.test_documents import ROOT, blocks, fresh_clone, run_session

PAGE = ROOT / "CONTRIBUTING.md"
WHOLE = "python -m pytest -q tests -k"
"""The command of the page that runs every test of the new function; here, it runs the files in which functions are listed."""
ASKS = re.compile(r"registry\.functions\(\)|\bFUNCTIONS\b|\btargets import NAMES\b|test_goldens")
SLOW = ("hosts", "conformance", "growth")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the project with the page's files and its command in pyproject.toml."""
    clone = fresh_clone(tmp_path_factory.mktemp("contributing") / "clone")
    for name, text in re.findall(r"^`([\w/.]+)`\n\n```\w+\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL):
        assert not (clone / name).exists()
        (clone / name).parent.mkdir(parents=True, exist_ok=True)
        (clone / name).write_text(text, "utf-8")
    (command,) = blocks(PAGE, "toml")
    pyproject = clone / "pyproject.toml"
    table = "[project.scripts]\n"
    pyproject.write_text(pyproject.read_text("utf-8").replace(table, table + command), "utf-8")
    git = ["git", "-c", "init.defaultBranch=main", "init", "--quiet"]
    subprocess.run(git, cwd=clone, check=True)
    return clone


@pytest.fixture(scope="module")
def environment(project: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return an environment in which Python imports the copy."""
    paths = f"{project / 'functions'}{os.pathsep}{project}"
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "PYTHONPATH": paths, "PATH": path, "HOME": str(tmp_path_factory.mktemp("home")), "NO_COLOR": "1"}


def test_a_function_in_thirty_lines(project):
    made = project / "functions/krm_values/namespace_replicas"
    texts = [(made / name).read_text("utf-8") for name in ("__init__.py", "config.py", "plan.py")]
    assert sum(bool(line.strip()) for text in texts for line in text.splitlines()) <= 30


def test_it_runs_its_case_and_fails_no_test(project, environment):
    (session,) = blocks(PAGE, "console")
    shown, whole, rest = session.partition(f"$ {WHOLE}")
    assert whole
    run_session(shown, project, environment)
    for check in (["check"], ["format", "--check"]):
        done = subprocess.run(
            [sys.executable, "-m", "ruff", *check, "."],
            cwd=project,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout
    found = sorted(path for path in (project / "tests").rglob("test_*.py") if ASKS.search(path.read_text("utf-8")))
    files = [str(path) for path in found if not set(path.parts) & set(SLOW) and path.name != Path(__file__).name]
    assert len(files) > 10
    chosen = shlex.split(rest.splitlines()[0])
    command = [sys.executable, "-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider", *files, "-k", *chosen]
    done = subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert int(re.findall(r"(\d+) passed", done.stdout)[-1]) > 20


@pytest.mark.parametrize("command", [line.split("#")[0].strip() for line in blocks(PAGE, "sh")[0].splitlines()])
def test_the_loop_answers(command):
    done = subprocess.run([sys.executable, *command.split()[1:]], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout
