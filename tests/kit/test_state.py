"""The state directory, wherever it is said to be: it is the user's alone, or nothing is written."""

from __future__ import annotations

import os
import pwd
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from krm_values._data.errors import UserError
from krm_values._kit.process.journal import JournalError
from krm_values._kit.process.transaction import WriteError, locked, refuse_unfinished, write
from tests.crash_consistency import points
from tests.kit.test_writer import NEW, OLD, changes, files, left, package

__all__ = ["package"]  # a fixture
ROOT_ONLY = pytest.mark.skipif(os.geteuid() != 0, reason="only root can be two users")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path / "me"))
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    return tmp_path / "me"


def rendered(package: Path) -> None:
    with locked(package):
        write(package, changes())


@pytest.mark.parametrize("value", [None, "", "state", "./state", "../state", "~/state"])
def test_what_is_no_absolute_path_does_not_count(package, home, monkeypatch, value):
    """A relative one would mean another directory in every package, and one in the package."""
    monkeypatch.chdir(package)
    if value is not None:
        monkeypatch.setenv("XDG_STATE_HOME", value)
    rendered(package)
    assert files(package) == NEW
    assert [path.name for path in (home / ".local/state/krm-values").iterdir()] == ["key"]


@pytest.mark.parametrize("value", [None, "", "relative"])
def test_without_a_home_it_is_the_one_of_the_user_or_nothing_is_written(package, home, monkeypatch, value):
    monkeypatch.chdir(package)
    monkeypatch.delenv("HOME") if value is None else monkeypatch.setenv("HOME", value)
    elsewhere = package.parent / "elsewhere"
    entry = pwd.getpwuid(os.getuid())
    monkeypatch.setattr(pwd, "getpwuid", lambda _: pwd.struct_passwd((*entry[:5], str(elsewhere), entry[6])))
    if value is None:
        rendered(package)
        assert (elsewhere / ".local/state/krm-values/key").is_file()
        return
    with pytest.raises(JournalError, match="must be an absolute path"):
        rendered(package)
    assert (files(package), left_in(package)) == (OLD, [])
    refuse_unfinished(package)  # a command that reads needs none


def test_a_user_without_a_home_writes_nothing(package, monkeypatch):
    """As in a container: `~` stays `~`, which would be a folder of this name."""
    monkeypatch.chdir(package)
    for name in ("HOME", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)

    def unknown(_: int) -> None:
        raise KeyError

    monkeypatch.setattr(pwd, "getpwuid", unknown)
    with pytest.raises(JournalError, match="must be an absolute path"):
        rendered(package)
    refuse_unfinished(package)
    assert (files(package), left_in(package)) == (OLD, [])


def left_in(package: Path) -> list[str]:
    return sorted(str(path.relative_to(package)) for path in package.rglob("*") if path.is_file() and path.name == "key")


def dangling(path: Path) -> None:
    path.symlink_to("nowhere")


def into_package(path: Path) -> None:
    path.symlink_to(path.parent.parent / "pkg")


def a_file(path: Path) -> None:
    path.write_text("x")


def a_fifo(path: Path) -> None:
    os.mkfifo(path)


@pytest.mark.parametrize("made", [dangling, into_package, a_file, a_fifo])
@pytest.mark.parametrize("name", ["krm-values", "krm-values/key"])
def test_what_is_not_ours_in_its_place_is_refused(package, tmp_path, monkeypatch, made: Callable[[Path], None], name):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    path = tmp_path / "state" / name
    path.parent.mkdir(parents=True, mode=0o700)
    made(path)
    before = sorted(str(found) for found in package.rglob("*"))
    with pytest.raises(UserError):
        rendered(package)
    assert files(package) == OLD
    assert sorted(str(found) for found in package.rglob("*")) == before


@pytest.mark.parametrize("size", [0, 1, 31])
def test_a_key_that_is_too_short_is_no_key(package, tmp_path, monkeypatch, size):
    """With an empty one anybody could sign a journal."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (tmp_path / "state/krm-values").mkdir(parents=True, mode=0o700)
    (tmp_path / "state/krm-values/key").write_bytes(b"k" * size)
    with pytest.raises(JournalError, match="key"):
        rendered(package)
    assert files(package) == OLD


@ROOT_ONLY
def test_a_state_directory_of_another_user_is_refused(package, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (tmp_path / "state/krm-values").mkdir(parents=True, mode=0o700)
    os.chown(tmp_path / "state/krm-values", 4711, 4711)
    with pytest.raises(JournalError, match="must belong to the user who runs this"):
        rendered(package)
    assert files(package) == OLD


@ROOT_ONLY
def test_two_users_share_a_package(package, tmp_path, monkeypatch):
    """What one has left unfinished the other neither finishes nor removes; it is there for the first one's next command."""
    for path in [tmp_path, *tmp_path.parents]:
        if path.is_dir() and path.stat().st_uid == os.getuid() and path != Path("/"):
            path.chmod(stat.S_IMODE(path.stat().st_mode) | 0o055)
    for path in (package, *package.rglob("*")):
        path.chmod(0o777 if path.is_dir() else 0o666)
    for user in (4711, 4712):
        (tmp_path / f"state{user}").mkdir(mode=0o700)
        os.chown(tmp_path / f"state{user}", user, user)

    def run_as(user: int, stop: str = "") -> int:
        def command() -> int:
            os.setgroups([])
            os.setgid(user)
            os.setuid(user)
            os.environ["XDG_STATE_HOME"] = str(tmp_path / f"state{user}")
            try:
                with locked(package):
                    write(package, changes(), lambda step: os._exit(9) if step == stop else None)
            except WriteError:
                return 1
            return 0

        return points.run(command)

    assert run_as(4711, "staged 3") == 9
    staged = list(package.rglob(".krm-values-*"))
    assert staged
    assert {path.stat().st_mode & 0o777 for path in staged} == {0o600}
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state4712"))
    assert run_as(4712) == 0
    assert files(package) == NEW
    assert [path for path in staged if not path.exists()] == []
    assert run_as(4711) == 1  # what it has read is old; its own staged texts go
    assert (files(package), left(package)[0]) == (NEW, [])
