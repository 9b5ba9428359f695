"""The git repository of a package: the nearest `.git` at the directory or above it, and no other folder that git would accept."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

from krm_values._data.errors import InputError
from krm_values._data.record import record

if TYPE_CHECKING:
    from pathlib import Path

_LONGEST = 8192
_GITDIR = b"gitdir: "


@record
class Repository:
    """A repository by absolute paths without links. top: the directory with `.git`. folder: where git keeps its files.

    prefix: the path of the package in the repository, ending in a slash; "" for the top.
    """

    top: str
    folder: str
    prefix: str


def of(directory: Path) -> Repository:
    """Find the repository of a package. InputError if there is none, or if it would be a folder within the package.

    A `.git` that is a file names the folder, as in worktrees and submodules. Bare repositories are never used: a proposed package may carry
    one as plain files.
    """
    package = os.path.realpath(directory)
    top = package
    while not os.path.lexists(os.path.join(top, ".git")):
        if top == os.path.dirname(top):
            raise InputError("is in no git repository: `--against` looks for the nearest `.git` above it", file=str(directory))
        top = os.path.dirname(top)
    folder = os.path.realpath(_folder(top))
    inside = os.path.join(package, "")
    if folder.startswith(inside) and folder != f"{inside}.git":
        fact = f"leads to a folder of the package itself, {os.path.relpath(folder, package)}"
        raise InputError(f"{fact}: remove it, or clone the package", file=str(directory / ".git"))
    prefix = os.path.relpath(package, top)
    return Repository(top, folder, "" if prefix == os.curdir else f"{prefix}/")


def _folder(top: str) -> str:
    """Return the path of `.git`, or the path that it names if it is a file."""
    path = os.path.join(top, ".git")
    mode = os.stat(path).st_mode
    if stat.S_ISDIR(mode):
        return path
    if stat.S_ISREG(mode):
        with open(path, "rb") as file:
            text = file.read(_LONGEST)
        if text.startswith(_GITDIR) and b"\0" not in text:
            return os.path.join(top, os.fsdecode(text.removeprefix(_GITDIR).rstrip(b"\r\n")))
    raise InputError("must be the folder of a git repository, or a file that begins with `gitdir: `", file=path)
