"""Small HelmReleases, ConfigMaps and Secrets, and a run over them."""

from __future__ import annotations

from typing import Any

from krm_values._go import yaml
from tests.conformance.cases import State, System, execute
from tests.conformance.layered import BY, texts
from tests.functions.giantswarm_config.support import told

__all__ = ["config_map", "entry", "inlined", "made", "release", "run", "secret", "told", "value"]
GROUP = "helm.toolkit.fluxcd.io"
SYSTEM = System(lambda _: "flux-values", lambda _: {}, lambda _case, _outcome: "")


def release(*entries: Any, values: Any = ..., name: str = "web", version: str = "v2", **spec: Any) -> dict[str, Any]:
    whole = {"interval": "10m", "valuesFrom": list(entries) or ..., "values": values, **spec}
    return {
        "apiVersion": f"{GROUP}/{version}",
        "kind": "HelmRelease",
        "metadata": {"name": name, "namespace": "team"},
        "spec": {key: value for key, value in whole.items() if value is not ...},
    }


def entry(name: str = "base", kind: str = "ConfigMap", **more: Any) -> dict[str, Any]:
    return {"kind": kind, "name": name, **more}


def value(key: str, path: str, name: str = "base", **more: Any) -> dict[str, Any]:
    """An entry with a targetPath."""
    return entry(name, valuesKey=key, targetPath=path, **more)


def config_map(name: str = "base", text: str | None = None, namespace: str = "team", **data: Any) -> dict[str, Any]:
    held = {**({} if text is None else {"values.yaml": text}), **data}
    whole = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name, "namespace": namespace}}
    return {**whole, **({"data": held} if held else {})}


def secret(name: str = "login", text: str | None = None, **data: Any) -> dict[str, Any]:
    made = config_map(name, text, **data)
    held = made.pop("data", {})
    return {**made, "kind": "Secret", "type": "Opaque", "stringData": held}


def run(*items: dict[str, Any], **config: Any) -> State:
    return execute(SYSTEM, {}, list(items), config)


def made(state: State) -> dict[str, Any]:
    """The values of what was generated, by kind and name."""
    found = [item for item in state.items if item["metadata"].get("annotations", {}).get(BY) == "flux-values"]
    return {f"{item['kind']} {item['metadata']['name']}": yaml.read(*texts(item).values()).data for item in found}


def inlined(state: State) -> tuple[Any, Any]:
    """(valuesFrom, values) of the first item."""
    spec = state.items[0]["spec"]
    return spec.get("valuesFrom"), spec.get("values")
