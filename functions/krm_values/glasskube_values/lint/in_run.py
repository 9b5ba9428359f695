"""What lint finds in manifests, told in a run as warnings."""

from __future__ import annotations

from krm_values._data import data_edits as data
from krm_values._data.record import replace
from krm_values._kit.planner.plan import Origin
from krm_values.glasskube_values.lint import manifest
from krm_values.glasskube_values.manifest import manifest as manifests

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from krm_values._kit.planner.plan import Finding
    from krm_values.glasskube_values.config import GlasskubeValues
    from krm_values.glasskube_values.manifest.candidates import Candidate
    from krm_values.glasskube_values.manifest.fields import Fault
    from krm_values.glasskube_values.manifest.packages import Package

_SAME = {
    "pattern": ("validation", "36"),
    "options": ("validation", "39"),
    "default": ("validation", ""),
    "template": ("template", ""),
    "template-json": ("template", ""),
    "op": ("patch", "56"),
    "pointer": ("patch", ""),
    "api-group": ("target", ""),
    "dead-target": ("target", ""),
}
_NO_POINTER = ("is not a JSON pointer", "is not an index of the list")


def warnings(
    candidates: Sequence[Candidate],
    chosen: Sequence[tuple[Package, Candidate]],
    said: Sequence[Finding],
    config: GlasskubeValues,
) -> Iterator[Finding]:
    """The faults of all manifests, but for those that the run has said of the Packages that take them.

    Whether a target reaches a resource depends on the Package, so it is the run that says it, of the values that are set.
    Of manifests that are the same data the first is looked at, or the one that somebody takes.
    """
    if config.profile == "upstream":
        return
    about: dict[int, list[Finding]] = {}
    for finding in said:
        about.setdefault(id(finding.item), []).append(finding)
    takers: dict[int, list[Finding]] = {}
    for package, candidate in chosen:
        takers.setdefault(id(candidate), []).extend(about.get(id(package.item), ()))
    looked: dict[str, list[Candidate]] = {}
    for candidate in sorted(candidates, key=lambda one: id(one) not in takers):
        alike = looked.setdefault(candidate.name, [])
        if any(data.same(one.data, candidate.data) for one in alike):
            continue
        alike.append(candidate)
        if id(candidate) not in takers:
            yield from (candidate.finding(fault) for fault in candidate.faults if fault.severity == "warning")
        yield from _warnings(candidate, config, takers.get(id(candidate), []))


def _warnings(candidate: Candidate, config: GlasskubeValues, said: list[Finding]) -> Iterator[Finding]:
    read = candidate.manifest or manifests.examine(candidate.data, lenient=True)[0]
    told = {fault.path for fault in candidate.faults if fault.severity == "error"}
    for fault in manifest.check(read):
        if fault.path in told or (fault.kind == "text-boolean" and config.typed):
            continue
        if not any(_is_same(fault, finding) for finding in said):
            yield candidate.finding(replace(fault, severity="warning") if fault.severity == "error" else fault)


def _is_same(fault: Fault, finding: Finding) -> bool:
    """Whether the run has reported the defect that lint sees: as an error, or that a target reaches nothing."""
    kind, rule = _SAME.get(fault.kind, ("", ""))
    if fault.path[:1] == ("transformations",):
        about = f"transformation {int(fault.path[1]) + 1}"
        kind = "transformation" if kind else ""
    else:
        about = f'"{fault.definition}"'
    if finding.kind != kind or rule not in ("", finding.rule) or about not in finding.message:
        return False
    match fault.kind:
        case "default":
            return isinstance(finding.found, Origin) and finding.found.layer.startswith("default of ")
        case "pointer":
            return any(text in finding.message for text in _NO_POINTER)
        case "api-group":
            return finding.severity == "error" and finding.rule == fault.rule
        case "dead-target":
            return finding.rule in (fault.rule, "S32")
    return finding.severity == "error"
