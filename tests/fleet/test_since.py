"""`--since REV` renders the packages that are not what they were at a revision."""

from __future__ import annotations

import subprocess

import pytest

from tests.cli.packages import command, write
from tests.fleet import made


def git(folder, *words):
    settings = (
        "-c",
        "user.name=a",
        "-c",
        "user.email=a@example.com",
        "-c",
        "commit.gpgsign=false",
        "-c",
        "core.autocrlf=false",
    )
    return subprocess.run(["git", *settings, *words], cwd=folder, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def repository(tmp_path):
    """A repository with a fleet in a folder of it, and a commit."""
    made.make(tmp_path / "clusters", 12)
    (tmp_path / "clusters/c000/app5/link.yaml").symlink_to("run.yaml")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "--all")
    git(tmp_path, "commit", "-qm", "a")
    return tmp_path


EDITS = {
    "text": lambda folder: write(folder, {"run.yaml": "# other\n"}),
    "new file": lambda folder: write(folder, {"inner/new.yaml": "a: 1\n"}),
    "mode": lambda folder: (folder / "run.yaml").chmod(0o755),
    "gone": lambda folder: (folder / "run.yaml").unlink(),
    "link": lambda folder: ((folder / "link.yaml").unlink(missing_ok=True), (folder / "link.yaml").symlink_to("layers.yaml")),
}


@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize("root", ["clusters", "."])
def test_what_has_changed_is_rendered_alone(repository, tmp_path_factory, edit, root):
    EDITS[edit](repository / "clusters/c000/app5")
    write(repository, {"clusters/c009/new/Kptfile": made.package(1)["Kptfile"]})
    results = tmp_path_factory.mktemp("results") / "results"
    words = ("--diff", "--since", "HEAD", "--jobs", "1", "--results", results)
    command("fleet", "render", root, *words, cwd=repository)
    below = "" if root == "clusters" else "clusters/"
    assert [*made.rows(results)] == [f"{below}c000/app5", f"{below}c009/new"]


def test_without_a_change_there_is_nothing_to_do(repository):
    done = command("fleet", "render", "clusters", "--since", "HEAD", cwd=repository)
    assert (done.returncode, done.stdout) == (0, "packages  0\n")


def test_a_revision_that_is_none_is_an_error(repository):
    done = command("fleet", "render", "clusters", "--since", "none", cwd=repository)
    assert (done.returncode, "git: " in done.stderr) == (1, True)
