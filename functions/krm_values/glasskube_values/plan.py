"""What the Glasskube operator would do with the packages of a list: values resolved and checked, resources patched, releases written."""

from __future__ import annotations

from krm_values._kit.planner import names
from krm_values._kit.planner.fields import odd_shapes, unknown_keys, warnings
from krm_values._kit.planner.findings import HIDDEN
from krm_values._kit.planner.plan import Finding, Note
from krm_values._kit.planner.served import Served
from krm_values.glasskube_values import upstream_fields
from krm_values.glasskube_values.lint import in_run
from krm_values.glasskube_values.manifest import candidates as sources
from krm_values.glasskube_values.manifest import packages
from krm_values.glasskube_values.patch import decisions
from krm_values.glasskube_values.patch.targets import Reach
from krm_values.glasskube_values.run import helm
from krm_values.glasskube_values.run.apply import Applying
from krm_values.glasskube_values.run.configured import Setting
from krm_values.glasskube_values.run.stages import configure
from krm_values.glasskube_values.values.references import Resolver
from krm_values.glasskube_values.values.source_path import Sources

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from krm_values._data.suggest import Hints
    from krm_values._data.values import JSON
    from krm_values._kit.planner.plan import Origin, Plan, Severity
    from krm_values._kit.planner.resources import Resources
    from krm_values.glasskube_values.config import GlasskubeValues
    from krm_values.glasskube_values.manifest.candidates import Candidate
    from krm_values.glasskube_values.manifest.packages import Package
    from krm_values.glasskube_values.run.configured import Configured


_SHAPES = (
    (packages.GROUP, ("Package", "ClusterPackage"), upstream_fields.PACKAGE),
    (packages.GROUP, ("PackageInfo",), upstream_fields.PACKAGE_INFO),
    (names.GROUP, (sources.WRAPPER,), upstream_fields.WRAPPER),
)
SERVED = (
    Served(packages.GROUP, ("v1alpha1",), ("Package", "ClusterPackage", "PackageInfo"), ("PackageRepository",)),
    Served(names.GROUP, ("v1alpha1",), (sources.WRAPPER,)),
)


def records(config: GlasskubeValues) -> bool:
    """Whether undo records are kept."""
    return config.record


def removal(config: GlasskubeValues) -> Severity:
    """How a Helm object is told that no Package makes any more: with it goes what it has installed."""
    return "warning" if config.profile == "recommended" else "info"


def plan(config: GlasskubeValues, resources: Resources, _tools: object) -> Plan:
    """Resolve, check and apply the values of every Package that has a manifest.

    Yields the findings of all stages, a note per Package with its resolved values, the decisions on patched items, and the Helm objects.
    """
    configured, applying, findings = compute(config, resources)
    yield from (finding for finding in findings if config.profile == "recommended" or finding.severity != "warning")
    for one in configured:
        yield Note("values", one.package.title, _shown(one), tuple(_origins(one)))
    if "resources" in config.emit:
        for number, document in sorted(applying.documents.items()):
            yield from decisions.decisions(applying.items[number], document)
    if "helm" in config.emit:
        for one in configured:
            yield from helm.objects(one)


def compute(config: GlasskubeValues, resources: Resources) -> tuple[list[Configured], Applying, list[Finding]]:
    """Every Package that has a manifest as far as it comes, the documents with all patches applied, and the findings."""
    listed = packages.read_all(resources, lenient=config.profile == "recommended")
    candidates = sources.all_of(config, resources)
    by_name = sources.by_name(candidates)
    setting = Setting(config, resources, Resolver(config, resources, listed), resources.hints, Sources())
    findings: list[Finding] = [*sources.wrappers(resources), *_unknown(resources)]
    is_unclear = sources.is_unclear(candidates, resources)
    configured: list[Configured] = []
    chosen: list[tuple[Package, Candidate]] = []
    for package in listed:
        candidate = (
            sources.choose(package, by_name, findings, setting.hints, is_unclear=is_unclear) if package.manifest else None
        )
        if candidate is None:
            findings += package.faults
            continue
        chosen.append((package, candidate))
        one, said = configure(package, candidate, setting)
        findings += said
        if one:
            configured.append(one)
    applying = Applying(config, Reach(resources), resources.limits)
    configured = [one for one in configured if applying.package(one)]
    findings += [*applying.findings, *applying.rest()]
    findings += [*_untaken(candidates, chosen), *_undefined(config, candidates, resources.hints), *_suspended(listed)]
    findings += list(in_run.warnings(candidates, chosen, findings, config))
    findings += [] if is_unclear else list(_unmanaged(resources, listed, chosen, findings))
    return configured, applying, findings


def _unknown(resources: Resources) -> Iterator[Finding]:
    """Top-level keys of Packages and PackageManifests, and keys of PackageInfos, that no such object has."""
    for group, kinds, shape in _SHAPES:
        for item in resources.select(*kinds, group=group):
            yield from warnings(item, unknown_keys(item.data, shape), "S5")
            yield from odd_shapes(item, shape, "S5")


def _untaken(candidates: list[Candidate], chosen: list[tuple[Package, Candidate]]) -> Iterator[Finding]:
    """What is wrong with manifests that no Package takes."""
    taken = {id(candidate) for _, candidate in chosen}
    for candidate in candidates:
        if id(candidate) not in taken:
            yield from (candidate.finding(fault) for fault in candidate.faults if fault.severity == "error")


def _undefined(config: GlasskubeValues, candidates: list[Candidate], hints: Hints) -> Iterator[Finding]:
    """Names in `useDefaults` that no manifest defines; nobody knows that while one cannot be read."""
    if any(candidate.manifest is None for candidate in candidates):
        return
    defined = {name for candidate in candidates if candidate.manifest for name in candidate.manifest.definitions}
    for index, name in enumerate(config.use_defaults) if isinstance(config.use_defaults, list) else ():
        if name not in defined:
            hint = hints.hint(name, defined, '"')
            text = f'functionConfig `spec.useDefaults[{index}]`: no manifest defines "{name}"{hint}'
            yield Finding("warning", "configuration", "93", text, config=("useDefaults", index))


def _suspended(listed: list[Package]) -> Iterator[Finding]:
    for package in listed:
        if package.suspended:
            yield Finding("info", "suspend", "12", "has no effect here", package.item, ("spec", "suspend"))


def _unmanaged(
    resources: Resources, listed: list[Package], chosen: list[tuple[Package, Candidate]], said: list[Finding]
) -> Iterator[Finding]:
    """Packages that wrote in an earlier run, are still there, and have no manifest in this one; not where an error says why."""
    managed = {package.item for package, _ in chosen}
    broken = {finding.item for finding in said if (finding.severity, finding.kind) == ("error", "manifest")}
    left = {
        f"{package.item.kind}/{package.item.namespace}/{package.item.label}": package
        for package in listed
        if package.item not in managed and package.item not in broken
    }
    for item in resources:
        for writer in sorted(item.writers):
            if writer in left:
                text = (
                    f"was written by {left[writer].title}, which has no manifest in this run: "
                    "put all manifests in one config, or use PackageManifest items"
                )
                yield Finding("error", "record", "81", text, item)


def _origins(one: Configured) -> Iterator[Origin]:
    """What a Package reads, even where no target writes it."""
    yield from (value.origin for value in one.values.values())
    yield from (patch.origin for patch in one.patches)


def _shown(one: Configured) -> JSON:
    """The resolved values, those out of a Secret hidden."""
    return {name: HIDDEN if value.origin.secret else value.text for name, value in one.values.items()}
