"""From values to patches: what each target of a configured value writes, and who says so."""

from __future__ import annotations

from krm_values._kit.plan import Finding, Origin
from krm_values._kit.record import record, replace
from krm_values.glasskube_values import valuetemplate
from krm_values.glasskube_values.constraints import boolean, whole_number
from krm_values.glasskube_values.reach import group_version
from krm_values.glasskube_values.valuetemplate import TemplateError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from krm_values._kit.data import JSON
    from krm_values._kit.pointer import Path
    from krm_values.glasskube_values.config import GlasskubeValues
    from krm_values.glasskube_values.manifest import Definition
    from krm_values.glasskube_values.packages import Package
    from krm_values.glasskube_values.references import Value
    from krm_values.glasskube_values.targets import Target

OPS = ("add", "replace", "remove", "test")


@record
class Subject:
    """Whose patch it is: a value's `"level"`, or `transformation 1`. `path`: where the Package says it, if it does."""

    label: str
    kind: str
    package: Package
    path: Path

    def finding(self, severity: str, kind: str, rule: str, text: str, found: Origin | JSON = None) -> Finding:
        """A finding about it. What is wrong with a transformation is of its own kind, as its text begins."""
        kind = "transformation" if self.kind == "transformation" else kind
        return Finding(severity, kind, rule, text, self.package.item, self.path, found)  # type: ignore[arg-type]

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


def of_value(
    value: Value, definition: Definition, package: Package, config: GlasskubeValues, findings: list[Finding]
) -> Iterator[Patch]:
    """The patches of one value, in the order of its targets; they are complete only if no finding is added."""
    subject = Subject(f'"{value.name}"', "value", package, ("spec", "values", value.name))
    for target in definition.targets:
        if not usable(target, subject, findings):
            continue
        if target.template:
            lenient = config.profile == "recommended"
            yield from rendered(target, value.text, subject, value.origin, findings, alias=lenient)
        elif config.typed and not target.is_held_text:
            yield Patch(target, subject, _typed(value.text or "", definition.type), value.origin)
        else:
            kind = definition.type if definition.type in ("boolean", "number") and not target.is_held_text else ""
            yield Patch(target, subject, value.text, value.origin, kind)


def rendered(
    target: Target, dot: JSON, subject: Subject, origin: Origin, findings: list[Finding], *, alias: bool = False
) -> Iterator[Patch]:
    """The patch of a target with a template; what is wrong with that is said."""
    try:
        yield Patch(target, subject, valuetemplate.render(target.template, dot, alias=alias).value, origin)
    except TemplateError as error:
        rule = "50" if error.stage == "json" else "47" if error.stage == "parse" else "46"
        text = f"{subject.of('template')}: {error.message}"
        if error.rendered is None:
            findings.append(subject.finding("error", "template", rule, text))
        else:
            seen = replace(origin, value=error.rendered)
            findings.append(subject.finding("error", "template", rule, f"{text}; it is {{found}}", seen))


def usable(target: Target, subject: Subject, findings: list[Finding]) -> bool:
    """Whether a target can be used at all, checked before anything is applied."""
    if target.op in ("move", "copy"):
        text = f"{subject.of('patch')}: {target.op} needs `from`, which a target cannot have; use one of {_listed()}"
        findings.append(subject.finding("error", "patch", "56", text))
        return False
    if target.op not in OPS:
        text = f'{subject.of("patch")}: must be one of {_listed()}; found "{target.op}"'
        findings.append(subject.finding("error", "patch", "56", text))
        return False
    try:
        if target.resource:
            group_version(target.resource.api_group)
    except ValueError:
        text = f'{subject.of("target")}: "{target.resource.api_group}" is not group/version' if target.resource else ""
        findings.append(subject.finding("error", "target", "72", text))
        return False
    return True


def _typed(text: str, kind: str) -> JSON:
    """A valid value as what it means."""
    if kind == "boolean":
        return boolean(text)
    return whole_number(text) if kind == "number" else text


def _listed() -> str:
    return ", ".join(f"`{op}`" for op in OPS)
