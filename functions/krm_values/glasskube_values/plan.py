"""Plan what the Glasskube operator does with the packages of a list: resolve and check values, patch resources, write Helm releases."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._kit.planner.fields import shape_warnings, unknown_keys, warnings
from krm_values._kit.planner.findings import HIDDEN
from krm_values._kit.planner.plan import Finding, Note
from krm_values._kit.planner.report import Report
from krm_values.glasskube_values import candidates, decisions, helm, packages, upstream_fields
from krm_values.glasskube_values import lint_in_run as in_run
from krm_values.glasskube_values.apply import Applier
from krm_values.glasskube_values.configured import Setting
from krm_values.glasskube_values.reported import Reported
from krm_values.glasskube_values.source_path import Sources
from krm_values.glasskube_values.stages import configure
from krm_values.glasskube_values.target_index import TargetIndex
from krm_values.glasskube_values.values import Resolver

if TYPE_CHECKING:
    from collections.abc import Iterator

    from krm_values._data.suggest import Hints
    from krm_values._data.values import JSON
    from krm_values._kit.planner.plan import Origin, Plan
    from krm_values._kit.planner.resources import Resources
    from krm_values.glasskube_values.candidates import Candidate
    from krm_values.glasskube_values.config import GlasskubeValues
    from krm_values.glasskube_values.configured import Configured
    from krm_values.glasskube_values.packages import Package


def plan(config: GlasskubeValues, resources: Resources, _tools: object) -> Plan:
    """Resolve, check and apply the values of every Package that has a manifest.

    Yields the findings of all stages, a note per Package with its resolved values, the edits of patched items, and the Helm objects.
    """
    report = Report()
    configured, applier = compute(config, resources, report)
    yield from report.findings
    for one in configured:
        yield Note("values", one.package.title, _shown(one), tuple(_origins(one)))
    if "resources" in config.emit:
        for number, document in sorted(applier.documents.items()):
            yield from decisions.decisions(applier.items[number], document)
    if "helm" in config.emit:
        for one in configured:
            yield from helm.objects(one)


def compute(config: GlasskubeValues, resources: Resources, report: Report) -> tuple[list[Configured], Applier]:
    """Return every configured Package, and the documents with all patches applied."""
    listed = packages.read_all(resources)
    manifests = candidates.all_of(config, resources)
    by_name = candidates.by_name(manifests)
    setting = Setting(config, resources, Resolver(config, resources, listed), resources.hints, Sources(), Reported())
    report.extend((*candidates.wrappers(resources), *_unknown(resources)))
    is_unclear = candidates.is_unclear(manifests, resources)
    configured: list[Configured] = []
    chosen: list[tuple[Package, Candidate]] = []
    for package in listed:
        candidate = (
            candidates.choose(package, by_name, report, setting.hints, is_unclear=is_unclear) if package.manifest else None
        )
        if candidate is None:
            report.extend(package.faults)
            continue
        chosen.append((package, candidate))
        if one := configure(package, candidate, setting, report):
            configured.append(one)
    applier = Applier(config, TargetIndex(resources), resources.limits)
    for one in configured:
        applier.package(one)
    report.extend((*applier.report.findings, *applier.rest()))
    report.extend((*_unused(manifests, chosen), *_undefined(config, manifests, resources.hints), *_suspended(listed)))
    report.extend(in_run.warnings(manifests, [candidate for _, candidate in chosen], setting.reported, config))
    report.extend(() if is_unclear else list(_unmanaged(resources, listed, chosen, report)))
    return configured, applier


def _unknown(resources: Resources) -> Iterator[Finding]:
    """Yield a warning for each unknown top-level key of Packages."""
    for item in resources.select("Package", "ClusterPackage", group=packages.GROUP):
        yield from warnings(item, unknown_keys(item.data, upstream_fields.PACKAGE), "S5")
        yield from shape_warnings(item, upstream_fields.PACKAGE, "S5")


def _unused(manifests: list[Candidate], chosen: list[tuple[Package, Candidate]]) -> Iterator[Finding]:
    """Yield the errors of manifests that no Package uses."""
    used = {id(candidate) for _, candidate in chosen}
    for candidate in manifests:
        if id(candidate) not in used:
            yield from (candidate.finding(fault) for fault in candidate.faults if fault.severity == "error")


def _undefined(config: GlasskubeValues, manifests: list[Candidate], hints: Hints) -> Iterator[Finding]:
    """Yield a warning for each name in `useDefaults` that no manifest defines; none while a manifest cannot be read."""
    if any(candidate.manifest is None for candidate in manifests):
        return
    defined = {name for candidate in manifests if candidate.manifest for name in candidate.manifest.definitions}
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
    resources: Resources, listed: list[Package], chosen: list[tuple[Package, Candidate]], report: Report
) -> Iterator[Finding]:
    """Yield an error for each item that an earlier run wrote for a Package without a manifest in this one, unless an error gives the reason."""
    managed = {_writer(package) for package, _ in chosen}
    broken = {finding.item for finding in report.findings if (finding.severity, finding.kind) == ("error", "manifest")}
    left = {_writer(package): package for package in listed if _writer(package) not in managed and package.item not in broken}
    for item in resources:
        for writer in sorted(item.writers):
            if writer in left:
                text = (
                    f"was written by {left[writer].title}, which has no manifest in this run: "
                    "put all manifests in one config, or use PackageManifest items"
                )
                yield Finding("error", "record", "81", text, item)


def _writer(package: Package) -> str:
    """Return how undo records name a Package."""
    return f"{package.item.kind}/{package.item.namespace}/{package.item.label}"


def _origins(one: Configured) -> Iterator[Origin]:
    """Yield the origin of every value and patch, written or not, so that Secrets are known."""
    yield from (value.origin for value in one.values.values())
    yield from (patch.origin for patch in one.patches)


def _shown(one: Configured) -> JSON:
    """Return the resolved values for the note, with values from Secrets hidden."""
    return {name: HIDDEN if value.origin.secret else value.text for name, value in one.values.items()}
