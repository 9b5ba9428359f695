"""Small Apps, Catalogs and layers, and a run over them."""

from __future__ import annotations

from typing import Any

from krm_values._go import yaml
from krm_values._krm import findings
from tests.conformance.cases import State, System, execute
from tests.conformance.layered import BY, FROM, texts

GROUP = "application.giantswarm.io/v1alpha1"
SYSTEM = System(lambda _: "giantswarm-config", lambda _: {}, lambda _case, _outcome: "")


def app(name: str = "web", namespace: str = "team", labels: dict[str, str] | None = None, **spec: Any) -> dict[str, Any]:
    whole = {
        "catalog": "shelf",
        "name": name,
        "namespace": "apps",
        "version": "1.0.0",
        "kubeConfig": {"inCluster": True},
        **spec,
    }
    metadata: dict[str, Any] = {"name": name, "namespace": namespace, **({"labels": labels} if labels else {})}
    return {"apiVersion": GROUP, "kind": "App", "metadata": metadata, "spec": {k: v for k, v in whole.items() if v is not ...}}


def catalog(name: str = "shelf", namespace: str = "default", kind: str = "Catalog", **config: Any) -> dict[str, Any]:
    metadata = {"name": name, **({"namespace": namespace} if namespace else {})}
    return {"apiVersion": GROUP, "kind": kind, "metadata": metadata, "spec": {"title": name, "config": config or None}}


def config_map(name: str, *held: str, namespace: str = "team", **fields: Any) -> dict[str, Any]:
    data = {f"values{number or ''}": text for number, text in enumerate(held)}
    whole = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name, "namespace": namespace}}
    return {**whole, **({"data": data} if held else {}), **fields}


def secret(name: str, *held: str, namespace: str = "team", **fields: Any) -> dict[str, Any]:
    made = config_map(name, namespace=namespace)
    data = {f"values{number or ''}": text for number, text in enumerate(held)}
    return {**made, "kind": "Secret", "type": "Opaque", **({"stringData": data} if held else {}), **fields}


def ref(name: str, namespace: str = "team", **more: Any) -> dict[str, Any]:
    return {"name": name, "namespace": namespace, **more}


def run(*items: dict[str, Any], **config: Any) -> State:
    return execute(SYSTEM, {}, list(items), config)


def made(state: State) -> dict[str, Any]:
    """The values of what was generated, by output."""
    found = [item for item in state.items if item["metadata"].get("annotations", {}).get(BY) == "giantswarm-config"]
    return {item["metadata"]["annotations"][FROM].rpartition("/")[2]: yaml.read(*texts(item).values()).data for item in found}


def told(state: State, severity: str) -> list[str]:
    """The messages of one severity."""
    return [findings.message(finding) for finding in state.outcome.findings if finding.severity == severity]
