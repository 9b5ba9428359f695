"""What a system without POSIX file locks and directory descriptors can do: stand-ins take away what Windows lacks. Nothing was run on Windows."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.packages import command

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


READING = {
    "explain . spec.replicas": "spec.replicas = 3\n",
    "values . Deployment/web spec": "replicas",
    "why layers.yaml:8 .": "",
    "impact layers.yaml:8 .": "",
    "inputs .": "layers.yaml\n",
    "compare . ../rendered": "removed",
    "run layered-values .": "  replicas: 3\n",
    "lint layered-values .": "",
    "check ../rendered": "",
    "render -o stdout .": "replicas: 3\n",
    "render -o unwrap .": "replicas: 3\n",
    "render --diff .": "+  replicas: 3\n",
    "fleet explain .. spec.replicas": "",
}
EACH = """
import os, sys
for number, words in enumerate(sys.argv[1:]):
    if child := os.fork():
        os.waitpid(child, 0)
        continue
    for descriptor, name in ((1, "out"), (2, "err")):
        os.dup2(os.open(f"../answers/{number}.{name}", os.O_WRONLY | os.O_CREAT), descriptor)
    sys.argv = ["krm-values", *words.split()]
    break
else:
    sys.exit(0)
"""


def test_a_directory_is_read(package):
    """With the answers of a system that has what is taken away here. The calls of a system are forks of one process."""
    assert without_posix("render", "-o", "../rendered", ".", folder=package).returncode == 0
    before = contents(package.parent)
    found: list[list[list[str]]] = [[], []]
    for answers, taken in zip(found, ("", WITHOUT.partition("sys.argv")[0]), strict=True):
        (package.parent / "answers").mkdir()
        called = [sys.executable, "-c", EACH + taken + WITHOUT[WITHOUT.index("from krm_values") :], *READING]
        subprocess.run(called, cwd=package, stdin=subprocess.DEVNULL, check=True)
        for number in range(len(READING)):
            answers.append([(package.parent / f"answers/{number}.{name}").read_text() for name in ("out", "err")])
        shutil.rmtree(package.parent / "answers")
        assert contents(package.parent) == before
    for words, there, done in zip(READING, *found, strict=True):
        assert (words, *done) == (words, *there)
        assert READING[words] in done[0], words


def test_a_copy_is_written_as_elsewhere(package):
    assert command("render", "-o", package.parent / "there", package).returncode == 0
    done = without_posix("render", "-o", "../out", ".", folder=package)
    assert (done.returncode, done.stderr) == (0, "")
    assert contents(package.parent / "out") == contents(package.parent / "there")
    again = without_posix("render", "-o", "../out", ".", folder=package)
    assert (again.returncode, again.stderr) == (2, "error: ../out: must not exist yet; remove it, or name another directory\n")


@pytest.mark.parametrize("name", ["..\\evil.yaml", "c:evil.yaml"])
def test_a_copy_has_no_name_that_leads_elsewhere_on_windows(package, name):
    (package / "deployment.yaml").rename(package / name)
    done = without_posix("render", "-o", "../out", ".", folder=package)
    assert (done.returncode, done.stdout) == (1, "")
    assert f"nothing was written: {name}: must not have `\\` or `:` in its name" in done.stderr
    assert [path.name for path in package.parent.iterdir()] == ["web"]


@pytest.mark.parametrize("how", ["file", "folder", "circle", "nothing", "pipe"])
def test_no_link_leads_out(package, how):
    """A link in the package is followed as on other systems, and one out of it refused with the same words."""
    outside = package.parent / "outside"
    outside.mkdir()
    (outside / "secret.yaml").write_text("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: secret}\n")
    place = package / ("linked.yaml" if how != "folder" else "Kptfile")
    if how == "folder":
        (package / "Kptfile").rename(outside / "Kptfile")
    if how == "pipe":
        os.mkfifo(place)
    else:
        aims = {"file": outside / "secret.yaml", "folder": outside / "Kptfile", "circle": place, "nothing": outside / "none"}
        place.symlink_to(aims[how])
    there = command("explain", ".", cwd=package)
    done = without_posix("explain", ".", folder=package)
    assert there.returncode == done.returncode == 1
    assert (done.stdout, done.stderr) == (there.stdout, there.stderr)


def test_a_link_within_is_followed(package):
    (package / "deployment.yaml").rename(package / "deployment.txt")
    (package / "deployment.yaml").symlink_to("deployment.txt")
    done = without_posix("explain", ".", "spec.replicas", folder=package)
    assert (done.returncode, "spec.replicas = 3\n" in done.stdout) == (0, True)


@pytest.mark.parametrize("words", ["render .", "clean .", "revert layered-values .", "fleet render .."])
def test_nothing_is_written_in_place(package, words):
    before = contents(package.parent)
    done = without_posix(*words.split(), folder=package)
    assert done.returncode == 1
    assert "files are written in place on Linux and macOS only" in done.stdout + done.stderr
    assert "`krm-values render -o OUT`" in done.stdout + done.stderr
    assert contents(package.parent) == before


def test_a_page_is_written(package):
    done = without_posix("explain", ".", "--html", "../page.html", folder=package)
    assert (done.returncode, "<html" in (package.parent / "page.html").read_text()) == (0, True)


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
