"""A rendered package in memory, which `render` writes and `explain` explains."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._cli import settle
from krm_values._cli.arguments import tools
from krm_values._cli.package import load, pipeline
from krm_values._cli.package.kptfile import NAME
from krm_values._cli.package.reading import EXAMPLE, read
from krm_values._data.limits import DEFAULT
from krm_values._data.record import record
from krm_values._kit.planner.plan import Finding
from krm_values._kit.process.progress import progress

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from krm_values._cli.package.discover import Package
    from krm_values._cli.package.load import Loaded
    from krm_values._cli.package.pipeline import Ran
    from krm_values._data.limits import Limits


@record
class Rendered:
    """A rendered package: the files as they were read, the resources as they are now, and the result of each step."""

    loaded: Loaded
    ran: tuple[Ran, ...]

    @property
    def failed(self) -> bool:
        return any(entry.outcome.failed for entry in self.ran)

    def without_steps(self, *, skip_foreign: bool) -> list[Finding]:
        """Return the warning that no package lists a step, if that is so. skip_foreign: whether steps of others were left out."""
        if self.ran or skip_foreign:
            return []
        kptfile = next(iter(self.loaded.tree.at("", NAME)), None)
        item = None if kptfile is None else self.loaded.tree.item(kptfile)
        return [Finding("warning", "no-step", None, f"lists no step to run, so nothing changes; add `{EXAMPLE}`", item)]


def rendered(
    directory: Path,
    *,
    skip_foreign: bool,
    follow_links: bool,
    programs: Mapping[str, str] = settle.NONE,
    limits: Limits = DEFAULT,
) -> Rendered:
    """Read a package and run its pipelines in memory, up to the first step that fails."""
    root = read(directory, follow_links=follow_links, limits=limits)
    return of_root(root, skip_foreign=skip_foreign, programs=programs, limits=limits)


def of_root(
    root: Package, *, skip_foreign: bool, programs: Mapping[str, str] = settle.NONE, limits: Limits = DEFAULT
) -> Rendered:
    """Run the pipelines of a package that was read, up to the first step that fails."""
    loaded = load.load(root, limits)
    tasks = pipeline.tasks(root, skip_foreign=skip_foreign)
    ran = []
    with progress("rendering", len(tasks)) as advance:
        for entry in pipeline.run(loaded.tree, tasks, programs):
            ran.append(entry)
            advance()
    done = Rendered(loaded, tuple(ran))
    if not done.failed:
        tools.refuse_unused(programs, [entry.function for entry in ran])
    return done


def read_only(
    directory: Path,
    *,
    skip_foreign: bool,
    follow_links: bool,
    programs: Mapping[str, str] = settle.NONE,
    limits: Limits = DEFAULT,
) -> Rendered:
    """Do the same for a command that writes nothing."""
    return rendered(directory, skip_foreign=skip_foreign, follow_links=follow_links, programs=programs, limits=limits)
