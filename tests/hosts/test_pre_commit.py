"""pre-commit itself, with the hooks installed from this checkout, on a repository of somebody else."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.cli.test_options import COMMANDS
from tests.hosts.machine import lacking
from tests.test_ci import commit, edit, git
from tests.test_documents import ROOT, fresh_clone

HOOKS = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
FETCHING = ("from versions: none", "connection broken", "ConnectionError", "imed out", "ProxyError")


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a repository with what this checkout has, as pre-commit clones it."""
    clone = fresh_clone(tmp_path_factory.mktemp("source") / "krm-values")
    git(clone, "init", "--quiet")
    commit(clone, "all")
    return clone


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return where pre-commit keeps what it installs."""
    return tmp_path_factory.mktemp("store")


@pytest.fixture
def repository(tmp_path: Path, source: Path) -> Path:
    """Return a repository with one package, which is not rendered, and both hooks."""
    folder = tmp_path / "repository"
    shutil.copytree(ROOT / "examples/layered-values/first", folder / "shop")
    revision = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=source, capture_output=True, text=True, check=True
    ).stdout.strip()
    hooks = [{"id": "krm-values-diff"}, {"id": "krm-values-check", "args": ["shop"]}]
    config = {"repos": [{"repo": str(source), "rev": revision, "hooks": hooks}]}
    (folder / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config))
    (folder / "notes.txt").write_text("a\n")
    git(folder, "init", "--quiet", "--initial-branch", "main")
    commit(folder, "all")
    return folder


def hook(repository: Path, store: Path, name: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Run one hook, as `git commit` and `pre-commit run` do."""
    kept = {
        key: value for key, value in os.environ.items() if key in ("HOME", "PATH", "LANG") or key.startswith(("PIP_", "UV_"))
    }
    call = [sys.executable, "-m", "pre_commit", "run", "--verbose", *words, name]
    environment = {**kept, "PRE_COMMIT_HOME": str(store), "NO_COLOR": "1"}
    done = subprocess.run(call, cwd=repository, env=environment, capture_output=True, text=True, check=False)
    if any(word in done.stdout + done.stderr for word in FETCHING):
        lacking("pip cannot reach its package index")
    return done


@pytest.mark.hosts
def test_the_hook_of_the_diff(repository: Path, store: Path) -> None:
    found = hook(repository, store, "krm-values-diff", "--all-files")
    assert found.returncode == 1
    assert "+  replicas: 3" in found.stdout
    subprocess.run([Path(sys.executable).with_name("krm-values"), "render", "-q", repository / "shop"], check=True)
    assert hook(repository, store, "krm-values-diff", "--all-files").returncode == 0
    commit(repository, "rendered")
    edit(repository / "shop/layers.yaml", "replicas: 3", "replicas: 4")
    git(repository, "add", "--all")
    staged = hook(repository, store, "krm-values-diff")
    assert staged.returncode == 1
    assert "+  replicas: 4" in staged.stdout
    git(repository, "checkout", "--quiet", "HEAD", "--", ".")
    edit(repository / "notes.txt", "a", "b")
    git(repository, "add", "--all")
    assert "(no files to check)Skipped" in hook(repository, store, "krm-values-diff").stdout


@pytest.mark.hosts
@pytest.mark.skipif("check" not in COMMANDS, reason="there is no command `krm-values check`")
def test_the_hook_of_the_check(repository: Path, store: Path) -> None:
    found = hook(repository, store, "krm-values-check", "--all-files")
    assert found.returncode == 1
    assert "deployment.yaml" in found.stdout
    subprocess.run([Path(sys.executable).with_name("krm-values"), "render", "-q", repository / "shop"], check=True)
    assert hook(repository, store, "krm-values-check", "--all-files").returncode == 0


def test_every_hook_is_documented_and_gets_no_files() -> None:
    page = (ROOT / "docs/ci.md").read_text("utf-8")
    assert [one["id"] for one in HOOKS if f"| `{one['id']}` | `{one['entry']}` |" not in page] == []
    assert all(one["pass_filenames"] is False and one["require_serial"] is True for one in HOOKS)
