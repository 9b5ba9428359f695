"""The objects of files that git knows to be as they are in its index: reading their names there is ten times faster than hashing the files.

The index is read as it is, without git, which might run filters that a repository configures. A file counts only if its times, number, mode and
size are those of its entry, and it is older than the index; any other is hashed. Where attributes may make the content on disk another than
the object's, no entry counts.
"""

from __future__ import annotations

import bisect
import os
import struct
from array import array
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from krm_values._data.errors import InputError
from krm_values._data.limits import DEFAULT
from krm_values._explain import git
from krm_values._krm.files import UnsafePathError, content_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeAlias

    Known: TypeAlias = Callable[[str, os.stat_result], str | None]

_HEAD, _ENTRY = struct.Struct(">4sLL"), struct.Struct(">10L20sH")
_SIGNATURE, _VERSIONS = b"DIRC", (2, 3)
_NAME, _STAGE, _EXTENDED = 0x0FFF, 0x3000, 0x4000
_UINT = 0xFFFFFFFF
_NANO = 1_000_000_000
_ATTRIBUTES = ".gitattributes"
_OTHER_CONTENT = (b"autocrlf", b"eol", b"attributesfile", b"[filter")
"""Words of a repository's settings by which files may be other than their objects."""


class Index:
    """The entries of an index, found by path. written: when the index was, in nanoseconds."""

    def __init__(self, data: bytes, written: int) -> None:
        """Find where each entry begins. ValueError for a form that is not known here."""
        self._data, self._written = data, written
        signature, version, count = _HEAD.unpack_from(data)
        if signature != _SIGNATURE or version not in _VERSIONS:
            raise ValueError
        self._places = array("Q")
        at = _HEAD.size
        for _ in range(count):
            self._places.append(at)
            path = self._path_place(at)
            at += (data.index(b"\0", path) - at + 8) & ~7
        if data[at : at + 4] in (b"link", b"sdir"):  # it is a part of an index, or has folders as entries
            raise ValueError

    def _path_place(self, at: int) -> int:
        flags = int.from_bytes(self._data[at + 60 : at + 62], "big")
        return at + _ENTRY.size + 2 * bool(flags & _EXTENDED)

    def _path(self, at: int) -> bytes:
        place = self._path_place(at)
        return self._data[place : self._data.index(b"\0", place)]

    def below(self, folder: bytes) -> Iterator[tuple[str, int]]:
        """Yield the path, within a folder, and the place of each entry there. folder: ends in a slash, or is empty."""
        for number in range(bisect.bisect_left(self._places, folder, key=self._path), len(self._places)):
            path = self._path(self._places[number])
            if not path.startswith(folder):
                return
            yield os.fsdecode(path[len(folder) :]), self._places[number]

    def name(self, at: int, found: os.stat_result) -> str | None:
        """Return the object of an entry, if a file is as that was; None if that is not certain."""
        *facts, name, flags = _ENTRY.unpack_from(self._data, at)
        here = (*_time(found.st_ctime_ns), *_time(found.st_mtime_ns), found.st_ino & _UINT, found.st_size & _UINT)
        if (*facts[:4], facts[5], facts[9]) != here or flags & (_STAGE | _EXTENDED):
            return None
        if found.st_mtime_ns >= self._written or (facts[6] & 0o100) != (found.st_mode & 0o100):
            return None
        return bytes(name).hex()


def _time(nanoseconds: int) -> tuple[int, int]:
    return (nanoseconds // _NANO) & _UINT, nanoseconds % _NANO


_read: dict[str, tuple[tuple[int, int], Index | None]] = {}
"""The indexes that this process has read, by file, each with when it was written and its size."""


def known_below(directory: str) -> Known | None:
    """Return a function that tells the object of a file below a directory, by path and status, None for what must be hashed; None if that is all."""
    try:
        index, prefix, has_attributes = _about(os.path.realpath(directory))
    except (InputError, OSError):
        return None
    if index is None or has_attributes:
        return None
    places = dict(index.below(os.fsencode(prefix)))
    if any(path.endswith(_ATTRIBUTES) for path in places):
        return None

    def known(path: str, status: os.stat_result) -> str | None:
        at = places.get(path)
        return None if at is None else index.name(at, status)

    return known


def _about(real: str) -> tuple[Index | None, str, bool]:
    """Return the index that knows a directory, its path in the repository, ending in a slash, and whether attributes hold there."""
    if os.path.lexists(os.path.join(real, ".git")):
        top, folder, prefix, has_attributes = _repository(real)
    else:
        above, name = os.path.split(real)
        top, folder, prefix, has_attributes = _repository(above)
        if os.path.join(folder, "").startswith(os.path.join(real, "")):  # a package may carry a repository as plain files
            return None, "", True
        prefix, has_attributes = f"{prefix}{name}/", has_attributes or os.path.lexists(os.path.join(real, _ATTRIBUTES))
    return _index(top, folder), prefix, has_attributes


@lru_cache(1000)
def _repository(directory: str) -> tuple[str, str, str, bool]:
    """Return the top and folder of the repository of a directory, its path there, and whether that has attributes or is below some."""
    found = git.repository(Path(directory), "--state")
    return found.top, found.folder, found.prefix, _has_attributes(found.top, found.prefix)


def _index(top: str, folder: str) -> Index | None:
    file = os.path.join(folder, "index")
    facts = os.stat(file)
    when = facts.st_mtime_ns, facts.st_size
    if file not in _read or _read[file][0] != when:
        _read[file] = when, _parsed(top, folder, file, when[0])
    return _read[file][1]


def _parsed(top: str, folder: str, file: str, written: int) -> Index | None:
    """Return an index; None for one that cannot be read, or where the settings of the repository may change what is on disk."""
    try:
        settings = content_of(Path(top, folder, "config"), DEFAULT.ignore_bytes).lower()
        if any(word in settings for word in _OTHER_CONTENT) or os.path.lexists(os.path.join(folder, "info", "attributes")):
            return None
        return Index(content_of(Path(file), DEFAULT.file_bytes), written)
    except (OSError, UnsafePathError, InputError, ValueError, struct.error):
        return None


def _has_attributes(top: str, prefix: str) -> bool:
    """Return whether a folder above the files of a package has attributes."""
    parts = prefix.split("/")[:-1]
    return any(os.path.lexists(os.path.join(top, *parts[:size], _ATTRIBUTES)) for size in range(len(parts) + 1))
