"""The manifests of a run, and the choice of the manifest of a Package."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import data_edits, suggest
from krm_values._data.pointer import get, to_field
from krm_values._data.record import record, replace
from krm_values._data.shown import described
from krm_values._kit.planner import names
from krm_values._kit.planner.fields import UNKNOWN_KEY, shape_warnings, unknown_keys, warnings
from krm_values._kit.planner.findings import title
from krm_values._kit.planner.plan import WRONG_SHAPE, Finding, Origin
from krm_values.glasskube_values import upstream_fields
from krm_values.glasskube_values.manifest import read as read_manifest
from krm_values.glasskube_values.packages import GROUP

if TYPE_CHECKING:
    from collections.abc import Iterator

    from krm_values._data.pointer import Path
    from krm_values._data.suggest import Hints
    from krm_values._data.values import JSON
    from krm_values._kit.planner.item import Item
    from krm_values._kit.planner.plan import Severity
    from krm_values._kit.planner.report import Report
    from krm_values._kit.planner.resources import Resources
    from krm_values.glasskube_values.config import GlasskubeValues
    from krm_values.glasskube_values.manifest import Manifest
    from krm_values.glasskube_values.manifest_fields import Fault
    from krm_values.glasskube_values.packages import Package

WRAPPER = "PackageManifest"
_STATED = ("name", "version", "repositoryName", "repositoryUrl")
_WRAPPER_SPEC = ("version", "repositoryName", "manifest")
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
_SHOWN = 10


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
        severity: Severity = fault.severity
        kind, tags = STAGES.get(fault.kind, fault.kind), {"lint": fault.kind} if fault.kind in STAGES else {}
        path = (*self.path, *fault.path)
        config = path[1:] if self.item is None else None
        return Finding(severity, kind, fault.rule, about + fault.text, self.item, path, fault.found, tags, config=config)

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
    found = [_read(data, None, ("spec", "manifests", index)) for index, data in enumerate(config.manifests)]
    for item in resources.select(WRAPPER, group=names.GROUP):
        if item.data is not None:
            spec, path = get(item.data, ("spec",)), ("spec", "manifest")
            version, repository = _text(spec, "version"), _text(spec, "repositoryName")
            data: JSON = get(item.data, path)
            found.append(_read(data, item, path, version=version, repository=repository))
    for item in resources.select("PackageInfo", group=GROUP):
        spec, path = get(item.data, ("spec",)), ("status", "manifest")
        version, repository, package = (_text(spec, key) for key in ("version", "repositoryUrl", "name"))
        data = get(item.data, path)
        if data is not None:
            found.append(_read(data, item, path, version=version, repository=repository, package=package))
    return found


def wrappers(resources: Resources) -> Iterator[Finding]:
    """Yield warnings about PackageManifests and PackageInfos."""
    for kind, group in ((WRAPPER, names.GROUP), ("PackageInfo", GROUP)):
        for item in resources.select(kind, group=group):
            yield from beside(item)


def beside(item: Item) -> Iterator[Finding]:
    """Yield warnings about what a PackageManifest or PackageInfo has beside its manifest, for `lint` and a run alike."""
    is_wrapper = item.kind == WRAPPER
    shape = upstream_fields.WRAPPER if is_wrapper else upstream_fields.PACKAGE_INFO
    yield from _unknown_keys(item) if is_wrapper else ()
    yield from _wrong_types(item)
    yield from warnings(item, unknown_keys(item.data, shape), "S5")
    yield from shape_warnings(item, shape, "S5")


def _wrong_types(item: Item) -> Iterator[Finding]:
    """Yield a warning for each field beside a manifest that is not a string, so that it is ignored."""
    spec = get(item.data, ("spec",))
    stated: dict[str, JSON] = spec if isinstance(spec, dict) else {}
    for key in _STATED:
        value = stated.get(key)
        if value is not None and not isinstance(value, str):
            text = f"must be a string, found {described(value)}"
            yield Finding("warning", WRONG_SHAPE, "S5", f"{text}; it is ignored", item, ("spec", key))


def _unknown_keys(item: Item) -> Iterator[Finding]:
    """Yield a warning for each unknown key of a PackageManifest's spec."""
    spec = get(item.data, ("spec",))
    for key in spec if isinstance(spec, dict) else ():
        if key not in _WRAPPER_SPEC:
            text = f"is not a field here and is ignored{suggest.hint(key, _WRAPPER_SPEC)}"
            yield Finding("warning", UNKNOWN_KEY, "1", text, item, ("spec", key), tags={"lint": UNKNOWN_KEY})


def by_name(candidates: list[Candidate]) -> dict[str, list[Candidate]]:
    """Return the candidates by the names of their manifests."""
    found: dict[str, list[Candidate]] = {}
    for candidate in candidates:
        found.setdefault(candidate.name, []).append(candidate)
    return found


def is_unclear(candidates: list[Candidate], resources: Resources) -> bool:
    """Return whether a manifest has no name or its object cannot be read, which is an error: a Package may mean that one."""
    held = (*resources.select(WRAPPER, group=names.GROUP), *resources.select("PackageInfo", group=GROUP))
    return any(not candidate.name for candidate in candidates) or any(item.data is None for item in held)


def choose(
    package: Package, candidates: dict[str, list[Candidate]], report: Report, hints: Hints, *, is_unclear: bool = False
) -> Candidate | None:
    """Return the manifest of a Package; None, with a finding, if there is none or several differ. candidates: by name.

    is_unclear: whether the manifest may be one that cannot be read; then a missing name is not reported.
    """
    fitting = [candidate for candidate in candidates.get(package.manifest, ()) if _fits(package, candidate)]
    fitting = [candidate for candidate in fitting if candidate.version is not None] or fitting
    if not fitting:
        report.add(*(() if is_unclear and package.manifest not in candidates else (_none(package, candidates, hints),)))
        return None
    first, *others = fitting
    for other in others:
        if not data_edits.same(other.data, first.data):
            text = f'manifest "{package.manifest}" is given by {first.title} and by {other.title}, and they differ: keep one'
            report.error("manifest", "1", text, package.item, ("spec", "packageInfo"))
            return None
    return first


def _fits(package: Package, candidate: Candidate) -> bool:
    return (
        candidate.package in (None, package.manifest)
        and candidate.version in (None, package.version)
        and (not package.repository or candidate.repository in (None, package.repository))
    )


def _none(package: Package, candidates: dict[str, list[Candidate]], hints: Hints) -> Finding:
    same = candidates.get(package.manifest, [])
    named = f'no manifest of "{package.manifest}" {package.version}'
    if not same:
        hint = hints.hint(package.manifest, candidates, '"')
        text = f"{named} is given: the package is left alone{hint}"
    else:
        others = " and ".join(map(_stated, same[:_SHOWN]))
        text = f"{named} is given, only {others}: the package is left alone"
    path = ("spec", "packageInfo")
    at = Origin("package", None, package.item, (*path, "version" if same else "name"))
    return Finding("warning", "manifest", "12", text, package.item, path, at=at)


def _stated(candidate: Candidate) -> str:
    repository = f" of {candidate.repository}" if candidate.repository else ""
    return f"{candidate.version or 'one'}{repository}"


def _read(
    data: JSON,
    item: Item | None,
    path: Path,
    *,
    version: str | None = None,
    repository: str | None = None,
    package: str | None = None,
) -> Candidate:
    found, faults = read_manifest(data)
    return Candidate(data, found, faults, item, path, version, repository, package)


def _text(spec: object, key: str) -> str | None:
    value = spec.get(key) if isinstance(spec, dict) else None
    return value if isinstance(value, str) and value else None
