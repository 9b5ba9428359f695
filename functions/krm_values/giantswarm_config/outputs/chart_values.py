"""The values objects of an App, as app-operator and chart-operator make them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._kit.engine.generated import beside
from krm_values._kit.layers import values_object, values_text
from krm_values._kit.layers.merge import leaves, values
from krm_values._kit.planner.item import Item
from krm_values._kit.planner.plan import Finding, New

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from krm_values._kit.layers.merge import Tree
    from krm_values._kit.planner.plan import Origin
    from krm_values.giantswarm_config.spec.app import App

_NAMES = {"configMap": "-chart-values", "secret": "-chart-secrets", "combined": "-helm-values"}
_LABELS = {"giantswarm.io/managed-by": "app-operator"}
_OVER = "a Secret overrides every ConfigMap, whatever their priorities"
_NOTES = {"giantswarm.io/notes": "DO NOT EDIT. Values managed by app-operator."}


def made(app: App, part: str, found: Tree, chart_namespace: str) -> New:
    """Make the object of one output: `configMap`, `secret` or `combined`."""
    is_config_map = part == "configMap"
    key = "values.yaml" if part == "combined" else "values"
    text = values_text.write(values(found))
    name = app.item.name + _NAMES[part]
    metadata = values_object.named(name, chart_namespace or app.item.namespace)
    if part != "combined":
        metadata |= {"labels": dict(_LABELS), "annotations": dict(_NOTES)}
    data = values_object.values_object(metadata, key, text, is_secret=not is_config_map)
    explained = leaves(found, ("data", key), _reason if part == "combined" else None)
    return New(data, app.item, part, beside(app.item, name), explained, reads_secrets=not is_config_map)


def _reason(winner: Origin, losers: Sequence[Origin]) -> str:
    """Return why a Secret's value overrides a ConfigMap's: not by its priority."""
    return _OVER if _kind(winner) == "Secret" and any(_kind(one) == "ConfigMap" for one in losers) else ""


def _kind(origin: Origin) -> str:
    return origin.item.kind if isinstance(origin.item, Item) else ""


def meant_for(app: App) -> Iterator[Finding]:
    """Report the cluster where the objects belong, if it is not the management cluster."""
    if not app.in_cluster:
        cluster = f'cluster "{app.target}"' if app.target else "the cluster behind its kubeConfig"
        text = f"the objects written for this App belong in {cluster}, not in the management cluster"
        yield Finding("info", "target-cluster", "76", text, app.item, ("spec", "kubeConfig"))
