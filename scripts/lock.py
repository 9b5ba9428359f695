"""python3.11 scripts/lock.py: write requirements/*.txt anew, each package at its newest version with the hashes of all its files.

What pyproject.toml asks for is resolved under the oldest Python that it promises, so that what is chosen fits all of them.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
WORK = ROOT / "build" / "lock"
TOOL = "pip-tools==7.6.2"
OPTIONS = ["--generate-hashes", "--allow-unsafe", "--strip-extras", "--no-header", "--no-annotate"]
QUIET = ["--no-emit-index-url", "--no-emit-trusted-host", "--no-emit-find-links", "--quiet"]
HEADER = "# {what}: made by `make lock`, for Python {oldest} and newer\n"


def main() -> None:
    """`ci` comes first: the others take their versions from it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    oldest = project["project"]["requires-python"].removeprefix(">=")
    if ".".join(map(str, sys.version_info[:2])) != oldest:
        raise SystemExit(
            f"error: Python {oldest} is needed, the oldest that pyproject.toml promises: make lock PYTHON=python{oldest}"
        )
    shutil.rmtree(WORK, ignore_errors=True)
    _run(sys.executable, "-m", "venv", str(WORK / "venv"))
    _run(str(WORK / "venv/bin/python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", TOOL)
    for name, (what, wanted) in inputs(project).items():
        locked = _compiled(name, wanted)
        (ROOT / f"requirements/{name}.txt").write_text(HEADER.format(what=what, oldest=oldest) + locked, "utf-8")


def inputs(project: dict[str, dict[str, object]]) -> dict[str, tuple[str, list[str]]]:
    """What each file is for, and the requirements that it locks."""
    build: list[str] = project["build-system"]["requires"]  # type: ignore[assignment]
    needed: list[str] = project["project"]["dependencies"]  # type: ignore[assignment]
    extras: dict[str, list[str]] = project["project"]["optional-dependencies"]  # type: ignore[assignment]
    groups: dict[str, list[str]] = project["dependency-groups"]  # type: ignore[assignment]
    everything = [*build, *needed, *(each for part in (extras, groups) for names in part.values() for each in names)]
    return {
        "ci": ("all that tests and checks need", everything),
        "build": ("what builds this project", build),
        "image": ("what this project needs to run", needed),
    }


def _compiled(name: str, wanted: list[str]) -> str:
    source, target = WORK / f"{name}.in", WORK / f"{name}.txt"
    source.write_text("".join(f"{each}\n" for each in wanted), "utf-8")
    others = [] if name == "ci" else ["--constraint", str(WORK / "ci.txt")]
    _run(str(WORK / "venv/bin/pip-compile"), *OPTIONS, *QUIET, *others, "--output-file", str(target), str(source))
    return target.read_text("utf-8")


def _run(*command: str) -> None:
    subprocess.run(command, check=True, cwd=ROOT)


if __name__ == "__main__":
    try:
        main()
    except subprocess.CalledProcessError as error:
        raise SystemExit(f"error: {error}") from None
