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
    from collections.abc import Iterable, Mapping

    from krm_values._data.limits import Limits
    from krm_values._fleet.git_index import Known
    from krm_values._krm.files import Below
    from krm_values._krm.write import Change

FILE, EXECUTABLE, LINK = "100644", "100755", "120000"
_DEVICE = "device"
_STEP = 2_000_000_000
"""The coarsest steps, in nanoseconds, in which a file system tells times."""


def stamp(directory: str, staged: list[str] | None = None) -> str:
    """Return a digest of the numbers, sizes and times of all files; "" if it may stay the same although a file changes.

    That is so for a file that has just been changed, whose next time may be the same, and for a link, behind which a file may change.
    staged: gets the paths of staged files, which do not count.
    """
    settled = time.time_ns() - _STEP
    found, is_certain = [], True
    for path, status in packages.everything(Path(directory), staged=staged):
        is_certain &= stat.S_ISREG(status.st_mode) and status.st_ctime_ns < settled
        file = status.st_dev, status.st_ino, status.st_mode, status.st_size, status.st_mtime_ns, status.st_ctime_ns
        found.append((path, *file))
    return hashlib.sha256(repr(found).encode("utf-8", "surrogateescape")).hexdigest() if is_certain else ""


def listing(directory: str, limits: Limits, known: Known | None = None, *, hashes: bool = True) -> dict[str, str]:
    """Return the mode and the object of each file below a directory, by slash path. InputError for what cannot be read.

    known: the object of a file that need not be hashed, by its path and status. hashes: whether others may be; else they are an InputError.
    """
    found: dict[str, str] = {}
    root = Path(directory)
    with reading(root) as below:
        for path, status in packages.everything(root):
            mode = status.st_mode
            if stat.S_ISLNK(mode):
                target = os.fsencode(os.readlink(os.path.join(directory, path)))
                found[path] = f"{LINK} {blob(target)} {_behind(below, path, limits)}"
            elif stat.S_ISREG(mode):
                name = known and known(path, status)
                if not (name or hashes):
                    raise InputError("is not as git knows it", file=path)
                try:
                    name = name or below.git_object(path, is_sha1=True)
                except UnsafePathError as error:
                    raise InputError(str(error), file=path) from None
                found[path] = f"{EXECUTABLE if mode & 0o100 else FILE} {name}"
            else:
                found[path] = _DEVICE
    return found


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
