"""Findings as they are printed: without the resources that they are about, which a run over many environments drops."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.limits import DEFAULT, beyond
from krm_values._data.record import record
from krm_values._kit.planner import findings, places
from krm_values._kit.planner.plan import CONFIG, UNREADABLE, Finding
from krm_values._kit.process.terminal import say

if TYPE_CHECKING:
    from collections.abc import Iterable

    from krm_values._data.values import JSON

_CAUSES = (CONFIG, UNREADABLE, "text")


@record
class Reported:
    """One finding: its line for a terminal, its entry in JSON, and its place in the order of all findings."""

    severity: str
    line: str
    result: dict[str, JSON]
    rank: tuple[bool, bool, str]


def reported(finding: Finding) -> Reported:
    """Return a finding as it is printed."""
    item, _ = places.of_finding(finding)
    is_cause = finding.severity == "error" and finding.kind in _CAUSES
    rank = not is_cause, item is None, item.position.path if item else ""
    return Reported(finding.severity, findings.line(finding), findings.as_result(finding), rank)


def in_order(found: Iterable[Reported]) -> tuple[Reported, ...]:
    """Return the findings of all environments without repetitions: strings that cannot be read first, then by file."""
    distinct = {(one.line, str(one.result)): one for one in found}
    ordered = sorted(distinct.values(), key=lambda one: one.rank)
    if len(ordered) <= DEFAULT.findings:
        return tuple(ordered)
    text = f"there must not be more than {DEFAULT.findings:,} findings, found {len(ordered):,}: the others are not shown"
    return reported(Finding("error", "findings", None, beyond(DEFAULT, "findings", text))), *ordered[: DEFAULT.findings]


def print_lines(found: Iterable[Reported], *, informations: bool) -> None:
    """Print the findings on stderr. informations: whether those are printed too."""
    lines = [one.line for one in found if informations or one.severity != "info"]
    if lines:
        say(*lines)
