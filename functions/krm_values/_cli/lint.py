"""`krm-values lint FUNCTION FILE...`: what a run of the function on these files would refuse or warn of; no pipeline, and nothing is printed but that."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._krm.findings import in_order
from krm_values._krm.plan import Finding
from krm_values._run import plain_files, report
from krm_values._run.engine import DIFFERS

if TYPE_CHECKING:
    from argparse import Namespace


def run(options: Namespace) -> int:
    """Print the findings and return the exit code. A functionConfig among the files is used; its `check` does not count."""
    _, _, outcome = plain_files.resolved(
        options.function, None, options.files, follow_links=options.follow_links, limits=options.limits, command="lint"
    )
    found = [one for one in outcome.findings if one.severity != "info" and one.kind != DIFFERS]
    if outcome.unmatched:
        found.append(Finding("warning", "unmatched", None, f"found {outcome.unmatched}: there is nothing to check"))
    return report.linted(in_order(found), options.format, strict=options.strict)
