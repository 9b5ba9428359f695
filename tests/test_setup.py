"""What a machine lacks is said in one line, with the command that mends it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MENDS = ("apt-get install", "brew install")


def _set_up(target: Path, **environment: str) -> str:
    """The one line of a set-up that must fail."""
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
    """A PATH with nothing on it but these programs of the machine."""
    folder.mkdir()
    for program in programs:
        found = shutil.which(program)
        assert found
        (folder / program).symlink_to(found)
    return str(folder)


def test_no_python(tmp_path: Path) -> None:
    line = _set_up(tmp_path / "venv", PATH=_tools(tmp_path / "bin", "sh", "basename"))
    assert "Python 3.11 or newer is needed, found none" in line


@pytest.mark.parametrize("version", ["3.6", "3.8", "3.9", "3.10"])
def test_an_old_python(version: str, tmp_path: Path) -> None:
    for folder in os.environ["PATH"].split(os.pathsep):
        path = Path(folder) / f"python{version}"
        if path.exists() and subprocess.run([path, "-c", ""], capture_output=True, check=False).returncode == 0:
            break
    else:
        pytest.skip(f"this machine has no Python {version}")
    line = _set_up(tmp_path / "venv", PYTHON=str(path), PATH=os.environ["PATH"], HOME=os.environ["HOME"])
    assert f"Python 3.11 or newer is needed, found {path} {version}" in line


def test_a_python_without_venv(tmp_path: Path) -> None:
    """Debian's python3 lacks ensurepip until python3-venv is installed; this one is made to lack it."""
    (tmp_path / "ensurepip.py").write_text("raise ModuleNotFoundError(\"No module named 'ensurepip'\")\n", "utf-8")
    line = _set_up(tmp_path / "venv", PYTHON=sys.executable, PYTHONPATH=str(tmp_path), PATH=os.environ["PATH"])
    assert f"{sys.executable} has no venv module" in line
