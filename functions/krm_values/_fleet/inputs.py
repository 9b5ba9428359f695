"""What the plan of a package depends on: the names, modes and git objects of all its files, and digests of them.

A listing has `MODE ID` by path. It is what git would have in its tree, except that of a link the content behind it counts as well. A stamp
says without reading a file that it is as it was.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import stat
import time
from pathlib import Path
from typing import TYPE_CHECKING

from krm_values._data.errors import InputError
from krm_values._krm import packages
from krm_values._krm.files import UnsafePathError, reading

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import TypeAlias

    from krm_values._data.limits import Limits
    from krm_values._fleet.git_index import Known
    from krm_values._krm.files import Below
    from krm_values._krm.write import Change

    Files: TypeAlias = Sequence[tuple[str, os.stat_result]]

FILE, EXECUTABLE, LINK = "100644", "100755", "120000"
_DEVICE = "device"
_STEP = 2_000_000_000
"""The coarsest steps, in nanoseconds, in which a file system tells times."""


def files(directory: str, staged: list[str] | None = None) -> Files:
    """Return the path and status of each file below a directory. staged: gets the paths of staged files, which do not count."""
    return [*packages.everything(Path(directory), staged=staged)]


def stamp(found: Files) -> str:
    """Return a digest of the numbers, sizes and times of files; "" if it may stay the same although a file changes.

    That is so for a file that has just been changed, whose next time may be the same, and for a link, behind which a file may change.
    """
    settled = time.time_ns() - _STEP
    if not all(stat.S_ISREG(status.st_mode) and status.st_ctime_ns < settled for _, status in found):
        return ""
    facts = [(path, one.st_dev, one.st_ino, one.st_mode, one.st_size, one.st_mtime_ns, one.st_ctime_ns) for path, one in found]
    return hashlib.sha256(repr(facts).encode("utf-8", "surrogateescape")).hexdigest()


def listing(
    directory: str, limits: Limits, known: Known | None = None, *, found: Files | None = None, hashes: bool = True
) -> dict[str, str]:
    """Return the mode and the object of each file below a directory. InputError for what cannot be read.

    known: the object of a file that need not be hashed, by its path and status. hashes: whether others may be; else they are an InputError.
    found: the files that are wanted, if not all.
    """
    listed: dict[str, str] = {}
    with reading(Path(directory)) as below:
        for path, status in files(directory) if found is None else found:
            if stat.S_ISLNK(status.st_mode):
                target = os.fsencode(os.readlink(os.path.join(directory, path)))
                listed[path] = f"{LINK} {blob(target)} {_behind(below, path, limits)}"
            elif stat.S_ISREG(status.st_mode):
                name = known and known(path, status)
                if not (name or hashes):
                    raise InputError("is not as git knows it", file=path)
                try:
                    listed[path] = entry(status, name or below.git_object(path, is_sha1=True))
                except UnsafePathError as error:
                    raise InputError(str(error), file=path) from None
            else:
                listed[path] = _DEVICE
    return listed


def entry(status: os.stat_result, name: str) -> str:
    """Return what a listing says of a file with this object."""
    return f"{EXECUTABLE if status.st_mode & 0o100 else FILE} {name}"


def _behind(below: Below, path: str, limits: Limits) -> str:
    try:
        return blob(below.read(path, limits.file_bytes, follow=True))
    except InputError:  # a directory, or nothing: a package does not read it
        return "none"


def blob(content: bytes) -> str:
    """Return the name of git's object with this content."""
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


def after(found: Mapping[str, str], changes: Iterable[Change]) -> dict[str, str]:
    """Return the listing that changes leave behind."""
    new = dict(found)
    for change in changes:
        if change.new is None:
            new.pop(change.path, None)
        else:
            mode = new.get(change.path, FILE).partition(" ")[0]
            new[change.path] = f"{mode} {blob(change.new)}"
    return new


def digest(found: Mapping[str, str]) -> str:
    """Return one digest of a listing."""
    return hashlib.sha256(_text(found)).hexdigest()


def keyed(key: bytes, facts: str, found: Mapping[str, str]) -> str:
    """Return a digest of a listing that tells nothing without the key. facts: version, options: what else the answer depends on."""
    return hmac.new(key, facts.encode() + b"\0" + _text(found), "sha256").hexdigest()


def _text(found: Mapping[str, str]) -> bytes:
    return b"".join(b"%s %s\0" % (value.encode(), os.fsencode(path)) for path, value in sorted(found.items()))


def as_in_git(found: Mapping[str, str]) -> dict[str, str]:
    """Return what git has of the files of a listing: of a link only where it leads, and no device."""
    return {path: " ".join(value.split(" ")[:2]) for path, value in found.items() if value != _DEVICE}
