"""Packages and ClusterPackages, the manifests of a run, and the choice of the manifest of a Package.

Source of the fields: glasskube/glasskube `api/v1alpha1` (package_types, packageinfo_types) at b0d877d.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import data_edits, suggest
from krm_values._data.pointer import get, to_field
from krm_values._data.record import record, replace
from krm_values._data.shown import described
from krm_values._krm import names
from krm_values._krm.findings import Report, title
from krm_values._krm.plan import WRONG_SHAPE, Finding, Origin
from krm_values._krm.shapes import UNKNOWN_KEY, resource, shape_warnings, unknown_keys, warnings
from krm_values.glasskube_values.manifest import read as read_manifest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._krm.item import Item
    from krm_values._krm.resources import Resources
    from krm_values.glasskube_values.config import GlasskubeValues
    from krm_values.glasskube_values.decoding import Fault
    from krm_values.glasskube_values.manifest import Manifest

GROUP = "packages.glasskube.dev"
KINDS = ("Package", "ClusterPackage")
WRAPPER = "PackageManifest"
PACKAGE = resource(spec=None)
"""The fields of a Package beside its spec, which is read here."""
_REFERENCES = {"configMapRef": "ConfigMap", "secretRef": "Secret", "packageRef": "ClusterPackage"}
_SPEC = ("packageInfo", "values", "suspend")
_WRAPPER_SPEC = ("version", "repositoryName", "manifest")
_PACKAGE_INFO = resource(spec=dict.fromkeys(("name", "version", "repositoryUrl")))
_TEXTS = ("name", "version", "repositoryName", "repositoryUrl")
STAGES = {
    "pattern": "validation",
    "default": "validation",
    "options": "validation",
    "bounds": "validation",
    "template-json": "template",
    "if-boolean": "template",
    "op": "patch",
    "pointer": "patch",
    "slash": "patch",
    "duplicate": "target",
    "text-boolean": "target",
    "api-group": "target",
    "dead-target": "target",
    "no-effect": "validation",
    UNKNOWN_KEY: UNKNOWN_KEY,
}
"""The stage of a run for each kind of lint: in a run it is the finding's `kind`, and the kind of lint becomes the tag `lint`."""
_COVERED_AS = {"template-json": "template", "bad-pattern": "pattern"}
_SHOWN = 10  # versions that a message names


@record
class ValueReference:
    """A reference to a key of a ConfigMap or Secret, or to a value of a ClusterPackage."""

    kind: str
    namespace: str
    name: str
    key: str
    path: Path


@record
class ValueConfiguration:
    """The configuration of one value: a literal or a reference. path: in the Package."""

    name: str
    path: Path
    literal: str | None = None
    reference: ValueReference | None = None


@record
class Package:
    """A Package or ClusterPackage.

    manifest_name: "" if it is not given, which is a fault. values: the valid configurations by name. names: of all configured values.
    faults: errors and warnings about its spec.
    """

    item: Item
    manifest_name: str
    version: str
    repository: str
    values: dict[str, ValueConfiguration]
    names: tuple[str, ...]
    suspended: bool
    faults: tuple[Finding, ...]

    @property
    def is_cluster(self) -> bool:
        return self.item.kind == "ClusterPackage"

    @property
    def namespace(self) -> str:
        """Its namespace; "" for a ClusterPackage."""
        return "" if self.is_cluster else self.item.namespace

    @property
    def title(self) -> str:
        return title(self.item)


def read_all(resources: Resources) -> list[Package]:
    """Return ClusterPackages by name, then Packages by namespace and name."""
    items = resources.select(*KINDS, group=GROUP)
    packages = [_read(item) for item in items]
    return sorted(packages, key=lambda one: (not one.is_cluster, one.namespace.encode(), one.item.label.encode()))


def _read(item: Item) -> Package:
    reader = _Reader(item)
    spec = item.data.get("spec") if isinstance(item.data, dict) else None
    if not isinstance(spec, dict):
        if item.error is None:
            reader.error("12", ("spec",), "must be a map; found " + ("nothing" if spec is None else "{found}"), spec)
        spec = {}
    elif not item.label:
        reader.error("11", ("metadata", "name"), "must be given")
    reader.unknown(spec, _SPEC, ("spec",))
    name, version, repository = reader.info(spec.get("packageInfo"))
    given = spec.get("values")
    values = reader.values(given)
    listed = tuple(given) if isinstance(given, dict) else ()
    return Package(item, name, version, repository, values, listed, spec.get("suspend") is True, tuple(reader.report.findings))


class _Reader:
    """The reading of one Package's spec."""

    __slots__ = ("_item", "report")

    def __init__(self, item: Item) -> None:
        self._item, self.report = item, Report()

    def error(self, rule: str, path: Path, text: str, found: JSON = None) -> None:
        self.report.error("configuration", rule, text, self._item, path, found=found)

    def warn(self, rule: str, path: Path, text: str) -> None:
        self.report.warning("configuration", rule, text, self._item, path)

    def unknown(self, found: dict[str, JSON], known: Iterable[str], path: Path) -> None:
        """Add a warning for each field that the CRD prunes."""
        for key in found:
            if key not in known:
                text = f"is not a field here and is ignored{suggest.hint(key, known)}"
                self.report.warning(UNKNOWN_KEY, "12", text, self._item, (*path, key))

    def info(self, found: JSON) -> tuple[str, str, str]:
        """Return name, version and repository of the manifest; "" for what is absent or, with an error, wrong."""
        path: Path = ("spec", "packageInfo")
        if isinstance(found, dict):
            self.unknown(found, ("name", "version", "repositoryName"), path)
            return (
                self.string(found, "name", path),
                self.string(found, "version", path),
                self.string(found, "repositoryName", path),
            )
        if not self.report.findings and self._item.error is None:
            text = "must be a map with `name` and `version`"
            self.error("12", path, text if found is None else f"{text}; found {{found}}", found)
        return "", "", ""

    def string(self, found: dict[str, JSON], key: str, path: Path) -> str:
        value = found.get(key)
        if isinstance(value, str) and (value or key != "name"):
            return value
        if value is not None:
            self.error(
                "12", (*path, key), "must be a name; found {found}" if value == "" else "must be a string; found {found}", value
            )
        elif key != "repositoryName":
            self.error("12", (*path, key), "must be given")
        return ""

    def values(self, found: JSON) -> dict[str, ValueConfiguration]:
        path: Path = ("spec", "values")
        if found is None:
            return {}
        if not isinstance(found, dict):
            self.error("12", path, "must be a map of values; found {found}", found)
            return {}
        made = {name: self._value(name, entry, (*path, name)) for name, entry in found.items()}
        return {name: entry for name, entry in made.items() if entry is not None}

    def _value(self, name: str, found: JSON, path: Path) -> ValueConfiguration | None:
        quoted = f'configuration of "{name}"'
        if not isinstance(found, dict):
            self.error("13", path, f"{quoted} must be a map with `value` or `valueFrom`; found {{found}}", found)
            return None
        self.unknown(found, ("value", "valueFrom"), path)
        literal, source = found.get("value"), found.get("valueFrom")
        if literal is not None and source is not None:
            self.error("13", path, f"{quoted} has `value` and `valueFrom`: keep one")
            return None
        if literal is None and source is None:
            self.error("13", path, f"{quoted} is empty: give a `value` or `valueFrom`")
            return None
        if source is not None:
            reference = self._source(quoted, source, (*path, "valueFrom"))
            return ValueConfiguration(name, path, reference=reference) if reference else None
        if not isinstance(literal, str):
            self.error("13", (*path, "value"), f"{quoted} must be a string, found {{found}}: quote it", literal)
            return None
        return ValueConfiguration(name, path, literal=literal)

    def _source(self, quoted: str, found: JSON, path: Path) -> ValueReference | None:
        if not isinstance(found, dict):
            self.error("14", path, f"{quoted} must be a map with one reference; found {{found}}", found)
            return None
        self.unknown(found, _REFERENCES, path)
        given = [key for key in _REFERENCES if found.get(key) is not None]
        if len(given) != 1:
            listed = " and ".join(f"`{key}`" for key in given) or "none"
            self.error("14", path, f"`valueFrom` in the {quoted} must have exactly one reference; found {listed}")
            return None
        entry = found[given[0]]
        if not isinstance(entry, dict):
            self.error("15", (*path, given[0]), f"{quoted} must be a map; found {{found}}", entry)
            return None
        return self._reference(quoted, given[0], entry, (*path, given[0]))

    def _reference(self, quoted: str, field: str, found: dict[str, JSON], path: Path) -> ValueReference | None:
        is_package = field == "packageRef"
        key = "value" if is_package else "key"
        if not is_package and "key" not in found and isinstance(found.get("value"), str):
            key = "value"
            self.warn("15", (*path, key), f"{quoted}: is read as `key`, which is its name")
        self.unknown(found, ("name", key) if is_package else ("name", "namespace", key), path)
        strings = {}
        for needed in ("name", key):
            value = found.get(needed)
            if not isinstance(value, str) or not value:
                self.error("15", (*path, needed), f"{quoted}: {field} has no `{needed}`: give it as a string")
                return None
            strings[needed] = value
        namespace = None if is_package else found.get("namespace")
        if namespace is not None and not isinstance(namespace, str):
            self.error("15", (*path, "namespace"), f"{quoted} must be a string; found {{found}}", namespace)
            return None
        return ValueReference(_REFERENCES[field], namespace or "", strings["name"], strings[key], path)


@record
class Candidate:
    """A manifest, with the version, repository and package name that are stated beside it (None if they are not).

    manifest: None if it has errors. path: in the item, or in the functionConfig if `item` is None.
    """

    data: JSON
    manifest: Manifest | None
    faults: tuple[Fault, ...]
    item: Item | None
    path: Path
    version: str | None = None
    repository: str | None = None
    package: str | None = None

    @property
    def name(self) -> str:
        """The manifest's name, even if it has errors; "" if it has none."""
        found = self.manifest.name if self.manifest else get(self.data, ("name",))
        return found if isinstance(found, str) else ""

    @property
    def title(self) -> str:
        return title(self.item) if self.item else f"`{to_field(self.path)}`"

    def finding(self, fault: Fault) -> Finding:
        """Return a fault as a finding of a run, with its address."""
        named = f'manifest "{self.name}"' if self.name else "manifest"
        about = f'"{fault.definition}" of {named}: ' if fault.definition else f"{named}: "
        kind, tags = STAGES.get(fault.kind, fault.kind), {"lint": fault.kind} if fault.kind in STAGES else {}
        path = (*self.path, *fault.path)
        config = path[1:] if self.item is None else None
        return Finding(fault.severity, kind, fault.rule, about + fault.text, self.item, path, fault.found, tags, config=config)

    def pointing(self, finding: Finding, path: Path) -> Finding:
        """Return a finding about a Package with the address of its cause, a path of the manifest."""
        path = (*self.path, *path)
        if self.item is None:
            return replace(finding, config=path[1:])
        return replace(finding, at=Origin("manifest", None, self.item, path))

    def origin(self, layer: str, value: JSON, path: Path, via: tuple[Origin, ...] = ()) -> Origin:
        """Return the origin of a value at a path of the manifest."""
        path = (*self.path, *path)
        return Origin(layer, value, self.item, path, via=via, config=path[1:] if self.item is None else None)


def all_of(config: GlasskubeValues, resources: Resources) -> list[Candidate]:
    """Return every manifest: of the functionConfig, of PackageManifests and of PackageInfos."""
    found = [_candidate(data, None, ("spec", "manifests", index)) for index, data in enumerate(config.manifests)]
    for item in resources.select(WRAPPER, group=names.GROUP):
        if item.data is not None:
            version, repository = _stated(item, "version"), _stated(item, "repositoryName")
            found.append(_candidate(get(item.data, ("spec", "manifest")), item, ("spec", "manifest"), version, repository))
    for item in resources.select("PackageInfo", group=GROUP):
        data: JSON = get(item.data, ("status", "manifest"))
        if data is not None:
            stated = (_stated(item, key) for key in ("version", "repositoryUrl", "name"))
            found.append(_candidate(data, item, ("status", "manifest"), *stated))
    return found


def _candidate(data: JSON, item: Item | None, path: Path, *stated: str | None) -> Candidate:
    found, faults = read_manifest(data)
    return Candidate(data, found, faults, item, path, *stated)


def _stated(item: Item, key: str) -> str | None:
    value = get(item.data, ("spec", key))
    return value if isinstance(value, str) and value else None


def holder_warnings(item: Item) -> Iterator[Finding]:
    """Yield warnings about what a PackageManifest or PackageInfo has beside its manifest; `lint` and a run give the same ones."""
    is_wrapper = item.kind == WRAPPER
    given: JSON = get(item.data, ("spec",))
    spec: dict[str, JSON] = given if isinstance(given, dict) else {}
    for key in spec if is_wrapper else ():
        if key not in _WRAPPER_SPEC:
            text = f"is not a field here and is ignored{suggest.hint(key, _WRAPPER_SPEC)}"
            yield Finding("warning", UNKNOWN_KEY, "1", text, item, ("spec", key), tags={"lint": UNKNOWN_KEY})
    for key in _TEXTS:
        value = spec.get(key)
        if value is not None and not isinstance(value, str):
            text = f"must be a string, found {described(value)}; it is ignored"
            yield Finding("warning", WRONG_SHAPE, "S5", text, item, ("spec", key))
    shape = PACKAGE if is_wrapper else _PACKAGE_INFO
    yield from warnings(item, unknown_keys(item.data, shape), "S5")
    yield from shape_warnings(item, shape, "S5")


def by_name(candidates: list[Candidate]) -> dict[str, list[Candidate]]:
    """Return the candidates by the names of their manifests."""
    found: dict[str, list[Candidate]] = {}
    for candidate in candidates:
        found.setdefault(candidate.name, []).append(candidate)
    return found


def some_unreadable(candidates: list[Candidate], resources: Resources) -> bool:
    """Return whether a manifest has no name or its object cannot be read, which is an error: a Package may mean that one."""
    held = (*resources.select(WRAPPER, group=names.GROUP), *resources.select("PackageInfo", group=GROUP))
    return any(not candidate.name for candidate in candidates) or any(item.data is None for item in held)


def choose(
    package: Package, candidates: dict[str, list[Candidate]], report: Report, *, some_unreadable: bool = False
) -> Candidate | None:
    """Return the manifest of a Package; None, with a finding, if there is none or several differ. candidates: by name.

    Those that state the Package's version win over those that state none. some_unreadable: the manifest may be one that cannot be read; then
    a missing name is not reported.
    """
    fitting = [candidate for candidate in candidates.get(package.manifest_name, ()) if _fits(package, candidate)]
    fitting = [candidate for candidate in fitting if candidate.version is not None] or fitting
    if not fitting:
        if not some_unreadable or package.manifest_name in candidates:
            report.add(_no_manifest(package, candidates))
        return None
    first, *others = fitting
    for other in others:
        if not data_edits.same(other.data, first.data):
            text = (
                f'manifest "{package.manifest_name}" is given by {first.title} and by {other.title}, and they differ: keep one'
            )
            report.error("manifest", "1", text, package.item, ("spec", "packageInfo"))
            return None
    return first


def _fits(package: Package, candidate: Candidate) -> bool:
    return (
        candidate.package in (None, package.manifest_name)
        and candidate.version in (None, package.version)
        and (not package.repository or candidate.repository in (None, package.repository))
    )


def _no_manifest(package: Package, candidates: dict[str, list[Candidate]]) -> Finding:
    same = candidates.get(package.manifest_name, [])
    named = f'no manifest of "{package.manifest_name}" {package.version}'
    if not same:
        hint = suggest.hint(package.manifest_name, candidates, '"')
        text = f"{named} is given: the package is left alone{hint}"
    else:
        others = " and ".join(map(_version_of, same[:_SHOWN]))
        text = f"{named} is given, only {others}: the package is left alone"
    path = ("spec", "packageInfo")
    at = Origin("package", None, package.item, (*path, "version" if same else "name"))
    return Finding("warning", "manifest", "12", text, package.item, path, at=at)


def _version_of(candidate: Candidate) -> str:
    repository = f" of {candidate.repository}" if candidate.repository else ""
    return f"{candidate.version or 'one'}{repository}"


class CoveredLint:
    """Which kinds of lint a run reports itself, of which value definitions and transformations."""

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: set[tuple[int, str, Path]] = set()

    def add(self, candidate: Candidate, kind: str, path: Path) -> None:
        """Note that the run reports this kind of lint, or that a value violates this constraint. path: in the manifest, at or below the definition."""
        self._known.add((id(candidate), _COVERED_AS.get(kind, kind), path[:2]))

    def has(self, candidate: Candidate, fault: Fault) -> bool:
        """Return whether the run reports such a fault of the same definition or transformation."""
        return (id(candidate), _COVERED_AS.get(fault.kind, fault.kind), fault.path[:2]) in self._known
