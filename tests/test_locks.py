"""Everything that is installed is locked: each package at one version, with hashes, within the ranges of pyproject.toml."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
FILES = sorted((ROOT / "requirements").glob("*.txt"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
NEEDED = PROJECT["project"]["dependencies"]
BUILD = PROJECT["build-system"]["requires"]
EXTRAS = [each for names in PROJECT["project"]["optional-dependencies"].values() for each in names]
DEVELOPMENT = [each for names in PROJECT["dependency-groups"].values() for each in names]
LOCKED = {"build": BUILD, "ci": [*BUILD, *NEEDED, *EXTRAS, *DEVELOPMENT], "image": NEEDED}
PIN = re.compile(r"([a-z0-9-]+)==([0-9][0-9a-z.]*)((?: --hash=sha256:[0-9a-f]{64})+)")


def locked(name: str) -> dict[str, str]:
    """Return the version of each package in a lock; every line must be understood."""
    text = (ROOT / "requirements" / f"{name}.txt").read_text("utf-8").replace(" \\\n    ", " ")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    found = [PIN.fullmatch(line) for line in lines]
    assert [line for line, match in zip(lines, found, strict=True) if not match] == []
    return {match[1]: match[2] for match in found if match}


def test_there_are_these_locks():
    assert [path.stem for path in FILES] == sorted(LOCKED)


@pytest.mark.parametrize("name", LOCKED)
def test_what_the_project_asks_for_is_locked_within_its_bounds(name):
    versions = locked(name)
    for wanted in map(Requirement, LOCKED[name]):
        assert wanted.specifier.contains(versions[canonicalize_name(wanted.name)]), wanted


@pytest.mark.parametrize("name", ["build", "image"])
def test_one_version_everywhere(name):
    assert locked(name).items() <= locked("ci").items()


def test_the_image_holds_no_tools():
    assert not locked("image").keys() & {"pytest", "mypy", "ruff", "hatchling", "cryptography", "pip", "setuptools"}


@pytest.mark.parametrize(("name", "floor"), [("urllib3", "2.6.3"), ("cryptography", "44.0.1")])
def test_nobody_gets_versions_with_known_holes(name, floor):
    found = [wanted for wanted in map(Requirement, LOCKED["ci"]) if wanted.name == name]
    assert found
    assert all(f">={floor}" in str(wanted.specifier).split(",") for wanted in found)


INSTALLING = ("Dockerfile", ".ci/run", "scripts/venv", "scripts/wheels.py", "action.yml")


@pytest.mark.parametrize("file", INSTALLING)
def test_every_installation_is_locked_or_is_our_own_package(file):
    text = (ROOT / file).read_text("utf-8").replace("\\\n", " ")
    if file == "scripts/wheels.py":
        assert text.count('_pip("') == 1
        assert '["--no-deps", "--require-hashes", "--requirement"' in text
        return
    found = re.findall(r"(?:\bpip|\[@\]\}\") [^&\n]*?\binstall\b[^&\n]*", text) + re.findall(
        r"^pip install .*", text, re.MULTILINE
    )
    assert found
    for command in found:
        own = "--no-deps" in command and command.rstrip(" \\").endswith((".whl", "--editable .", '"$GITHUB_ACTION_PATH"'))
        assert own or re.search(r"--require-hashes --requirement \S+\.txt", command), command


def test_programs_of_ci_have_exact_versions_and_hashes():
    module = ROOT / "tests/oracles/flux"
    assert re.findall(r"\bgo (?:-C (\S+) )?install (\S+)", (ROOT / ".ci/run").read_text("utf-8")) == [
        ("tests/oracles/flux", "tool")
    ]
    listed, sums = (module / "go.mod").read_text("utf-8"), (module / "go.sum").read_text("utf-8")
    tools = re.findall(r"^\t(\S+)$", listed[listed.index("\ntool (") :], re.MULTILINE)
    assert len(tools) == 3
    for tool in tools:
        found = [
            line.split()[:2]
            for line in listed.splitlines()
            if re.match(r"\t\S+ v\d+\.\d+\.\d+\b", line) and f"{tool}/".startswith(f"{line.split()[0]}/")
        ]
        assert found
        assert all(f"{name} {version} h1:" in sums for name, version in found)


DIGEST = "ab" * 32


@pytest.mark.parametrize(
    "image",
    [
        "",
        "python:3.13-slim",
        "python",
        f"@sha256:{DIGEST}",
        f"python@sha256:{DIGEST[:-1]}",
        f"python@sha256:{DIGEST}0",
        f"python@sha256:{DIGEST.upper()}",
        f"python@sha512:{DIGEST}",
        f"python:sha256:{DIGEST}",
        "python@sha256:",
        f"python@sha256:{'z' * 64}",
    ],
)
def test_a_release_needs_a_base_image_with_its_digest(image):
    """Nothing is built or fetched before that is clear."""
    done = subprocess.run(
        ["make", "--no-print-directory", "release", f"BASE_IMAGE={image}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode
    assert done.stdout == ""
    assert done.stderr.startswith("error: a release needs BASE_IMAGE=NAME@sha256:DIGEST, found ")


@pytest.mark.parametrize("image", [f"python@sha256:{DIGEST}", f"example.test:5000/a/python:3.13-slim@sha256:{DIGEST}"])
def test_a_digest_is_taken_and_built_from(image):
    assert subprocess.run(["sh", "scripts/digest", image], cwd=ROOT, check=False).returncode == 0
    told = subprocess.run(
        ["make", "--dry-run", "release", f"BASE_IMAGE={image}"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert f"--base {image} " in told.stdout
    assert "--release" in told.stdout


def test_the_page_of_dependencies_lists_what_is_installed_and_nothing_else():
    page = (ROOT / "docs" / "dependencies.md").read_text("utf-8")
    listed = [cells.split(" ") for cells in re.findall(r"^\| ([^|]+) \| ", page.partition("## Platforms")[0], re.MULTILINE)]
    extras = PROJECT["project"]["optional-dependencies"]
    installed = [(Requirement(one).name, "") for one in NEEDED]
    installed += [(Requirement(one).name, f"(extra `{extra}`)") for extra, names in extras.items() for one in names]
    assert sorted((name, " ".join(extra)) for name, *extra in listed[2:]) == sorted(installed)


def test_the_page_of_dependencies_names_the_pythons_of_the_classifiers():
    page = (ROOT / "docs" / "dependencies.md").read_text("utf-8")
    classified = [one.rpartition(" :: ")[2] for one in PROJECT["project"]["classifiers"] if re.search(r"Python :: 3", one)]
    (said,) = re.findall(r"^\| Python \| (.*) \(CPython\) \|$", page, re.MULTILINE)
    assert re.split(", | and ", said) == classified
