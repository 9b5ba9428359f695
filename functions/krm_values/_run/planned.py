"""What a render of a package comes to, before anything is written: `render` and fleets commit the same plan through `_krm/write`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.limits import DEFAULT
from krm_values._data.record import record
from krm_values._run import pipeline, tools
from krm_values._run.foreign import NOTHING, allowed_by
from krm_values._run.invoke import NONE

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Mapping
    from pathlib import Path

    from krm_values._data.limits import Limits
    from krm_values._krm.packages import Package
    from krm_values._run.foreign import Allowed
    from krm_values._run.pipeline import Rendered


@record
class Manner:
    """How packages are rendered. programs: named on the command line, by tool. allowed: which steps that are not ours may run."""

    skip_foreign: bool = False
    follow_links: bool = False
    programs: Mapping[str, str] = NONE
    allowed: Allowed = NOTHING
    limits: Limits = DEFAULT


def manner_of(options: Namespace) -> Manner:
    """Return how the options of a command say that packages are rendered."""
    programs = tools.on_command_line(options)
    return Manner(options.skip_foreign, options.follow_links, programs, allowed_by(options), options.limits)


def rendered(directory: Path, options: Namespace) -> Rendered:
    """Read a package and run its pipelines as the options of a command say. Errors name its files as the working directory reaches them."""
    with pipeline.named_below(directory):
        root = pipeline.read_package(directory, follow_links=options.follow_links, limits=options.limits)
        return planned(root, manner_of(options))


def planned(root: Package, manner: Manner) -> Rendered:
    """Run the pipelines of a package that was read, up to the first step that fails. Nothing is read from disk, and nothing written."""
    return pipeline.rendered_root(
        root,
        skip_foreign=manner.skip_foreign,
        programs=manner.programs,
        allowed=manner.allowed,
        limits=manner.limits,
    )
