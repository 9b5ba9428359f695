"""Writes the page atomically, never through a link, and over no file except an earlier page."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from krm_values._cli.package import discover
from krm_values._data.errors import InputError, UsageError
from krm_values._explain.page import join
from krm_values._kit.process.terminal import say
from krm_values._kit.process.write import put_file, refuse_link_out

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any


def check(name: str, packages: Iterable[Path]) -> None:
    """Raise InputError or UsageError for a file that cannot be written, before anything runs. packages: the directories that are read."""
    if name == "-":
        raise UsageError("`--html` writes a file; name one, as `--html page.html`")
    path = Path(name)
    _refuse_other(path)
    for package in packages:
        refuse_link_out(package, path)
        if not _is_inside(path, package):
            continue
        if discover.is_read(path.name):
            raise InputError(f"is a name of files that the package {package} reads: call the page NAME.html", file=name)
        say(f"warning: {name}: the page lies in the package {package}, and is handed on with it")


def write(name: str, data: dict[str, Any], *, secret: bool) -> None:
    """Write the page. secret: it shows values of Secrets, so only its owner may read it."""
    path = Path(name)
    _refuse_other(path)
    put_file(path, join.page(data), secret=secret)


def _refuse_other(path: Path) -> None:
    """Raise InputError if the file exists and is not an earlier page."""
    try:
        mode = os.lstat(path).st_mode
    except FileNotFoundError:
        return
    if stat.S_ISLNK(mode):
        raise InputError("must not be a symbolic link: name the file itself, or another one", file=str(path))
    if not stat.S_ISREG(mode):
        raise InputError("must be a file, found a directory or a device", file=str(path))
    first = join.FIRST_LINE.encode()
    with path.open("rb") as file:
        if file.read(len(first)) != first:
            raise InputError("exists and is not a page of krm-values: remove it, or name another file", file=str(path))


def _is_inside(path: Path, package: Path) -> bool:
    return os.path.realpath(path).startswith(os.path.join(os.path.realpath(package), ""))
