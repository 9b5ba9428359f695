"""A package rendered by a Python program: `krm_values.render`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from krm_values._krm import findings as results
from krm_values._krm import write as writer
from krm_values._run import order, pipeline, report, tree

if TYPE_CHECKING:
    from krm_values._krm.plan import Finding


class RenderedPackage:
    """A package as its pipelines leave it, in memory. Nothing is written before `write` is called.

    files: the content of every file by slash path from the package; of a failed pipeline, up to the step that failed. findings: all that the
    command reports, in order. failed: whether a step reported an error.
    """

    __slots__ = ("_directory", "_loaded", "failed", "files", "findings")

    def __init__(self, directory: Path, done: pipeline.Rendered, findings: list[Finding]) -> None:
        self._directory, self._loaded = directory, done.loaded
        self.failed, self.findings = done.failed, tuple(findings)
        self.files: dict[str, bytes] = tree.contents(done.loaded)

    @property
    def messages(self) -> list[str]:
        """The findings in the order of the steps, as `krm-values render -v` prints them in the package: `warning: app.yaml:12:5: ...`. No value of a Secret is in them."""
        return [results.line(finding) for finding in self.findings]

    @property
    def changes(self) -> dict[str, bytes | None]:
        """The new content of each file that changes, by path; None for a file that goes."""
        return {change.path: change.new for change in tree.changes(self._loaded)}

    def write(self) -> None:
        """Write the changes into the package, as `krm-values render` does.

        ValueError if a step failed; UserError (`krm_values.UserError`), and nothing is written, if a file has changed since it was read.
        """
        if self.failed:
            raise ValueError("a step reported an error, so there is nothing to write")
        with writer.locked(self._directory):
            writer.write(self._directory, tree.changes(self._loaded))


def render(directory: str | Path, *, skip_foreign: bool = False, follow_links: bool = False) -> RenderedPackage:
    """Run the pipelines of a package and its sub-packages in memory, up to the first step that fails.

    directory: holds a Kptfile. skip_foreign: leave out steps that are not functions of krm-values, which are an error otherwise.
    follow_links: whether links may lead out of the package. UserError if the package or a functionConfig cannot be read.
    """
    root = Path(directory)
    done = pipeline.rendered(root, skip_foreign=skip_foreign, follow_links=follow_links)
    return RenderedPackage(root, done, findings_of(done, skip_foreign=skip_foreign, infos=True))


def findings_of(done: pipeline.Rendered, *, skip_foreign: bool, infos: bool) -> list[Finding]:
    """Return what there is to report about a rendered package. infos: whether they are wanted, so that steps in the wrong order are looked for."""
    found = [finding for entry in done.ran for finding in report.with_storage_warnings(entry.outcome).findings]
    found += done.package_findings(skip_foreign=skip_foreign)
    return [*found, *(order.findings(done.ran) if infos else ())]
