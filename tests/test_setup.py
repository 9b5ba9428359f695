"""`make demo` in a clone: what it shows, and what a machine lacks, on one line with the command that mends it. Nothing half made stays."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MENDS = ("apt-get install", "brew install")
SCREEN = 40  # lines of a terminal
NOBODY = "http://127.0.0.1:9/"  # the port of `discard`, where nothing listens


def _set_up(target: Path, **environment: str) -> str:
    """Return the one line of a set-up that must fail."""
    done = subprocess.run(
        ["sh", str(ROOT / "scripts" / "venv"), str(target)],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert line.startswith("error: ")
    assert any(mend in line for mend in MENDS)
    assert not target.exists()
    return line


def _tools(folder: Path, *programs: str) -> str:
    """Return a PATH with nothing on it but these programs."""
    folder.mkdir()
    for program in programs:
        found = shutil.which(program)
        assert found
        (folder / program).symlink_to(found)
    return str(folder)


def test_no_python(tmp_path: Path) -> None:
    line = _set_up(tmp_path / "venv", PATH=_tools(tmp_path / "bin", "sh", "basename"))
    assert "Python 3.11 or newer is needed, found none" in line


def test_an_old_python(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.version_info = (3, 10, 12)\n", "utf-8")
    line = _set_up(tmp_path / "venv", PYTHON=sys.executable, PYTHONPATH=str(tmp_path), PATH=os.environ["PATH"])
    assert f"Python 3.11 or newer is needed, found {sys.executable} 3.10:" in line


def test_a_python_without_venv(tmp_path: Path) -> None:
    """Debian's python3 lacks ensurepip until python3-venv is installed; this one is made to lack it."""
    (tmp_path / "ensurepip.py").write_text("raise ModuleNotFoundError(\"No module named 'ensurepip'\")\n", "utf-8")
    line = _set_up(tmp_path / "venv", PYTHON=sys.executable, PYTHONPATH=str(tmp_path), PATH=os.environ["PATH"])
    assert f"{sys.executable} has no venv module" in line


@pytest.mark.parametrize("has_libyaml", [True, False])
def test_a_pyyaml_without_libyaml(has_libyaml: bool, tmp_path: Path) -> None:
    (tmp_path / "yaml.py").write_text(f"__with_libyaml__ = {has_libyaml}\n", "utf-8")
    command = [sys.executable, str(ROOT / "scripts" / "libyaml.py")]
    done = subprocess.run(
        command, env={"PYTHONPATH": str(tmp_path), "PATH": os.environ["PATH"]}, capture_output=True, text=True, check=False
    )
    lines = done.stderr.splitlines()
    assert done.returncode == len(lines) == (not has_libyaml)
    assert all("libyaml" in line and "--no-binary PyYAML PyYAML" in line for line in lines)


def _clone(target: Path) -> Path:
    """Copy what is tracked, as it is now."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    if listed.returncode:
        pytest.skip("not a git checkout")
    for name in filter(None, listed.stdout.decode().split("\0")):
        if (ROOT / name).is_file() and not name.startswith("tests/"):
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, target / name)
    return target


def _make(clone: Path, *words: str, before: tuple[str, ...] = (), **extra: str) -> subprocess.CompletedProcess[str]:
    """Run make with the Python of the tests and no more of the environment than somebody else would have."""
    kept = {name: value for name, value in os.environ.items() if name in ("HOME", "PATH") or name.startswith("PIP_")}
    command = [*before, "make", "--no-print-directory", "-C", str(clone), *words]
    environment = {**kept, "PYTHON": getattr(sys, "_base_executable", sys.executable), **extra}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def _error(done: subprocess.CompletedProcess[str], *parts: str) -> str:
    """Return the one error of a make that must fail; before it there is only progress, after it only make's own line."""
    assert done.returncode == 2, done.stdout + done.stderr
    lines = [line for line in done.stderr.splitlines() if not line.startswith((".venv: ", "make: *** "))]
    assert len(lines) == 1, done.stderr
    assert lines[0].startswith("error: ")
    assert lines[0].endswith("run make again")
    assert all(part in lines[0] for part in parts), lines
    return lines[0]


def _small(folder: Path, megabytes: int) -> Path:
    """Mount a small disk for the rest of a test; only root can."""
    folder.mkdir()
    if os.geteuid() or not shutil.which("mount"):
        pytest.skip("only root can mount a small disk")
    mount = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "none", str(folder)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("no file system can be mounted here")
    return folder


@pytest.mark.hosts
def test_the_demo_in_a_path_with_blanks_without_git(tmp_path: Path) -> None:
    """Fresh: progress at once, at most two screens, at the end what to try next, which works. A second run makes nothing anew."""
    clone = _clone(tmp_path / "my own clone")
    programs = ("sh", "make", "echo", "rm", "mkdir", "cp", "cat", "head", "tail", "touch", "grep", "df")
    path = _tools(tmp_path / "bin", *programs)
    done = _make(clone, "demo", PATH=path)
    if "cannot reach its package index" in done.stderr:
        pytest.skip("pip cannot reach its package index")
    assert done.returncode == 0, done.stderr
    progress = done.stderr.splitlines()
    assert progress[0].startswith(".venv: making a virtual environment with Python 3.")
    said = (".venv: ", "1 step run, updated: ")
    assert all(line.startswith(said) for line in progress)
    assert len(progress) + len(done.stdout.splitlines()) <= 2 * SCREEN
    assert progress[-1].startswith("1 step run, updated: ")
    title, export, *commands = (line.strip() for line in done.stdout.splitlines()[-5:])
    assert (title, export) == ("Try next:", 'export PATH="$PWD/.venv/bin:$PATH"')
    assert len(commands) == 3
    for command in commands:
        tried = subprocess.run(["sh", "-ec", f"{export}\n{command}"], cwd=clone, capture_output=True, text=True, check=False)
        assert (tried.returncode, tried.stderr) == (0, ""), command
    again = _make(clone, "demo", PATH=path)
    assert (again.returncode, again.stdout) == (0, done.stdout)
    assert not any(line.startswith(".venv: ") for line in again.stderr.splitlines())


@pytest.mark.hosts
def test_no_network_leaves_nothing_half_made(tmp_path: Path) -> None:
    clone = _clone(tmp_path / "clone")
    (clone / ".venv").mkdir()
    (clone / ".venv" / "left by an earlier try").touch()
    done = _make(clone, "demo", PIP_INDEX_URL=NOBODY, PIP_RETRIES="0", PIP_NO_CACHE_DIR="1")
    _error(done, "pip cannot reach its package index", "export HTTPS_PROXY=URL", "export PIP_INDEX_URL=URL")
    assert not (clone / ".venv").exists()


def test_no_network_for_what_the_tests_need_leaves_the_demo_as_it_is(tmp_path: Path) -> None:
    clone = _clone(tmp_path / "clone")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(clone / ".venv")], check=True)
    (clone / ".venv" / "ready").touch()
    site = next((clone / ".venv" / "lib").glob("python3*/site-packages"))
    (site / "ours.pth").write_text("\n".join(path for path in sys.path if path.endswith("site-packages")), "utf-8")
    done = _make(clone, ".venv/ready-for-tests", PIP_INDEX_URL=NOBODY, PIP_RETRIES="0", PIP_IGNORE_INSTALLED="1")
    _error(done, "pip cannot reach its package index")
    assert (clone / ".venv" / "ready").exists()
    assert not (clone / ".venv" / "ready-for-tests").exists()


def test_the_tests_need_git(tmp_path: Path) -> None:
    path = _tools(tmp_path / "bin", "sh")
    command = ["sh", str(ROOT / "scripts" / "venv"), str(tmp_path / ".venv"), "tests"]
    done = subprocess.run(command, cwd=ROOT, env={"PATH": path}, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "error: the tests need git: apt-get install git\n"


def test_a_clone_that_cannot_be_written(tmp_path: Path) -> None:
    clone = _clone(tmp_path / "clone")
    before: tuple[str, ...] = ()
    if os.geteuid() == 0:  # who may write everywhere but on a disk that is mounted read-only
        script = 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && shift && exec "$@"'
        before = ("unshare", "--mount", "sh", "-c", script, "sh", str(clone))
        if not shutil.which("unshare") or subprocess.run([*before, "true"], capture_output=True, check=False).returncode:
            pytest.skip("nothing can be mounted here")
    else:
        clone.chmod(0o555)
    done = _make(clone, "demo", before=before)
    clone.chmod(0o755)
    _error(done, f"{clone} cannot be written", "cp -R . ~/krm-values")
    assert not (clone / ".venv").exists()


def test_a_disk_that_is_too_small_is_said_before_anything_is_made(tmp_path: Path) -> None:
    disk = _small(tmp_path / "disk", 40)
    try:
        clone = _clone(disk / "clone")
        _error(_make(clone, "demo"), f"{clone} needs 80 MB, its disk has ", "MB left: free some space")
        assert not (clone / ".venv").exists()
    finally:
        subprocess.run(["umount", str(disk)], check=True)


@pytest.mark.hosts
@pytest.mark.parametrize("megabytes", [1, 6])
def test_a_disk_that_becomes_full(megabytes: int, tmp_path: Path) -> None:
    """Where Python unpacks pip, and pip what it fetches."""
    clone = _clone(tmp_path / "clone")
    disk = _small(tmp_path / "disk", megabytes)
    try:
        done = _make(clone, "demo", TMPDIR=str(disk), PIP_NO_CACHE_DIR="1")
        if "cannot reach its package index" in done.stderr:
            pytest.skip("pip cannot reach its package index")
        _error(done, "the disk is full", str(disk))
        assert not (clone / ".venv").exists()
    finally:
        subprocess.run(["umount", str(disk)], check=True)
