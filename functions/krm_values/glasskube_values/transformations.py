"""Transformations: patches with a value that a path finds in the Package itself or in an object of the list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._kit.planner.findings import title
from krm_values._kit.planner.item import Item
from krm_values._kit.planner.plan import Finding, Origin
from krm_values._kit.planner.resources import Several
from krm_values.glasskube_values.patches import Patch, rendered, unusable
from krm_values.glasskube_values.source_path import PathError, one
from krm_values.glasskube_values.target_index import group_version
from krm_values.glasskube_values.values import differing, near

if TYPE_CHECKING:
    from collections.abc import Iterator

    from krm_values._data.pointer import Path
    from krm_values.glasskube_values.configured import Setting
    from krm_values.glasskube_values.manifest import Transformation
    from krm_values.glasskube_values.manifest_targets import Resource
    from krm_values.glasskube_values.patches import Subject


def of(transformation: Transformation, subject: Subject, setting: Setting) -> Iterator[Patch | Finding]:
    """Yield the patch of each target of a transformation, or the error of the target or of the source."""
    source = _source(transformation, subject, setting)
    if isinstance(source, Finding):
        yield source
    for target in transformation.targets:
        fault = unusable(target, subject)
        if fault:
            yield fault
        elif isinstance(source, Origin) and target.template:
            yield rendered(target, source.value, subject, source)
        elif isinstance(source, Origin):
            yield Patch(target, subject, source.value, source)


def _source(transformation: Transformation, subject: Subject, setting: Setting) -> Origin | Finding | None:
    """Return the origin of the value that the path finds; None if the object cannot be read, which has been reported."""
    resource, written = transformation.resource, (*transformation.path, "source")
    item = _item(resource, (*written, "resource"), subject, setting) if resource else subject.package.item
    if not isinstance(item, Item):
        return item
    if item.data is None:
        return None
    try:
        place, value = one(transformation.source, item.data, title(item), setting.sources)
    except PathError as error:
        text = f"{subject.label}: {transformation.source} {error.fact}"
        return subject.finding("error", "transformation", "85", text, (*written, "path"))
    return Origin(subject.label, value, subject.package.item, via=(Origin(title(item), value, item, place),))


def _item(resource: Resource, at: Path, subject: Subject, setting: Setting) -> Item | Finding:
    """Return the object to read, or the finding why there is none."""
    try:
        wanted = group_version(resource.api_group)
    except ValueError as error:
        subject.report("api-group", at)
        return subject.finding("error", "target", "83", f'{subject.label}: "{error}" is not group/version', (*at, "apiGroup"))
    if wanted is None:
        subject.report("api-group", at)
        text = f"{subject.label}: the source {resource.kind} {resource.name} must have an `apiGroup`"
        return subject.finding("error", "transformation", "84", text, at)
    namespace, named = subject.package.namespace, f'{resource.kind} "{resource.name}"'
    found = setting.resources.find(resource.kind, wanted.group, namespace, resource.name)
    if isinstance(found, Item):
        return found
    if isinstance(found, Several):
        text = f"{subject.label}: {named} {differing(found)}"
        return found.alike or subject.finding("error", "transformation", "83", text, at)
    if not wanted.group and setting.resolver.allowed.allows(resource.kind, namespace, resource.name):
        text = f"{subject.label} is known in the cluster only, and its targets are skipped: {named} is absent, which `allowMissing` allows"
        return subject.finding("info", "missing-allowed", "83", text, at)
    place = f"in namespace {namespace}" if namespace else "without a namespace"
    text = f"{subject.label}: {named} not found {place}{near(found)}"
    return subject.finding("error", "transformation", "83", text, at)
