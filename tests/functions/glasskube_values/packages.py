"""Small packages and their manifests."""

from __future__ import annotations

from typing import Any

from tests.functions.glasskube_values.resources import named

API = "packages.glasskube.dev/v1alpha1"


def package(name: str = "lumen", namespace: str | None = "aviary", manifest: str = "lumen", **spec: Any) -> dict[str, Any]:
    """A Package; with `values` as plain texts or whole configurations."""
    values = {key: {"value": value} if isinstance(value, str) else value for key, value in spec.pop("values", {}).items()}
    info = {"name": manifest, "version": "v1", **spec.pop("info", {})}
    given = {"packageInfo": info, "values": values, **spec}
    return {"apiVersion": API, "kind": "Package", "metadata": named(name, namespace), "spec": given}


def cluster(name: str = "lumen", manifest: str = "lumen", **spec: Any) -> dict[str, Any]:
    return {**package(name, None, manifest, **spec), "kind": "ClusterPackage"}


def ref(field: str, name: str, key: str) -> dict[str, Any]:
    """A value that is configured by a `configMapRef`, `secretRef` or `packageRef`."""
    return {"valueFrom": {field: {"name": name, "value" if field == "packageRef" else "key": key}}}


FROM_VAULT = ref("secretRef", "vault", "token")


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


def helm(*charts: str, **more: Any) -> dict[str, Any]:
    """A `helm` section of one chart, or of several releases."""
    url = {"repositoryUrl": "https://charts.aviary.example"}
    if len(charts) == 1:
        return {**url, "chartName": charts[0], "chartVersion": "1.0.0", **more}
    return {**url, "releases": [{"chartName": chart, "chartVersion": "1.0.0", **more} for chart in charts]}


LEVEL = value("level", target())
