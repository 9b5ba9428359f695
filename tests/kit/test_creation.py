"""What is made where the user has asked for it: as a whole, and not behind a link."""

from __future__ import annotations

import errno
import os
import resource
import signal
import stat
from pathlib import Path

import pytest

from krm_values._krm import write as writer
from krm_values._krm.write import REMOVED, Change, WriteError, _put, create, made, put_file

CHANGES = [Change("a.yaml", REMOVED, b"a: 1\n"), Change("sub/b.yaml", REMOVED, b"b: 1\n")]


def tree(root: Path) -> list[str]:
    return sorted(str(path.relative_to(root)) for path in root.rglob("*"))


def test_a_directory_is_made_with_its_files(tmp_path):
    create(tmp_path / "deep/er/out", CHANGES)
    assert tree(tmp_path / "deep") == ["er", "er/out", "er/out/a.yaml", "er/out/sub", "er/out/sub/b.yaml"]
    (tmp_path / "other").mkdir()
    assert (tmp_path / "deep/er/out").stat().st_mode == (tmp_path / "other").stat().st_mode


@pytest.mark.parametrize("number", range(2))
def test_a_directory_that_cannot_be_filled_is_not_there(tmp_path, monkeypatch, number):
    """Nor are those above it that were made for it."""
    done: list[str] = []

    def full(folder, name, *rest):
        if len(done) == number:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), name)
        done.append(name)
        _put(folder, name, *rest)

    monkeypatch.setattr(writer, "_put", full)
    with pytest.raises(WriteError, match=r"out: nothing was written: .*: No space left on device"):
        create(tmp_path / "deep/out", CHANGES)
    assert tree(tmp_path) == []


def test_a_directory_that_is_interrupted_does_not_have_its_name(tmp_path, monkeypatch):
    """A kill leaves no directory that looks complete."""
    monkeypatch.setattr(writer, "_put", lambda *_: os.kill(os.getpid(), signal.SIGKILL))
    child = os.fork()
    if not child:
        create(tmp_path / "out", CHANGES)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("path", ["../x.yaml", "/x.yaml", "a/../../x.yaml", "\x1b.yaml"])
def test_no_file_is_made_elsewhere(tmp_path, path):
    with pytest.raises(
        WriteError, match=r"nothing was written: must (be a relative path inside the directory|not have control characters)"
    ):
        create(tmp_path / "out", [Change(path, REMOVED, b"x")])
    assert tree(tmp_path) == []


@pytest.mark.parametrize("there", ["a link", "a file"])
def test_what_came_in_between_stays(tmp_path, there):
    target = tmp_path / "out"
    target.symlink_to(tmp_path / "nowhere") if there == "a link" else target.write_text("x")
    with pytest.raises(WriteError, match="out: nothing was written"):
        create(target, CHANGES)
    assert tree(tmp_path) == ["out"]


def fail(folder: Path, kept: str = "") -> None:
    with made(folder):
        if kept:
            (folder / kept).touch()
        raise WriteError(str(sorted(folder.iterdir())))


def test_directories_that_were_made_for_nothing_go_again(tmp_path):
    (tmp_path / "there").mkdir()
    with pytest.raises(WriteError, match=r"^\[\]$"):
        fail(tmp_path / "there/a/b")
    assert tree(tmp_path) == ["there"]
    with pytest.raises(WriteError, match="kept"):
        fail(tmp_path / "there/a/b", "kept")
    assert tree(tmp_path) == ["there", "there/a", "there/a/b", "there/a/b/kept"]


def test_a_file_takes_the_place_of_a_link_and_leaves_what_that_leads_to(tmp_path):
    (tmp_path / "bashrc").write_text("alias\n")
    (tmp_path / "out").mkdir()
    (tmp_path / "out/results.yaml").symlink_to(tmp_path / "bashrc")
    put_file(tmp_path / "out/results.yaml", b"new\n")
    assert (tmp_path / "bashrc").read_text() == "alias\n"
    assert not (tmp_path / "out/results.yaml").is_symlink()
    assert tree(tmp_path / "out") == ["results.yaml"]
    (tmp_path / "usual").touch()
    assert stat.S_IMODE((tmp_path / "out/results.yaml").stat().st_mode) == stat.S_IMODE((tmp_path / "usual").stat().st_mode)


def test_an_error_of_the_system_is_read_as_text(tmp_path):
    """Where the system names no file, too; the name of a staged file says nothing to anybody."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, before[1]))
    try:
        with pytest.raises(WriteError) as raised:
            put_file(tmp_path / "page.html", b"new\n")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert str(raised.value) == f"{tmp_path}/page.html: was not written: {os.strerror(errno.EFBIG)}"
    assert tree(tmp_path) == []
    with pytest.raises(WriteError) as raised:
        put_file(Path("/proc/page.html"), b"new\n")
    assert str(raised.value) == "/proc/page.html: was not written: No such file or directory"


def test_a_file_that_cannot_be_put_leaves_nothing(tmp_path):
    (tmp_path / "out/results.yaml").mkdir(parents=True)
    with pytest.raises(WriteError, match=r"results.yaml: was not written: "):
        put_file(tmp_path / "out/results.yaml", b"new\n")
    assert tree(tmp_path / "out") == ["results.yaml"]
