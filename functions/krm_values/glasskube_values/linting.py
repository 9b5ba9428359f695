"""What lint finds in manifests, told in a run as warnings."""

from __future__ import annotations

from krm_values._kit import plain as data
from krm_values._kit.plan import Origin
from krm_values.glasskube_values import lint, linttargets
from krm_values.glasskube_values import manifest as manifests
from krm_values.glasskube_values.fields import Fault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from krm_values._kit.plan import Finding
    from krm_values._kit.select import Resources
    from krm_values.glasskube_values.candidates import Candidate
    from krm_values.glasskube_values.config import GlasskubeValues
    from krm_values.glasskube_values.linttargets import Plain
    from krm_values.glasskube_values.packages import Package

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
    resources: Resources,
) -> Iterator[Finding]:
    """The faults of all manifests, but for those that the run has said of the Packages that take them.

    Of manifests that are the same data the first is looked at, or the one that somebody takes.
    """
    if config.profile == "upstream":
        return
    plain = linttargets.plain_of(resources) or None
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
        yield from _warnings(candidate, config, takers.get(id(candidate), []), plain)


def _warnings(
    candidate: Candidate, config: GlasskubeValues, said: list[Finding], plain: Collection[Plain] | None
) -> Iterator[Finding]:
    read = candidate.manifest or manifests.examine(candidate.data, lenient=True)[0]
    told = {fault.path for fault in candidate.faults if fault.severity == "error"}
    for fault in lint.check(read, plain):
        if fault.path in told or (fault.kind == "text-boolean" and config.typed):
            continue
        warning = Fault("warning", fault.kind, fault.rule, fault.path, fault.text, fault.found)
        if not any(_is_same(warning, finding) for finding in said):
            yield candidate.finding(warning)


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
        case "dead-target":
            return finding.rule == fault.rule
    return finding.severity == "error"
