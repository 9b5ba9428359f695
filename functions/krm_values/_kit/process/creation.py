"""Creates what the caller of a command names: a directory with files, a directory to write to, one file."""

from __future__ import annotations

import contextlib
import os
import shutil
from typing import TYPE_CHECKING

from krm_values._kit.process.below import Below, UnsafePathError, check
from krm_values._kit.process.journal import PREFIX, put, staged_beside
from krm_values._kit.process.transaction import ANYBODY, OWNER, WriteError, new_mode, reason

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from krm_values._kit.process.transaction import Change


def create(directory: Path, changes: Iterable[Change]) -> None:
    """Create a directory with these files atomically: it gets its name when it is complete. WriteError, without a directory, if that fails."""
    staged = directory.with_name(f"{PREFIX}{os.urandom(16).hex()}")
    with made(directory.parent):
        try:
            staged.mkdir()
            _fill(staged, changes)
            staged.rename(directory)
        except BaseException as error:
            shutil.rmtree(staged, ignore_errors=True)
            if not isinstance(error, OSError | UnsafePathError):
                raise
            raise WriteError(f"{directory}: nothing was written: {reason(error)}") from error


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


def put_file(path: Path, content: bytes, *, secret: bool = False) -> None:
    """Write a file atomically. A link of that name is replaced, and its target is unchanged.

    secret: only the owner may read it.
    """
    with made(path.parent), Below(path.parent) as folder:
        staged = staged_beside("")
        try:
            put(folder.descriptor, staged, content)
            os.chmod(staged, new_mode(secret=secret), dir_fd=folder.descriptor)
            os.rename(staged, path.name, src_dir_fd=folder.descriptor, dst_dir_fd=folder.descriptor)
        except OSError as error:
            with contextlib.suppress(FileNotFoundError):
                folder.unlink(staged)
            raise WriteError(f"{path}: was not written: {reason(error)}") from error


def _fill(directory: Path, changes: Iterable[Change]) -> None:
    with Below(directory) as below:
        for change in changes:
            check(change.path)
            with below.parent(change.path, make=OWNER if change.secret else ANYBODY) as folder:
                name = change.path.rpartition("/")[2]
                put(folder, name, change.new or b"")
                os.chmod(name, new_mode(secret=change.secret), dir_fd=folder)
