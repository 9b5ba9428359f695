"""Writes what Giant Swarm's operators would merge for each App.

ConfigMaps and Secrets are two chains. In each, lowest first:

    catalog 0  <  extraConfigs 1-50  <  config 50  <  extraConfigs 51-100  <  userConfig 100  <  extraConfigs 101-150

app-operator writes each chain as an object. chart-operator merges the Secrets over the ConfigMaps: that is what Helm receives.
"""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

from krm_values._krm.findings import Report
from krm_values._krm.item import Item
from krm_values._krm.plan import Note
from krm_values._run import objects, texts
from krm_values._run.traced import Map, merge
from krm_values.giantswarm_config import fold, helm_release
from krm_values.giantswarm_config.app import GROUP, Levels, Reference, read_app, unknown_keys
from krm_values.giantswarm_config.layers import Chain, Layer, Reader, Resolved, merged, new_object

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from krm_values._krm.plan import Finding, New, Origin, Plan
    from krm_values._krm.resources import Resources
    from krm_values._run.traced import Clash
    from krm_values.giantswarm_config.app import App
    from krm_values.giantswarm_config.config import GiantswarmConfig

CHAINS = {"configMap": "ConfigMap", "secret": "Secret"}
_BOTH = ("combined", "helmRelease")
_ADVICE = {
    "56": "the later layer wins; make both the same kind if that is not intended",
    "65": "the Secret wins; make both the same kind if that is not intended",
    "66": "chart-operator drops the map; remove one of the two",
}
_EMPTY = "an empty map clears nothing; write `null` to remove the key from the chart's defaults"


def plan(config: GiantswarmConfig, resources: Resources, _tools: object) -> Plan:
    """Yield, per App, a note for each chain, the findings, and the edits of `fold`; then the objects, by namespace and name."""
    yield from unknown_keys(resources)
    levels = Levels.of(config)
    yield from (faults := [*levels.faults()])
    reader = Reader(config, resources, levels)
    objects: list[New] = []
    failed = False
    for item in resources.select("App", group=GROUP) if not faults else ():
        report = Report()
        resolved = resolve(read_app(item, levels, report), config, reader, report)
        check(resolved, config, reader, report)
        yield from (_note(item, kind, chain) for kind, chain in resolved.chains.items())
        yield from report.findings
        failed |= report.failed
        if not report.failed:
            objects += written(resolved, config, reader)
            yield from fold.edits(resolved) if "fold" in config.outputs else ()
    for new in sorted(objects, key=texts.sort_key):
        yield new
        yield from _readable(new) if not failed else ()


def resolve(app: App, config: GiantswarmConfig, reader: Reader, report: Report) -> Resolved:
    """Find the layers of an App, read them and merge each chain."""
    kinds = _kinds(app, config)
    catalog = reader.catalog(app, report)
    references = [*app.references, *reader.of_catalog(catalog, report), *reader.assumed(app, kinds, report)]
    chains = {kind: chain for kind in sorted(kinds) if (chain := _chain(kind, references, reader, report)).layers}
    is_known = len(kinds) > 1 and all(chain.values is not None for chain in chains.values())
    return Resolved(app, catalog, chains, _combined(chains, config, report) if chains and is_known else None)


def check(resolved: Resolved, config: GiantswarmConfig, reader: Reader, report: Report) -> None:
    """Report what the outputs cannot express, and where the objects belong."""
    app = resolved.app
    if resolved.chains and not app.in_cluster and {*CHAINS, "combined"} & {*config.outputs}:
        cluster = f'cluster "{app.target}"' if app.target else "the cluster behind its kubeConfig"
        text = f"the objects written for this App belong in {cluster}, not in the management cluster"
        report.info("target-cluster", "76", text, app.item, ("spec", "kubeConfig"))
    if "fold" in config.outputs:
        fold.check(resolved, report)
    if "helmRelease" in config.outputs:
        helm_release.check(resolved, reader, report)


def written(resolved: Resolved, config: GiantswarmConfig, reader: Reader) -> Iterator[New]:
    """Yield the objects of an App that has no error."""
    app, namespace = resolved.app, config.chart_namespace or resolved.app.item.namespace
    labels = {"labels": {"giantswarm.io/managed-by": "app-operator"}}
    notes = {"annotations": {"giantswarm.io/notes": "DO NOT EDIT. Values managed by app-operator."}}
    for output in dict.fromkeys(config.outputs):
        if output in CHAINS and (chain := resolved.chains.get(CHAINS[output])) and chain.values is not None:
            name = f"{app.item.name}-chart-{'values' if output == 'configMap' else 'secrets'}"
            metadata = {**texts.metadata_of(name, namespace), **labels, **notes}
            yield new_object(CHAINS[output], metadata, "values", chain.values, app.item, part=output)
        elif output == "combined" and resolved.combined is not None:
            metadata = texts.metadata_of(f"{app.item.name}-helm-values", namespace)
            yield new_object("Secret", metadata, "values.yaml", resolved.combined, app.item, part=output, reason=_reason)
        elif output == "fold":
            yield from fold.objects(resolved)
        elif output == "helmRelease":
            yield helm_release.made(resolved, reader)


def _kinds(app: App, config: GiantswarmConfig) -> set[str]:
    """Return the kinds of layers that the outputs need: `[configMap]` never opens a Secret."""
    if any(output in _BOTH for output in config.outputs):
        return {"ConfigMap", "Secret"}
    folded = app.extra_kinds if "fold" in config.outputs else set[str]()
    return {CHAINS[output] for output in config.outputs if output in CHAINS} | folded


def _chain(kind: str, references: Iterable[Reference], reader: Reader, report: Report) -> Chain:
    ordered = sorted((one for one in references if one.kind == kind), key=Reference.rank)
    layers = tuple(Layer(one, reader.documents(one, report)) for one in ordered)
    usable = [*takewhile(lambda layer: layer.documents is not None, layers)]
    clashes: list[Clash] = []
    values = merged(usable, clashes)
    report.extend(_conflicts(clashes, "56", {"map"}))
    return Chain(layers, values if len(usable) == len(layers) else None)


def _combined(chains: Mapping[str, Chain], config: GiantswarmConfig, report: Report) -> Map:
    """Merge the Secrets over the ConfigMaps. chart-operator keeps a scalar or list of a ConfigMap where a Secret has a map (rule 66)."""
    below, above = ((chains[kind].values or Map()) if kind in chains else Map() for kind in ("ConfigMap", "Secret"))
    clashes: list[Clash] = []
    combined = merge(below, above, clashes, bool if config.scalar_conflict == "upstream" else None)
    report.extend(_conflicts(clashes, "65", {"map", "list", "scalar"}))
    return combined


def _conflicts(clashes: Iterable[Clash], rule: str, kinds: set[str]) -> Iterator[Finding]:
    """Report layers that disagree about the kind of a value, if one of the two is of these kinds."""
    reported = (one for one in clashes if one.outcome == "nothing" or ("null" not in one.kinds and kinds & {*one.kinds}))
    by_rule = (({"nothing": "55", "kept": "66"}.get(one.outcome, rule), one) for one in reported)
    return objects.findings_of(by_rule, _ADVICE, _EMPTY)


def _reason(winner: Origin, losers: Sequence[Origin]) -> str:
    """Return why a value wins over one of the other kind: not by its priority."""
    kinds = [one.item.kind if isinstance(one.item, Item) else "" for origin in (winner, *losers) for one in origin.trail()]
    if kinds[0] == "Secret" and "ConfigMap" in kinds[1:]:
        return "a Secret overrides every ConfigMap, whatever their priorities"
    if kinds[0] == "ConfigMap" and "Secret" in kinds[1:]:
        return "chart-operator keeps a ConfigMap's scalar or list where a Secret has a map"
    return ""


def _note(item: Item, kind: str, chain: Chain) -> Note:
    return Note("layers", f"App {item.namespace}/{item.label} {kind}", [layer.reference.listed for layer in chain.layers])


def _readable(new: New) -> Iterator[Finding]:
    return texts.about_readable(new, "11.8", "merged Secret values", "`outputs: [configMap]` does not write it")
