"""The one writer of files below a directory.

    with locked(directory):            # waits for other writers
        ...read, decide...
        write(directory, changes)      # staged beside the targets, then renamed over them

Each file is whole at any moment. An error before the first rename changes nothing. If the process ends between two renames, some files are
new and some are old: every command that writes computes the same result from both, so its next run completes the work.

No link is followed. A target is compared with what was read immediately before its rename: only an edit by a program that ignores the lock,
within the microseconds between the two, is lost.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import stat
import threading
import time
from typing import TYPE_CHECKING

from krm_values._data.errors import InputError, UserError
from krm_values._data.record import record
from krm_values._krm.files import ABSENT, IS_POSIX, Below, UnsafePathError, check, leads_out, open_regular

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path


REMOVED = ABSENT
STAGED = ".krm-values-"
"""The beginning of the name of a staged file; 32 hex digits follow, without an extension that a host reads."""
_NAME = re.compile(re.escape(STAGED) + "[0-9a-f]{32}")
_POLL = 0.05
_ANYBODY, _OWNER = 0o777, 0o700
"""Modes of new folders."""
_UMASK = threading.Lock()
"""The umask can be read only by setting it, which no two threads may do at once."""
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | (os.O_NOFOLLOW | os.O_CLOEXEC if IS_POSIX else getattr(os, "O_BINARY", 0))
_ELSEWHERE = re.compile(r"[\\:]")
"""What leads elsewhere in a name on Windows."""


@record
class Change:
    """A file below the directory: its slash path, the digest that it must still have, and its new bytes (None: remove it).

    secret: a new file holds a Secret, so only its owner may read it.
    """

    path: str
    old: str
    new: bytes | None
    secret: bool = False

    @property
    def folder_mode(self) -> int:
        """The mode of folders that are made for the file."""
        return _OWNER if self.secret and self.old == REMOVED else _ANYBODY


class WriteError(UserError):
    """A write that was refused or could not be completed; the message says what to do."""


class ChangedError(WriteError):
    """A target has changed since it was read."""


def digest(content: bytes | None) -> str:
    """Return the SHA-256 of a file's content, in hex; `removed` for None."""
    return REMOVED if content is None else hashlib.sha256(content).hexdigest()


@contextlib.contextmanager
def locked(directory: Path, *, timeout: float = 60.0) -> Iterator[None]:
    """Hold the directory's lock during a `with` block. WriteError after `timeout` seconds.

    The lock is an flock on the directory itself: it leaves no file behind and ends with the process.
    """
    with Below(directory) as below:
        import fcntl  # noqa: PLC0415 - not on Windows, where no directory is opened

        until = time.monotonic() + timeout
        while True:
            try:
                fcntl.flock(below.descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                left = until - time.monotonic()
            if left <= 0:
                text = f"another command is writing here; waited {timeout:g} seconds (`--lock-timeout`)"
                raise WriteError(f"{directory}: {text}")
            time.sleep(min(_POLL, left))
        yield


def write(directory: Path, changes: Iterable[Change]) -> None:
    """Make the changes in their order; the caller holds the lock. WriteError, with nothing written, if a target has changed since it was read."""
    wanted = [change for change in changes if change.old != digest(change.new)]
    with Below(directory) as below:
        staged: dict[str, str] = {}  # by target, until it is renamed
        done = 0
        try:
            _refuse_below_files(wanted)
            for change in wanted:
                _refuse_unfit(below, change)
            _stage(below, wanted, staged)
            for change in wanted:
                _refuse_unfit(below, change)
            for done, change in enumerate(wanted):  # noqa: B007 - after an error it is the number of renames
                _replace(below, change, staged)
            done = len(wanted)
            _sync(below, (change.path for change in wanted))
        except (OSError, UnsafePathError, WriteError) as error:
            _drop(below, staged.values())
            far = f"{done} of {len(wanted)} files are written, the next run writes the rest" if done else "nothing was written"
            text = f"{error.message}; {far}" if isinstance(error, WriteError) else f"{directory}: {far}: {reason(error)}"
            raise (ChangedError if isinstance(error, ChangedError) else WriteError)(text) from error


def clear(directory: Path, names: Iterable[str]) -> Iterator[str]:
    """Remove the files that an interrupted write of this user has staged; yield a message on each that looks staged and stays.

    The caller holds the lock. names: paths below the directory.
    """
    with Below(directory) as below:
        for name in names:
            last = name.rpartition("/")[2]
            if not last.startswith(STAGED):
                continue
            try:
                found = below.stat(name)
                is_ours = stat.S_ISREG(found.st_mode) and found.st_uid == os.geteuid() and _NAME.fullmatch(last)
                if is_ours:
                    below.unlink(name)
                    continue
            except FileNotFoundError:
                continue  # its writer was not interrupted
            except (OSError, UnsafePathError):
                pass
            yield f"{directory / name}: looks like a file that another user has staged: remove it if no other command is writing here"


def create(directory: Path, changes: Iterable[Change]) -> None:
    """Create a directory with these files atomically: it gets its name when it is complete. WriteError, without a directory, if that fails."""
    staged = directory.with_name(_fresh())
    with made(directory.parent):
        try:
            staged.mkdir()
            _fill(staged, changes)
            staged.rename(directory)
        except BaseException as error:
            shutil.rmtree(staged, ignore_errors=True)
            if not isinstance(error, (OSError, UnsafePathError)):
                raise
            raise WriteError(f"{directory}: nothing was written: {reason(error)}") from error


def _fill(directory: Path, changes: Iterable[Change]) -> None:
    """Write files into a directory that has just been made."""
    if not IS_POSIX:  # nobody else knows the name of the directory, so that no link can be in it
        for change in changes:
            check(change.path)
            if _ELSEWHERE.search(change.path):
                raise UnsafePathError(f"{change.path}: must not have `\\` or `:` in its name on this system")
            (directory / change.path).parent.mkdir(change.folder_mode, parents=True, exist_ok=True)
            _put(None, str(directory / change.path), change.new or b"", new_mode(secret=change.secret))
        return
    with Below(directory) as below:
        for change in changes:
            check(change.path)
            with below.parent(change.path, make=change.folder_mode) as folder:
                _put(folder, change.path.rpartition("/")[2], change.new or b"", new_mode(secret=change.secret))


@contextlib.contextmanager
def made(directory: Path) -> Iterator[None]:
    """Create a directory, with its parents, for a `with` block; if an error leaves the new ones empty, they are removed again."""
    missing = [path for path in (directory, *directory.parents) if not os.path.lexists(path)]
    try:
        try:
            directory.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise WriteError(f"{directory}: nothing was written: {reason(error)}") from error
        yield
    except BaseException:
        for path in missing:
            with contextlib.suppress(OSError):
                path.rmdir()
        raise


def put_file(path: Path, content: bytes | Iterable[bytes], *, secret: bool = False, executable: bool = False) -> None:
    """Write a file atomically. A link of that name is replaced, and its target is unchanged.

    content: also in pieces, of which an error leaves nothing. secret: only the owner may read it.
    """
    mode = new_mode(secret=secret, executable=executable)
    with made(path.parent), contextlib.ExitStack() as stack:
        folder = stack.enter_context(Below(path.parent)).descriptor if IS_POSIX else None
        staged, name = (_fresh(), path.name) if IS_POSIX else (str(path.with_name(_fresh())), str(path))
        try:
            _put(folder, staged, content, mode)
            (os.rename if IS_POSIX else os.replace)(staged, name, src_dir_fd=folder, dst_dir_fd=folder)
        except BaseException as error:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(staged, dir_fd=folder)
            if not isinstance(error, OSError):
                raise
            raise WriteError(f"{path}: was not written: {reason(error)}") from error


def refuse_link_out(directory: Path, path: Path) -> None:
    """Raise InputError if a path inside the directory, whose content cannot be trusted, is behind a link that leads out of it."""
    if leads_out(directory, path):
        raise InputError("is a symbolic link that leads out of the directory, or below one: name another place", file=str(path))


def reason(error: OSError | UnsafePathError) -> str:
    """Return the system's message, with the file that it is about."""
    if not isinstance(error, OSError):
        return str(error)
    text = error.strerror or str(error)
    if error.filename and STAGED not in str(error.filename):
        text = f"{error.filename}: {text}"
    if isinstance(error, PermissionError) and IS_POSIX:
        text += f" for user {os.geteuid()}; run this as the owner of the directory, in a container with `docker run --user UID`"
    return text


def new_mode(*, secret: bool = False, executable: bool = False) -> int:
    """Return the mode of a new file: by the umask, or for its owner only."""
    if secret:
        return 0o600
    with _UMASK:
        mask = os.umask(0o077)
        os.umask(mask)
    return (0o777 if executable else 0o666) & ~mask


def _refuse_below_files(changes: Iterable[Change]) -> None:
    """Raise WriteError if a new file is a folder of another one."""
    new = {change.path for change in changes if change.new is not None}
    for path in sorted(new):
        names = path.split("/")
        above = next((part for end in range(1, len(names)) if (part := "/".join(names[:end])) in new), "")
        if above:
            raise WriteError(f"{path}: must not be below `{above}`, which is to be a file")


def _refuse_unfit(below: Below, change: Change) -> None:
    """Raise WriteError unless a target is absent or a regular file with one name, in a real directory, and unchanged since it was read."""
    path = change.path
    try:
        found = below.digest(path)
        names = below.stat(path).st_nlink if found != REMOVED else 1
    except FileNotFoundError:
        found, names = REMOVED, 1
    except UnsafePathError as error:
        raise WriteError(f"{path or 'the empty path'}: {error}") from None
    if found != change.old:
        raise ChangedError(f"{path}: was changed in the meantime, run again")
    if names > 1:
        text = f"must not be a hard link, found a file with {names} names: replacing it would part them"
        raise WriteError(f"{path}: {text}; copy it first")


def _stage(below: Below, changes: Iterable[Change], staged: dict[str, str]) -> None:
    """Write the new content beside its targets; if a target's folder does not exist, above it."""
    for change in changes:
        if change.new is not None:
            name = _fresh()
            staged[change.path] = place = below.nearest(change.path) + name
            with below.parent(place) as folder:
                _put(folder, name, change.new)


def _replace(below: Below, change: Change, staged: dict[str, str]) -> None:
    """Rename a staged file over its target, or remove the target, if that is unchanged: which is checked as late as possible."""
    if change.new is None:
        _refuse_unfit(below, change)
        below.unlink(change.path)
        return
    place, name = staged[change.path], change.path.rpartition("/")[2]
    with below.parent(place) as source, below.parent(change.path, make=change.folder_mode) as target:
        descriptor = open_regular(source, place)
        try:
            if change.old == REMOVED:
                os.fchmod(descriptor, new_mode(secret=change.secret))
            else:
                _as_before(target, name, descriptor)
        finally:
            os.close(descriptor)
        _refuse_unfit(below, change)
        os.rename(place.rpartition("/")[2], name, src_dir_fd=source, dst_dir_fd=target)
    del staged[change.path]


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


def _sync(below: Below, paths: Iterable[str]) -> None:
    """Make the directory entries of these files durable, and those of the folders above them."""
    names = [path.split("/")[:-1] for path in paths]
    for folder in {"/".join([*above[:size], ""]) for above in names for size in range(len(above) + 1)}:
        with contextlib.suppress(FileNotFoundError):
            below.sync(f"{folder}x")  # which takes a file: `x` stands for any in the folder


def _drop(below: Below, staged: Iterable[str]) -> None:
    """Remove staged files; one whose folder has been moved or replaced is left for the next command."""
    for place in staged:
        with contextlib.suppress(OSError, UnsafePathError):
            below.unlink(place)


def _fresh() -> str:
    return f"{STAGED}{os.urandom(16).hex()}"


def _put(folder: int | None, name: str, content: bytes | Iterable[bytes], mode: int = 0o600) -> None:
    """Write a new file durably, in an open folder or by its whole path; FileExistsError if it exists."""
    descriptor = os.open(name, _CREATE, 0o600, dir_fd=folder)
    with os.fdopen(descriptor, "wb") as file:
        if IS_POSIX:
            os.fchmod(descriptor, mode)
        file.writelines([content] if isinstance(content, bytes) else content)
        file.flush()
        os.fsync(descriptor)
