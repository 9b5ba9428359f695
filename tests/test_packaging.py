"""The project's metadata, its wheel, and strings that no file may contain."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from tests.hosts.machine import lacking

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "functions" / "krm_values"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
FUNCTIONS = sorted(path.name for path in PACKAGE.iterdir() if path.is_dir() and not path.name.startswith("_"))
FORBIDDEN = {
    "a path of one machine": r"(^|[^A-Za-z0-9_.])/(work|farm|root|Users)/|/tmp/bash_job[s]",
    "a package registry's host": r"pypi[.]org|pythonhosted[.]|proxy[.]golang[.]|sum[.]golang[.]|npmjs[.]|crates[.]io|deb[.]debian[.]",
    "a text beside the checkout": r"(?<![$]root/)[.][.]/(shared|spec|seeds|cases)/?\b|\bspec/[a-z]+[.]md"
    r"|\b(second|third|fourth|design|house|krm|ledger|models|perf|way)[.]md",
}


def test_there_are_functions() -> None:
    assert "tekton_params" in FUNCTIONS


def test_one_command_per_function_folder_and_two_for_all() -> None:
    entry = "krm_values._cli.main:main"
    commands = [
        "krm-values",
        "kubectl-krm_values",
        "kubectl_complete-krm_values",
        *(f"krm-{name.replace('_', '-')}" for name in FUNCTIONS),
    ]
    assert PROJECT["scripts"] == dict.fromkeys(commands, entry)


def _tracked() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    if listed.returncode:
        pytest.skip("not a git checkout")
    return [ROOT / name for name in listed.stdout.decode().split("\0") if name]


@pytest.mark.parametrize("what", FORBIDDEN)
def test_no_tracked_file_names(what: str) -> None:
    pattern = re.compile(FORBIDDEN[what], re.MULTILINE)
    texts = {path: path.read_bytes().decode("utf-8", "replace") for path in _tracked() if path.is_file()}
    found = [f"{path.relative_to(ROOT)}: {match[0]}" for path, text in texts.items() for match in pattern.finditer(text)]
    assert found == []


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    target = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(target)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    (built,) = target.iterdir()
    return zipfile.ZipFile(built)


def _built_elsewhere(folder: Path, *, mask: int, moment: int) -> bytes:
    """Return the wheel of a copy in a directory of its own, whose files have another mode and date."""
    for path in (ROOT / "pyproject.toml", ROOT / "README.md", ROOT / "LICENSE", *_tracked()):
        if path.parent == ROOT or PACKAGE in path.parents:
            copy = folder / path.relative_to(ROOT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)
            copy.chmod(0o666 & ~mask)
            os.utime(copy, (moment, moment))
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder / "dist")]
    subprocess.run(command, cwd=folder, umask=mask, check=True, capture_output=True)
    (built,) = (folder / "dist").iterdir()
    return built.read_bytes()


def test_a_wheel_has_the_same_bytes_wherever_and_whenever_it_is_built(tmp_path: Path) -> None:
    one = _built_elsewhere(tmp_path / "one", mask=0o022, moment=1_000_000_000)
    other = _built_elsewhere(tmp_path / "somewhere" / "else", mask=0o077, moment=1_700_000_000)
    assert one == other


def test_the_wheel_holds_the_package_whole_and_nothing_else(wheel: zipfile.ZipFile) -> None:
    held = {name for name in wheel.namelist() if ".dist-info/" not in name}
    kept = {path.relative_to(PACKAGE.parent).as_posix() for path in _tracked() if PACKAGE in path.parents and path.is_file()}
    assert held == kept


@pytest.mark.parametrize("name", ["py.typed", *(f"{function}/README.md" for function in FUNCTIONS)])
def test_the_wheel_holds_the_type_marker_and_the_manuals(name: str, wheel: zipfile.ZipFile) -> None:
    assert f"krm_values/{name}" in wheel.namelist()


def test_the_wheel_says_licence_and_python(wheel: zipfile.ZipFile) -> None:
    (metadata,) = (name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
    lines = wheel.read(metadata).decode().splitlines()
    assert {"License-Expression: Apache-2.0", "Requires-Python: >=3.11"} <= set(lines)
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in wheel.namelist())


@pytest.mark.parametrize("program", ["krm-values", "kubectl-krm_values", "krm-tekton-params"])
def test_every_command_says_the_projects_version(program: str) -> None:
    code = f"import sys; sys.argv = [{program!r}, '--version']; from krm_values._cli.main import main; sys.exit(main())"
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE.parent)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    assert PROJECT["version"] in done.stdout.split()


@pytest.mark.hosts
def test_the_classifiers_name_only_pythons_that_ci_ran() -> None:
    """CI runs the wheel and the cases on each Python that `pythons` of .ci/run finds: asked here, it must find every one that we name."""
    program = 'eval "$(sed -n "/^pythons()/,/^}/p;/^minor()/,/^}/p" .ci/run)"; for one in $(pythons); do minor "$one"; done'
    done = subprocess.run(["bash", "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    prefix = "Programming Language :: Python :: 3."
    named = {one.removeprefix(prefix) for one in PROJECT["classifiers"] if one.startswith(prefix)}
    missing = named - {one.removeprefix("3.") for one in done.stdout.split()}
    assert named
    if missing:
        lacking(f"there is no Python {', '.join(f'3.{one}' for one in sorted(missing))}, which pyproject.toml names")
