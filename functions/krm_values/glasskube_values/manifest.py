"""A PackageManifest: value definitions, targets, transformations and Helm releases, as the Go decoder and the CRD read them.

`read` gives a manifest and its faults.
Source of the fields: glasskube/glasskube `api/v1alpha1` (package_manifest, common) at b0d877d.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.record import record
from krm_values._data.shown import described
from krm_values.glasskube_values.constraints import APPLICABLE, TYPES, violations
from krm_values.glasskube_values.decoding import SHAPE, Decoder, Fault
from krm_values.glasskube_values.json_patch import segments

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values.glasskube_values.constraints import Violation

SCOPES = ("Cluster", "Namespaced")
_NOTHING: Mapping[str, Any] = {}


@record
class Resource:
    """A TypedObjectReference. api_group: group and version, `apps/v1` or `v1`. Absent fields are ""."""

    api_group: str
    kind: str
    name: str
    namespace: str = ""

    @property
    def has_bad_api_group(self) -> bool:
        """Whether `api_group` has too many slashes for group and version."""
        return self.api_group.count("/") > 1

    @property
    def group_version(self) -> tuple[str, str] | None:
        """The group and version; None if `api_group` is absent or bad."""
        group, _, version = self.api_group.rpartition("/")
        return (group, version) if self.api_group and not self.has_bad_api_group else None


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


@record
class Definition:
    """A value definition."""

    name: str
    type: str
    path: Path
    default: str = ""
    options: tuple[str, ...] = ()
    constraints: Mapping[str, JSON] = _NOTHING
    targets: tuple[Target, ...] = ()
    label: str = ""
    description: str = ""
    hints: tuple[str, ...] = ()

    @property
    def required(self) -> bool:
        return self.constraints.get("required") is True

    def violations(self, text: str) -> tuple[Violation, ...]:
        """Return why a text is not a value of this definition."""
        return violations(self.type, text, self.options, self.constraints)


@record
class Transformation:
    """A transformation: a value that the package computes. number: counted from 1."""

    number: int
    path: Path
    source: str
    resource: Resource | None
    targets: tuple[Target, ...]


@record
class Release:
    """A chart of a package, with its values before any target."""

    chart: str
    version: str
    values: JSON
    path: Path


@record
class PlainManifest:
    """A plain manifest: its URL, and the namespace for its objects without one."""

    url: str
    default_namespace: str


@record
class Manifest:
    """A manifest. many_releases: whether its charts are listed as `releases`, so that their objects' names include the chart."""

    name: str
    scope: str
    default_namespace: str
    definitions: dict[str, Definition]
    transformations: tuple[Transformation, ...]
    repository_url: str
    releases: tuple[Release, ...]
    many_releases: bool
    plain: tuple[PlainManifest, ...]


def read(data: JSON) -> tuple[Manifest | None, tuple[Fault, ...]]:
    """Return the manifest, None if it has an error, and its faults."""
    manifest, faults = examine(data)
    failed = any(fault.severity == "error" for fault in faults)
    return None if failed else manifest, faults


def examine(data: JSON) -> tuple[Manifest, tuple[Fault, ...]]:
    """Return as much of the manifest as can be read, and its faults."""
    decoder = Decoder()
    found: dict[str, Any] = decoder.decode(data, SHAPE, ()) or {}
    if data is None:
        decoder.error("2", (), "must be a map; found nothing")
    elif not found.get("name"):
        decoder.error("2", ("name",), "must be given")
    if found.get("scope", "Cluster") not in (*SCOPES, ""):
        text = f"must be `{SCOPES[0]}` or `{SCOPES[1]}`; found {{found}}{suggest.hint(found['scope'], SCOPES)}"
        decoder.error("11", ("scope",), text, found["scope"])
    manifest = _manifest(found, decoder)
    return manifest, tuple(_info_if_without_effect(fault, manifest) for fault in decoder.faults)


def without_effect(kind: str, path: Path) -> Fault:
    """Return the info about a constraint that does not apply to a type."""
    return Fault("info", "no-effect", "S31", path, f"has no effect on a value of type `{kind}`")


def _info_if_without_effect(fault: Fault, manifest: Manifest) -> Fault:
    """Return a fault, or an info instead if it is in a constraint that does not apply to the type; key case is ignored.

    Such a constraint is left out of the definition; `lint` finds those that are well-formed.
    """
    match fault.path:
        case (str(outer), str(name), str(inner), str(limit)) if (outer.lower(), inner.lower()) == (
            "valuedefinitions",
            "constraints",
        ):
            kind = manifest.definitions[name].type if name in manifest.definitions else ""
            checked = [known.lower() for known in (*APPLICABLE.get(kind, (limit,)), "required")]
            if fault.severity == "error" and limit.lower() not in checked:
                return without_effect(kind, fault.path)
    return fault


def _manifest(found: dict[str, Any], decoder: Decoder) -> Manifest:
    definitions = found.get("valueDefinitions") or {}
    transformations = enumerate(found.get("transformations") or (), start=1)
    helm = found.get("helm") or {}
    releases = _releases(helm, decoder)
    plain = [entry for entry in found.get("manifests") or () if entry]
    return Manifest(
        name=found.get("name", ""),
        scope=found.get("scope", ""),
        default_namespace=found.get("defaultNamespace", ""),
        definitions={
            name: _definition(name, entry or {}, ("valueDefinitions", name), decoder) for name, entry in definitions.items()
        },
        transformations=tuple(_transformation(number, entry or {}, decoder) for number, entry in transformations),
        repository_url=helm.get("repositoryUrl", ""),
        releases=releases,
        many_releases=bool(helm.get("releases")),
        plain=tuple(PlainManifest(entry.get("url", ""), entry.get("defaultNamespace", "")) for entry in plain),
    )


def _definition(name: str, found: dict[str, Any], path: Path, decoder: Decoder) -> Definition:
    kind = found.get("type", "")
    if kind not in TYPES:
        listed, given = ", ".join(f"`{known}`" for known in TYPES), "{found}" if "type" in found else "nothing"
        decoder.error("4", (*path, "type"), f"must be one of {listed}; found {given}{suggest.hint(kind, TYPES)}", kind)
    if "targets" not in found:
        decoder.error("3", (*path, "targets"), "must be given; an empty list is enough")
    labels = {**found, **(found.get("metadata") or {})}
    return Definition(
        name=name,
        type=kind,
        path=path,
        default=found.get("defaultValue", ""),
        options=tuple(option or "" for option in found.get("options") or ()),
        constraints=found.get("constraints") or {},
        targets=_targets(found.get("targets") or [], path, decoder),
        label=labels.get("label", ""),
        description=labels.get("description", ""),
        hints=_hints(labels.get("hints")),
    )


def _hints(found: Any) -> tuple[str, ...]:
    """Return the hints: a list, or a single one."""
    return (found,) if isinstance(found, str) else tuple(hint for hint in found or () if hint)


def _transformation(number: int, found: dict[str, Any], decoder: Decoder) -> Transformation:
    path: Path = ("transformations", number - 1)
    source = found.get("source") or {}
    if "path" not in source:
        decoder.error("82", (*path, "source", "path"), "must be given")
    resource = source.get("resource")
    return Transformation(
        number=number,
        path=path,
        source=source.get("path", ""),
        resource=None if resource is None else _resource(resource, (*path, "source", "resource"), decoder),
        targets=_targets(found.get("targets") or [], path, decoder),
    )


def _targets(found: list[Any], path: Path, decoder: Decoder) -> tuple[Target, ...]:
    """Return one target per patch."""
    entries = ((entry or {}, (*path, "targets", index)) for index, entry in enumerate(found))
    return tuple(target for entry, at in entries for target in _target(entry, at, decoder))


def _target(found: dict[str, Any], path: Path, decoder: Decoder) -> list[Target]:
    reference, chart = found.get("resource"), found.get("chartName")
    if reference is not None and chart is not None:
        decoder.error("8", path, "must name a `resource` or a `chartName`, not both")
    elif (
        reference is None and chart is None and not any(decoder.is_misshapen((*path, key)) for key in ("resource", "chartName"))
    ):
        decoder.error("8", path, "must name a `resource` or a `chartName`")
    if "patch" not in found:
        decoder.error("9", (*path, "patch"), "must be given, with `op` and `path`")
    resource = None if reference is None else _resource(reference, (*path, "resource"), decoder)
    targets = []
    template = found.get("valueTemplate", "")
    for index, patch in enumerate(found.get("patch") or ()):
        if patch is None:
            continue
        at = decoder.one_of((*path, "patch"), index)
        for key in ("op", "path"):
            if key not in patch:
                decoder.error("9", (*at, key), "must be given")
        targets.append(Target(patch.get("op", ""), patch.get("path", ""), path, resource, chart or "", template, at))
    return targets


def _resource(found: dict[str, Any], path: Path, decoder: Decoder) -> Resource:
    """Return a reference to a resource; `apiVersion` replaces a missing `apiGroup`."""
    group, other = found.get("apiGroup", ""), found.get("apiVersion", "")
    if group and other and group != other:
        decoder.error("10", path, f"must have one `apiGroup`; found {described(group)} and `apiVersion` {described(other)}")
    for key in ("kind", "name"):
        if not found.get(key):
            decoder.error("10", (*path, key), "must be given")
    chosen = group or other
    return Resource(chosen, found.get("kind", ""), found.get("name", ""), found.get("namespace", ""))


def _releases(helm: dict[str, Any], decoder: Decoder) -> tuple[Release, ...]:
    listed = helm.get("releases") or []
    entries: list[tuple[Any, Path]] = [(entry or {}, ("helm", "releases", index)) for index, entry in enumerate(listed)]
    if not entries and helm.get("chartName"):
        entries = [(helm, ("helm",))]
    for entry, path in entries:
        if entry.get("values") is not None and not isinstance(entry["values"], dict):
            decoder.error("5", (*path, "values"), "must be a map; found {found}", entry["values"])
        if not entry.get("chartName"):
            decoder.error("2", (*path, "chartName"), "must be given")
    if entries and not helm.get("repositoryUrl"):
        decoder.error("2", ("helm", "repositoryUrl"), "must be given")
    return tuple(
        Release(entry.get("chartName", ""), entry.get("chartVersion", ""), entry.get("values"), path) for entry, path in entries
    )
