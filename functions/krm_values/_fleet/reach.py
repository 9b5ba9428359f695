"""Which packages of a fleet an edit can reach: those whose inputs name the file, and those whose files differ from a git revision."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from posixpath import dirname
from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.errors import InputError
from krm_values._explain import git
from krm_values._fleet import inputs
from krm_values._krm import packages
from krm_values._krm.kptfile import NAME

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from krm_values._data.limits import Limits
    from krm_values._fleet.roots import Member

_LOOKED = 100
"""Packages whose files are looked through for the nearest name."""


def with_file(members: Sequence[Member], file: str) -> dict[int, str]:
    """Return the packages that read a file, each with the path by which it does.

    file: a file on disk, or a path in packages, which hold copies of it. InputError, with the nearest path, if no package does.
    """
    found: dict[int, str] = {}
    if os.path.exists(file):
        real = os.path.realpath(file)
        found = {number: name for number, one in enumerate(members) if (name := _path_in(one.directory, real))}
    if not found and not os.path.isabs(file):
        path = os.path.normpath(file)
        if not path.startswith(os.pardir):
            found = {number: path for number, one in enumerate(members) if os.path.isfile(os.path.join(one.directory, path))}
    if not found:
        raise InputError(f"no package has this file{suggest.hint(file, _files(members[:_LOOKED]))}", file=file)
    return found


def copies(members: Sequence[Member], found: Mapping[int, str]) -> tuple[str, int]:
    """Return the path of a file that only some of the packages were asked about, and how many others have a file of that path."""
    path = next(iter(found.values()))
    others = (one for number, one in enumerate(members) if number not in found)
    return path, sum(os.path.isfile(os.path.join(one.directory, path)) for one in others)


def _path_in(directory: str, real: str) -> str:
    """Return the path by which a package reads a file: its own, or one through a link; "" if it does not. real: of the file."""
    base = os.path.realpath(directory)
    if _is_below(real, base):
        return os.path.relpath(real, base)
    for path, found in packages.everything(Path(directory)):
        if stat.S_ISLNK(found.st_mode):
            target = os.path.realpath(os.path.join(directory, path))
            if real == target:
                return path
            if _is_below(real, target):
                return os.path.join(path, os.path.relpath(real, target))
    return ""


def _is_below(path: str, directory: str) -> bool:
    return path.startswith(os.path.join(directory, ""))


def _files(members: Sequence[Member]) -> dict[str, None]:
    return dict.fromkeys(
        path for one in members for path, found in packages.everything(Path(one.directory)) if stat.S_ISREG(found.st_mode)
    )


class Revision:
    """The packages as they were at a git revision: digests of their files, and the packages that are not there any more."""

    def __init__(self, roots: Sequence[str], revision: str, limits: Limits) -> None:
        self._files: dict[str, dict[str, str]] = {}
        for root in roots:
            base = os.path.realpath(root)
            found = {entry.path: f"{entry.mode} {entry.name}" for entry in git.listed(Path(root), revision, limits)}
            for package in _outermost(found):
                self._files[os.path.normpath(os.path.join(base, package))] = {}
            for path, value in found.items():
                if (holder := self._package(base, path)) is not None:
                    self._files[holder][os.path.relpath(os.path.join(base, path), holder)] = value

    def _package(self, base: str, path: str) -> str | None:
        above = dirname(path)
        while True:
            at = os.path.normpath(os.path.join(base, above))
            if at in self._files:
                return at
            if not above:
                return None
            above = dirname(above)

    def digest(self, directory: str) -> str | None:
        """Return the digest of a package's files; None if there was no such package."""
        files = self._files.get(os.path.realpath(directory))
        return None if files is None else inputs.digest(files)

    def gone(self, roots: Sequence[str]) -> Iterator[str]:
        """Yield the names of the packages that are no package any more, nor within one."""
        for directory in sorted(self._files):
            if any(packages.is_package(Path(above)) for above in (directory, *map(str, Path(directory).parents))):
                continue
            for root in roots:
                base = os.path.realpath(root)
                if directory == base or _is_below(directory, base):
                    name = os.path.relpath(directory, base)
                    yield name if len(roots) == 1 else os.path.normpath(os.path.join(root, name))


def _outermost(files: Mapping[str, str]) -> list[str]:
    """Return the directories with a Kptfile that are in no other one."""
    found: set[str] = set()
    for folder in sorted(dirname(path) for path in files if path.rpartition("/")[2] == NAME):
        above, parts = "", folder.split("/")
        if "" in found or any((above := f"{above}/{part}".lstrip("/")) in found for part in parts):
            continue
        found.add(folder)
    return sorted(found)


def may_differ(directory: str, before: str, limits: Limits) -> bool:
    """Return whether a package may be another one than at a revision. before: the digest of its files there."""
    found = inputs.listing(directory, limits)
    return any(value.startswith(inputs.LINK) for value in found.values()) or inputs.digest(found) != before
