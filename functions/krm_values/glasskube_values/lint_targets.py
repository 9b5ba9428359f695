"""Lint of a target, whatever value it gets."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from krm_values._data.record import record
from krm_values.glasskube_values import json_patch as apply
from krm_values.glasskube_values import json_pointers as pointers
from krm_values.glasskube_values.json_pointers import PatchError
from krm_values.glasskube_values.manifest_fields import Fault
from krm_values.glasskube_values.target_index import may_be_target

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from krm_values._data.pointer import Path
    from krm_values._data.suggest import Hints
    from krm_values._kit.planner.item import Item
    from krm_values.glasskube_values.manifest import Definition, Manifest
    from krm_values.glasskube_values.manifest_targets import Resource, Target

_VERSION = re.compile("v[0-9]+(?:(?:alpha|beta)[0-9]+)?")
_KUSTOMIZE = "kustomize.config.k8s.io"
_NON_STANDARD_INDEX = re.compile("[+-][0-9]+|0[0-9]+")


@record
class Plain:
    """The fields by which a target refers to a plain resource."""

    api_version: str
    kind: str
    name: str
    namespace: str


class Beside:
    """The plain resources beside a manifest, indexed by the fields of a target."""

    __slots__ = ("_namespaces",)

    def __init__(self, plain: Iterable[Plain]) -> None:
        self._namespaces: dict[tuple[str, str, str], set[str]] = {}
        for one in plain:
            self._namespaces.setdefault((one.api_version, one.kind, one.name), set()).add(one.namespace)

    def has(self, resource: Resource) -> bool:
        """Return whether a target matches one of them; a resource without a namespace may get any."""
        found = self._namespaces.get((resource.api_group, resource.kind, resource.name), set())
        return bool(found) and (not resource.namespace or not found.isdisjoint(("", resource.namespace)))


def plain_of(items: Iterable[Item]) -> tuple[Plain, ...]:
    """Return the items that a target may match, without kustomizations and the objects that this function generated."""
    found = (one for one in items if may_be_target(one) and one.group != _KUSTOMIZE and not _is_generated(one))
    return tuple(Plain(one.api_version, one.kind, one.name, one.namespace) for one in found)


def check(target: Target, manifest: Manifest, plain: Beside | None, hints: Hints) -> Iterator[Fault]:
    """Yield the faults of its operation, pointer, and resource or chart. plain: the resources beside the manifest, None if unknown."""
    yield from _op(target)
    yield from _pointer(target)
    if target.resource is None:
        yield from _chart(target, manifest, hints)
        return
    path = (*target.path, "resource", "apiGroup")
    faults = tuple(api_group(target.resource, path, rule="72"))
    yield from faults
    if plain is not None and not faults and not plain.has(target.resource):
        text = f'no {target.resource.kind} "{target.resource.name}" is among the resources'
        yield Fault("warning", "dead-target", "73", (*target.path, "resource"), text)


def repeated(definition: Definition) -> Iterator[Fault]:
    """Yield a warning for each target that is listed twice, unless it appends different elements."""
    seen: dict[object, int] = {}
    for number, target in enumerate(definition.targets, start=1):
        last = target.pointer.rpartition("/")[2]
        inserts = target.op == "add" and (last == "-" or pointers.index(last) is not None)
        key = (target.op, target.pointer, target.resource, target.chart, target.template if inserts else None)
        if key in seen:
            yield Fault("warning", "duplicate", "80", target.path, f"repeats target {seen[key]} of the definition: remove one")
        seen.setdefault(key, number)


def untyped(target: Target, definition: Definition) -> Iterator[Fault]:
    """Yield a warning if a boolean or number is written to a chart as a string."""
    is_text = target.op != "remove" and not target.template
    if is_text and definition.type in ("boolean", "number") and target.chart and not target.resource:
        text = f"writes a {definition.type} as a string into the values of a chart: give it a `valueTemplate` of {{{{.}}}}"
        yield Fault("warning", "text-boolean", "45", target.path, text)


def api_group(resource: Resource, path: Path, *, rule: str) -> Iterator[Fault]:
    """Yield a warning if an `apiGroup` is not group and version, so that nothing matches."""
    group = resource.api_group
    if not group:
        text = 'must be given, with the version ("apps/v1", of the core group "v1"): without it nothing matches'
    elif group.count("/") > 1 or group.endswith("/"):
        text = 'must be group and version, like "apps/v1"; found {found}'
    elif "/" not in group and not _VERSION.fullmatch(group):
        text = f'must be group and version, like "{group}/v1": a group alone matches nothing; found {{found}}'
    else:
        return
    yield Fault("warning", "api-group", rule, path, text, group or None)


def _is_generated(item: Item) -> bool:
    return item.kind in ("HelmRelease", "HelmRepository") and item.marks.get("generated-by") == "glasskube-values"


def _op(target: Target) -> Iterator[Fault]:
    try:
        apply.check(target.op)
    except PatchError as error:
        yield Fault("error", "op", "56", (*target.patch, "op"), error.message)


def _pointer(target: Target) -> Iterator[Fault]:
    path, pointer = (*target.patch, "path"), target.pointer
    try:
        parts = pointers.read(pointer)
    except PatchError as error:
        yield Fault("error", "pointer", "58", path, error.message)
        return
    if pointer.startswith("//"):
        text = "begins with two slashes: the operator ignores such a patch; found {found}"
        yield Fault("warning", "slash", "59", path, text, pointer)
    elif pointer and pointer[0] != "/":
        text = f'must begin with a slash, or the operator drops the first segment: write "/{pointer}"; found {{found}}'
        yield Fault("warning", "slash", "59", path, text, pointer)
    for part in () if target.is_data_string else parts:
        if _NON_STANDARD_INDEX.fullmatch(part):
            text = (
                f'"{part}" is not an index of a list: it must be 0, or digits without a sign or leading zero; found {{found}}'
            )
            yield Fault("error", "pointer", "64" if part[0] in "0+" else "63", path, text, pointer)
            return


def _chart(target: Target, manifest: Manifest, hints: Hints) -> Iterator[Fault]:
    charts = [release.chart for release in manifest.releases]
    if not target.chart or target.chart in charts:
        return
    text = "is not a chart of the manifest; found {found}" + hints.hint(target.chart, charts, '"')
    yield Fault("warning", "dead-target", "77", (*target.path, "chartName"), text, target.chart)
