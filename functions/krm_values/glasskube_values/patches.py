"""From values and transformations to patches: what each target writes, with its origin.

A value is the string itself, or what its target's template makes of it: Go's text/template with the value as dot, whose output
encoding/json reads. A transformation is a value that a JSONPath finds in the Package itself or in an object of the list.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.pointer import get
from krm_values._data.record import record, replace
from krm_values._data.shown import described
from krm_values._go import jsonpath
from krm_values._go.encoding_json import JsonError, decode
from krm_values._go.jsonpath import plain, unstructured
from krm_values._go.jsonpath_parser import PathError
from krm_values._go.template import text_of
from krm_values._go.template_parser import TemplateError, parse
from krm_values._krm.findings import title
from krm_values._krm.item import Item, is_secret
from krm_values._krm.plan import Finding, Origin
from krm_values._krm.resources import Several
from krm_values._krm.undo_record import WithheldSecret
from krm_values.glasskube_values.constraints import boolean, whole_number
from krm_values.glasskube_values.json_patch import OPS
from krm_values.glasskube_values.values import differing, where_else

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._go.jsonpath import GoValue
    from krm_values._krm.findings import Report
    from krm_values._krm.plan import Severity
    from krm_values._krm.resources import Resources
    from krm_values.glasskube_values.config import GlasskubeValues
    from krm_values.glasskube_values.manifest import Definition, Resource, Target, Transformation
    from krm_values.glasskube_values.packages import Candidate, CoveredLint, Package
    from krm_values.glasskube_values.values import ResolvedValue, Resolver

STEPS = 2_000_000
"""Steps that all source paths of a run may take: values visited or made."""


@record
class Setting:
    """What all Packages of a run share."""

    config: GlasskubeValues
    resources: Resources
    resolver: Resolver
    sources: Sources


@record
class Subject:
    """The value or transformation of a patch. label: `"level"` or `transformation 1`. path: of the value in the Package, if any."""

    label: str
    kind: str
    package: Package
    path: Path
    candidate: Candidate
    covered: CoveredLint

    def finding(
        self, severity: Severity, kind: str, rule: str | None, text: str, at: Path, *, found: Origin | JSON = None
    ) -> Finding:
        """Return a finding about it. at: the path of its cause in the manifest. Findings on a transformation have their own kind."""
        kind = "transformation" if self.kind == "transformation" else kind
        finding = Finding(severity, kind, rule, text, self.package.item, self.path, found)
        return self.candidate.pointing(finding, at)

    def covers_lint(self, kind: str, at: Path) -> None:
        """Note that the run reports what this kind of lint would, at a path of the manifest, so that `lint.in_run` does not repeat it."""
        self.covered.add(self.candidate, kind, at)

    def of(self, part: str) -> str:
        """Return `patch of "level"`; for a transformation its label."""
        return f"{part} of {self.label}" if self.kind == "value" else self.label


@record
class Patch:
    """One operation on the places that its target matches.

    string_for: `boolean` or `number` if the value of such a definition is written as a string, because no template types it (for rule 45).
    default: what it would write if the Package did not set the value.
    """

    target: Target
    subject: Subject
    value: JSON
    origin: Origin
    string_for: str = ""
    default: tuple[Origin, ...] = ()


def of_value(
    value: ResolvedValue,
    definition: Definition,
    subject: Subject,
    setting: Setting,
    report: Report,
    *,
    default: ResolvedValue | None,
) -> list[Patch]:
    """Return the patch of each target of a value; none, with the errors in the report, if one of the targets has an error.

    default: what the Package's value overrides.
    """

    def patch(target: Target) -> Patch | Finding:
        made = _of_value(target, value, definition, subject, setting)
        if default is None or isinstance(made, Finding) or [*definition.violations(default.text or "")]:
            return made
        return replace(made, default=tuple(_of_default(target, default, definition, subject, setting)))

    return _all_or_none(map(patch, definition.targets), report)


def of_transformation(transformation: Transformation, subject: Subject, setting: Setting, report: Report) -> list[Patch]:
    """Return the patch of each target of a transformation; none, with the errors in the report, if one of them or the source has an error."""
    return _all_or_none(_of_transformation(transformation, subject, setting), report)


def _all_or_none(made: Iterable[Patch | Finding], report: Report) -> list[Patch]:
    steps = list(made)
    findings = [step for step in steps if isinstance(step, Finding)]
    report.extend(findings)
    return [] if findings else [step for step in steps if isinstance(step, Patch)]


def _of_value(
    target: Target, value: ResolvedValue, definition: Definition, subject: Subject, setting: Setting
) -> Patch | Finding:
    if fault := _unusable(target, subject):
        return fault
    if target.template:
        return _rendered(target, value.text, subject, value.origin, alias=True)
    is_typed = target.resource is None if setting.config.typed is None else setting.config.typed  # S28
    if is_typed and not target.is_data_string:
        return Patch(target, subject, _typed(value.text or "", definition.type), value.origin)
    string_for = definition.type if definition.type in ("boolean", "number") and not target.is_data_string else ""
    return Patch(target, subject, value.text, value.origin, string_for)


def _of_default(
    target: Target, default: ResolvedValue, definition: Definition, subject: Subject, setting: Setting
) -> Iterator[Origin]:
    """Yield what a target would write for the default; nothing if its template fails on it, which is not an error of this run."""
    if target.template:
        try:
            yield replace(default.origin, value=render(target.template, default.text, alias=True).value)
        except TemplateError:
            return
    elif isinstance(made := _of_value(target, default, definition, subject, setting), Patch):
        yield replace(made.origin, value=made.value)


def _of_transformation(transformation: Transformation, subject: Subject, setting: Setting) -> Iterator[Patch | Finding]:
    source = _source(transformation, subject, setting)
    if isinstance(source, Finding):
        yield source
    for target in transformation.targets:
        if fault := _unusable(target, subject):
            yield fault
        elif isinstance(source, Origin) and target.template:
            yield _rendered(target, source.value, subject, source)
        elif isinstance(source, Origin):
            yield Patch(target, subject, source.value, source)


def _unusable(target: Target, subject: Subject) -> Finding | None:
    """Return the error of a target that cannot be applied to anything; None if it can. Checked before anything is applied."""
    if target.op not in OPS:
        subject.covers_lint("op", target.path)
        known = ", ".join(f"`{op}`" for op in OPS)
        if target.op in ("move", "copy"):
            text = f"{subject.of('patch')}: {target.op} needs `from`, which a target cannot have; use one of {known}"
        else:
            text = f"{subject.of('patch')}: must be one of {known}; found {described(target.op)}{suggest.hint(target.op, OPS)}"
        return subject.finding("error", "patch", "56", text, (*target.patch, "op"))
    if target.resource and target.resource.has_bad_api_group:
        subject.covers_lint("api-group", target.path)
        text = f'{subject.of("target")}: "{target.resource.api_group}" is not group/version'
        return subject.finding("error", "target", "72", text, (*target.path, "resource", "apiGroup"))
    return None


def _rendered(target: Target, dot: JSON, subject: Subject, origin: Origin, *, alias: bool = False) -> Patch | Finding:
    """Return the patch of a target with a template, or the template's error."""
    try:
        return Patch(target, subject, render(target.template, dot, alias=alias).value, origin)
    except TemplateError as error:
        subject.covers_lint("template", target.path)
        rule = "50" if error.stage == "json" else "47" if error.stage == "parse" else "46"
        text, at = f"{subject.of('template')}: {error.message}", (*target.path, "valueTemplate")
        if error.rendered is None:
            return subject.finding("error", "template", rule, text, at)
        output = replace(origin, value=error.rendered)
        return subject.finding("error", "template", rule, f"{text}; it is {{found}}", at, found=output)


def _typed(text: str, kind: str) -> JSON:
    """Return a valid value as boolean, number or string."""
    if kind == "boolean":
        return boolean(text)
    return whole_number(text) if kind == "number" else text


def _source(transformation: Transformation, subject: Subject, setting: Setting) -> Origin | Finding | None:
    """Return the origin of the value that the path finds, in the manifest; None if the object cannot be read, which has been reported."""
    resource, written = transformation.resource, (*transformation.path, "source")
    item = _item(resource, (*written, "resource"), subject, setting) if resource else subject.package.item
    if not isinstance(item, Item):
        return item
    if item.data is None:
        return None
    try:
        place, value = follow(transformation.source, item.data, title(item), setting.sources)
    except PathError as error:
        text = f"{subject.label}: {transformation.source} {error.fact}"
        return subject.finding("error", "transformation", "85", text, (*written, "path"))
    is_literal = place is None and not is_secret(item)
    via = () if is_literal else (Origin(title(item), value, item, place or ()),)
    return subject.candidate.origin(subject.label, value, (*written, "path"), via)


def _item(resource: Resource, at: Path, subject: Subject, setting: Setting) -> Item | Finding:
    """Return the object to read, or the finding why there is none."""
    wanted = resource.group_version
    if wanted is None:
        subject.covers_lint("api-group", at)
        if resource.has_bad_api_group:
            text = f'{subject.label}: "{resource.api_group}" is not group/version'
            return subject.finding("error", "target", "83", text, (*at, "apiGroup"))
        text = f"{subject.label}: the source {resource.kind} {resource.name} must have an `apiGroup`"
        return subject.finding("error", "transformation", "84", text, at)
    namespace, named = subject.package.namespace, f'{resource.kind} "{resource.name}"'
    found = setting.resources.find(resource.kind, wanted[0], namespace, resource.name, subject.package.item)
    if isinstance(found, Item):
        return found
    if isinstance(found, Several):
        text = f"{subject.label}: {named} {differing(found)}"
        return found.identical or subject.finding("error", "transformation", "83", text, at)
    if not wanted[0] and setting.resolver.allowed.allows(resource.kind, namespace, resource.name):
        text = f"{subject.label} is known in the cluster only, and its targets are skipped: {named} is absent, which `allowMissing` allows"
        return subject.finding("info", "missing-allowed", "83", text, at)
    place = f"in namespace {namespace}" if namespace else "without a namespace"
    text = f"{subject.label}: {named} not found {place}{where_else(found)}"
    return subject.finding("error", "transformation", "83", text, at)


@record
class Rendered:
    """A template's output: its text, and its value as JSON."""

    text: str
    value: JSON


def render(template: str, dot: JSON, *, alias: bool = False) -> Rendered:
    """Execute a template on a value: the string of a value definition, or any value that a transformation found.

    Supported are text, comments, trim marks, `.`, string literals, `true` and `false`, parentheses, pipelines, `if`, `with`, `else`, `end`,
    and the functions `eq`, `ne`, `not`, `and`, `or`, `len`, `base64` and `printf "%q"`; everything else is an error that names it.
    alias: whether `.value` is the dot. Raises TemplateError, whose `stage` is `parse`, `execute` or `json`.
    """
    text = text_of(parse(template), dot, alias=alias)
    try:
        return Rendered(text, decode(text))
    except JsonError as error:
        raise TemplateError("json", f"the result is not JSON: {error.message}", rendered=text) from None


class Sources:
    """The objects that source paths read, each converted once, and the remaining budget of steps."""

    __slots__ = ("_objects", "left")

    def __init__(self) -> None:
        self.left = STEPS
        self._objects: dict[int, tuple[JSON, GoValue | ValueError]] = {}

    def unstructured(self, data: JSON) -> GoValue:
        """Return an object as the API server stores it. Raises PathError if it refuses it."""
        if id(data) not in self._objects:
            self._objects[id(data)] = data, _unstructured(data)
        found = self._objects[id(data)][1]
        if isinstance(found, ValueError):
            raise PathError(f"reads an object that the API server refuses: {found}")
        return found


def follow(path: str, data: JSON, title: str, sources: Sources) -> tuple[Path | None, JSON]:
    """Return (path, value) of the one value that a path finds in an object; the path is None for text in the source path itself.

    title: of the object, for messages. Raises PathError if nothing or several values are found, and if it does not parse.
    """
    if not sources.left:
        raise PathError(f"is not followed: the source paths of this run have taken {STEPS:,} steps")
    steps = jsonpath.steps_of_walk(min(jsonpath.MOST, sources.left))
    try:
        pieces = jsonpath.find(sources.unstructured(data), path, allow_missing=False, steps=steps)
    except PathError as error:
        fact = f"finds nothing in {title}: it {error.fact}" if error.missing else error.fact
        raise PathError(fact) from error
    finally:
        sources.left -= steps.most - max(steps.left, 0)
    if len(pieces) > 1:
        raise PathError(f"has {len(pieces)} parts, in braces and beside them, and each is a value of its own: keep one")
    found = [entry for piece in pieces for entry in piece]
    if len(found) != 1:
        raise PathError(f"finds {f'{len(found)} values' if found else 'nothing'} in {title}, one is needed")
    value, place = found[0]
    if place is None:
        return None, plain(value)
    known: JSON = get(data, place)
    if _is_withheld(known):
        raise PathError(f"reads a value of {title} that was overwritten and is not known: write it there again")
    return place, known


def _unstructured(data: JSON) -> GoValue | ValueError:
    try:
        return unstructured(data)
    except ValueError as error:
        return error


def _is_withheld(value: object) -> bool:
    if isinstance(value, dict):
        return any(map(_is_withheld, value.values()))
    return any(map(_is_withheld, value)) if isinstance(value, list) else isinstance(value, WithheldSecret)
