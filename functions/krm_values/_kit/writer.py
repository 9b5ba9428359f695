"""The one writer of files: a set of changes below a directory becomes real as a whole, or not at all.

    with locked(directory):            # waits for other writers, finishes or drops what an earlier one left
        ...read, decide...
        write(directory, changes)      # stage, journal, commit, rename over the targets

Each file is whole at any moment; after the next writing command all are old or all are new.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import hashlib
import json
import os
import stat
import time

from krm_values._kit.errors import InputError, KrmError
from krm_values._kit.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path
    from typing import TypeAlias

    Fault: TypeAlias = Callable[
        [str], None
    ]  # told each step before the next one begins, so that a test can end the process there

STAGING = ".krm-values"
REMOVED = "removed"  # the digest of a file that is not there
_JOURNAL = "journal"
_POLL = 0.05


@record
class Change:
    """A file below the directory: its slash path, the digest it must still have, and its new bytes (None: it goes)."""

    path: str
    old: str
    new: bytes | None


@record
class _Entry:
    """A line of the journal. `staged` is the name below the staging directory, "" for a removal."""

    target: str
    old: str
    new: str
    staged: str


class WriteError(KrmError):
    """A write that was refused or could not be finished; the message says what to do."""


def digest(content: bytes | None) -> str:
    """SHA-256 in hex; of no file, `removed`."""
    return REMOVED if content is None else hashlib.sha256(content).hexdigest()


@contextlib.contextmanager
def locked(directory: Path, *, timeout: float = 60.0) -> Iterator[None]:
    """Hold the directory's lock and mend what an earlier writer left. WriteError after `timeout` seconds.

    The lock is an flock on the directory itself: it leaves no file behind and ends with the process.
    """
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        _lock(descriptor, directory, timeout)
        recover(directory)
        yield
    finally:
        os.close(descriptor)


def write(directory: Path, changes: Iterable[Change], fault: Fault = lambda _: None) -> None:
    """Make the changes; the caller holds the lock. WriteError, with nothing written, if a target changed since it was read."""
    wanted = tuple(change for change in changes if change.old != digest(change.new))
    for change in wanted:
        _refuse_unsafe(directory, change.path)
        if _digest_of(directory / change.path) != change.old:
            raise WriteError(f"{change.path}: was changed by somebody else in the meantime; nothing was written, run again")
    if not wanted:
        return
    fault("checked")
    try:
        entries = _stage(directory, wanted, fault)
        _commit(directory, entries, fault)
    except OSError as error:
        _drop(directory)
        raise WriteError(f"{directory}: nothing was written: {_reason(error)}") from error
    _finish(directory, entries, fault)


def recover(directory: Path) -> None:
    """Finish a committed write, drop an uncommitted one. WriteError names a target that is neither as it was nor as it shall be."""
    entries = _journal(directory)
    if entries is None:
        _drop(directory)
        return
    pending = []
    for entry in entries:
        found = _digest_of(directory / entry.target)
        if found not in (entry.old, entry.new):
            way_out = f"restore it, or remove {directory / STAGING} to keep every file as it is now"
            raise WriteError(f"{entry.target}: was changed after a write that was interrupted; {way_out}")
        if found == entry.old:
            pending.append(entry)
    _finish(directory, tuple(pending))


def refuse_unfinished(directory: Path) -> None:
    """InputError if a committed write is not finished: what a reader would see is neither old nor new."""
    if (directory / STAGING / _JOURNAL).exists():
        raise InputError(
            "holds an unfinished write; the next command that writes here (`render`, `envgene process`) finishes it",
            file=str(directory),
        )


def _lock(descriptor: int, directory: Path, timeout: float) -> None:
    until = time.monotonic() + timeout
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            left = until - time.monotonic()
        else:
            return
        if left <= 0:
            raise WriteError(f"{directory}: another command is writing here; waited {timeout:g} seconds (`--lock-timeout`)")
        time.sleep(min(_POLL, left))


def _refuse_unsafe(directory: Path, path: str) -> None:
    """A target is a regular file, or none yet, in a real directory below `directory`: a link could lead anywhere."""
    parts = path.split("/")
    if any(part in ("", ".", "..", STAGING) for part in parts):
        raise WriteError(f'"{path}": must be a relative path inside the directory; nothing was written')
    here = directory
    for part in parts:
        here = here / part
        if here.is_symlink():
            raise WriteError(
                f'{path}: must not be a symbolic link or below one, found one to "{here.readlink()}"; nothing was written'
            )
    if here.exists() and not here.is_file():
        raise WriteError(f"{path}: must be a file, found a directory or a device; nothing was written")


def _stage(directory: Path, changes: tuple[Change, ...], fault: Fault) -> tuple[_Entry, ...]:
    staging = directory / STAGING
    staging.mkdir()
    entries = []
    for number, change in enumerate(changes):
        staged = "" if change.new is None else f"{number}.new"
        if change.new is not None:
            _put(staging / staged, change.new)
        entries.append(_Entry(change.path, change.old, digest(change.new), staged))
        fault(f"staged {number}")
    return tuple(entries)


def _commit(directory: Path, entries: tuple[_Entry, ...], fault: Fault) -> None:
    staging = directory / STAGING
    lines = [{"target": e.target, "old": e.old, "new": e.new, "staged": e.staged} for e in entries]
    _put(staging / "journal.new", json.dumps(lines).encode())
    _sync(directory)
    fault("journal written")
    (staging / "journal.new").rename(staging / _JOURNAL)
    _sync(staging)
    fault("committed")


def _finish(directory: Path, entries: tuple[_Entry, ...], fault: Fault = lambda _: None) -> None:
    try:
        for number, entry in enumerate(entries):
            _replace(directory, entry)
            fault(f"replaced {number}")
        for parent in {
            parent for entry in entries for parent in (directory / entry.target).parents if parent.is_relative_to(directory)
        }:
            _sync(parent)
    except OSError as error:
        raise WriteError(f"{directory}: the write is not finished; mend this and run again: {_reason(error)}") from error
    fault("synced")
    _drop(directory)


def _replace(directory: Path, entry: _Entry) -> None:
    target = directory / entry.target
    if entry.new == REMOVED:
        target.unlink()
        return
    staged = directory / STAGING / entry.staged
    if entry.old != REMOVED:
        staged.chmod(stat.S_IMODE(target.stat().st_mode))
    target.parent.mkdir(parents=True, exist_ok=True)
    staged.rename(target)


def _drop(directory: Path) -> None:
    """Remove the staging directory, the journal first: what is left of it is then no more than staging."""
    staging = directory / STAGING
    if not staging.exists():
        return
    (staging / _JOURNAL).unlink(missing_ok=True)
    for left in staging.iterdir():
        left.unlink()
    staging.rmdir()
    _sync(directory)


def _journal(directory: Path) -> tuple[_Entry, ...] | None:
    with contextlib.suppress(FileNotFoundError):
        lines = json.loads((directory / STAGING / _JOURNAL).read_bytes())
        return tuple(_Entry(**line) for line in lines)
    return None


def _put(path: Path, content: bytes) -> None:
    with path.open("xb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _sync(directory: Path) -> None:
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno != errno.EINVAL:  # a file system that cannot sync a directory
            raise
    finally:
        os.close(descriptor)


def _digest_of(path: Path) -> str:
    try:
        return digest(path.read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        return REMOVED


def _reason(error: OSError) -> str:
    return f"{error.filename}: {error.strerror}" if error.filename else str(error)
