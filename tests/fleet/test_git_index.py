"""What git's index knows of a file need not be hashed; it is believed only where the file is certainly the object."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from krm_values._data.limits import DEFAULT
from krm_values._fleet import git_index, inputs, pool, task
from krm_values._fleet import render as rendering
from krm_values._fleet.results import Results
from krm_values._fleet.roots import find
from tests.cli.packages import write
from tests.fleet import made
from tests.fleet.test_since import git


@pytest.fixture
def repository(tmp_path):
    """A repository with packages, whose index is newer than every file."""
    made.make(tmp_path / "clusters", 3)
    git(tmp_path, "init", "-q")
    settle(tmp_path)
    return tmp_path


def settle(folder: Path) -> None:
    """Add all files; the index is written later than the last of them, by the clock of the file system."""
    index = folder / ".git/index"
    last = max(path.stat().st_mtime_ns for path in folder.rglob("*") if ".git" not in path.parts)
    while True:
        index.unlink(missing_ok=True)
        git(folder, "add", "--all")
        if index.stat().st_mtime_ns > last:
            return
        time.sleep(0.01)


def known(folder: Path) -> dict[str, str | None]:
    """What is known of each file of a package."""
    found = git_index.known_below(str(folder)) or (lambda *_: None)
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {str(path.relative_to(folder)): found(str(path.relative_to(folder)), path.lstat()) for path in files}


def hashed(folder: Path) -> dict[str, str]:
    return {path: value.split(" ")[1] for path, value in inputs.listing(str(folder), DEFAULT).items()}


@pytest.mark.parametrize("below", ["clusters/c000/app1", "clusters", "."])
def test_all_files_of_a_clean_tree_are_known(repository, below):
    found = {path: name for path, name in known(repository / below).items() if not path.startswith(".git/")}
    assert found == hashed(repository / below)


@pytest.mark.parametrize("version", ["2", "3", "4"])
def test_every_version_of_an_index_is_read_or_left(repository, version):
    if version == "3":
        write(repository, {"later.yaml": "a: 1\n"})
        git(repository, "add", "-N", "later.yaml")
    else:
        git(repository, "update-index", "--index-version", version)
    package = repository / "clusters/c000/app1"
    found = known(package)
    assert found == (dict.fromkeys(found) if version == "4" else hashed(package))


def reversed_at_the_same_time(file: Path) -> None:
    """Of the same size, and with the same time of change; only the time of that is another."""
    before = file.stat()
    file.write_bytes(file.read_bytes()[::-1])
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))


def replaced_by_a_copy(file: Path) -> None:
    copy = file.with_suffix(".copy")
    copy.write_bytes(file.read_bytes())
    copy.rename(file)


def attributes_within(top: Path) -> None:
    write(top, {"clusters/c000/app1/.gitattributes": "* text=auto\n"})
    settle(top)


EDITS = {
    "text": lambda file: file.write_text("# other\n"),
    "same size and time": reversed_at_the_same_time,
    "mode": lambda file: file.chmod(0o755),
    "another file": replaced_by_a_copy,
}


@pytest.mark.parametrize("edit", EDITS)
def test_a_file_that_is_not_as_it_was_is_not(repository, edit):
    package = repository / "clusters/c000/app1"
    EDITS[edit](package / "run.yaml")
    found = known(package)
    assert found.pop("run.yaml") is None
    assert all(found.values())
    assert inputs.listing(str(package), DEFAULT, git_index.known_below(str(package))) == inputs.listing(str(package), DEFAULT)


def test_a_file_that_may_have_changed_after_the_index_was_written_is_not(repository):
    package = repository / "clusters/c000/app1"
    index = repository / ".git/index"
    oldest = min(path.stat().st_mtime_ns for path in package.iterdir())
    os.utime(index, ns=(oldest, oldest))
    assert set(known(package).values()) == {None}


@pytest.mark.parametrize(
    "change",
    [
        lambda top: write(top, {".gitattributes": "* text=auto\n"}),
        lambda top: write(top, {"clusters/.gitattributes": "* text=auto\n"}),
        attributes_within,
        lambda top: write(top, {".git/info/attributes": "* text=auto\n"}),
        lambda top: git(top, "config", "core.autocrlf", "true"),
        lambda top: (top / ".git/index").write_bytes((top / ".git/index").read_bytes()[:100]),
        lambda top: (top / ".git/index").unlink(),
    ],
    ids=["attributes", "attributes above", "attributes within", "info", "autocrlf", "broken", "none"],
)
def test_nothing_is_known_where_files_may_be_other_than_objects(repository, change):
    git_index._read.clear()
    change(repository)
    assert set(known(repository / "clusters/c000/app1").values()) == {None}


def test_a_clean_package_is_skipped_without_reading_its_files(repository, monkeypatch):
    from krm_values._krm.files import Below  # noqa: PLC0415

    package = str(repository / "clusters/c000/app1")
    settings = task.Settings(facts="a", key=b"k" * 32).as_json()
    key = inputs.keyed(b"k" * 32, "a\0name", inputs.listing(package, DEFAULT))
    monkeypatch.setattr(Below, "git_object", None)
    assert task.plan("name", package, key, settings)["status"] == "skipped"


def test_no_worker_is_started_for_what_git_knows(repository, monkeypatch):
    members = find([str(repository / "clusters")]).members
    settings = task.Settings(facts="a", key=b"k" * 32)
    keys = {one.name: task.key_of(one.name, inputs.listing(one.directory, DEFAULT), settings) for one in members}
    known = {name: {"key": key, "findings": []} for name, key in keys.items()}
    planned: list[str] = []

    def run(asked, *_, **__):
        planned.extend(member.name for member in asked)
        return iter([(number, {"status": "same"}) for number, _ in enumerate(asked)])

    monkeypatch.setattr(pool, "run", run)
    for edited in ([], ["c000/app1"]):
        for name in edited:
            (repository / "clusters" / name / "run.yaml").write_text("# other\n")
        with Results(members) as found:
            rendering.render(found, settings, rendering.Engine(), rendering.Stop(), writes=True, known=known)
            rows = {member.name: answer["status"] for member, answer in found}
        assert planned == edited
        assert rows == {one.name: "same" if one.name in edited else "skipped" for one in members}
