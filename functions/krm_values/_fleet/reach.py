"""Which packages of a fleet a question is about: those that read a file, and those whose files differ from a git revision."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from posixpath import dirname
from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.errors import InputError
from krm_values._explain import git
from krm_values._fleet import git_index, inputs
from krm_values._fleet.roots import is_below
from krm_values._krm import packages
from krm_values._krm.kptfile import NAME
from krm_values._run.tree import with_outer

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from krm_values._data.limits import Limits
    from krm_values._fleet.roots import Fleet, Member

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
    if is_below(real, base):
        return os.path.relpath(real, base)
    for path, found in packages.everything(Path(directory)):
        if stat.S_ISLNK(found.st_mode):
            target = os.path.realpath(os.path.join(directory, path))
            if real == target:
                return path
            if is_below(real, target):
                return os.path.join(path, os.path.relpath(real, target))
    return ""


def _files(members: Sequence[Member]) -> dict[str, None]:
    return dict.fromkeys(
        path for one in members for path, found in packages.everything(Path(one.directory)) if stat.S_ISREG(found.st_mode)
    )


class Revision:
    """The packages as they were at a git revision, by their real paths. option: the one that asks for it."""

    def __init__(self, roots: Sequence[str], revision: str, limits: Limits, option: str) -> None:
        self._digests: dict[str, str] = {}
        for root in roots:
            base = os.path.realpath(root)
            found = {entry.path: f"{entry.mode} {entry.name}" for entry in git.listed(Path(root), revision, limits, option)}
            for package, files in _by_package(found).items():
                self._digests[os.path.normpath(os.path.join(base, package))] = inputs.digest(files)

    def digest(self, directory: str) -> str | None:
        """Return the digest of a package's files; None if there was no such package."""
        return self._digests.get(os.path.realpath(directory))

    def gone(self, fleet: Fleet) -> Iterator[str]:
        """Yield the names of the packages that are no package any more, nor within one."""
        for directory in sorted(self._digests):
            if not any(packages.is_package(one) for one in (Path(directory), *Path(directory).parents)):
                yield from filter(None, [fleet.name_of(directory)])


def _by_package(files: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Return the files of each outermost package, by its directory and their paths in it."""
    folders = {dirname(path) for path in files if path.rpartition("/")[2] == NAME}
    found: dict[str, dict[str, str]] = {}
    for path, value in files.items():
        if (holder := next((one for one in reversed([*with_outer(dirname(path))]) if one in folders), None)) is not None:
            found.setdefault(holder, {})[path[len(holder) + bool(holder) :]] = value
    return found


def may_differ(directory: str, before: str, limits: Limits) -> bool:
    """Return whether a package may be another one than at a revision. before: the digest of its files there."""
    found = inputs.listing(directory, limits, git_index.known_below(directory))
    return any(value.startswith(inputs.LINK) for value in found.values()) or inputs.digest(found) != before


def changed_since(members: Sequence[Member], roots: Sequence[str], revision: str, limits: Limits) -> list[Member]:
    """Return the packages that are not what they were at a git revision, by the names, modes and content of all their files."""
    before = Revision(roots, revision, limits, "--since")

    def digest(directory: str) -> str:
        return inputs.digest(inputs.as_in_git(inputs.listing(directory, limits, git_index.known_below(directory))))

    return [member for member in members if before.digest(member.directory) != digest(member.directory)]
