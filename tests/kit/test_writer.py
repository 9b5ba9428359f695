"""The writer of files: each file is whole, an error before the first rename changes nothing, and no link leads out."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

from krm_values._krm.write import REMOVED, STAGED, Change, WriteError, clear, create, digest, locked, write
from tests.crash_consistency import points

SOURCE = Path(__file__).resolve().parents[2] / "functions"
OLD = {"a.yaml": b"a: 1\n", "sub/b.yaml": b"b: 1\n", "gone.yaml": b"c: 1\n"}
OUTSIDE = {"id_rsa": b"key\n", "deep/bashrc": b"alias\n"}
HEX = "0123456789abcdef" * 2
NEW = {"a.yaml": b"a: 2\n", "sub/b.yaml": b"b: 2\n", "made/d.yaml": b"d: 1\n"}


def changes() -> list[Change]:
    """From OLD to NEW: two files rewritten, one made, one removed."""
    names = sorted({*OLD, *NEW})
    return [Change(name, digest(OLD.get(name)), NEW.get(name)) for name in names]


def files(directory: Path) -> dict[str, bytes]:
    return {
        str(p.relative_to(directory)): p.read_bytes()
        for p in directory.rglob("*")
        if p.is_file() and not p.name.startswith(STAGED)
    }


def left(directory: Path) -> list[str]:
    """Staged files in the directory."""
    return sorted(str(path.relative_to(directory)) for path in directory.rglob(f"{STAGED}*"))


def at_call(number: int, act: Callable[[], object]) -> AbstractContextManager[list[str]]:
    """Within a `with` block, act before the file-system call with this number that changes something; yields the names of the calls."""

    @contextlib.contextmanager
    def acting() -> Iterator[list[str]]:
        seen: list[str] = []

        def profile(_: object, kind: str, function: Any) -> None:
            if kind == "c_call" and points.is_file_call(function) and function.__name__ != "open":
                seen.append(function.__name__)
                if len(seen) == number + 1:
                    sys.setprofile(None)
                    act()
                    sys.setprofile(profile)

        sys.setprofile(profile)
        try:
            yield seen
        finally:
            sys.setprofile(None)

    return acting()


def all_calls(directory: Path) -> list[str]:
    """The names of the calls of an undisturbed write, which is done."""
    with locked(directory), at_call(-1, lambda: None) as calls:
        write(directory, changes())
    return calls


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """Somebody's files beside the package."""
    for name, content in OUTSIDE.items():
        (tmp_path / "home" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "home" / name).write_bytes(content)
    return tmp_path / "home"


def lay(directory: Path) -> None:
    """Make the directory hold exactly OLD."""
    shutil.rmtree(directory, ignore_errors=True)
    (directory / "sub").mkdir(parents=True)
    for name, content in OLD.items():
        (directory / name).write_bytes(content)


@pytest.fixture
def package(tmp_path: Path) -> Path:
    directory = tmp_path / "pkg"
    lay(directory)
    return directory


def run(code: str, *arguments: str) -> subprocess.Popen[str]:
    root = str(SOURCE.parent)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(SOURCE), root))}
    return subprocess.Popen(
        [sys.executable, "-c", code, *arguments], env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def test_a_write_makes_all_changes_and_leaves_nothing_else(package):
    with locked(package):
        write(package, changes())
    assert files(package) == NEW
    assert left(package) == []


def test_files_are_staged_beside_their_targets_for_their_owner_alone(package):
    """Until the first is about to replace its target, whose mode it takes."""
    found = {}

    def look() -> None:
        found.update({name: (package / name).stat().st_mode for name in left(package)})

    calls = all_calls(shutil.copytree(package, package.with_name("copy")))
    staged = max(number for number, call in enumerate(calls[: calls.index("rename")]) if call == "fsync")
    with locked(package), at_call(staged, look):
        write(package, changes())
    assert sorted(os.path.dirname(name) for name in found) == ["", "", "sub"]
    assert {stat.S_IMODE(mode) for mode in found.values()} == {0o600}
    assert not any(name.endswith((".yaml", ".yml", ".json")) for name in found)


def test_what_an_interrupted_write_has_staged_goes_and_nothing_else(package, outside):
    mine, sub = f"{STAGED}{HEX}", f"sub/{STAGED}{HEX[::-1]}"
    stays = [f"{STAGED}notes", f"sub/{STAGED}{HEX}0", f"{STAGED}{HEX[::-1]}"]
    for name in (mine, sub, *stays[:2]):
        (package / name).write_bytes(b"x")
    (package / stays[2]).symlink_to(outside / "id_rsa")
    with locked(package):
        said = [*clear(package, ["a.yaml", mine, sub, *stays, f"gone/{STAGED}{HEX}"])]
    assert left(package) == sorted(stays)
    assert [text.partition(": looks like a file that another user has staged")[0] for text in said] == [
        str(package / name) for name in stays
    ]
    assert files(outside) == OUTSIDE


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be two users")
def test_what_another_user_has_staged_stays(package):
    name = f"{STAGED}{HEX}"
    (package / name).write_bytes(b"x")
    os.chown(package / name, 4711, 4711)
    assert len([*clear(package, [name])]) == 1
    assert left(package) == [name]


@pytest.mark.parametrize("name", ["a.yaml", "gone.yaml", "sub/b.yaml"])
def test_an_edit_by_hand_at_any_moment_is_never_lost(package, name):
    """Before its rename it stops the write with the file's name, behind it, it is a change of what is new; not between the last look and the call."""
    calls = all_calls(shutil.copytree(package, package.with_name("copy")))
    done = []
    for number, call in enumerate(calls):
        if call in ("rename", "unlink"):
            continue
        lay(package)
        with (
            contextlib.suppress(WriteError),
            locked(package),
            at_call(number, lambda: (package / name).write_bytes(b"by: hand\n")),
        ):
            write(package, changes())
            done.append(number)
        assert (package / name).read_bytes() == b"by: hand\n", number
        assert left(package) == []
    assert done[-1] == len(calls) - 1
    assert 0 not in done


@pytest.mark.parametrize("place", ["sub", "a.yaml", "made"])
def test_a_link_that_comes_in_between_leads_nowhere(package, outside, place):
    """Whatever is swapped at any moment, nothing outside changes and nothing is lost."""
    moved = package.parent / "moved"
    for number, _ in enumerate(all_calls(shutil.copytree(package, package.with_name("copy")))):
        lay(package)
        shutil.rmtree(moved, ignore_errors=True) if moved.is_dir() else moved.unlink(missing_ok=True)

        def swap() -> None:
            with contextlib.suppress(FileNotFoundError):
                (package / place).rename(moved)
            (package / place).symlink_to(outside if place != "a.yaml" else outside / "id_rsa")

        with contextlib.suppress(WriteError), locked(package), at_call(number, swap):
            write(package, changes())
        assert files(outside) == OUTSIDE
        assert sorted(path.name for path in outside.rglob("*")) == ["bashrc", "deep", "id_rsa"]


def test_an_error_between_two_renames_says_how_far_it_came(package, monkeypatch):
    count = []
    rename = os.rename

    def full(*arguments: Any, **named: Any) -> None:
        count.append(1)
        if len(count) == 2:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        rename(*arguments, **named)

    monkeypatch.setattr(os, "rename", full)
    with pytest.raises(WriteError) as caught, locked(package):
        write(package, changes())
    assert caught.value.message.startswith(f"{package}: 2 of 4 files are written, the next run writes the rest: ")
    assert left(package) == []


@pytest.mark.parametrize(
    ("name", "content"),
    [("a.yaml", b"a: 9\n"), ("gone.yaml", None), ("made/d.yaml", b"d: 0\n")],
    ids=["changed", "removed", "appeared"],
)
def test_a_file_changed_since_it_was_read_stops_the_write(package, name, content):
    """Nothing is written, the error names the file."""
    path = package / name
    path.parent.mkdir(exist_ok=True)
    path.unlink() if content is None else path.write_bytes(content)
    before = files(package)
    with locked(package), pytest.raises(WriteError) as caught:
        write(package, changes())
    assert caught.value.message == f"{name}: was changed in the meantime, run again; nothing was written"
    assert files(package) == before
    assert left(package) == []


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o755, 0o444])
def test_a_rewritten_file_keeps_its_mode(package, mode):
    (package / "a.yaml").chmod(mode)
    write(package, changes())
    assert stat.S_IMODE((package / "a.yaml").stat().st_mode) == mode


def test_a_new_file_gets_the_mode_that_any_new_file_gets(package):
    write(package, changes())
    other = package / "other"
    other.touch()
    assert (package / "made/d.yaml").stat().st_mode == other.stat().st_mode


def test_equal_content_is_not_written(package):
    """The file keeps its inode, and nothing is staged."""
    before = (package / "a.yaml").stat().st_ino
    write(package, [Change("a.yaml", digest(OLD["a.yaml"]), OLD["a.yaml"])])
    assert (package / "a.yaml").stat().st_ino == before


@pytest.mark.parametrize("path", ["../x.yaml", "/x.yaml", "a/../x.yaml", "", "sub//x.yaml", "a\nb.yaml", "\x1b[2J.yaml"])
def test_a_path_outside_is_refused(package, path):
    """Nothing is staged either, not even for a moment."""
    before = [folder.stat().st_mtime_ns for folder in (package.parent, package)]
    with pytest.raises(WriteError) as caught:
        write(package, [Change(path, REMOVED, b"x")])
    fact = (
        "be a relative path inside the directory"
        if path.isprintable()
        else "not have control characters or lone surrogates in its name"
    )
    assert caught.value.message == f"{path or 'the empty path'}: must {fact}; nothing was written"
    assert files(package) == OLD
    assert [folder.stat().st_mtime_ns for folder in (package.parent, package)] == before


@pytest.mark.parametrize("path", ["x" * 300, f"new/{'x' * 300}.yaml", f"new/{'é' * 128}/a.yaml", f"sub/{'x' * 300}"])
def test_a_name_unfit_for_the_file_system_is_refused_before_commit(package, path):
    changes = [Change("a.yaml", digest(OLD["a.yaml"]), b"x: 1\n"), Change(path, REMOVED, b"x")]
    with pytest.raises(WriteError, match="has a name that is too long for the file system; nothing was written"):
        write(package, changes)
    assert (files(package), left(package)) == (OLD, [])


@pytest.mark.parametrize("name", ["a\ud800.yaml", "\udfff"])
def test_a_name_that_is_no_text_is_refused(package, name):
    with pytest.raises(
        WriteError, match="must not have control characters or lone surrogates in its name; nothing was written"
    ):
        write(package, [Change(name, REMOVED, b"x")])


def test_a_name_that_is_not_utf_8_is_written(package):
    write(package, [Change("a\udcff.yaml", REMOVED, b"x")])
    assert os.listdir(os.fsencode(package)).count(b"a\xff.yaml") == 1


def test_a_file_that_would_be_a_directory_is_refused_before_commit(package):
    changes = [Change("a.yaml", digest(OLD["a.yaml"]), b"x: 1\n"), Change("new", REMOVED, b"x"), Change("new/b", REMOVED, b"x")]
    with pytest.raises(WriteError, match="new/b: must not be below `new`, which is to be a file; nothing was written"):
        write(package, changes)
    assert (files(package), left(package)) == (OLD, [])


@pytest.mark.parametrize("target", ["link.yaml", "linked/b.yaml"])
def test_a_symbolic_link_is_refused(package, target):
    """Neither a link nor a file below a linked directory is written: renaming would replace the link, or leave the package."""
    (package / "link.yaml").symlink_to("a.yaml")
    (package / "linked").symlink_to("sub")
    content = (package / target).read_bytes()
    with pytest.raises(WriteError) as caught:
        write(package, [Change(target, digest(content), b"x: 1\n")])
    to = (package / target.split("/")[0]).readlink()
    assert (
        caught.value.message == f'{target}: must not be a symbolic link or below one, found one to "{to}"; nothing was written'
    )
    assert (package / target).read_bytes() == content


def test_a_directory_in_the_place_of_a_file_is_refused(package):
    with pytest.raises(WriteError, match="sub: must be a file, found a directory"):
        write(package, [Change("sub", REMOVED, b"x")])


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_directory_that_cannot_be_written_is_one_line(package):
    package.chmod(0o555)
    try:
        with pytest.raises(WriteError, match=r"nothing was written: .*Permission denied for user \d+; run this as the owner"):
            write(package, changes())
    finally:
        package.chmod(0o755)
    assert files(package) == OLD


COUNT = """
import sys, time
from pathlib import Path
from krm_values._krm.write import Change, digest, locked, write
directory = Path(sys.argv[1])
for _ in range(20):
    with locked(directory):
        old = (directory / "count.yaml").read_bytes()
        time.sleep(0.001)
        write(directory, [Change("count.yaml", digest(old), b"%d\\n" % (int(old) + 1))])
"""


def test_two_writers_at_once_wait_for_each_other(package):
    """Two real processes count to twenty in the same file: no step is lost, none fails."""
    (package / "count.yaml").write_bytes(b"0\n")
    both = [run(COUNT, str(package)) for _ in range(2)]
    assert [process.communicate(timeout=120)[1] for process in both] == ["", ""]
    assert (package / "count.yaml").read_bytes() == b"40\n"


HOLD = """
import sys, time
from pathlib import Path
from krm_values._krm.write import locked
with locked(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_lock_that_is_not_given_up_in_time_is_an_error(package):
    """The message names the directory, how long was waited and the option."""
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(package)],
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
        text=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert holder.stdout
    assert holder.stdout.readline() == "held\n"
    began = time.monotonic()
    with pytest.raises(WriteError) as caught, locked(package, timeout=0.2):
        pass
    assert time.monotonic() - began >= 0.2
    assert caught.value.message == f"{package}: another command is writing here; waited 0.2 seconds (`--lock-timeout`)"
    holder.kill()  # the lock ends with its process
    holder.communicate()
    with locked(package, timeout=10):
        pass


def test_a_hard_link_is_refused(package, outside):
    os.link(outside / "id_rsa", package / "k.yaml")
    with pytest.raises(WriteError, match=r"k.yaml: must not be a hard link, found a file with 2 names"):
        write(package, [Change("k.yaml", digest(OUTSIDE["id_rsa"]), b"x")])
    assert files(outside) == OUTSIDE


@pytest.mark.parametrize("kind", ["fifo", "device", "directory"])
def test_what_is_no_regular_file_is_refused_at_once(package, kind):
    path = package / "odd.yaml"
    match kind:
        case "fifo":
            os.mkfifo(path)
        case "device":
            path.symlink_to("/dev/zero")
        case "directory":
            path.mkdir()
    with pytest.raises(WriteError, match=r"odd.yaml: must"):
        write(package, [Change("odd.yaml", REMOVED, b"x")])


def test_extended_attributes_and_owner_are_kept(package):
    path = package / "a.yaml"
    try:
        os.setxattr(path, "user.note", b"mine")
    except OSError:
        pytest.skip("this file system has no extended attributes")
    if os.geteuid() == 0:
        os.chown(path, 4711, 4712)
    before = path.stat()
    write(package, changes())
    after = path.stat()
    assert os.getxattr(path, "user.note") == b"mine"
    assert (after.st_uid, after.st_gid, after.st_mode) == (before.st_uid, before.st_gid, before.st_mode)


def test_a_new_file_with_a_secret_is_its_owner_s_alone(package, tmp_path):
    write(package, [Change("made/secret.yaml", REMOVED, b"x", secret=True)])
    target = tmp_path / "out"
    create(target, [Change("made/secret.yaml", REMOVED, b"x", secret=True), Change("b.yaml", REMOVED, b"y")])
    for root in (package, target):
        assert stat.S_IMODE((root / "made/secret.yaml").stat().st_mode) == 0o600
        assert stat.S_IMODE((root / "made").stat().st_mode) == 0o700
    assert stat.S_IMODE((target / "b.yaml").stat().st_mode) == stat.S_IMODE((package / "a.yaml").stat().st_mode)
