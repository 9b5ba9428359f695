"""Merges the layers of each App as app-operator and chart-operator do, and writes the objects that they would create."""

from __future__ import annotations

from krm_values._kit.layers.merge import merge, tree
from krm_values._kit.planner.plan import Note
from krm_values.giantswarm_config import outputs
from krm_values.giantswarm_config.layers import conflicts, precedence
from krm_values.giantswarm_config.layers.layer_reader import Reader
from krm_values.giantswarm_config.spec import assumed, catalogs, unknown_keys
from krm_values.giantswarm_config.spec.app import GROUP, read_app

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from krm_values._data.values import JSON
    from krm_values._kit.layers.merge import Clash, Tree
    from krm_values._kit.planner.item import Item
    from krm_values._kit.planner.plan import Finding, New, Plan
    from krm_values._kit.planner.resources import Resources
    from krm_values.giantswarm_config.config import GiantswarmConfig
    from krm_values.giantswarm_config.spec.app import App
    from krm_values.giantswarm_config.spec.references import Reference

_PARTS = {"configMap": "ConfigMap", "secret": "Secret"}


def plan(config: GiantswarmConfig, resources: Resources, _tools: object) -> Plan:
    """Merge the layers of each App, ConfigMaps and Secrets separately, and make the objects of `outputs`.

    Yields per App a note per chain with its layers in merge order, and its findings; then the objects, by namespace and name.
    """
    yield from unknown_keys.unknown_keys(resources)
    reader = Reader(config, resources)
    news: list[New] = []
    failed = False
    for item in resources.select("App", group=GROUP):
        failed |= yield from _app(item, config, resources, reader, news)
    for new in sorted(news, key=outputs.sort_key):
        yield new
        if not failed:
            yield from outputs.readable(new)


def _app(
    item: Item, config: GiantswarmConfig, resources: Resources, reader: Reader, news: list[New]
) -> Generator[Note | Finding, None, bool]:
    """Yield the notes and findings of one App and append its objects to `news`. Returns whether there is an error."""
    findings: list[Finding] = []
    app = read_app(item, findings)
    kinds = _kinds(config)
    references = [*app.references, *catalogs.layers(app, reader.allowed, resources, findings)]
    references += _assumed(app, config, kinds, reader, findings)
    trees: dict[str, Tree | None] = {}
    for kind in sorted(kinds):
        chain = precedence.chain(references, kind)
        if chain:
            yield Note("layers", f"App {app.item.namespace}/{app.item.label} {kind}", [_listed(one) for one in chain])
            trees[kind] = _merged(chain, reader, findings)
    if trees:
        findings += outputs.meant_for(app)
    is_whole = all(found is not None for found in trees.values())
    combined = _combined(trees, config, findings) if is_whole and len(kinds) > 1 else None
    failed = any(finding.severity == "error" for finding in findings)
    yield from findings
    if not failed:
        news += _made(app, config, trees, combined)
    return failed


def _kinds(config: GiantswarmConfig) -> set[str]:
    """Return the kinds of layers that the outputs need."""
    needed = {_PARTS[part] for part in config.outputs if part in _PARTS}
    return {"ConfigMap", "Secret"} if "combined" in config.outputs else needed


def _assumed(
    app: App, config: GiantswarmConfig, kinds: set[str], reader: Reader, findings: list[Finding]
) -> Iterator[Reference]:
    if "clusterValues" in config.assume and "ConfigMap" in kinds:
        yield from assumed.cluster_values(app, reader.holds, findings)
    if "userValues" in config.assume:
        yield from assumed.user_values(app, kinds, config.chart_namespace, reader.holds, findings)


def _merged(chain: list[Reference], reader: Reader, findings: list[Finding]) -> Tree | None:
    """Return the merged values of a chain, or None if a layer is missing or unusable."""
    clashes: list[Clash] = []
    merged: Tree | None = {}
    for reference in chain:
        embedded = reader.layer(reference, findings)
        if embedded is None:
            merged = None
        elif merged is not None:
            layer = embedded.as_layer(precedence.layer(reference), precedence.facts(reference))
            merged = merge(merged, tree(embedded.values, layer), clashes)
    findings += conflicts.within(clashes)
    return merged


def _combined(trees: dict[str, Tree | None], config: GiantswarmConfig, findings: list[Finding]) -> Tree | None:
    """Return the Secret chain merged over the ConfigMap chain, or None if there is neither."""
    clashes: list[Clash] = []
    keeps = conflicts.is_dropped_for if config.scalar_conflict == "upstream" else None
    combined = merge(trees.get("ConfigMap") or {}, trees.get("Secret") or {}, clashes, keeps)
    findings += conflicts.between(clashes)
    return combined if trees else None


def _made(app: App, config: GiantswarmConfig, trees: dict[str, Tree | None], combined: Tree | None) -> Iterator[New]:
    for part in dict.fromkeys(config.outputs):
        found = combined if part == "combined" else trees.get(_PARTS[part])
        if found is not None:
            yield outputs.made(app, part, found, config.chart_namespace)


def _listed(reference: Reference) -> dict[str, JSON]:
    named: dict[str, JSON] = {"kind": reference.kind, "namespace": reference.namespace, "name": reference.name}
    return {**named, "layer": precedence.layer(reference), **precedence.facts(reference)}
