"""Targets of a manifest: what they patch, and what the CRD requires of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.record import record
from krm_values._data.shown import described
from krm_values.glasskube_values.json_pointers import segments

if TYPE_CHECKING:
    from typing import Any

    from krm_values._data.pointer import Path
    from krm_values.glasskube_values.manifest_fields import Reading


@record
class Resource:
    """A TypedObjectReference. api_group: group and version. Absent fields are ""."""

    api_group: str
    kind: str
    name: str
    namespace: str = ""


@record
class Target:
    """One patch of a resource or of the values of a chart. path: of the target in the manifest. patch: of its operation there."""

    op: str
    pointer: str
    path: Path
    resource: Resource | None = None
    chart: str = ""
    template: str = ""
    patch: Path = ()

    @property
    def parts(self) -> tuple[str, ...]:
        """The decoded segments of its pointer, whether or not it begins with a slash."""
        return segments(self.pointer)

    @property
    def is_data_string(self) -> bool:
        """Whether it is an entry of a ConfigMap or Secret, which are strings under any names."""
        resource = self.resource
        if resource is None or resource.api_group != "v1" or resource.kind not in ("ConfigMap", "Secret"):
            return False
        return self.pointer.lstrip("/").partition("/")[0] in ("data", "stringData")


def read(found: list[Any], path: Path, reading: Reading) -> tuple[Target, ...]:
    """Return one target per patch of the list `found`."""
    made: list[Target] = []
    for index, entry in enumerate(found):
        made += _target(entry or {}, (*path, "targets", index), reading)
    return tuple(made)


def _target(found: dict[str, Any], path: Path, reading: Reading) -> list[Target]:
    meant, chart = found.get("resource"), found.get("chartName")
    if meant is not None and chart is not None:
        reading.error("8", path, "must name a `resource` or a `chartName`, not both")
    elif meant is None and chart is None and not any(reading.is_misshapen((*path, key)) for key in ("resource", "chartName")):
        reading.error("8", path, "must name a `resource` or a `chartName`")
    if "patch" not in found:
        reading.error("9", (*path, "patch"), "must be given, with `op` and `path`")
    named = None if meant is None else resource(meant, (*path, "resource"), reading)
    targets = []
    template = found.get("valueTemplate", "")
    for index, patch in enumerate(found.get("patch") or ()):
        if patch is None:
            continue
        at = reading.one_of((*path, "patch"), index)
        for key in ("op", "path"):
            if key not in patch:
                reading.error("9", (*at, key), "must be given")
        targets.append(Target(patch.get("op", ""), patch.get("path", ""), path, named, chart or "", template, at))
    return targets


def resource(found: dict[str, Any], path: Path, reading: Reading) -> Resource:
    """Return a reference to a resource; `apiVersion` replaces a missing `apiGroup`."""
    group, other = found.get("apiGroup", ""), found.get("apiVersion", "")
    if group and other and group != other:
        reading.error("10", path, f"must have one `apiGroup`; found {described(group)} and `apiVersion` {described(other)}")
    for key in ("kind", "name"):
        if not found.get(key):
            reading.error("10", (*path, key), "must be given")
    chosen = group or other
    return Resource(chosen, found.get("kind", ""), found.get("name", ""), found.get("namespace", ""))
