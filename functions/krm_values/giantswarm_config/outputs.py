"""The objects that are written for an App."""

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
    from krm_values.giantswarm_config.app import App

_NAMES = {"configMap": "-chart-values", "secret": "-chart-secrets", "combined": "-helm-values"}
_LABELS = {"giantswarm.io/managed-by": "app-operator"}
_NOTES = {"giantswarm.io/notes": "DO NOT EDIT. Values managed by app-operator."}


def made(app: App, part: str, found: Tree, chart_namespace: str) -> New:
    """The object of one output."""
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
    """That a written Secret can be read by whoever reads the files."""
    if isinstance(new.data, dict) and new.data["kind"] == "Secret":
        text = "holds merged secret values that anybody who reads this list can read; `outputs: [configMap]` leaves it out"
        yield Finding("info", "readable-secret", "11.8", text, new)


def meant_for(app: App) -> Iterator[Finding]:
    """The cluster where the objects belong, if it is another one."""
    if not app.in_cluster:
        cluster = f'cluster "{app.target}"' if app.target else "the cluster behind its kubeConfig"
        text = f"what is written for this App is meant for {cluster}, not for the management cluster"
        yield Finding("info", "target-cluster", "76", text, app.item, ("spec", "kubeConfig"))


def place(new: New) -> tuple[str, str, str]:
    """The order in which new objects are appended: namespace, name, kind."""
    metadata: Any = new.data["metadata"] if isinstance(new.data, dict) else {}
    return str(metadata.get("namespace", "")), str(metadata["name"]), new.part
