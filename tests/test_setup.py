"""Something that a machine lacks is reported on one line, with the command that installs it."""

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
        command, env={"PYTHONPATH": str(tmp_path), "PATH": os.environ["PATH"]}, capture_output=True, text=True, check=True
    )
    lines = done.stderr.splitlines()
    assert len(lines) == (not has_libyaml)
    assert all("libyaml" in line and "--no-binary PyYAML PyYAML" in line for line in lines)
