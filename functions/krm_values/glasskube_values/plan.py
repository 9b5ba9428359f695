"""What the Glasskube operator does with the packages of a list.

For each Package that has a manifest: resolve its values (`values`), check them, turn them into patches by name, then transformations in
listed order (`patches`), apply these to resources and charts (`apply`), and write its Helm objects. ClusterPackages come first, by name,
then Packages by namespace and name. Each patch sees the result of those before it: of two on one place the later wins, a transformation
over a value, a value of a later name over one of an earlier, any of them over what the resource or the chart had.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.record import replace
from krm_values._krm import names
from krm_values._krm.findings import HIDDEN, Report
from krm_values._krm.plan import Finding, Leaf, New, Note, Origin
from krm_values._krm.shapes import shape_warnings, unknown_keys, warnings
from krm_values._run.generated import written_for
from krm_values.glasskube_values import lint, packages, patches, values
from krm_values.glasskube_values.apply import Applier, Chart, Configured, Document
from krm_values.glasskube_values.patches import Setting, Sources, Subject
from krm_values.glasskube_values.values import ResolvedValue, Resolver

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._krm.plan import Plan
    from krm_values._krm.resources import Resources
    from krm_values.glasskube_values.config import GlasskubeValues
    from krm_values.glasskube_values.manifest import Definition, Manifest, Release
    from krm_values.glasskube_values.packages import Candidate, CoveredLint, Package
    from krm_values.glasskube_values.patches import Patch

_VALUES = ("spec", "values")
_CHART, _URL, _REPOSITORY = ("spec", "chart", "spec"), ("spec", "url"), ("helm", "repositoryUrl")
_API = {"HelmRelease": "helm.toolkit.fluxcd.io/v2", "HelmRepository": "source.toolkit.fluxcd.io/v1"}


def plan(config: GlasskubeValues, resources: Resources, _tools: object) -> Plan:
    """Yield the findings of all stages, a note per Package with its resolved values, the edits of patched items, and the Helm objects."""
    report = Report()
    configured, applier = compute(config, resources, report)
    yield from report.findings
    for one in configured:
        shown: JSON = {name: HIDDEN if value.origin.secret else value.text for name, value in one.values.items()}
        origins = (*(value.origin for value in one.values.values()), *(patch.origin for patch in one.patches))
        yield Note("values", one.package.title, shown, origins)  # all origins, written or not, so that Secrets are known
    if "resources" in config.emit:
        for number, document in sorted(applier.documents.items()):
            yield from document.decisions(applier.items[number])
    if "helm" in config.emit:
        for one in configured:
            yield from _helm_objects(one)


def compute(config: GlasskubeValues, resources: Resources, report: Report) -> tuple[list[Configured], Applier]:
    """Return every configured Package, and the documents with all patches applied."""
    listed = packages.read_all(resources)
    candidates = packages.all_of(config, resources)
    by_name = packages.by_name(candidates)
    setting, covered = Setting(config, resources, Resolver(config, resources, listed), Sources()), packages.CoveredLint()
    report.extend(_misspelt(resources))
    some_unreadable = packages.some_unreadable(candidates, resources)
    configured: list[Configured] = []
    chosen: list[tuple[Package, Candidate]] = []
    for package in listed:
        candidate = (
            packages.choose(package, by_name, report, some_unreadable=some_unreadable) if package.manifest_name else None
        )
        report.extend(package.faults)
        if candidate:
            chosen.append((package, candidate))
            if one := _configure(package, candidate, setting, covered, report):
                configured.append(one)
    applier = Applier(config, resources, report)
    for one in configured:
        applier.apply_all(one)
    report.extend(applier.check_results())
    report.extend((*_faults_of_unused(candidates, chosen), *_unknown_defaults(config, candidates), *_suspended(listed)))
    report.extend(lint.in_run(candidates, [candidate for _, candidate in chosen], covered, config))
    report.extend(() if some_unreadable else list(_unmanaged(resources, listed, chosen, report)))
    return configured, applier


def _configure(
    package: Package, candidate: Candidate, setting: Setting, covered: CoveredLint, report: Report
) -> Configured | None:
    """Resolve and check the values of one Package, and turn them and the transformations into patches; None if its manifest cannot be read.

    A value that cannot be resolved, or violates its definition, gets no patches; the others do.
    """
    report.extend(candidate.finding(fault) for fault in candidate.faults)
    manifest = candidate.manifest
    if manifest is None:
        return None
    _check_scope(package, manifest, report)
    resolved = [setting.resolver.value(package, one, report) for one in package.values.values()]
    given = [*(value for value in resolved if value is not None), *_defaults(package, candidate, manifest, setting)]
    found = {value.name: value for value in sorted(given, key=lambda value: value.name.encode())}
    use_defaults = setting.config.use_defaults
    wrong = list(values.check(package, candidate, manifest, found, use_defaults=use_defaults, covered=covered))
    report.extend(finding for _, finding in wrong)
    invalid = {name for name, finding in wrong if finding.severity == "error"}
    made: list[Patch] = []
    for name, value in found.items():
        definition = manifest.definitions.get(name)
        if definition and name not in invalid and value.text is not None:
            subject = Subject(f'"{name}"', "value", package, (*_VALUES, name), candidate, covered)
            is_literal = name in package.names and not value.steps  # without what a reference leads to, the run fails
            default = _default(name, definition, candidate, setting) if is_literal else None
            made += patches.of_value(value, definition, subject, setting, report, default=default)
    for transformation in manifest.transformations:
        label = f"transformation {transformation.number}"
        subject = Subject(label, "transformation", package, (), candidate, covered)
        made += patches.of_transformation(transformation, subject, setting, report)
    charts = _charts(candidate, manifest)
    report.extend(_helm_warnings(package, candidate, manifest, charts))
    return Configured(package, candidate, manifest, found, tuple(made), tuple(charts))


def _check_scope(package: Package, manifest: Manifest, report: Report) -> None:
    """Check that the manifest's scope fits the kind of Package."""
    wanted = "Cluster" if package.is_cluster else "Namespaced"
    scope = manifest.scope or "Cluster"
    if scope == wanted:
        return
    kind = "ClusterPackage" if scope == "Cluster" else "Package"
    named, path = f'manifest "{manifest.name}"', ("spec", "packageInfo")
    if manifest.scope:
        report.error("manifest", "11", f"{named} has scope {scope}: a {kind} is needed", package.item, path)
    else:
        text = f"{named} has no scope, which means Cluster: a {kind} is needed, or `scope: {wanted}`"
        report.warning("manifest", "11", text, package.item, path)


def _defaults(package: Package, candidate: Candidate, manifest: Manifest, setting: Setting) -> Iterator[ResolvedValue]:
    """Yield the defaults of values that are not configured, as the command line's `--use-default` writes them."""
    for name, definition in manifest.definitions.items():
        if name not in package.names and (default := _default(name, definition, candidate, setting)):
            yield default


def _default(name: str, definition: Definition, candidate: Candidate, setting: Setting) -> ResolvedValue | None:
    """Return the default of a value, if the config asks for it."""
    wanted = setting.config.use_defaults
    if not definition.default or not (wanted is True or name in (wanted or ())):
        return None
    origin = candidate.origin(f"default of {name}", definition.default, (*definition.path, "defaultValue"))
    return ResolvedValue(name, definition.default, origin, is_default=True)


def _charts(candidate: Candidate, manifest: Manifest) -> list[Chart]:
    """Return the releases of a manifest, before any target."""
    made: list[Chart] = []
    seen: dict[str, int] = {}
    for release in manifest.releases:
        number = seen[release.chart] = seen.get(release.chart, 0) + 1
        origin_of = _origin_before_patches(candidate, release)
        start = {} if release.values is None else release.values
        made.append(Chart(release, f"-{number}" if number > 1 else "", Document(start, origin_of)))
    return made


def _origin_before_patches(candidate: Candidate, release: Release) -> Callable[[Path, JSON], Origin]:
    def origin(path: Path, value: JSON) -> Origin:
        return candidate.origin("manifest", value, (*release.path, "values", *path))

    return origin


def _helm_warnings(package: Package, candidate: Candidate, manifest: Manifest, charts: list[Chart]) -> Iterator[Finding]:
    """Yield a warning for what differs from upstream, or is undefined there."""
    for chart in charts:
        if chart.suffix:
            text = f'manifest "{manifest.name}" has another release of chart "{chart.release.chart}"; its name gets the suffix {chart.suffix}'
            yield candidate.pointing(
                Finding("warning", "manifest", "96", text, package.item), (*chart.release.path, "chartName")
            )
    if charts and package.is_cluster and not manifest.default_namespace:
        text = f'manifest "{manifest.name}" has no defaultNamespace: its Helm objects have no namespace'
        yield candidate.pointing(Finding("warning", "manifest", "96", text, package.item), ("helm",))


def _misspelt(resources: Resources) -> Iterator[Finding]:
    """Yield warnings about what PackageManifests, PackageInfos and Packages have beside what is read of them."""
    for kind, group in ((packages.WRAPPER, names.GROUP), ("PackageInfo", packages.GROUP)):
        for item in resources.select(kind, group=group):
            yield from packages.holder_warnings(item)
    for item in resources.select("Package", "ClusterPackage", group=packages.GROUP):
        yield from warnings(item, unknown_keys(item.data, packages.PACKAGE), "S5")
        yield from shape_warnings(item, packages.PACKAGE, "S5")


def _faults_of_unused(candidates: list[Candidate], chosen: list[tuple[Package, Candidate]]) -> Iterator[Finding]:
    """Yield the errors of manifests that no Package uses; those of the others are reported with their Package."""
    used = {id(candidate) for _, candidate in chosen}
    for candidate in candidates:
        if id(candidate) not in used:
            yield from (candidate.finding(fault) for fault in candidate.faults if fault.severity == "error")


def _unknown_defaults(config: GlasskubeValues, candidates: list[Candidate]) -> Iterator[Finding]:
    """Yield a warning for each name in `useDefaults` that no manifest defines; none while a manifest cannot be read."""
    if any(candidate.manifest is None for candidate in candidates):
        return
    defined = {name for candidate in candidates if candidate.manifest for name in candidate.manifest.definitions}
    for index, name in enumerate(config.use_defaults) if isinstance(config.use_defaults, list) else ():
        if name not in defined:
            hint = suggest.hint(name, defined, '"')
            text = f'functionConfig `spec.useDefaults[{index}]`: no manifest defines "{name}"{hint}'
            yield Finding("warning", "configuration", "93", text, config=("useDefaults", index))


def _suspended(listed: list[Package]) -> Iterator[Finding]:
    for package in listed:
        if package.suspended:
            yield Finding("info", "suspend", "12", "has no effect here", package.item, ("spec", "suspend"))


def _unmanaged(
    resources: Resources, listed: list[Package], chosen: list[tuple[Package, Candidate]], report: Report
) -> Iterator[Finding]:
    """Yield an error for each item that an earlier run wrote for a Package without a manifest in this one, unless an error gives the reason."""
    managed = {written_for(package.item) for package, _ in chosen}
    broken = {finding.item for finding in report.findings if (finding.severity, finding.kind) == ("error", "manifest")}
    unmanaged = {written_for(package.item): package for package in listed if package.item not in broken}
    left = {writer: package for writer, package in unmanaged.items() if writer not in managed}
    for item in resources:
        for writer in sorted(item.writers):
            if writer in left:
                text = (
                    f"was written by {left[writer].title}, which has no manifest in this run: "
                    "put all manifests in one config, or use PackageManifest items"
                )
                yield Finding("error", "record", "81", text, item)


def _helm_objects(one: Configured) -> Iterator[New]:
    """Yield a HelmRelease per chart, and their HelmRepository."""
    manifest, item = one.manifest, one.package.item
    name = f"{item.label}-{manifest.name}"
    namespace = one.package.namespace or (manifest.default_namespace if one.package.is_cluster else "")
    for chart in one.charts:
        part, full_name = "release", name
        if manifest.many_releases:
            part, full_name = f"release/{chart.release.chart}{chart.suffix}", f"{name}-{chart.release.chart}{chart.suffix}"
        origins = (
            *_values_leaves(chart),
            *_name_and_version(chart.release, one.candidate),
        )
        data = _object("HelmRelease", namespace, full_name, _release_spec(chart, name))
        yield New(data, item, part, _file_of("HelmRelease", namespace, full_name), origins)
    if one.charts:
        kind = "oci" if manifest.repository_url.startswith("oci://") else "default"
        spec: JSON = {"url": manifest.repository_url, "interval": "1h0m0s", "type": kind}
        data = _object("HelmRepository", namespace, name, spec)
        url = Leaf(
            _URL, manifest.repository_url, one.candidate.origin("manifest", manifest.repository_url, _REPOSITORY), kind="copied"
        )
        yield New(data, item, "repository", _file_of("HelmRepository", namespace, name), (url,))


def _values_leaves(chart: Chart) -> Iterator[Leaf]:
    """Yield a leaf for each value that a target wrote or removed, then for each other one."""
    for leaf in (*chart.document.leaves(), *chart.document.untouched()):
        yield replace(leaf, path=(*_VALUES, *leaf.path))


def _name_and_version(release: Release, candidate: Candidate) -> Iterator[Leaf]:
    """Yield the chart's name and version, which are those of the manifest."""
    for key, name, value in (("chart", "chartName", release.chart), ("version", "chartVersion", release.version)):
        if value:
            yield Leaf((*_CHART, key), value, candidate.origin("manifest", value, (*release.path, name)), kind="copied")


def _release_spec(chart: Chart, repository: str) -> dict[str, JSON]:
    source: dict[str, JSON] = {"kind": "HelmRepository", "name": repository}
    inner: dict[str, JSON] = {"chart": chart.release.chart}
    if chart.release.version:
        inner["version"] = chart.release.version
    spec: dict[str, JSON] = {"interval": "5m0s", "chart": {"spec": {**inner, "sourceRef": source}}}
    return spec if chart.values is None else {**spec, "values": chart.values}


def _object(kind: str, namespace: str, name: str, spec: JSON) -> JSON:
    metadata: dict[str, JSON] = {"name": name, **({"namespace": namespace} if namespace else {})}
    return {"apiVersion": _API[kind], "kind": kind, "metadata": metadata, "spec": spec}


def _file_of(kind: str, namespace: str, name: str) -> str:
    folder = f"glasskube/{namespace}" if namespace else "glasskube"
    return f"{folder}/{kind.lower()}-{name}.yaml"
