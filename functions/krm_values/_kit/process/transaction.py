"""The one writer of files: a set of changes below a directory takes effect as a whole, or not at all.

    with locked(directory):            # waits for other writers, finishes or discards what an earlier one left
        ...read, decide...
        write(directory, changes)      # journal outside, stage beside the targets, commit, rename over the targets

Each file is whole at any moment; after the next writing command all are old or all are new. In the directory only the staged files that our
own journal lists are treated as ours, and no link is followed.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import stat
import time
from typing import TYPE_CHECKING

from krm_values._data.errors import InputError, UserError
from krm_values._data.record import record
from krm_values._kit.process.below import ABSENT, Below, UnsafePathError, leads_out, open_regular
from krm_values._kit.process.journal import INTENT, JOURNAL, PREFIX, Entry, State, put, staged_beside, unfinished

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path
    from typing import TypeAlias

    Fault: TypeAlias = Callable[[str], None]
    """Called with each step before the next one begins, so that a test can end the process there."""

REMOVED = ABSENT
STAGED = PREFIX
OLD_STAGING = ".krm-values"
"""Where 0.1.0 kept staged files and its journal, in the directory itself."""
_POLL = 0.05
ANYBODY, OWNER = 0o777, 0o700
"""Modes of new folders."""
_AGAIN = "was changed in the meantime"


@record
class Change:
    """A file below the directory: its slash path, the digest that it must still have, and its new bytes (None: remove it).

    secret: a new file holds a Secret, so only its owner may read it.
    """

    path: str
    old: str
    new: bytes | None
    secret: bool = False


class WriteError(UserError):
    """A write that was refused or could not be finished; the message says what to do."""


def digest(content: bytes | None) -> str:
    """Return the SHA-256 of a file's content, in hex; `removed` for None."""
    return REMOVED if content is None else hashlib.sha256(content).hexdigest()


@contextlib.contextmanager
def locked(directory: Path, *, timeout: float = 60.0) -> Iterator[tuple[str, ...]]:
    """Hold the directory's lock during a `with` block, which gets the paths of an earlier write that was finished first. WriteError after `timeout` seconds.

    The lock is an flock on the directory itself: it leaves no file behind and ends with the process.
    """
    with Below(directory) as below:
        _lock(below.descriptor, directory, timeout)
        yield _recover(below)


def write(directory: Path, changes: Iterable[Change], fault: Fault = lambda _: None) -> None:
    """Make the changes; the caller holds the lock. WriteError, with nothing written, if a target has changed since it was read."""
    wanted = tuple(change for change in changes if change.old != digest(change.new))
    if not wanted:
        return
    with Below(directory) as below, State(directory) as state:
        for change in wanted:
            _refuse_unfit(below, change.path, change.old)
        _refuse_below_files(wanted)
        fault("checked")
        entries: tuple[Entry, ...] = ()
        try:
            entries = tuple(_entry(below, change) for change in wanted)
            state.begin(entries)
            fault("intent written")
            _stage(below, entries, wanted, fault)
            for entry in entries:
                _refuse_unfit(below, entry.target, entry.old)
            state.commit()
        except (OSError, UnsafePathError, WriteError) as error:
            _drop(below, state, entries)
            if isinstance(error, WriteError):
                raise
            raise WriteError(f"{directory}: nothing was written: {reason(error)}") from error
        _finish(below, state, entries, fault)


def recover(directory: Path) -> None:
    """Finish a committed write, discard an uncommitted one. WriteError names a target that is neither old nor new."""
    with Below(directory) as below:
        _recover(below)


def _recover(below: Below) -> tuple[str, ...]:
    """Return the paths of the write that was finished."""
    with State(below.path) as state:
        state.clean()
        dropped = state.read(INTENT)
        if dropped is not None:
            _drop(below, state, dropped)
        entries = state.read(JOURNAL)
        if entries is not None:
            _finish(below, state, tuple(_pending(below, state, entries)))
        return tuple(entry.target for entry in entries or ())


def refuse_link_out(directory: Path, path: Path) -> None:
    """Raise InputError if a path inside the directory, whose content cannot be trusted, is behind a link that leads out of it."""
    if leads_out(directory, path):
        raise InputError("is a symbolic link that leads out of the directory, or below one: name another place", file=str(path))


def refuse_unfinished(directory: Path) -> None:
    """Raise InputError if a committed write is not finished: a reader would see a mixture of old and new files."""
    if unfinished(directory):
        raise InputError(
            "holds an unfinished write; the next command that writes here finishes it",
            file=str(directory),
        )


def left_behind(directory: Path, names: Iterable[str]) -> Iterator[str]:
    """Yield messages on files that look staged and that no journal of this user lists: they are neither read nor removed.

    names: paths below the directory, of all files or of those in the folders that a command examines.
    """
    if os.path.isdir(directory / OLD_STAGING) and os.path.lexists(directory / OLD_STAGING / "journal"):
        text = (
            "an unfinished write of krm-values 0.1.0: compare the files with your version control, then remove that directory"
        )
        yield f"{directory / OLD_STAGING}: looks like {text}"
    for name in names:
        if name.rpartition("/")[2].startswith(STAGED):
            text = (
                "a text that an interrupted write, or another user, has staged: remove it if no other command is writing here"
            )
            yield f"{directory / name}: looks like {text}"


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


def _entry(below: Below, change: Change) -> Entry:
    staged = "" if change.new is None else staged_beside(below.nearest(change.path))
    return Entry(change.path, change.old, digest(change.new), staged, change.secret)


def _refuse_unfit(below: Below, path: str, old: str) -> None:
    """Raise WriteError unless a target is absent or a regular file with one name, in a real directory, and unchanged since it was read."""
    try:
        found = below.digest(path)
        names = below.stat(path).st_nlink if found != REMOVED else 1
    except FileNotFoundError:
        found, names = REMOVED, 1
    except UnsafePathError as error:
        raise WriteError(f"{path or 'the empty path'}: {error}; nothing was written") from None
    if found != old:
        raise WriteError(f"{path}: {_AGAIN}; nothing was written, run again")
    if names > 1:
        text = "must not be a hard link, found a file with {} names: replacing it would part them"
        raise WriteError(f"{path}: {text.format(names)}; copy it first; nothing was written")


def _refuse_below_files(changes: tuple[Change, ...]) -> None:
    """Raise WriteError if a new file is a folder of another one."""
    new = {change.path for change in changes if change.new is not None}
    for path in sorted(new):
        names = path.split("/")
        above = next((part for end in range(1, len(names)) if (part := "/".join(names[:end])) in new), "")
        if above:
            raise WriteError(f"{path}: must not be below `{above}`, which is to be a file; nothing was written")


def _stage(below: Below, entries: tuple[Entry, ...], changes: tuple[Change, ...], fault: Fault) -> None:
    """Write the new content beside its targets; if a target's folder does not exist, above it."""
    for number, (entry, change) in enumerate(zip(entries, changes, strict=True)):
        if change.new is not None:
            with below.parent(entry.staged) as folder:
                put(folder, entry.staged.rpartition("/")[2], change.new)
        fault(f"staged {number}")
    for staged in {entry.staged.rpartition("/")[0]: entry.staged for entry in entries if entry.staged}.values():
        below.sync(staged)


def _pending(below: Below, state: State, entries: Iterable[Entry]) -> Iterator[Entry]:
    """Yield the entries of a committed write that are not done, each checked as in a new write."""
    advice = f"restore it, or remove {state.path}/{JOURNAL} to keep every file as it is now"
    for entry in entries:
        try:
            found = below.digest(entry.target)
            staged = below.digest(entry.staged) if entry.staged and found == entry.old != entry.new else entry.new
        except (UnsafePathError, OSError) as error:
            raise WriteError(
                f"{entry.target}: cannot be finished after a write that was interrupted: {error}; {advice}"
            ) from None
        if found not in (entry.old, entry.new):
            raise WriteError(f"{entry.target}: was changed after a write that was interrupted; {advice}")
        if staged != entry.new:
            raise WriteError(f"{entry.staged}: is not what the interrupted write has staged for {entry.target}; {advice}")
        if found == entry.old:
            yield entry


def _finish(below: Below, state: State, entries: tuple[Entry, ...], fault: Fault = lambda _: None) -> None:
    try:
        state.sync()
        fault("committed")
        for number, entry in enumerate(entries):
            _replace(below, state, entry)
            fault(f"replaced {number}")
        for folder in {folder for entry in entries for folder in _folders(entry.target)}:
            with contextlib.suppress(FileNotFoundError):
                below.sync(f"{folder}x")
    except (OSError, UnsafePathError) as error:
        raise WriteError(f"{below.path}: the write is not finished; correct this and run again: {reason(error)}") from error
    fault("synced")
    state.remove(JOURNAL)


def _replace(below: Below, state: State, entry: Entry) -> None:
    """Replace one target, if it is still unchanged; that is checked as late as possible."""
    if entry.new == REMOVED:
        _check_again(below, state, entry)
        below.unlink(entry.target)
        return
    with below.parent(entry.staged) as source, below.parent(entry.target, make=_folder_mode(entry)) as target:
        staged, name = entry.staged.rpartition("/")[2], entry.target.rpartition("/")[2]
        descriptor = open_regular(source, staged)
        try:
            if entry.old == REMOVED:
                os.fchmod(descriptor, new_mode(secret=entry.secret))
            else:
                _as_before(target, name, descriptor)
        finally:
            os.close(descriptor)
        _check_again(below, state, entry)
        os.rename(staged, name, src_dir_fd=source, dst_dir_fd=target)


def _check_again(below: Below, state: State, entry: Entry) -> None:
    if below.digest(entry.target) != entry.old:
        advice = f"restore it and run again, or remove {state.path}/{JOURNAL} to keep every file as it is now"
        raise WriteError(f"{entry.target}: {_AGAIN}; the write is not finished: {advice}")


def _as_before(folder: int, name: str, descriptor: int) -> None:
    """Copy owner, group, mode and extended attributes from the replaced file, as far as this user may set them."""
    old = open_regular(folder, name)
    try:
        facts = os.fstat(old)
        new = os.fstat(descriptor)
        if (facts.st_uid, facts.st_gid) != (new.st_uid, new.st_gid):
            for uid, gid in ((facts.st_uid, facts.st_gid), (-1, facts.st_gid)):
                with contextlib.suppress(PermissionError):
                    os.fchown(descriptor, uid, gid)
                    break
        os.fchmod(descriptor, stat.S_IMODE(facts.st_mode))
        for attribute in os.listxattr(old) if hasattr(os, "listxattr") else ():
            with contextlib.suppress(OSError):
                os.setxattr(descriptor, attribute, os.getxattr(old, attribute))
    finally:
        os.close(old)


def new_mode(*, secret: bool = False) -> int:
    """Return the mode of a new file: by the umask, or for its owner only."""
    if secret:
        return 0o600
    mask = os.umask(0o077)
    os.umask(mask)
    return 0o666 & ~mask


def _folder_mode(entry: Entry) -> int:
    return OWNER if entry.secret and entry.old == REMOVED else ANYBODY


def _drop(below: Below, state: State, entries: Iterable[Entry]) -> None:
    """Remove the staged files that exist, then the intent; the intent stays for the next command if a staged file may remain."""
    is_left = False
    for entry in entries:
        if entry.staged:
            is_left |= not _dropped(below, entry.staged)
    if not is_left:
        state.remove(INTENT)
    state.clean()


def _dropped(below: Below, staged: str) -> bool:
    """Return whether a staged file is gone; not if its folder has been moved or replaced."""
    try:
        with below.parent(staged) as folder, contextlib.suppress(FileNotFoundError):
            os.unlink(staged.rpartition("/")[2], dir_fd=folder)
    except (OSError, UnsafePathError):
        return False
    return True


def _folders(path: str) -> Iterator[str]:
    """Yield every folder above a path, each "" or ending in a slash."""
    names = path.split("/")[:-1]
    yield from ("/".join([*names[:size], ""]) for size in range(len(names) + 1))


def reason(error: OSError | UnsafePathError) -> str:
    """Return the system's message, with the file that it is about."""
    if not isinstance(error, OSError):
        return str(error)
    text = f"{error.filename}: {error.strerror}" if error.filename else str(error)
    if isinstance(error, PermissionError):
        text += f" for user {os.geteuid()}; run this as the owner of the directory, in a container with `docker run --user UID`"
    return text
