"""Reads the package of a command line."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from krm_values._cli.package import discover
from krm_values._cli.package.kptfile import NAME
from krm_values._data import suggest
from krm_values._data.errors import InputError
from krm_values._data.limits import DEFAULT
from krm_values._kit.process.progress import progress

if TYPE_CHECKING:
    from pathlib import Path

    from krm_values._cli.package.discover import Package
    from krm_values._data.limits import Limits

EXAMPLE = "pipeline: {mutators: [{exec: krm-FUNCTION, configPath: FILE}]}"
_MISSPELT = ("Kptfile.yaml", "Kptfile.yml", "kptfile", "kptfile.yaml", "KptFile", "KPTFILE")


def read(directory: Path, *, follow_links: bool, limits: Limits = DEFAULT) -> Package:
    """Read a package. InputError if the directory is not one."""
    with progress("reading") as advance:
        return discover.read(kpt_package(directory), advance, follow_links=follow_links, limits=limits)


def kpt_package(directory: Path) -> Path:
    """Return the directory. InputError if it is not that of a package."""
    discover.check_directory(directory)
    if not discover.is_package(directory):
        raise InputError(f"holds no Kptfile{_without_kptfile(directory)}", file=str(directory))
    return directory


def _without_kptfile(directory: Path) -> str:
    """Return what to do about a directory without Kptfile."""
    misspelt = next((name for name in _MISSPELT if (directory / name).is_file()), "")
    if misspelt:
        return f", but `{misspelt}`: rename it to `{NAME}`"
    shown = shlex.quote(str(directory))
    if below := discover.near_below(directory):
        named = suggest.several([f"`{path.relative_to(directory)}`" for path in below])
        return f", but packages lie below it, {named}: render them with `krm-values render --recursive {shown}`"
    return f", which lists the steps to run; write one with `{EXAMPLE}`, or run one function on files: `krm-values run FUNCTION {shown}`"
