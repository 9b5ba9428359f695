"""Merges the layers of each App as app-operator and chart-operator do, and writes what `outputs` demands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.record import record
from krm_values._kit.layers import values_object
from krm_values._kit.layers.merge import merge
from krm_values._kit.planner.plan import Note
from krm_values._kit.planner.report import Report
from krm_values.giantswarm_config.layers import conflicts, precedence
from krm_values.giantswarm_config.layers.chains import read_chain
from krm_values.giantswarm_config.layers.layer_reader import Reader
from krm_values.giantswarm_config.outputs import chart_values, fold, helm_release
from krm_values.giantswarm_config.spec import assumed, catalogs, levels, unknown_keys
from krm_values.giantswarm_config.spec.app import GROUP, read_app

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Mapping

    from krm_values._data.values import JSON
    from krm_values._kit.layers.merge import Clash, Tree
    from krm_values._kit.planner.item import Item
    from krm_values._kit.planner.plan import Drop, Finding, New, Plan, Put
    from krm_values._kit.planner.resources import Resources
    from krm_values.giantswarm_config.config import GiantswarmConfig
    from krm_values.giantswarm_config.layers.chains import Chain
    from krm_values.giantswarm_config.spec.app import App
    from krm_values.giantswarm_config.spec.levels import Levels
    from krm_values.giantswarm_config.spec.references import Reference

_PARTS = {"configMap": "ConfigMap", "secret": "Secret"}
_BOTH = ("combined", "helmRelease")
"""The outputs that are made of both chains."""


@record
class _Context:
    """What the Apps of a run share."""

    config: GiantswarmConfig
    resources: Resources
    reader: Reader
    levels: Levels


def plan(config: GiantswarmConfig, resources: Resources, _tools: object) -> Plan:
    """Merge the layers of each App, ConfigMaps and Secrets separately, and make the objects of `outputs`.

    Yields per App a note per chain with its layers in merge order, its findings, and with `fold` the edits of the App; then the objects,
    by namespace and name.
    """
    yield from unknown_keys.unknown_keys(resources)
    context = _Context(config, resources, Reader(config, resources), levels.of_config(config))
    faults = list(levels.findings_of(context.levels))
    yield from faults
    if faults:
        return
    news: list[New] = []
    failed = False
    for item in resources.select("App", group=GROUP):
        failed |= yield from _app(item, context, news)
    for new in sorted(news, key=values_object.sort_key):
        yield new
        if not failed:
            yield from values_object.readable(new, "11.8", "merged secret values", "`outputs: [configMap]` does not write it")


def _app(item: Item, context: _Context, news: list[New]) -> Generator[Note | Finding | Put | Drop, None, bool]:
    """Yield the notes, findings and edits of one App and append its objects to `news`. Returns whether there is an error."""
    config = context.config
    report = Report()
    app = read_app(item, context.levels, report)
    kinds = _kinds(config, app)
    catalog = catalogs.find(app, context.reader.allowed, context.resources, report)
    references = [*app.references, *catalogs.layers(catalog, context.levels, report)]
    references += _assumed(app, context, kinds, report)
    chains: dict[str, Chain | None] = {}
    for kind in sorted(kinds):
        if chain := precedence.chain(references, kind):
            yield Note("layers", f"App {app.item.namespace}/{app.item.label} {kind}", [_listed(one) for one in chain])
            chains[kind] = read_chain(chain, context.reader, report)
    if chains and any(part in (*_PARTS, "combined") for part in config.outputs):
        report.extend(chart_values.meant_for(app))
    is_whole = all(chain is not None for chain in chains.values())
    combined = _combined(chains, config, report) if is_whole and len(kinds) > 1 else None
    folds = fold.folds(app, chains) if "fold" in config.outputs else []
    report.extend(fold.findings_of(app, folds))
    if "helmRelease" in config.outputs:
        report.extend(helm_release.findings_of(app, chains, combined))
    failed = report.failed
    yield from report.findings
    if failed:
        return True
    news += _made(app, config, chains, combined)
    news += fold.made(app, folds)
    if "helmRelease" in config.outputs:
        news.append(helm_release.made(app, catalog, chains, context.reader))
    yield from fold.edits(app, folds)
    return False


def _kinds(config: GiantswarmConfig, app: App) -> set[str]:
    """Return the kinds of layers that the outputs need."""
    if any(part in _BOTH for part in config.outputs):
        return {"ConfigMap", "Secret"}
    needed = {_PARTS[part] for part in config.outputs if part in _PARTS}
    return needed | fold.kinds_of(app) if "fold" in config.outputs else needed


def _assumed(app: App, context: _Context, kinds: set[str], report: Report) -> Iterator[Reference]:
    config, holds = context.config, context.reader.holds
    if "clusterValues" in config.assume and "ConfigMap" in kinds:
        yield from assumed.cluster_values(app, holds, report)
    if "userValues" in config.assume:
        yield from assumed.user_values(app, kinds, config.chart_namespace, holds, report)


def _combined(chains: Mapping[str, Chain | None], config: GiantswarmConfig, report: Report) -> Tree | None:
    """Return the Secret chain merged over the ConfigMap chain, or None if there is neither."""
    clashes: list[Clash] = []
    keeps = conflicts.is_dropped_for if config.scalar_conflict == "upstream" else None
    below, above = (chain.values if (chain := chains.get(kind)) else {} for kind in ("ConfigMap", "Secret"))
    combined = merge(below, above, clashes, keeps)
    report.extend(conflicts.between(clashes))
    return combined if chains else None


def _made(app: App, config: GiantswarmConfig, chains: Mapping[str, Chain | None], combined: Tree | None) -> Iterator[New]:
    for part in dict.fromkeys(config.outputs):
        if part == "combined" and combined is not None:
            yield chart_values.made(app, part, combined, config.chart_namespace)
        elif chain := chains.get(_PARTS.get(part, "")):
            yield chart_values.made(app, part, chain.values, config.chart_namespace)


def _listed(reference: Reference) -> dict[str, JSON]:
    named: dict[str, JSON] = {"kind": reference.kind, "namespace": reference.namespace, "name": reference.name}
    return {**named, "layer": precedence.layer(reference), **precedence.facts(reference)}
