"""PackageManifests: value definitions, targets, transformations and Helm releases, as the decoder and the CRD accept them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.record import record
from krm_values.glasskube_values import manifest_targets as targets
from krm_values.glasskube_values.constraints import APPLICABLE, TYPES
from krm_values.glasskube_values.manifest_fields import MANIFEST, Fault, Reading

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values.glasskube_values.manifest_targets import Resource, Target

SCOPES = ("Cluster", "Namespaced")
_NOTHING: Mapping[str, Any] = {}
_CONSTRAINTS = ("valuedefinitions", "constraints")


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

    @property
    def checked(self) -> dict[str, JSON]:
        """The definition as `constraints.check` takes it."""
        return {"type": self.type, "options": list(self.options), "constraints": dict(self.constraints)}


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
    reading = Reading()
    found: dict[str, Any] = reading.read(data, MANIFEST, ()) or {}
    if data is None:
        reading.error("2", (), "must be a map; found nothing")
    elif not found.get("name"):
        reading.error("2", ("name",), "must be given")
    if found.get("scope", "Cluster") not in (*SCOPES, ""):
        text = f"must be `{SCOPES[0]}` or `{SCOPES[1]}`; found {{found}}{suggest.hint(found['scope'], SCOPES)}"
        reading.error("11", ("scope",), text, found["scope"])
    manifest = _manifest(found, reading)
    return manifest, tuple(weighed(fault, manifest) for fault in reading.faults)


def _manifest(found: dict[str, Any], reading: Reading) -> Manifest:
    definitions = found.get("valueDefinitions") or {}
    transformations = enumerate(found.get("transformations") or (), start=1)
    helm = found.get("helm") or {}
    releases = _releases(helm, reading)
    plain = [entry for entry in found.get("manifests") or () if entry]
    return Manifest(
        name=found.get("name", ""),
        scope=found.get("scope", ""),
        default_namespace=found.get("defaultNamespace", ""),
        definitions={
            name: _definition(name, entry or {}, ("valueDefinitions", name), reading) for name, entry in definitions.items()
        },
        transformations=tuple(_transformation(number, entry or {}, reading) for number, entry in transformations),
        repository_url=helm.get("repositoryUrl", ""),
        releases=releases,
        many_releases=bool(helm.get("releases")),
        plain=tuple(PlainManifest(entry.get("url", ""), entry.get("defaultNamespace", "")) for entry in plain),
    )


def weighed(fault: Fault, manifest: Manifest) -> Fault:
    """Return a fault, or an information instead if it is in a constraint that does not apply to the type; key case is ignored."""
    match fault.path:
        case (str(outer), str(name), str(inner), str(limit)) if (outer.lower(), inner.lower()) == _CONSTRAINTS:
            kind = manifest.definitions[name].type if name in manifest.definitions else ""
            checked = [known.lower() for known in (*APPLICABLE.get(kind, (limit,)), "required")]
            if fault.severity == "error" and limit.lower() not in checked:
                return Fault("info", "no-effect", "S31", fault.path, f"has no effect on a value of type `{kind}`")
    return fault


def _definition(name: str, found: dict[str, Any], path: Path, reading: Reading) -> Definition:
    kind = found.get("type", "")
    if kind not in TYPES:
        listed, given = ", ".join(f"`{known}`" for known in TYPES), "{found}" if "type" in found else "nothing"
        reading.error("4", (*path, "type"), f"must be one of {listed}; found {given}{suggest.hint(kind, TYPES)}", kind)
    if "targets" not in found:
        reading.error("3", (*path, "targets"), "must be given; an empty list is enough")
    labels = {**found, **(found.get("metadata") or {})}
    return Definition(
        name=name,
        type=kind,
        path=path,
        default=found.get("defaultValue", ""),
        options=tuple(option or "" for option in found.get("options") or ()),
        constraints=found.get("constraints") or {},
        targets=targets.read(found.get("targets") or [], path, reading),
        label=labels.get("label", ""),
        description=labels.get("description", ""),
        hints=_hints(labels.get("hints")),
    )


def _hints(found: Any) -> tuple[str, ...]:
    """Return the hints: a list, or a single one."""
    return (found,) if isinstance(found, str) else tuple(hint for hint in found or () if hint)


def _transformation(number: int, found: dict[str, Any], reading: Reading) -> Transformation:
    path: Path = ("transformations", number - 1)
    source = found.get("source") or {}
    if "path" not in source:
        reading.error("82", (*path, "source", "path"), "must be given")
    resource = source.get("resource")
    return Transformation(
        number=number,
        path=path,
        source=source.get("path", ""),
        resource=None if resource is None else targets.resource(resource, (*path, "source", "resource"), reading),
        targets=targets.read(found.get("targets") or [], path, reading),
    )


def _releases(helm: dict[str, Any], reading: Reading) -> tuple[Release, ...]:
    listed = helm.get("releases") or []
    entries: list[tuple[Any, Path]] = [(entry or {}, ("helm", "releases", index)) for index, entry in enumerate(listed)]
    if not entries and helm.get("chartName"):
        entries = [(helm, ("helm",))]
    for entry, path in entries:
        if entry.get("values") is not None and not isinstance(entry["values"], dict):
            reading.error("5", (*path, "values"), "must be a map; found {found}", entry["values"])
        if not entry.get("chartName"):
            reading.error("2", (*path, "chartName"), "must be given")
    if entries and not helm.get("repositoryUrl"):
        reading.error("2", ("helm", "repositoryUrl"), "must be given")
    return tuple(
        Release(entry.get("chartName", ""), entry.get("chartVersion", ""), entry.get("values"), path) for entry, path in entries
    )
