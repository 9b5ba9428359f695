"""From values to patches: what each target of a configured value writes, and who says so."""

from __future__ import annotations

from krm_values._data import suggest
from krm_values._data.record import record, replace
from krm_values._data.shown import described
from krm_values._kit.planner.plan import Finding, Origin
from krm_values.glasskube_values.jsonpatch.apply import OPS
from krm_values.glasskube_values.manifest.constraints import boolean, whole_number
from krm_values.glasskube_values.patch import value_template
from krm_values.glasskube_values.patch.targets import group_version
from krm_values.glasskube_values.patch.value_template import TemplateError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values.glasskube_values.config import GlasskubeValues
    from krm_values.glasskube_values.manifest.candidates import Candidate
    from krm_values.glasskube_values.manifest.manifest import Definition
    from krm_values.glasskube_values.manifest.packages import Package
    from krm_values.glasskube_values.manifest.targets import Target
    from krm_values.glasskube_values.values.references import Value


@record
class Subject:
    """Whose patch it is: a value's `"level"`, or `transformation 1`. `path`: where the Package says it, if it does."""

    label: str
    kind: str
    package: Package
    path: Path
    candidate: Candidate

    def finding(self, severity: str, kind: str, rule: str, text: str, at: Path, *, found: Origin | JSON = None) -> Finding:
        """A finding about it, whose cause stands at a path of the manifest. What is wrong with a transformation is of its own kind."""
        kind = "transformation" if self.kind == "transformation" else kind
        finding = Finding(severity, kind, rule, text, self.package.item, self.path, found)  # type: ignore[arg-type]
        return self.candidate.pointing(finding, at)

    def of(self, part: str) -> str:
        """`patch of "level"`; of a transformation, which says it all, its label."""
        return f"{part} of {self.label}" if self.kind == "value" else self.label


@record
class Patch:
    """One operation on whatever its target means. `type` is the definition's where no template speaks and the text is written."""

    target: Target
    subject: Subject
    value: JSON
    origin: Origin
    type: str = ""


def of_value(value: Value, definition: Definition, subject: Subject, config: GlasskubeValues) -> Iterator[Patch | Finding]:
    """The patch of each target of a value, or what is wrong with it."""
    for target in definition.targets:
        fault = unusable(target, subject)
        if fault:
            yield fault
        elif target.template:
            yield rendered(target, value.text, subject, value.origin, alias=config.profile == "recommended")
        elif config.typed and not target.is_held_text:
            yield Patch(target, subject, _typed(value.text or "", definition.type), value.origin)
        else:
            kind = definition.type if definition.type in ("boolean", "number") and not target.is_held_text else ""
            yield Patch(target, subject, value.text, value.origin, kind)


def rendered(target: Target, dot: JSON, subject: Subject, origin: Origin, *, alias: bool = False) -> Patch | Finding:
    """The patch of a target with a template, or what is wrong with that."""
    try:
        return Patch(target, subject, value_template.render(target.template, dot, alias=alias).value, origin)
    except TemplateError as error:
        rule = "50" if error.stage == "json" else "47" if error.stage == "parse" else "46"
        text, at = f"{subject.of('template')}: {error.message}", (*target.path, "valueTemplate")
        if error.rendered is None:
            return subject.finding("error", "template", rule, text, at)
        told = replace(origin, value=error.rendered)
        return subject.finding("error", "template", rule, f"{text}; it is {{found}}", at, found=told)


def unusable(target: Target, subject: Subject) -> Finding | None:
    """Why a target cannot be used at all, checked before anything is applied; None where it can."""
    known = ", ".join(f"`{op}`" for op in OPS)
    if target.op in ("move", "copy"):
        text = f"{subject.of('patch')}: {target.op} needs `from`, which a target cannot have; use one of {known}"
        return subject.finding("error", "patch", "56", text, (*target.patch, "op"))
    if target.op not in OPS:
        text = f"{subject.of('patch')}: must be one of {known}; found {described(target.op)}{suggest.hint(target.op, OPS)}"
        return subject.finding("error", "patch", "56", text, (*target.patch, "op"))
    try:
        group_version(target.resource.api_group if target.resource else "")
    except ValueError as error:
        text = f'{subject.of("target")}: "{error}" is not group/version'
        return subject.finding("error", "target", "72", text, (*target.path, "resource", "apiGroup"))
    return None


def _typed(text: str, kind: str) -> JSON:
    """A valid value as what it means."""
    if kind == "boolean":
        return boolean(text)
    return whole_number(text) if kind == "number" else text
