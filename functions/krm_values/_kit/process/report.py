"""What a command prints on stderr: its findings, one line each, and the files that it has changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.record import replace
from krm_values._kit.planner import findings as results
from krm_values._kit.process.terminal import is_quiet, is_read_whole, say

if TYPE_CHECKING:
    from collections.abc import Iterable

    from krm_values._kit.api.resolve import Outcome
    from krm_values._kit.planner.plan import Finding
    from krm_values._kit.process.write import Change

TEXT = "text"
"""The format of findings for people; `formats` has the others."""
CHOSEN = "functionConfig-chosen"
"""The kind of information that is always shown: a choice made for the user."""
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
    """Return the lines that are printed for findings: errors alone where only they are wanted.

    Informational messages, and that a run had nothing to do, only on a terminal or if `verbose`.

    form: text, or a format of `formats`, in which files are named below `folder`.
    """
    every = shows_informations(verbose=verbose)
    shown = [finding for finding in findings if every or finding.severity != "info" or finding.kind == CHOSEN]
    if is_quiet():
        shown = [finding for finding in shown if finding.severity == "error"]
    if form != TEXT:
        from krm_values._kit.process import formats  # noqa: PLC0415 - for hosts that ask for them

        return formats.lines(shown, form, folder)
    return [results.line(finding) for finding in shown] + [f"info: {text}" for text in unmatched if text and every]


def shows_informations(*, verbose: bool) -> bool:
    """Return whether informational messages are printed: on request, or on a terminal, unless it is about many packages or only errors are wanted."""
    return verbose or is_read_whole()


def of_files(outcome: Outcome) -> Outcome:
    """Return an outcome for files: a readable Secret and a removed object become warnings."""
    if not any(finding.kind in _OF_FILES for finding in outcome.findings):
        return outcome
    findings = [replace(one, severity="warning") if _is_promoted(one) else one for one in outcome.findings]
    return replace(outcome, findings=results.in_order(findings))


def summary(changes: Iterable[Change]) -> str:
    """Format changes as `created: a.yaml; updated: b.yaml, c.yaml; deleted: d.yaml`; without changes `changed: nothing`."""
    groups: dict[str, list[str]] = {"created": [], "updated": [], "deleted": []}
    for change in changes:
        groups["deleted" if change.new is None else "created" if change.old == _ABSENT else "updated"].append(change.path)
    return "; ".join(f"{done}: {_few(paths)}" for done, paths in groups.items() if paths) or "changed: nothing"


def _is_promoted(finding: Finding) -> bool:
    return finding.kind in _OF_FILES and finding.severity == "info"


def _few(paths: list[str]) -> str:
    shown, more = paths[:_SHOWN], len(paths) - _SHOWN
    return ", ".join(shown + ([f"and {more} more"] if more > 0 else []))
