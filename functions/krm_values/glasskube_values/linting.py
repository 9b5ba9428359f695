"""What lint finds in a manifest, told in a run as warnings."""

from __future__ import annotations

from krm_values._kit.plan import Origin
from krm_values.glasskube_values import lint
from krm_values.glasskube_values.fields import Fault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from krm_values._kit.plan import Finding
    from krm_values.glasskube_values.candidates import Candidate
    from krm_values.glasskube_values.config import GlasskubeValues

_SAME = {
    "pattern": ("validation", "36"),
    "options": ("validation", "39"),
    "default": ("validation", ""),
    "template": ("template", ""),
    "template-json": ("template", ""),
    "op": ("patch", "56"),
    "pointer": ("patch", ""),
    "api-group": ("target", ""),
    "dead-target": ("target", "77"),
}
_NO_POINTER = ("is not a JSON pointer", "is not an index of the list")


def warnings(candidate: Candidate, config: GlasskubeValues, said: list[Finding]) -> Iterator[Finding]:
    """The faults of a manifest that somebody takes, but for those that the run itself has said."""
    if config.profile == "upstream" or candidate.manifest is None:
        return
    for fault in lint.check(candidate.manifest):
        if fault.kind == "text-boolean" and config.typed:
            continue
        told = Fault("warning", fault.kind, fault.rule, fault.path, fault.text, fault.found)
        if not any(_is_same(told, finding) for finding in said):
            yield candidate.finding(told)


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
    return finding.severity == "error" or fault.kind == "dead-target"
