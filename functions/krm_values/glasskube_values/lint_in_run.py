"""Lint in a run: its findings as warnings, unless the run has reported the defect."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import data_edits
from krm_values._data.record import replace
from krm_values.glasskube_values import lint as manifest
from krm_values.glasskube_values.manifest import examine

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from krm_values._kit.planner.plan import Finding
    from krm_values.glasskube_values.candidates import Candidate
    from krm_values.glasskube_values.config import GlasskubeValues
    from krm_values.glasskube_values.reported import Reported


def warnings(
    candidates: Sequence[Candidate], used: Collection[Candidate], reported: Reported, config: GlasskubeValues
) -> Iterator[Finding]:
    """Yield the faults of all manifests as warnings, without those that the run has reported.

    Whether a target matches a resource depends on the Package, so the run reports that, for values that are set. Of manifests with
    equal data one is checked: the first that a Package uses, else the first. used: the manifests that Packages use.
    """
    ids = {id(candidate) for candidate in used}
    checked: dict[str, list[Candidate]] = {}
    for candidate in sorted(candidates, key=lambda one: id(one) not in ids):
        same_name = checked.setdefault(candidate.name, [])
        if any(data_edits.same(one.data, candidate.data) for one in same_name):
            continue
        same_name.append(candidate)
        if id(candidate) not in ids:
            yield from (candidate.finding(fault) for fault in candidate.faults if fault.severity != "error")
        yield from _warnings(candidate, config, reported)


def _warnings(candidate: Candidate, config: GlasskubeValues, reported: Reported) -> Iterator[Finding]:
    read = candidate.manifest or examine(candidate.data)[0]
    for fault in manifest.check(read, candidate.faults, as_text=config.typed is False):
        if not reported.has(candidate, fault):
            yield candidate.finding(replace(fault, severity="warning") if fault.severity == "error" else fault)
