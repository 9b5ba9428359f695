"""README.md as a newcomer follows it: its commands in order, in a fresh clone and with an installed wheel; its package is the example."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.test_documents import PATH_LINE, ROOT, blocks, fresh_clone, run_session

README = Path("README.md")
EXAMPLE = ROOT / "examples/layered-values/first"
SYSTEM = "/usr/local/bin:/usr/bin:/bin"


def environment(home: Path, **more: str) -> dict[str, str]:
    """Return what a login gives, without the environment that runs the tests."""
    return {"HOME": str(home), "PATH": SYSTEM, "LANG": "C.UTF-8", "NO_COLOR": "1", **more}


def files(folder: Path) -> dict[Path, bytes]:
    """Return every file of a folder, without what README's commands create."""
    found = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return {path: (folder / path).read_bytes() for path in found if path.parts[0] not in ("web", ".venv")}


def test_its_commands_run_in_a_fresh_clone_and_change_nothing_in_it(tmp_path):
    clone = fresh_clone(tmp_path / "a clone")
    (clone / ".venv").symlink_to(sys.prefix)
    before = files(clone)
    assert PATH_LINE in "".join(blocks(README, "sh"))
    for text in blocks(README, "console"):
        run_session(text, clone, environment(tmp_path), PATH_LINE)
    assert files(clone) == before
    assert files(clone / "web") != {}


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the wheel into an environment of its own; the libraries are those of this one, so nothing is downloaded."""
    folder = tmp_path_factory.mktemp("installed")
    clone, venv = fresh_clone(folder / "clone"), folder / "venv"
    for command in (
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        [sys.executable, "-m", "venv", "--without-pip", str(venv)],
    ):
        subprocess.run(command, cwd=clone, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    (site,) = venv.glob("lib/python*/site-packages")
    libraries = next(path for path in sys.path if path.endswith("site-packages"))
    (site / "libraries.pth").write_text(libraries, "utf-8")
    pip = [sys.executable, "-m", "pip", "--python", str(venv), "--quiet", "--disable-pip-version-check"]
    subprocess.run(
        [*pip, "install", "--no-index", "--no-deps", "--ignore-installed", str(wheel)], check=True, capture_output=True
    )
    return venv


def test_its_commands_run_with_a_wheel_beside_a_copy_of_the_examples(installed, tmp_path):
    (tmp_path / "examples").symlink_to(fresh_clone(tmp_path / "clone") / "examples")
    path = f"{installed / 'bin'}{os.pathsep}{SYSTEM}"
    where = "import krm_values; print(krm_values.__file__)"
    found = subprocess.run([installed / "bin/python", "-c", where], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert found.stdout.startswith(f"{installed}{os.sep}")
    for text in blocks(README, "console"):
        run_session(text, tmp_path, environment(tmp_path, PATH=path))


def test_its_package_is_the_example():
    text = (ROOT / README).read_text("utf-8")
    shown = dict(re.findall(r"^`(\S+)`[^\n]*:\n```yaml\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))
    assert len(shown) == len(blocks(README, "yaml")) == 3
    packaged = {path.name for path in EXAMPLE.iterdir()} - {"README.md", ".expected", ".krmignore"}
    assert shown == {name: (EXAMPLE / name).read_text("utf-8") for name in packaged}
