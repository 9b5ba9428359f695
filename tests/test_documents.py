"""Documents are executed: every command and every YAML block of every README. `test_readme` runs the project's own, `test_contributing` that page.

A `console` block is a session: lines that begin with `$ ` are commands, what follows is their output, stdout and stderr
together; a line `...` stands for any lines, `...` inside a line for any text. The blocks of one document share a directory in which the `examples`
that they name lie. A `sh` block is for the reader's machine; its commands are make targets or run by .ci/run.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from krm_values._krm import config, documents, names
from krm_values._run import registry

ROOT = Path(__file__).parents[1]
RUN_ELSEWHERE = {
    "CONTRIBUTING.md": "tests/test_contributing.py",
    "functions/krm_values/_cli/own-function.md": "tests/test_own_function.py",
    "docs/images.md": "tests/hosts/test_image_build.py",
    "docs/library.md": "tests/test_library.py",
    "docs/release.md": "tests/test_dist.py",  # `make dist`, with names of its own
    "functions/krm_values/_data/README.md": "tests/test_floors.py",
    "functions/krm_values/_go/README.md": "tests/test_floors.py",
    "functions/krm_values/_yaml/README.md": "tests/test_floors.py",
}
"""The tests that run the blocks of a document which the tests below do not."""
MARKDOWN = sorted(
    path.relative_to(ROOT)
    for pattern in ("*.md", "docs/**/*.md", "functions/**/*.md", "examples/**/*.md")
    for path in ROOT.glob(pattern)
)
READMES = [path for path in MARKDOWN if "\n```" in (ROOT / path).read_text("utf-8") and str(path) not in RUN_ELSEWHERE]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
HOSTS = ("kpt", "kubectl", "kustomize", "docker", "jq")
PATH_LINE = 'export PATH="$PWD/.venv/bin:$PATH"'
ELSEWHERE = (
    PATH_LINE,
    "pip install .",
    "pipx install .",
    "docker build --tag krm-values .",
    'docker run --rm --user "$(id -u)" -v "$PWD:/pkg" krm-values render /pkg',
    "krm-values render -o OUT --release",
    "krm-values clean OUT",
    *(ROOT / "docs/fleets.md")
    .read_text("utf-8")
    .partition("## Dask\n")[2]
    .partition("```sh\n")[2]
    .partition("```")[0]
    .splitlines(),
)
"""Commands of `sh` blocks that neither make nor CI has; tests of the README, of images, of `clean` and of Dask run them or do what they do."""


def blocks(readme: Path, language: str) -> list[str]:
    return [text for found, text in BLOCK.findall((ROOT / readme).read_text("utf-8")) if found == language]


def test_a_block_that_is_not_run_here_is_run_by_a_test_that_is_there():
    """Those of READMES are; a fence that is indented would escape."""
    for name, test in RUN_ELSEWHERE.items():
        assert "\n```" in (ROOT / name).read_text("utf-8"), name
        words = (ROOT / test).read_text("utf-8")
        assert name.rpartition("/")[2] in words or "make dist" in words or "dist.py" in words, (name, test)
    indented = [path for path in MARKDOWN if re.search(r"^ +```", (ROOT / path).read_text("utf-8"), re.MULTILINE)]
    assert indented == []


@pytest.mark.parametrize("readme", READMES, ids=str)
def test_every_block_has_a_language_that_is_checked(readme):
    found = re.findall(r"^```(\w*)", (ROOT / readme).read_text("utf-8"), re.MULTILINE)[::2]
    assert set(found) <= {"console", "yaml", "sh", "text"}


@pytest.mark.parametrize("readme", [path for path in READMES if str(path) != "README.md"], ids=str)
def test_sessions_print_what_they_say(readme, tmp_path):
    texts = blocks(readme, "console")
    for name in set(re.findall(r"examples/[\w-]+/[\w-]+", "".join(texts))):
        shutil.copytree(ROOT / name, tmp_path / name)
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(tmp_path),
        "NO_COLOR": "1",
        "COLUMNS": "150",
    }
    for text in texts:
        run_session(text, tmp_path, environment)


@pytest.mark.parametrize("readme", [one for one in READMES if one.parts[0] == "functions"], ids=str)
def test_a_manual_starts_with_a_quick_start(readme):
    """A Kptfile, what it says and writes on one screen; the rules come after it."""
    text = (ROOT / readme).read_text("utf-8")
    if not (ROOT / "examples" / readme.parent.name.replace("_", "-")).is_dir():
        pytest.skip("a function without an example package has no quick start")
    first = text.split("\n## ")[1]
    assert first.startswith("Quick start\n")
    assert [language for language, _ in BLOCK.findall(first)] == ["yaml", "console"]
    assert "kind: Kptfile\n" in first
    assert len(first.splitlines()) <= 50


@pytest.mark.parametrize("readme", READMES, ids=str)
def test_yaml_is_what_it_claims_to_be(readme):
    for text in blocks(readme, "yaml"):
        found = documents.read(text.encode(), "README.md")
        for item in found.items:
            data = item.data
            assert item.error is None, item.error
            if item.api_version == names.API_VERSION and names.argument(item.kind) in registry.functions():
                function = registry.load(names.argument(item.kind))
                config.read(function.form(), function.name, data)


@pytest.mark.parametrize("readme", READMES, ids=str)
def test_commands_for_the_readers_machine_are_run_by_ci(readme):
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    ci = (ROOT / ".ci/run").read_text("utf-8")
    for text in blocks(readme, "sh"):
        for line in filter(None, (line.split("#")[0].strip() for line in text.splitlines())):
            made = re.fullmatch(r"make ([a-z]+)(?: \S+)*", line)
            assert (made and made[1] in targets) or line in ci or line in ELSEWHERE, line


def run_session(text: str, folder: Path, environment: dict[str, str], before: str = "") -> None:
    """Run the commands of a block in order. before: what the shell runs first each time."""
    for command, expected in session(text):
        missing = [host for host in HOSTS if re.search(rf"\b{host} ", command) and not shutil.which(host)]
        if missing:
            assert os.environ.get("KRM_HOSTS") != "required", f"{missing} must be installed"
            pytest.skip(f"{', '.join(missing)} not installed")
        done = subprocess.run(
            ["bash", "-c", f"{before}\n{command}"],
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert re.fullmatch(pattern(expected), done.stdout.rstrip("\n")), f"$ {command}\n{done.stdout}"


def session(text: str) -> list[tuple[str, str]]:
    """Return (command, expected output) pairs."""
    steps: list[tuple[str, list[str]]] = []
    for line in text.splitlines():
        if line.startswith("$ "):
            steps.append((line[2:], []))
        elif steps and steps[-1][0].endswith("\\") and not steps[-1][1]:
            steps[-1] = (steps[-1][0][:-1] + line.strip(), [])
        else:
            steps[-1][1].append(line.rstrip())
    return [(command, "\n".join(lines)) for command, lines in steps]


def pattern(expected: str) -> str:
    """Return the pattern of an output: spaces at line ends are ignored; `...` alone on a line is any number of lines."""
    lines = [r"(?:.*\n?)*?" if line == "..." else _line(line) for line in expected.split("\n")]
    return "".join(lines)


def _line(line: str) -> str:
    return re.escape(line).replace(re.escape("..."), ".*") + r"[ ]*\n?"


def fresh_clone(target: Path) -> Path:
    """Copy what a clone of this tree has, uncommitted work included."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, check=False
    )
    if listed.returncode:
        pytest.skip("not a git checkout")
    for name in filter(None, listed.stdout.decode().split("\0")):
        if (ROOT / name).exists():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, target / name)
    return target


PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "functions/krm_values/_cli/own-function.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
]


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_relative_links_lead_to_a_file_and_a_heading(page):
    text = re.sub(r"^```.*?^```$|`[^`\n]*`", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        name, _, heading = link.partition("#")
        if "://" in link:
            continue
        target = page.parent / name if name else page
        assert target.exists(), link
        assert not heading or heading in {_anchor(line) for line in target.read_text("utf-8").splitlines()}, link


def _anchor(line: str) -> str:
    """Return the anchor of a heading, as GitHub makes it."""
    return re.sub(r"[^\w -]", "", line.lstrip("#").strip().lower()).replace(" ", "-") if line.startswith("#") else ""


def test_the_files_that_contributing_names_exist():
    named = re.findall(r"`([\w/]+\.(?:py|md|yaml))`", (ROOT / "CONTRIBUTING.md").read_text("utf-8"))
    paths = [name for name in named if "/" in name and "namespace_replicas" not in name]  # the page's own function
    assert len(paths) > 4
    missing = [path for path in paths if not (ROOT / path).exists() and not (ROOT / "functions/krm_values" / path).exists()]
    assert missing == []
