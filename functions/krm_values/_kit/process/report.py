"""What a command says on stderr: its findings, a line each, and which files it has changed."""

from __future__ import annotations

from krm_values._data.record import replace
from krm_values._kit.planner import findings as results
from krm_values._kit.process.terminal import is_read, say

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from krm_values._kit.api.resolve import Outcome
    from krm_values._kit.planner.plan import Finding
    from krm_values._kit.process.transaction import Change

TEXT = "text"
"""The form of findings that people read; `formats` has the others."""
CHOSEN = "functionConfig-chosen"
"""The kind of information that is always shown: what was chosen on the user's behalf."""
_OF_FILES = ("readable-secret", "generated-removed")
_ABSENT = "removed"  # the digest of a file that is not there
_SHOWN = 10


def report(findings: Iterable[Finding], unmatched: Iterable[str] = (), *, verbose: bool = False, form: str = TEXT) -> None:
    """Print the findings on stderr, as `lines` has them."""
    if found := lines(findings, unmatched, verbose=verbose, form=form):
        say(*found)


def lines(
    findings: Iterable[Finding], unmatched: Iterable[str] = (), *, verbose: bool = False, form: str = TEXT, folder: str = ""
) -> list[str]:
    """Return what is printed of findings. Informations are on a terminal, or if `verbose`; so is what a run had nothing to do.

    form: as text, or in one of the forms of `formats`, in which files are named below `folder`.
    """
    every = shows_informations(verbose=verbose)
    shown = [finding for finding in findings if every or finding.severity != "info" or finding.kind == CHOSEN]
    if form != TEXT:
        from krm_values._kit.process import formats  # noqa: PLC0415 - for hosts that ask for them

        return formats.lines(shown, form, folder)
    return [results.line(finding) for finding in shown] + [f"info: {text}" for text in unmatched if text and every]


def shows_informations(*, verbose: bool) -> bool:
    """Whether informations are printed: if that is asked for, or on a terminal."""
    return verbose or is_read()


def of_files(outcome: Outcome) -> Outcome:
    """An outcome that is written into files: a readable Secret there, and a removed object, become warnings."""
    if not any(finding.kind in _OF_FILES for finding in outcome.findings):
        return outcome
    findings = [replace(one, severity="warning") if _is_promoted(one) else one for one in outcome.findings]
    return replace(outcome, findings=results.in_order(findings))


def summary(changes: Iterable[Change]) -> str:
    """`created: a.yaml; updated: b.yaml, c.yaml; deleted: d.yaml`; `changed: nothing` where nothing is."""
    groups: dict[str, list[str]] = {"created": [], "updated": [], "deleted": []}
    for change in changes:
        groups["deleted" if change.new is None else "created" if change.old == _ABSENT else "updated"].append(change.path)
    return "; ".join(f"{done}: {_few(paths)}" for done, paths in groups.items() if paths) or "changed: nothing"


def finished(paths: Sequence[str]) -> None:
    """Print which files a write has made that was interrupted and that this command has finished: no earlier command reported them."""
    if paths:
        say(f"warning: an interrupted write was finished: {_few([*paths])}")


def _is_promoted(finding: Finding) -> bool:
    return finding.kind in _OF_FILES and finding.severity == "info"


def _few(paths: list[str]) -> str:
    shown, more = paths[:_SHOWN], len(paths) - _SHOWN
    return ", ".join(shown + ([f"and {more} more"] if more > 0 else []))
