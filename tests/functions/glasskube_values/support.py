"""Small packages, manifests and resources, and a run over them."""

from __future__ import annotations

from typing import Any

from krm_values._kit import results
from tests.conformance.cases import State, System, execute

API = "packages.glasskube.dev/v1alpha1"
SYSTEM = System(lambda _: "glasskube-values", lambda _: {}, lambda _case, _outcome: "")


def package(name: str = "lumen", namespace: str | None = "aviary", manifest: str = "lumen", **spec: Any) -> dict[str, Any]:
    """A Package; with `values` as plain texts or whole configurations."""
    values = {key: {"value": value} if isinstance(value, str) else value for key, value in spec.pop("values", {}).items()}
    info = {"name": manifest, "version": "v1", **spec.pop("info", {})}
    metadata = {"name": name, **({"namespace": namespace} if namespace else {})}
    return {
        "apiVersion": API,
        "kind": "Package",
        "metadata": metadata,
        "spec": {"packageInfo": info, "values": values, **spec},
    }


def cluster(name: str = "lumen", manifest: str = "lumen", **spec: Any) -> dict[str, Any]:
    return {**package(name, None, manifest, **spec), "kind": "ClusterPackage"}


def manifest(*definitions: tuple[str, dict[str, Any]], scope: str = "Namespaced", **more: Any) -> dict[str, Any]:
    """A manifest named lumen of these value definitions."""
    whole = {"name": "lumen", "scope": scope, "defaultNamespace": "aviary", **more}
    return {key: value for key, value in {**whole, "valueDefinitions": dict(definitions)}.items() if value is not None}


def value(name: str, *targets: dict[str, Any], kind: str = "text", **more: Any) -> tuple[str, dict[str, Any]]:
    return name, {"type": kind, "targets": list(targets), **more}


def target(path: str = "/data/LEVEL", op: str = "add", template: str = "", **resource: Any) -> dict[str, Any]:
    """A target that is a resource, by default the ConfigMap env, or with `chart` a chart."""
    chart = resource.pop("chart", "")
    named = {"chartName": chart} if chart else {"resource": {"apiGroup": "v1", "kind": "ConfigMap", "name": "env", **resource}}
    return {**named, "patch": {"op": op, "path": path}, **({"valueTemplate": template} if template else {})}


def config_map(name: str = "env", namespace: str | None = "aviary", **data: str) -> dict[str, Any]:
    metadata = {"name": name, **({"namespace": namespace} if namespace else {})}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data or {"MODE": "calm"}}


def secret(name: str = "vault", namespace: str | None = "aviary", **texts: str) -> dict[str, Any]:
    made = config_map(name, namespace)
    return {"apiVersion": "v1", "kind": "Secret", "metadata": made["metadata"], "stringData": texts or {"token": "kelp-moss"}}


def thing(spec: Any, name: str = "thing", namespace: str | None = "aviary") -> dict[str, Any]:
    return {**config_map(name, namespace), "apiVersion": "aviary.example/v1", "kind": "Thing", "data": None, "spec": spec}


def helm(*charts: str, **more: Any) -> dict[str, Any]:
    """A `helm` section of one chart, or of several releases."""
    url = {"repositoryUrl": "https://charts.aviary.example"}
    if len(charts) == 1:
        return {**url, "chartName": charts[0], "chartVersion": "1.0.0", **more}
    return {**url, "releases": [{"chartName": chart, "chartVersion": "1.0.0", **more} for chart in charts]}


LEVEL = value("level", target())


def run(*items: dict[str, Any], **config: Any) -> State:
    return execute(SYSTEM, {}, list(items), config)


def told(state: State, severity: str = "error") -> list[str]:
    """The messages of one severity."""
    return [results.message(finding) for finding in state.outcome.findings if finding.severity == severity]


def found(state: State, name: str = "env", kind: str = "ConfigMap", namespace: str | None = "aviary") -> Any:
    """One item as it came out, without our annotations."""
    for item in state.items:
        metadata = item["metadata"]
        if (item["kind"], metadata["name"], metadata.get("namespace")) == (kind, name, namespace):
            return item
    return None


def level(state: State, **where: Any) -> Any:
    """What stands as LEVEL in the ConfigMap env."""
    return found(state, **where)["data"].get("LEVEL")
