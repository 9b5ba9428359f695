"""What a system without POSIX file locks and directory descriptors can do: stand-ins take away what Windows lacks. Nothing was run on Windows."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples/layered-values/first"
WITHOUT = """
import os, signal, shutil, subprocess, sys, tempfile
for name in ("fcntl", "grp", "pwd", "resource", "termios"):
    sys.modules[name] = None
for name in ("O_NOFOLLOW", "O_DIRECTORY", "O_CLOEXEC", "O_NONBLOCK", "geteuid", "getuid", "fchmod", "fchown", "killpg"):
    delattr(os, name)
del signal.SIGKILL, signal.SIGHUP, signal.SIGPIPE
os.supports_dir_fd.clear()
os.supports_follow_symlinks.clear()
sys.argv[0] = "krm-values"
from krm_values._cli.main import main
sys.exit(main())
"""


def without_posix(*words: str, folder: Path, stdin: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", WITHOUT, *words]
    return subprocess.run(command, cwd=folder, input=stdin, capture_output=True, text=True, check=False)


@pytest.fixture
def package(tmp_path: Path) -> Path:
    return Path(shutil.copytree(EXAMPLE, tmp_path / "web"))


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["run", "--config", "layers.yaml", "deployment.yaml"], "  replicas: 3\n"),
        (["explain", "layered-values", "layers.yaml", "deployment.yaml", "spec.replicas"], "spec.replicas = 3\n"),
        (["docs", "unknown-key"], "# unknown-key, a finding of all functions\n"),
        (["list"], "layered-values "),
    ],
    ids=lambda words: words[0] if isinstance(words, list) else "",
)
def test_files_are_read_and_printed(package, words, expected):
    done = without_posix(*words, folder=package)
    assert (done.returncode, "error" in done.stderr) == (0, False)
    assert expected in done.stdout


@pytest.mark.parametrize(
    "words", [["render", "."], ["render", "-o", "../out", "."], ["explain", "."], ["clean", "."]], ids=" ".join
)
def test_a_directory_is_refused_before_anything_is_written(package, words):
    before = {path.name: path.read_bytes() for path in package.rglob("*") if path.is_file()}
    done = without_posix(*words, folder=package)
    assert (done.returncode, done.stdout) == (1, "")
    assert "directories are read and written on Linux and macOS only" in done.stderr
    assert {path.name: path.read_bytes() for path in package.rglob("*") if path.is_file()} == before
    assert [path.name for path in package.parent.iterdir()] == ["web"]
