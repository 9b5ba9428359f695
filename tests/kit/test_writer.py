"""Files change as a whole or not at all, whatever moment the process ends."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from krm_values._data.errors import InputError
from krm_values._kit.process.transaction import (
    REMOVED,
    STAGED,
    Change,
    WriteError,
    digest,
    locked,
    recover,
    refuse_unfinished,
    write,
)

SOURCE = Path(__file__).resolve().parents[2] / "functions"
OLD = {"a.yaml": b"a: 1\n", "sub/b.yaml": b"b: 1\n", "gone.yaml": b"c: 1\n"}
NEW = {"a.yaml": b"a: 2\n", "sub/b.yaml": b"b: 2\n", "made/d.yaml": b"d: 1\n"}
STEPS = (
    "checked",
    "intent written",
    *(f"staged {n}" for n in range(4)),
    "committed",
    *(f"replaced {n}" for n in range(4)),
    "synced",
)

KILLED = """
import os, sys
from pathlib import Path
from tests.kit.test_writer import changes
from krm_values._kit.process.transaction import locked, write
with locked(Path(sys.argv[1])):
    write(Path(sys.argv[1]), changes(), lambda step: os._exit(9) if step == sys.argv[2] else None)
"""


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


def left(directory: Path) -> tuple[list[str], list[str]]:
    """Staged texts in the directory, and journals in the state directory."""
    staged = [str(path.relative_to(directory)) for path in directory.rglob(f"{STAGED}*")]
    state = Path(os.environ["XDG_STATE_HOME"]) / "krm-values"
    return sorted(staged), sorted(path.name for path in state.glob("*/*"))


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A state directory of the test's own."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state" / "krm-values"


@pytest.fixture
def package(tmp_path: Path) -> Path:
    directory = tmp_path / "pkg"
    (directory / "sub").mkdir(parents=True)
    for name, content in OLD.items():
        (directory / name).write_bytes(content)
    return directory


def run(code: str, *arguments: str) -> subprocess.Popen[str]:
    root = str(SOURCE.parent)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(SOURCE), root))}
    return subprocess.Popen(
        [sys.executable, "-c", code, *arguments], env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def test_a_write_makes_all_changes_and_leaves_nothing_else(package):
    """Rewritten, made and removed files; no staged text, no lock file, no journal."""
    steps: list[str] = []
    with locked(package):
        write(package, changes(), steps.append)
    assert files(package) == NEW
    assert left(package) == ([], [])
    assert tuple(steps) == STEPS


@pytest.mark.parametrize("step", STEPS)
def test_killed_at_any_step_all_files_are_old_or_all_are_new(package, step):
    """The process really ends there; before the commit point everything stays old, from it on everything becomes new."""
    killed = run(KILLED, str(package), step)
    killed.communicate(timeout=60)
    assert killed.returncode == 9
    seen = files(package)
    assert all(content in (OLD.get(name), NEW.get(name)) for name, content in seen.items())  # each file is whole
    with locked(package):
        assert files(package) == (NEW if STEPS.index(step) >= STEPS.index("committed") else OLD)
    assert left(package) == ([], [])


@pytest.mark.parametrize("step", STEPS)
def test_staged_files_are_read_by_no_host_and_only_by_their_owner(package, step):
    """What a killed writer leaves ends in no YAML or JSON suffix, is no Kptfile, and lies beside its target."""
    run(KILLED, str(package), step).communicate(timeout=60)
    for name in left(package)[0]:
        path = package / name
        assert path.suffix not in (".yaml", ".yml", ".json")
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0 or step.startswith("replaced")
        assert str(path.parent.relative_to(package)) in (".", "sub")


@pytest.mark.parametrize(
    ("step", "unfinished"), [("checked", False), ("staged 3", False), ("committed", True), ("replaced 2", True)]
)
def test_a_reading_command_reports_a_committed_write_and_stops(package, step, unfinished):
    """Before the commit point the old files are whole and may be read."""
    run(KILLED, str(package), step).communicate(timeout=60)
    if not unfinished:
        refuse_unfinished(package)
        return
    with pytest.raises(InputError) as caught:
        refuse_unfinished(package)
    assert str(caught.value) == f"{package}: holds an unfinished write; the next command that writes here finishes it"


def test_recovery_killed_in_the_middle_is_recovered_again(package):
    """A second interruption, while the first is being mended, changes nothing of the promise."""
    run(KILLED, str(package), "replaced 0").communicate(timeout=60)
    (package / "sub/b.yaml").write_bytes(NEW["sub/b.yaml"])  # as if the recovery had come this far
    recover(package)
    assert files(package) == NEW


def test_recovery_stops_at_a_file_that_is_neither_old_nor_new(package, state):
    """It names the file, touches nothing and says both ways out."""
    run(KILLED, str(package), "committed").communicate(timeout=60)
    (package / "sub/b.yaml").write_bytes(b"b: 3\n")
    with pytest.raises(WriteError) as caught:
        recover(package)
    (journal,) = state.glob("*/journal")
    assert caught.value.message == (
        "sub/b.yaml: was changed after a write that was interrupted; "
        f"restore it, or remove {journal} to keep every file as it is now"
    )
    assert files(package) == OLD | {"sub/b.yaml": b"b: 3\n"}
    (package / "sub/b.yaml").write_bytes(OLD["sub/b.yaml"])
    recover(package)
    assert files(package) == NEW


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
    assert caught.value.message == f"{name}: was changed in the meantime; nothing was written, run again"
    assert files(package) == before
    assert left(package) == ([], [])


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
    with pytest.raises(WriteError) as caught:
        write(package, [Change(path, REMOVED, b"x")])
    fact = (
        "be a relative path inside the directory"
        if path.isprintable()
        else "not have control characters or lone surrogates in its name"
    )
    assert caught.value.message == f"{path or 'the empty path'}: must {fact}; nothing was written"
    assert files(package) == OLD


@pytest.mark.parametrize("path", ["x" * 300, f"new/{'x' * 300}.yaml", f"new/{'é' * 128}/a.yaml", f"sub/{'x' * 300}"])
def test_a_name_unfit_for_the_file_system_is_refused_before_commit(package, path):
    changes = [Change("a.yaml", digest(OLD["a.yaml"]), b"x: 1\n"), Change(path, REMOVED, b"x")]
    with pytest.raises(WriteError, match="has a name that is too long for the file system; nothing was written"):
        write(package, changes)
    assert (files(package), left(package)[0]) == (OLD, [])


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
    assert (files(package), left(package)[0]) == (OLD, [])


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
from krm_values._kit.process.transaction import Change, digest, locked, write
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
from krm_values._kit.process.transaction import locked
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


def test_the_journal_says_target_old_and_new(package, state):
    """One entry per file; a removed or not yet existing one has the digest `removed`. Its folder is the user's alone."""
    run(KILLED, str(package), "committed").communicate(timeout=60)
    (journal,) = state.glob("*/journal")
    entries = {e["target"]: (e["old"], e["new"]) for e in json.loads(journal.read_text().partition("\n")[2])["entries"]}
    assert entries == {c.path: (c.old, digest(c.new)) for c in changes()}
    assert entries["gone.yaml"][1] == entries["made/d.yaml"][0] == REMOVED
    assert [stat.S_IMODE(path.stat().st_mode) for path in (journal, journal.parent, state, state / "key")] == [
        0o600,
        0o700,
        0o700,
        0o600,
    ]
