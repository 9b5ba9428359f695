"""Patches: what each target of a configured value writes, with its origin."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.record import record, replace
from krm_values._data.shown import described
from krm_values._kit.planner.plan import Finding, Origin
from krm_values.glasskube_values import value_template
from krm_values.glasskube_values.constraints import boolean, whole_number
from krm_values.glasskube_values.json_patch import OPS
from krm_values.glasskube_values.target_index import group_version
from krm_values.glasskube_values.value_template import TemplateError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._kit.planner.plan import Severity
    from krm_values.glasskube_values.candidates import Candidate
    from krm_values.glasskube_values.config import GlasskubeValues
    from krm_values.glasskube_values.manifest import Definition
    from krm_values.glasskube_values.manifest_targets import Target
    from krm_values.glasskube_values.packages import Package
    from krm_values.glasskube_values.reported import Reported
    from krm_values.glasskube_values.values import Value


@record
class Subject:
    """The value or transformation of a patch. label: `"level"` or `transformation 1`. path: of the value in the Package, if any."""

    label: str
    kind: str
    package: Package
    path: Path
    candidate: Candidate
    reported: Reported

    def finding(self, severity: Severity, kind: str, rule: str, text: str, at: Path, *, found: Origin | JSON = None) -> Finding:
        """Return a finding about it. at: the path of its cause in the manifest. Findings on a transformation have their own kind."""
        kind = "transformation" if self.kind == "transformation" else kind
        finding = Finding(severity, kind, rule, text, self.package.item, self.path, found)
        return self.candidate.pointing(finding, at)

    def report(self, lint: str, at: Path) -> None:
        """Note that a defect is reported that lint finds as well. at: the path of its cause in the manifest."""
        self.reported.add(self.candidate, lint, at)

    def of(self, part: str) -> str:
        """Return `patch of "level"`; for a transformation its label."""
        return f"{part} of {self.label}" if self.kind == "value" else self.label


@record
class Patch:
    """One operation on the places that its target matches. type: of the definition, if its value is written as a string without template."""

    target: Target
    subject: Subject
    value: JSON
    origin: Origin
    type: str = ""


def of_value(value: Value, definition: Definition, subject: Subject, config: GlasskubeValues) -> Iterator[Patch | Finding]:
    """Yield the patch of each target of a value, or the error of the target."""
    for target in definition.targets:
        fault = unusable(target, subject)
        if fault:
            yield fault
        elif target.template:
            yield rendered(target, value.text, subject, value.origin, alias=True)
        elif _is_typed(target, config) and not target.is_data_string:
            yield Patch(target, subject, _typed(value.text or "", definition.type), value.origin)
        else:
            kind = definition.type if definition.type in ("boolean", "number") and not target.is_data_string else ""
            yield Patch(target, subject, value.text, value.origin, kind)


def _is_typed(target: Target, config: GlasskubeValues) -> bool:
    """Return whether a target without a template writes booleans and numbers as such (S28)."""
    is_default = target.resource is None
    return is_default if config.typed is None else config.typed


def creates_parents(target: Target, config: GlasskubeValues) -> bool:
    """Return whether `add` creates the missing parents of a target's path (S29)."""
    is_default = target.resource is None
    return is_default if config.create_parents is None else config.create_parents


def rendered(target: Target, dot: JSON, subject: Subject, origin: Origin, *, alias: bool = False) -> Patch | Finding:
    """Return the patch of a target with a template, or the template's error."""
    try:
        return Patch(target, subject, value_template.render(target.template, dot, alias=alias).value, origin)
    except TemplateError as error:
        subject.report("template", target.path)
        rule = "50" if error.stage == "json" else "47" if error.stage == "parse" else "46"
        text, at = f"{subject.of('template')}: {error.message}", (*target.path, "valueTemplate")
        if error.rendered is None:
            return subject.finding("error", "template", rule, text, at)
        output = replace(origin, value=error.rendered)
        return subject.finding("error", "template", rule, f"{text}; it is {{found}}", at, found=output)


def unusable(target: Target, subject: Subject) -> Finding | None:
    """Return the error of a target that cannot be applied to anything; None if it can. Checked before anything is applied."""
    known = ", ".join(f"`{op}`" for op in OPS)
    if target.op not in OPS:
        subject.report("op", target.path)
    if target.op in ("move", "copy"):
        text = f"{subject.of('patch')}: {target.op} needs `from`, which a target cannot have; use one of {known}"
        return subject.finding("error", "patch", "56", text, (*target.patch, "op"))
    if target.op not in OPS:
        text = f"{subject.of('patch')}: must be one of {known}; found {described(target.op)}{suggest.hint(target.op, OPS)}"
        return subject.finding("error", "patch", "56", text, (*target.patch, "op"))
    try:
        group_version(target.resource.api_group if target.resource else "")
    except ValueError as error:
        subject.report("api-group", target.path)
        text = f'{subject.of("target")}: "{error}" is not group/version'
        return subject.finding("error", "target", "72", text, (*target.path, "resource", "apiGroup"))
    return None


def _typed(text: str, kind: str) -> JSON:
    """Return a valid value as boolean, number or string."""
    if kind == "boolean":
        return boolean(text)
    return whole_number(text) if kind == "number" else text
