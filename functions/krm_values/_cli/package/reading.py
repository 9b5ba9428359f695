"""Reads the package of a command line, with a warning about files that an interrupted write has left."""

from __future__ import annotations

from krm_values._cli.package import discover
from krm_values._data.errors import InputError
from krm_values._data.limits import DEFAULT
from krm_values._kit.process.progress import progress
from krm_values._kit.process.terminal import tell
from krm_values._kit.process.transaction import left_behind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

    from krm_values._cli.package.discover import Package
    from krm_values._data.limits import Limits


def read(directory: Path, *, follow_links: bool, limits: Limits = DEFAULT) -> Package:
    """Read a package. InputError if the directory is not one."""
    with progress("reading") as advance:
        root = discover.read(kpt_package(directory), advance, follow_links=follow_links, limits=limits)
    for text in left_behind(directory, root.staged()):
        tell(f"warning: {text}")
    return root


def kpt_package(directory: Path) -> Path:
    if not directory.is_dir():
        raise InputError("is not a directory", file=str(directory))
    if not discover.is_package(directory):
        raise InputError(
            "holds no Kptfile, which lists the steps to run; write one with "
            "`pipeline: {mutators: [{exec: krm-FUNCTION, configPath: FILE}]}`, or run one function on files: "
            f"`krm-values run FUNCTION {directory}`",
            file=str(directory),
        )
    return directory
