"""The values objects of an App, as app-operator and chart-operator make them."""

from __future__ import annotations

from krm_values._kit.engine.generated import beside
from krm_values._kit.layers import values_text
from krm_values._kit.layers.configmaps import encode
from krm_values._kit.layers.merge import leaves, values
from krm_values._kit.planner.plan import Finding, New

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from krm_values._kit.layers.merge import Tree
    from krm_values.giantswarm_config.spec.app import App

_NAMES = {"configMap": "-chart-values", "secret": "-chart-secrets", "combined": "-helm-values"}
_LABELS = {"giantswarm.io/managed-by": "app-operator"}
_NOTES = {"giantswarm.io/notes": "DO NOT EDIT. Values managed by app-operator."}


def made(app: App, part: str, found: Tree, chart_namespace: str) -> New:
    """Make the object of one output: `configMap`, `secret` or `combined`."""
    is_config_map = part == "configMap"
    key = "values.yaml" if part == "combined" else "values"
    text = values_text.write(values(found))
    name = app.item.name + _NAMES[part]
    metadata: dict[str, Any] = {"name": name}
    if namespace := chart_namespace or app.item.namespace:
        metadata["namespace"] = namespace
    if part != "combined":
        metadata |= {"labels": dict(_LABELS), "annotations": dict(_NOTES)}
    data: dict[str, Any] = {"apiVersion": "v1", "kind": "ConfigMap" if is_config_map else "Secret", "metadata": metadata}
    if not is_config_map:
        data["type"] = "Opaque"
    data["data"] = {key: text if is_config_map else encode(text)}
    return New(data, app.item, part, beside(app.item, name), leaves(found, ("data", key)), reads_secrets=not is_config_map)


def readable(new: New) -> Iterator[Finding]:
    """Report that anybody who can read the files can read a written Secret."""
    if isinstance(new.data, dict) and new.data["kind"] == "Secret":
        text = "holds merged secret values in a form that anybody who reads this file can decode; `outputs: [configMap]` does not write it"
        yield Finding("info", "readable-secret", "11.8", text, new)


def meant_for(app: App) -> Iterator[Finding]:
    """Report the cluster where the objects belong, if it is not the management cluster."""
    if not app.in_cluster:
        cluster = f'cluster "{app.target}"' if app.target else "the cluster behind its kubeConfig"
        text = f"the objects written for this App belong in {cluster}, not in the management cluster"
        yield Finding("info", "target-cluster", "76", text, app.item, ("spec", "kubeConfig"))


def sort_key(new: New) -> tuple[str, str, str]:
    """Return the sort key of new objects: namespace, name, output."""
    metadata: Any = new.data["metadata"] if isinstance(new.data, dict) else {}
    return str(metadata.get("namespace", "")), str(metadata["name"]), new.part
