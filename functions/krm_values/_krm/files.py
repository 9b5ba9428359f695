"""Files below a directory, reached without following links: each step starts at a directory that is already open.

Paths are slash paths relative to the directory. No content of a package can lead out of it, even if a directory is replaced by a link at the
same time. Where no directory can be opened (Windows), files are only read, and by their names: no content leads out, but a program that
replaces directories by links in the same microseconds is not withstood.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import io
import os
import re
import stat
from typing import TYPE_CHECKING

from krm_values._data.errors import InputError
from krm_values._data.limits import DEFAULT, beyond, bounded

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import Self

    from krm_values._data.limits import Limits


ABSENT = "removed"
"""The digest of a file that does not exist."""
IS_POSIX = os.open in os.supports_dir_fd
"""Whether a file can be opened from a directory that is open. Windows cannot do that, and has none of the flags."""
_CLOEXEC = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC if IS_POSIX else 0
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC if IS_POSIX else os.O_RDONLY | _CLOEXEC
_CHUNK = 1 << 20
_NO_TEXT = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udc7f\udd00-\udfff]")
"""Control characters, and surrogates that stand for bytes of a name that are not UTF-8."""


class UnsafePathError(Exception):
    """A path that is not that of a regular file below the directory; the message says why."""


class LeadsOutError(InputError):
    """A link out of the directory. The caller, who knows the option, says how to allow it."""


class TooLargeError(InputError):
    """A file that is larger than a limit. The caller, who knows the limit, says how to raise it."""


class Below:
    """An open directory, closed at the end of a `with` block."""

    __slots__ = ("descriptor", "path")

    def __init__(self, path: Path) -> None:
        if not IS_POSIX:
            text = "files are written in place on Linux and macOS only, where no link can lead out of a directory unseen"
            raise InputError(f"{text}: use WSL or a container, or write a copy with `krm-values render -o OUT`", file=str(path))
        self.path = path
        self.descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self.descriptor)

    @contextlib.contextmanager
    def parent(self, path: str, *, make: int = 0) -> Iterator[int]:
        """Open the directory that holds `path`. FileNotFoundError if it does not exist. make: the mode with which to create missing directories."""
        if "/" not in path:
            yield self.descriptor
            return
        here = os.dup(self.descriptor)
        try:
            for name in path.split("/")[:-1]:
                here = _entered(here, name, make, path)
            yield here
        finally:
            os.close(here)

    def nearest(self, path: str) -> str:
        """Return the deepest existing directory above `path`, ending in a slash; "" for the directory itself."""
        names = path.split("/")[:-1]
        for size in range(len(names), 0, -1):
            with contextlib.suppress(FileNotFoundError), self.parent("/".join([*names[:size], ""])):
                return "/".join([*names[:size], ""])
        return ""

    def read(self, path: str, most: int, *, follow: bool = False) -> bytes:
        """Return the content of a regular file; links are followed as long as they stay below the directory. follow: follow any link.

        InputError for anything else, for a link that leads out, and beyond `most` bytes.
        """
        try:
            with self.parent(path) as folder:
                return _content(open_regular(folder, path), most)
        except UnsafePathError as error:
            target = self._behind(path, follow=follow)
            if target is None:
                raise InputError(str(error), file=path) from None
        except TooLargeError as error:
            raise TooLargeError(error.message, file=path) from None
        try:
            return _content(_opened(target, None), most)
        except TooLargeError as error:
            raise TooLargeError(f"is a link, and what it leads to {error.message}", file=path) from None
        except UnsafePathError as error:
            raise InputError(f"is a link, and what it leads to {error}", file=path) from None

    def _behind(self, path: str, *, follow: bool) -> str | None:
        """Return the real path of a path with links; None if it has none. InputError if it may not be read."""
        root, whole = os.path.realpath(self.path), os.path.join(self.path, path)
        try:
            target = os.path.realpath(whole, strict=True)
        except OSError as error:
            fact = "in a circle" if error.errno == errno.ELOOP else "to a file that does not exist"
            raise InputError(f"is a link that leads {fact}: correct it or remove it", file=path) from None
        if _same(target, os.path.join(root, path)):
            return None
        if not follow and not target.startswith(f"{root}{os.sep}"):
            raise LeadsOutError("is a symbolic link that leads out of the directory: put a copy of the file there", file=path)
        return target

    def digest(self, path: str) -> str:
        """Return the SHA-256 of a regular file, in hex; `removed` if it does not exist. UnsafePathError for anything else."""
        check(path)
        try:
            with self.parent(path) as folder:
                return _digest(folder, path)
        except OSError as error:
            if error.errno not in (errno.ENOENT, errno.ENAMETOOLONG):
                raise
            self._check_names(path)
            return ABSENT

    def git_object(self, path: str, *, is_sha1: bool) -> str:
        """Return the name of the git object with the content of a regular file. UnsafePathError for anything else."""
        with self.parent(path) as folder:
            size = os.stat(path.rpartition("/")[2], dir_fd=folder, follow_symlinks=False).st_size
            return _digest(folder, path, b"blob %d\0" % size, is_sha1=is_sha1)

    def _check_names(self, path: str) -> None:
        """Raise UnsafePathError for a name that is longer than the file system allows; below a missing directory the system does not report that."""
        for name in path.split("/"):
            try:
                os.stat(name, dir_fd=self.descriptor, follow_symlinks=False)
            except OSError as error:
                if error.errno == errno.ENAMETOOLONG:
                    raise UnsafePathError("has a name that is too long for the file system") from None

    def stat(self, path: str) -> os.stat_result:
        """Return the status of a file; of a link, its own."""
        with self.parent(path) as folder:
            return os.stat(path.rpartition("/")[2], dir_fd=folder, follow_symlinks=False)

    def unlink(self, path: str) -> None:
        """Remove a file or a link."""
        with self.parent(path) as folder:
            os.unlink(path.rpartition("/")[2], dir_fd=folder)

    def sync(self, path: str) -> None:
        """Make the directory entries of the directory that holds `path` durable."""
        with self.parent(path) as folder:
            sync(folder)


class ByName(Below):
    """A directory of which the files are read by their names, where none can be opened; nothing is written below it."""

    __slots__ = ()

    def __init__(self, path: Path) -> None:
        self.path, self.descriptor = path, -1
        os.scandir(path).close()  # which says why if it cannot be read

    def __exit__(self, *_: object) -> None:
        pass

    def read(self, path: str, most: int, *, follow: bool = False) -> bytes:
        """Do as `Below.read`."""
        os.lstat(os.path.join(self.path, path))  # what does not exist is no broken link
        target = self._behind(path, follow=follow)
        try:
            return _content(_opened(target or self._whole(path), None), most)
        except TooLargeError as error:
            raise TooLargeError(
                f"is a link, and what it leads to {error.message}" if target else error.message, file=path
            ) from None
        except UnsafePathError as error:
            raise InputError(f"is a link, and what it leads to {error}" if target else str(error), file=path) from None

    def digest(self, path: str) -> str:
        """Do as `Below.digest`."""
        check(path)
        try:
            return _digest(None, self._unlinked(path))
        except FileNotFoundError:
            return ABSENT

    def git_object(self, path: str, *, is_sha1: bool) -> str:
        """Do as `Below.git_object`."""
        return _digest(None, self._unlinked(path), b"blob %d\0" % self.stat(path).st_size, is_sha1=is_sha1)

    def stat(self, path: str) -> os.stat_result:
        """Do as `Below.stat`."""
        return os.lstat(os.path.join(self._whole(os.path.dirname(path)), os.path.basename(path)))

    def _whole(self, path: str) -> str:
        return os.path.join(os.path.realpath(self.path), path)

    def _unlinked(self, path: str) -> str:
        """Return the whole path of a file. UnsafePathError if it is a link or below one."""
        whole = self._whole(path)
        if not _same(os.path.realpath(whole), whole):
            raise UnsafePathError("must not be a symbolic link or below one")
        return whole


def reading(path: Path) -> Below:
    """Open a directory to read files below it."""
    return Below(path) if IS_POSIX else ByName(path)


def read_named(path: str, limits: Limits = DEFAULT) -> bytes:
    """Return the content of a file that the user has named, which may be a link, a pipe or a device. InputError beyond the limit."""
    try:
        return _content(os.open(path, os.O_RDONLY | _CLOEXEC), limits.input_bytes)
    except TooLargeError as error:
        raise InputError(beyond(limits, "input_bytes", error.message), file=path) from None
    except IsADirectoryError:
        raise InputError("must be a file, found a directory", file=path) from None


def content_of(path: Path, most: int) -> bytes:
    """Return the content of a regular file that is no link. UnsafePathError for anything else, TooLargeError beyond `most` bytes."""
    return _content(_opened(str(path), None), most)


def check(path: str) -> None:
    """Raise UnsafePathError unless the path leads downwards only and has no control character."""
    if any(part in ("", ".", "..") for part in path.split("/")):
        raise UnsafePathError("must be a relative path inside the directory")
    if _NO_TEXT.search(path):
        raise UnsafePathError("must not have control characters or lone surrogates in its name")


def leads_out(root: Path, path: Path) -> bool:
    """Return whether a path that seems to be inside the directory, and will be written, is behind a link that leads out of it."""
    inside = os.path.join(os.path.abspath(root), "")
    return os.path.abspath(path).startswith(inside) and not os.path.realpath(path).startswith(
        os.path.join(os.path.realpath(root), "")
    )


def sync(descriptor: int) -> None:
    """Call `fsync`, where the file system supports it for directories."""
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno != errno.EINVAL:
            raise


def open_regular(folder: int, path: str) -> int:
    """Open a regular file in its open directory; of its path only the name counts. UnsafePathError for a link, a directory or a device."""
    return _opened(path.rpartition("/")[2], folder)


def _same(one: str, other: str) -> bool:
    return os.path.normcase(os.path.normpath(one)) == os.path.normcase(os.path.normpath(other))


def _opened(name: str, folder: int | None) -> int:
    """Open a regular file; without a folder, the name is absolute."""
    if not IS_POSIX:
        return _opened_by_name(name)
    try:
        found = os.open(name, _FILE, dir_fd=folder)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.EMLINK, errno.ENXIO):
            raise UnsafePathError(_why_unsafe(folder, name)) from None
        raise
    if not stat.S_ISREG(os.fstat(found).st_mode):
        os.close(found)
        raise UnsafePathError(_why_unsafe(folder, name))
    return found


def _opened_by_name(name: str) -> int:
    """Open a regular file; one that has become a link since it was looked at is refused."""
    before = os.lstat(name)
    if not stat.S_ISREG(before.st_mode):
        raise UnsafePathError(_why_unsafe(None, name))
    found = os.open(name, _FILE)
    if not os.path.samestat(os.fstat(found), before):
        os.close(found)
        raise UnsafePathError("was replaced while it was read: run again")
    return found


def _content(descriptor: int, most: int) -> bytes:
    """Return the content of an open file, and close it. TooLargeError beyond a limit; a file whose size exceeds it is not read."""
    with os.fdopen(descriptor, "rb", buffering=0) as file:
        size = os.fstat(descriptor).st_size
        found = file.read(size + 1) if size <= most else b""
        if size <= most and len(found) != size:  # it is being written, or has no size
            with io.BufferedReader(file) as rest:
                found += bounded(rest, most - len(found))
    if max(size, len(found)) > most:
        count = f"found {size:,}" if size > most else "found more"
        raise TooLargeError(f"must not have more than {most:,} bytes, {count}")
    return found


def _digest(folder: int | None, path: str, head: bytes = b"", *, is_sha1: bool = False) -> str:
    """Return the digest of a regular file in its open directory; without one, the path is absolute."""
    found = _opened(path, None) if folder is None else open_regular(folder, path)
    try:
        total = hashlib.sha1(head, usedforsecurity=False) if is_sha1 else hashlib.sha256(head)
        while chunk := os.read(found, _CHUNK):
            total.update(chunk)
        return total.hexdigest()
    finally:
        os.close(found)


def _entered(here: int, name: str, make: int, path: str) -> int:
    """Open the directory of this name, and close the one above it."""
    if make:
        with contextlib.suppress(FileExistsError):
            os.mkdir(name, make, dir_fd=here)
    try:
        inside = os.open(name or ".", _FOLDER, dir_fd=here)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENOTDIR, errno.EMLINK):
            with contextlib.suppress(OSError):
                raise UnsafePathError(_why_unsafe(here, name, above=path)) from None
        raise
    os.close(here)
    return inside


def _why_unsafe(folder: int | None, name: str, *, above: str = "") -> str:
    """Return why a name may not be opened: it is a link, or not the kind of file that is expected."""
    mode = (os.lstat(name) if folder is None else os.stat(name, dir_fd=folder, follow_symlinks=False)).st_mode
    if stat.S_ISLNK(mode):
        target = os.readlink(name) if folder is None else os.readlink(name, dir_fd=folder)
        return f'must not be a symbolic link or below one, found one to "{target}"'
    return "must be below a directory, found a file above it" if above else "must be a file, found a directory or a device"


# Reads the files of an untrusted directory: regular ones only, no link out of it, up to the limits.


class Reader:
    """Reads files below one directory, by slash paths. Closed at the end of a `with` block."""

    __slots__ = ("_below", "_files", "_follow", "_left", "limits")

    def __init__(self, directory: Path, limits: Limits = DEFAULT, *, follow_links: bool = False) -> None:
        self._below, self.limits, self._follow = reading(directory), limits, follow_links
        self._left, self._files = limits.total_bytes, 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._below.__exit__()

    def read(self, path: str, limit: str = "file_bytes") -> bytes:
        """Return the content of a file. limit: the name of the limit of its size. InputError names a file that must not be read, and how to allow it."""
        self._files += 1
        if self._files > self.limits.files:
            text = f"must not be read: the directory has more than {self.limits.files:,} files"
            raise InputError(beyond(self.limits, "files", text), file=path)
        try:
            found = self._below.read(path, getattr(self.limits, limit), follow=self._follow)
        except TooLargeError as error:
            raise InputError(beyond(self.limits, limit, error.message), file=path) from None
        except LeadsOutError as error:
            raise InputError(f"{error.message}, or allow it with `--follow-links`", file=error.file) from None
        self._left -= len(found)
        if self._left < 0:
            text = f"must not be read: the files of the directory have more than {self.limits.total_bytes:,} bytes with it"
            raise InputError(beyond(self.limits, "total_bytes", text), file=path)
        return found
