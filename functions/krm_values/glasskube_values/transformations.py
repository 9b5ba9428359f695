"""Values that a package computes: what a path finds in the Package itself or in an object of the list."""

from __future__ import annotations

from krm_values._kit.allowance import allows
from krm_values._kit.item import Item
from krm_values._kit.plan import Finding, Origin
from krm_values._kit.record import record
from krm_values._kit.results import title
from krm_values._kit.select import Missing, Several
from krm_values.glasskube_values.patches import Patch, Subject, rendered, usable
from krm_values.glasskube_values.reach import group_version
from krm_values.glasskube_values.sourcepath import PathError, one

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from krm_values._kit.data import JSON
    from krm_values.glasskube_values.manifest import Transformation
    from krm_values.glasskube_values.package import Setting
    from krm_values.glasskube_values.packages import Package
    from krm_values.glasskube_values.sourcepath import Sources


@record
class _Source:
    """What a path found, and where."""

    value: JSON
    origin: Origin


def of(transformation: Transformation, package: Package, setting: Setting, findings: list[Finding]) -> Iterator[Patch]:
    """The patches of one transformation, in the order of its targets."""
    subject = Subject(f"transformation {transformation.number}", "transformation", package, ())
    item = _item(transformation, subject, setting, findings)
    source = _source(transformation, subject, item, findings, setting.sources) if item else None
    for target in transformation.targets:
        if not usable(target, subject, findings) or source is None:
            continue
        if target.template:
            yield from rendered(target, source.value, subject, source.origin, findings)
        else:
            yield Patch(target, subject, source.value, source.origin)


def _source(
    transformation: Transformation, subject: Subject, item: Item, findings: list[Finding], sources: Sources
) -> _Source | None:
    try:
        place, value = one(transformation.source, item.data, title(item), sources)
    except PathError as error:
        text = f"{transformation.source} {error.fact}"
        findings.append(subject.finding("error", "transformation", "85", f"{subject.label}: {text}"))
        return None
    return _Source(value, Origin(subject.label, value, subject.package.item, via=(Origin(title(item), value, item, place),)))


def _item(transformation: Transformation, subject: Subject, setting: Setting, findings: list[Finding]) -> Item | None:
    """The object that is read; None where there is none, which is then said."""
    resource = transformation.resource
    if resource is None:
        return subject.package.item
    try:
        kind = group_version(resource.api_group)
    except ValueError:
        text = f'{subject.label}: "{resource.api_group}" is not group/version'
        findings.append(subject.finding("error", "target", "83", text))
        return None
    if kind is None:
        text = f"{subject.label}: the source {resource.kind} {resource.name} must have an `apiGroup`"
        findings.append(subject.finding("error", "transformation", "84", text))
        return None
    namespace = subject.package.namespace
    found = setting.resources.find(resource.kind, kind.group, namespace, resource.name)
    if (
        isinstance(found, Missing)
        and not kind.group
        and allows(setting.config.allow_missing, resource.kind, namespace, resource.name)
    ):
        text = f'{subject.label} waits for the cluster and its targets do not run: {resource.kind} "{resource.name}" is absent, as `allowMissing` says'
        findings.append(subject.finding("info", "missing-allowed", "83", text))
        return None
    return _only(found, f'{resource.kind} "{resource.name}"', subject, findings)


def _only(found: Item | Missing | Several, named: str, subject: Subject, findings: list[Finding]) -> Item | None:
    """The one object, or the first of several equal ones; one that cannot be read is said already."""
    if isinstance(found, Item):
        return found if found.data is not None else None
    if isinstance(found, Several):
        first, *others = found.items
        if all(other.data == first.data for other in others):
            return first
        places = " and in ".join(item.position.path or f"item {item.number}" for item in found.items)
        text = f"{named} stands in {places}, and they differ: keep one"
    else:
        namespace = subject.package.namespace
        place = f"in namespace {namespace}" if namespace else "without a namespace"
        text = f"{named} not found {place}{_near(found)}"
    findings.append(subject.finding("error", "transformation", "83", f"{subject.label}: {text}"))
    return None


def _near(missing: Missing) -> str:
    if missing.own:
        return ": it is what this function itself writes"
    places = [item.namespace or "no namespace" for item in missing.near]
    return f"; one of that name stands in {' and in '.join(places)}" if places else ""
