"""Each example as kpt renders it, twice; the same bytes from `krm-values render`; the same explanation before and after."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from krm_values._data import data_edits
from krm_values._krm import documents
from tests.answers import decided, facts
from tests.commands import called

ROOT = Path(__file__).parents[1]
STORIES = sorted(path.parent for path in (ROOT / "examples").glob("*/*/Kptfile"))
MERGED_ONCE = ("envgene-sd",)
COMMANDS = Path(sys.executable).parent
ENVIRONMENT = {**os.environ, "PATH": f"{COMMANDS}{os.pathsep}{os.environ['PATH']}"}

pytestmark = pytest.mark.parametrize("story", STORIES, ids=lambda story: f"{story.parent.name}/{story.name}")


def call(*command, cwd=None, check=True):
    return subprocess.run(list(map(str, command)), cwd=cwd, env=ENVIRONMENT, capture_output=True, text=True, check=check).stdout


def krm_values(*arguments):
    done = called("krm-values", *arguments)
    assert done.code == 0, done.stderr
    return done.stdout.decode()


@pytest.fixture
def kpt():
    if shutil.which("kpt"):
        return
    assert os.environ.get("KRM_HOSTS") != "required", "kpt must be installed"
    pytest.skip("kpt is not installed")


@pytest.fixture
def package(story, tmp_path):
    """Copy the example into a git repository of its own."""
    target = tmp_path / "package"
    shutil.copytree(story, target, ignore=shutil.ignore_patterns(".expected"))
    call("git", "init", "--quiet", cwd=target)
    call("git", "add", "--all", cwd=target)
    call("git", "-c", "user.name=x", "-c", "user.email=x", "commit", "--quiet", "--message=x", cwd=target)
    return target


def changes(package):
    """Return the diff to the example, including new files."""
    call("git", "add", "--intent-to-add", "--all", cwd=package)
    return call("git", "diff", cwd=package)


def contents(directory):
    return {
        path.relative_to(directory): path.read_bytes()
        for path in directory.rglob("*")
        if path.is_file() and ".git" not in path.parts
    }


@pytest.mark.hosts
def test_kpt_renders_it_as_expected_and_a_second_time_without_a_change(kpt, story, package, golden, tmp_path):
    call("kpt", "fn", "render", "--allow-exec", "--results-dir", tmp_path / "results", package)
    golden(changes(package), story / ".expected" / "diff.patch")
    golden((tmp_path / "results" / "results.yaml").read_text(), story / ".expected" / "results.yaml")
    once = contents(package)
    call("kpt", "fn", "render", "--allow-exec", package)
    assert contents(package) == once
    before = sum(line.count(" #") for path in story.rglob("*.yaml") for line in path.read_text().splitlines())
    assert sum(line.count(" #") for path in package.rglob("*.yaml") for line in path.read_text().splitlines()) == before


def test_render_gives_the_bytes_that_kpt_gives(story, package):
    krm_values("render", package)
    assert changes(package) == (story / ".expected" / "diff.patch").read_text()
    krm_values("render", "--diff", package)


def test_explain_says_the_same_before_and_after(story, package):
    if story.parent.name in MERGED_ONCE:
        pytest.skip("an SD that is merged is not merged again, so there is nothing to explain")
    before = told(krm_values("explain", "--json", package))
    krm_values("render", package)
    assert told(krm_values("explain", "--json", package)) == before
    assert len(before) > 2


def told(explanation):
    """Return what is said of each value, without what rendering changes: line numbers, earlier values, one-time merges."""
    steps = [step["function"] for step in json.loads(explanation)["steps"]]
    return facts(value for value in decided(explanation) if steps[value["step"]] not in MERGED_ONCE)


@pytest.mark.hosts
def test_a_package_that_is_not_in_kpts_form_gets_equal_data_and_comments(kpt, story, package, tmp_path):
    for path in package.rglob("*.yaml"):
        path.write_text(unlike_kpt(path.read_text()))
    other = tmp_path / "other"
    shutil.copytree(package, other)
    call("kpt", "fn", "render", "--allow-exec", package)
    krm_values("render", other)
    for path in sorted(other.rglob("*.yaml")):
        ours, theirs = path.read_text(), (package / path.relative_to(other)).read_text()
        for one, two in zip(documents.read(ours.encode(), "a").items, documents.read(theirs.encode(), "b").items, strict=True):
            assert data_edits.same(one.data, two.data)
        assert re.findall(r"(?:^|\s)(#.*)", ours) == re.findall(r"(?:^|\s)(#.*)", theirs)


def unlike_kpt(text):
    """Replace what kpt reprints: blank lines, wide spaces before comments, and a folded text."""
    return text.replace("\nspec:", "\n\nspec:").replace(" # ", "    # ")
