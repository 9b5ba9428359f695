"""What lies in a package is somebody else's word: no journal, link or staged name in it makes a writer leave it or destroy work."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import stat
import subprocess
from pathlib import Path

import pytest

from krm_values._data.errors import UserError
from krm_values._kit.process import transaction
from krm_values._kit.process.creation import create
from krm_values._kit.process.journal import JOURNAL, JournalError, State
from krm_values._kit.process.transaction import REMOVED, STAGED, Change, WriteError, digest, left_behind, locked, recover, write
from tests.kit.test_writer import KILLED, NEW, OLD, STEPS, changes, files, left, package, run, state

__all__ = ["package", "state"]  # fixtures
OUTSIDE = {"id_rsa": b"key\n", "deep/bashrc": b"alias\n"}
HEX = "0123456789abcdef" * 2


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """Somebody's files beside the package."""
    for name, content in OUTSIDE.items():
        (tmp_path / "home" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "home" / name).write_bytes(content)
    return tmp_path / "home"


def entry(target: str, old: str = REMOVED, new: str = digest(b"evil\n"), staged: str = f"{STAGED}{HEX}") -> dict[str, str]:
    return {"target": target, "old": old, "new": new, "staged": staged}


def planted(home: Path) -> list[dict[str, str]]:
    """Entries that would make, overwrite, remove and fetch files outside."""
    targets = [str(home / "authorized_keys"), "../home/authorized_keys", "sub/../../home/authorized_keys"]
    return [
        *(entry(target) for target in targets),
        entry("../home/id_rsa", digest(OUTSIDE["id_rsa"])),
        entry("../home/id_rsa", digest(OUTSIDE["id_rsa"]), REMOVED, ""),
        entry("stolen.yaml", new=digest(OUTSIDE["id_rsa"]), staged="../home/id_rsa"),
        entry("stolen.yaml", new=digest(OUTSIDE["id_rsa"]), staged=str(home / "id_rsa")),
    ]


def test_a_journal_in_the_package_is_never_read(package, outside):
    """Neither where 0.1.0 kept it nor elsewhere; it is named, it blocks nothing, and it stays."""
    for lines in (planted(outside), [planted(outside)[0]], "no journal", None):
        staging = package / ".krm-values"
        shutil.rmtree(staging, ignore_errors=True)
        staging.mkdir()
        (staging / f"{STAGED}{HEX}").write_bytes(b"evil\n")
        (staging / "journal").write_text(json.dumps(lines))
        assert "0.1.0" in next(left_behind(package, []))
        with locked(package):
            pass
        assert files(outside) == OUTSIDE
        assert (staging / "journal").exists()
        assert {name: text for name, text in files(package).items() if name in OLD} == OLD


@pytest.mark.parametrize("kind", ["link", "file", "dangling", "loop"])
def test_what_is_called_like_the_old_staging_directory_is_nobody_s(package, outside, kind):
    staging = package / ".krm-values"
    match kind:
        case "link":
            staging.symlink_to(outside)
        case "file":
            staging.write_text("x")
        case "dangling":
            staging.symlink_to(package / "nowhere")
        case "loop":
            staging.symlink_to(".krm-values")
    with locked(package):
        write(package, changes())
    assert files(outside) == OUTSIDE
    assert {name: text for name, text in files(package).items() if not name.startswith(".krm")} == NEW
    assert os.path.lexists(staging)


@pytest.mark.parametrize("made", ["file", "link"])
def test_a_staged_name_without_a_journal_of_ours_is_named_and_stays(package, outside, made):
    name = f"sub/{STAGED}{HEX}"
    (package / name).write_bytes(b"evil\n") if made == "file" else (package / name).symlink_to(outside / "id_rsa")
    with locked(package):
        write(package, changes())
    assert os.path.lexists(package / name)
    assert files(outside) == OUTSIDE
    assert next(left_behind(package, ["a.yaml", name])).startswith(f"{package / name}: looks like a text that")


def forged(package: Path, entries: object, **changed: object) -> Path:
    """A journal in the state directory without the user's key."""
    with State(package) as state:
        text = json.dumps({"directory": state.written, "entries": entries, **changed}).encode()
        path = Path(state.path) / JOURNAL
        path.write_bytes(b"0" * 64 + b"\n" + text)
    return path


def test_a_journal_without_our_mac_is_named_and_does_nothing(package, outside):
    path = forged(package, planted(outside))
    with pytest.raises(JournalError) as caught, locked(package):
        pass
    assert caught.value.message == (
        f"{path}: is not a journal that this user's krm-values wrote for this directory; remove it, every file stays as it is"
    )
    assert (files(outside), files(package)) == (OUTSIDE, OLD)


def test_a_sound_journal_with_another_mac_is_not_taken(package):
    """Only the MAC is wrong: with its own the write would be finished."""
    run(KILLED, str(package), "committed").communicate(timeout=60)
    before = files(package)
    with State(package) as state:
        path = Path(state.path) / JOURNAL
        mac, _, body = path.read_bytes().partition(b"\n")
        path.write_bytes(b"0" * len(mac) + b"\n" + body)
        with pytest.raises(JournalError, match="is not a journal"):
            recover(package)
        assert files(package) == before
        path.write_bytes(mac + b"\n" + body)
    recover(package)
    assert files(package) == NEW


def signed(package: Path, text: bytes) -> None:
    with State(package) as state:
        (Path(state.path) / JOURNAL).write_bytes(state._mac(text) + b"\n" + text)


@pytest.mark.parametrize("number", range(7))
def test_a_journal_with_our_mac_is_checked_as_a_write_is(package, outside, number):
    """As if the key were known: paths lead downwards, staged names are ours."""
    signed(package, json.dumps({"directory": os.path.realpath(package), "entries": [planted(outside)[number]]}).encode())
    with pytest.raises(UserError), locked(package):
        pass
    assert (files(outside), files(package)) == (OUTSIDE, OLD)


def test_a_file_of_the_package_is_not_taken_for_a_staged_one(package):
    name = next(iter(OLD))
    forged = [entry("stolen.yaml", new=digest(OLD[name]), staged=name)]
    signed(package, json.dumps({"directory": os.path.realpath(package), "entries": forged}).encode())
    with pytest.raises(JournalError, match="is not a journal"), locked(package):
        pass
    assert files(package) == OLD


CONTENTS = [
    b"",
    b"\n",
    b"[]",
    b"{}",
    b"\xff\xfe",
    b'{"directory": 1}',
    b"[" * 5000,
    b'{"directory":"x","entries":[{"target":1}]}',
    b"9" * 5000,
]


@pytest.mark.parametrize("text", CONTENTS)
@pytest.mark.parametrize("sign", [True, False])
def test_any_content_of_a_journal_is_an_error(package, text, sign):
    if sign:
        signed(package, text)
    else:
        path = forged(package, [])
        path.write_bytes(text)
    with pytest.raises(JournalError, match="is not a journal"), locked(package):
        pass
    assert files(package) == OLD


def test_a_journal_of_another_directory_is_not_taken(package, tmp_path):
    run(KILLED, str(package), "committed").communicate(timeout=60)
    other = tmp_path / "other"
    shutil.copytree(package, other)
    with State(package) as one, State(other) as two:
        shutil.copy(Path(one.path) / JOURNAL, Path(two.path) / JOURNAL)
        with pytest.raises(JournalError, match="is not a journal"):
            recover(other)


@pytest.mark.parametrize("step", [step for step in STEPS if step.startswith(("intent", "staged", "committed"))])
@pytest.mark.parametrize("place", ["sub", "a.yaml", "made"])
def test_a_link_that_comes_in_between_leads_nowhere(package, outside, step, place):
    """Whatever is swapped at any moment, nothing outside changes and nothing is lost."""

    def swap(at: str) -> None:
        if at == step:
            path = package / place
            with contextlib.suppress(FileNotFoundError):
                path.rename(package / f"{place}.moved")
            path.symlink_to(outside if place != "a.yaml" else outside / "id_rsa")

    with pytest.raises(WriteError), locked(package):
        write(package, changes(), swap)
    assert files(outside) == OUTSIDE
    assert sorted(path.name for path in outside.rglob("*")) == ["bashrc", "deep", "id_rsa"]


@pytest.mark.parametrize("place", ["sub", "made"])
def test_a_link_that_comes_in_after_the_check_is_an_error_of_the_input(package, outside, place, monkeypatch):
    """Where the staged texts shall lie is looked at after the targets were: nothing is written then, and nothing is left."""
    entry = transaction._entry

    def swap_first(below, change):
        if not (package / place).is_symlink():
            with contextlib.suppress(FileNotFoundError):
                (package / place).rename(package / "moved")
            (package / place).symlink_to(outside)
        return entry(below, change)

    monkeypatch.setattr(transaction, "_entry", swap_first)
    with pytest.raises(WriteError, match=r"nothing was written: must not be a symbolic link or below one"), locked(package):
        write(package, changes())
    assert files(outside) == OUTSIDE
    assert left(package) == ([], [])


def test_an_unreachable_staged_text_is_removed_by_the_next_command(package, outside):
    """Its folder is a link at the moment at which it shall go."""

    def swap(at: str) -> None:
        if at == "staged 3":
            (package / "sub").rename(package / "moved")
            (package / "sub").symlink_to(outside)

    with pytest.raises(WriteError), locked(package):
        write(package, changes(), swap)
    (package / "sub").unlink()
    (package / "moved").rename(package / "sub")
    assert left(package)[0]
    with locked(package):
        pass
    assert (files(package), left(package)) == (OLD, ([], []))


@pytest.mark.parametrize("step", STEPS[:-1])
@pytest.mark.parametrize("name", ["a.yaml", "gone.yaml", "sub/b.yaml"])
def test_an_edit_by_hand_at_any_moment_is_never_lost(package, step, name):
    """Before its rename it stops the write with the file's name; behind it, it is a change of what is new."""
    edit = b"by: hand\n"

    def by_hand(at: str) -> None:
        if at == step:
            (package / name).write_bytes(edit)

    done = False
    with contextlib.suppress(WriteError), locked(package):
        write(package, changes(), by_hand)
        done = True
    assert (package / name).read_bytes() == edit
    order = [change.path for change in changes()]
    is_late = step.startswith("replaced") and order.index(name) <= int(step.split()[1])
    assert done == is_late


def test_a_staged_text_that_is_changed_is_not_taken(package):
    run(KILLED, str(package), "committed").communicate(timeout=60)
    (name, *_), _ = left(package)
    (package / name).write_bytes(b"evil\n")
    with pytest.raises(WriteError, match="is not what the interrupted write has staged"), locked(package):
        pass
    assert files(package) == OLD


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


def test_a_state_directory_that_others_may_use_is_refused(package, state):
    with locked(package):
        pass
    state.chmod(0o755)
    with pytest.raises(JournalError, match="must belong to the user who runs this, with mode 0700"), locked(package):
        pass
    state.chmod(0o700)
    state.rename(state.with_name("moved"))
    state.symlink_to(state.with_name("moved"))
    with pytest.raises(JournalError, match="found a symbolic link"), locked(package):
        pass


def test_a_state_directory_inside_the_package_is_refused(package, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(package / "state"))
    with pytest.raises(JournalError, match="must not lie in the directory that is written"), locked(package):
        pass
    assert files(package) == OLD


def test_a_state_directory_may_begin_with_the_name_of_the_package(package, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", f"{package}-state")
    with locked(package):
        write(package, changes())
    assert files(package) == NEW


def test_a_relative_state_home_does_not_count(package, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_STATE_HOME", "state")
    monkeypatch.setenv("HOME", str(tmp_path / "me"))
    with locked(package):
        write(package, changes())
    assert [path.name for path in (tmp_path / "me/.local/state/krm-values").iterdir()] == ["key"]


def test_without_a_writable_state_directory_nothing_is_written(package, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", "/proc/nowhere")
    with pytest.raises(JournalError) as caught, locked(package):
        pass
    assert (
        "the state directory of a write must be writable; set XDG_STATE_HOME, or write elsewhere with `-o`"
        in caught.value.message
    )
    assert files(package) == OLD


def test_first_writes_of_several_directories_at_once_share_one_key(package, state):
    code = "import sys; from pathlib import Path; from krm_values._kit.process.journal import State\nwith State(Path(sys.argv[1])) as s: print(s._key.hex())"
    folders = [package.parent / f"pkg{number}" for number in range(8)]
    for folder in folders:
        folder.mkdir()
    every = [run(code, str(folder)) for folder in folders]
    keys = {process.communicate(timeout=60)[0] for process in every}
    assert len(keys) == 1
    assert [path.name for path in state.iterdir()] == ["key"]


def test_a_directory_by_any_of_its_names_has_one_journal(package, tmp_path):
    run(KILLED, str(package), "committed").communicate(timeout=60)
    (tmp_path / "alias").symlink_to(package)
    with locked(tmp_path / "alias"):
        pass
    assert files(package) == NEW
    assert subprocess.run(["find", str(package), "-name", ".krm*"], capture_output=True, check=True).stdout == b""
