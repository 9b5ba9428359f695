"""Writes the values that Flux composes for each HelmRelease beside it or into it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._kit.layers import values_object
from krm_values._kit.planner.plan import Finding, Note
from krm_values._kit.planner.report import Report
from krm_values.flux_values import compose as effects
from krm_values.flux_values import diagnostics, inline, outputs, set_syntax
from krm_values.flux_values.layer_reader import Reader
from krm_values.flux_values.release import GROUP, VERSIONS, read_release
from krm_values.flux_values.strvals import Budget
from krm_values.flux_values.values import RefusedPathError, compose

if TYPE_CHECKING:
    from krm_values._data.values import JSON
    from krm_values._kit.layers.merge import Clash
    from krm_values._kit.planner.item import Item
    from krm_values._kit.planner.plan import New, Plan
    from krm_values._kit.planner.resources import Resources
    from krm_values.flux_values.config import FluxValues
    from krm_values.flux_values.layer_reader import LoadedEntry
    from krm_values.flux_values.provenance import Map
    from krm_values.flux_values.release import Release


def plan(config: FluxValues, resources: Resources, _tools: object) -> Plan:
    """Compose the values of each release, and write them as `output` demands.

    Yields per release a note with its entries in order and its findings; then edits of the release, or the objects by namespace and name.
    """
    reader, budget = Reader(config, resources), Budget(resources.limits)
    news: list[New] = []
    for item in resources.select("HelmRelease", group=GROUP):
        if item.version not in VERSIONS:
            known = f"known are {', '.join(VERSIONS)}{suggest.hint(item.version, VERSIONS)}"
            text = f'has the version "{item.version}", which is not read; {known}'
            yield Finding("warning", "version", "90", text, item, ("apiVersion",))
        else:
            yield from _release(item, config, reader, budget, news)
    for new in sorted(news, key=values_object.sort_key):
        yield new
        yield from values_object.readable(new, "11.8", "secret values", "`output: inline` writes none")


def _release(item: Item, config: FluxValues, reader: Reader, budget: Budget, news: list[New]) -> Plan:
    report = Report()
    release = read_release(item, report)
    loaded = [entry for reference in release.references if (entry := reader.load(reference, report))]
    yield Note("layers", f"HelmRelease {item.namespace}/{item.label}", [_listed(entry) for entry in loaded])
    if report.failed or item.error is not None:
        yield from report.findings
        return
    found = _composed(release, loaded, budget, report)
    yield from report.findings
    if found is None:
        return
    if config.output == "inline":
        yield from inline.inlined(release, loaded, found, reader.limits)
    else:
        news.append(outputs.made(release, found))


def _composed(release: Release, loaded: list[LoadedEntry], budget: Budget, report: Report) -> Map | None:
    """Return the values, or None with an error in the report if Helm refuses a `targetPath`."""
    clashes: list[Clash] = []
    try:
        found = compose(release.inline, release.layer, loaded, clashes, budget)
    except RefusedPathError as error:
        path = (*error.entry.reference.path, "targetPath")
        report.error("target-path", "105", error.message, release.item, path)
        return None
    report.extend(diagnostics.conflicts(clashes))
    report.extend(effects.findings_of(release, loaded, found))
    report.extend(set_syntax.findings_of(release, loaded))
    return found


def _listed(entry: LoadedEntry) -> JSON:
    reference = entry.reference
    named: dict[str, JSON] = {"kind": reference.kind, "namespace": reference.namespace, "name": reference.name}
    return {**named, "key": reference.key, "found": entry.item is not None, "layer": reference.layer, **reference.facts}
