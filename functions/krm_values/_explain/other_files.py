"""The files of packages that are not read, as far as they differ: they are compared by their bytes."""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING

from krm_values._explain.comparer import ADDED, CHANGED, REMOVED
from krm_values._krm import packages
from krm_values._krm.files import UnsafePathError, reading

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from krm_values._data.limits import Limits
    from krm_values._krm.files import Below

_NOTHING: Mapping[str, str] = {}
_SHA1 = 40  # digits


def differing(before: Path, after: Path, limits: Limits, objects: Mapping[str, str] | None) -> Iterator[tuple[str, str]]:
    """Yield how each file differs, and its path, in the order of paths.

    objects: the names of git's objects of those that the first state has beside the files in its folder. What only the second state has is not
    told then, since it may be no part of the repository.
    """
    old, new = {*packages.unread(before, limits)}, {*packages.unread(after, limits)}
    named = _NOTHING if objects is None else objects
    old |= {path for path in named if path in new or not os.path.lexists(after / path)}
    with reading(before) as one, reading(after) as other:
        for path in sorted(old | new if objects is None else old):
            if path not in old or path not in new:
                yield ADDED if path in new else REMOVED, path
            elif path in named:
                if _object(other, path, named[path]) != named[path]:
                    yield CHANGED, path
            elif not _are_equal(one, other, path):
                yield CHANGED, path


def _are_equal(one: Below, other: Below, path: str) -> bool:
    if one.stat(path).st_size != other.stat(path).st_size:
        return False
    return _content(one, path) == _content(other, path)


def _content(below: Below, path: str) -> str:
    """Return what stands for the content of a file: its digest; of a link where it leads; of anything else that it is there."""
    with contextlib.suppress(UnsafePathError):
        return below.digest(path)
    try:
        return f"to {os.readlink(below.path / path)}"
    except OSError:
        return ""


def _object(below: Below, path: str, name: str) -> str:
    """Return the name of the git object with the content of a file; `name` where that cannot be told, as of a link."""
    try:
        return below.git_object(path, is_sha1=len(name) == _SHA1)
    except UnsafePathError:
        return name
