"""Packages and ClusterPackages: the name of their manifest, and the configuration of their values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.record import record
from krm_values._kit.planner.fields import UNKNOWN_KEY
from krm_values._kit.planner.findings import title
from krm_values._kit.planner.plan import Finding
from krm_values._kit.planner.report import Report

if TYPE_CHECKING:
    from collections.abc import Iterable

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._kit.planner.item import Item
    from krm_values._kit.planner.resources import Resources

GROUP = "packages.glasskube.dev"
KINDS = ("Package", "ClusterPackage")
_KINDS = {"configMapRef": "ConfigMap", "secretRef": "Secret", "packageRef": "ClusterPackage"}
_SPEC = ("packageInfo", "values", "suspend")


@record
class Reference:
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
    reference: Reference | None = None


@record
class Package:
    """A Package or ClusterPackage.

    values: the valid configurations by name. names: of all configured values. faults: errors and warnings about its spec.
    """

    item: Item
    manifest: str
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

    def _source(self, quoted: str, found: JSON, path: Path) -> Reference | None:
        if not isinstance(found, dict):
            self.error("14", path, f"{quoted} must be a map with one reference; found {{found}}", found)
            return None
        self.unknown(found, _KINDS, path)
        given = [key for key in _KINDS if found.get(key) is not None]
        if len(given) != 1:
            listed = " and ".join(f"`{key}`" for key in given) or "none"
            self.error("14", path, f"`valueFrom` in the {quoted} must have exactly one reference; found {listed}")
            return None
        entry = found[given[0]]
        if not isinstance(entry, dict):
            self.error("15", (*path, given[0]), f"{quoted} must be a map; found {{found}}", entry)
            return None
        return self._reference(quoted, given[0], entry, (*path, given[0]))

    def _reference(self, quoted: str, field: str, found: dict[str, JSON], path: Path) -> Reference | None:
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
        return Reference(_KINDS[field], namespace or "", strings["name"], strings[key], path)
