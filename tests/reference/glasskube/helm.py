"""The Helm objects of a Package [76, 96]."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any

from tests.reference.glasskube.manifests import Manifest

Json = Any


@dataclass
class Release:
    """One release, and its values as they are patched."""

    chart: str
    version: str
    values: Json


def releases(manifest: Manifest) -> list[Release]:
    helm = manifest.helm
    if helm.get("releases"):
        return [
            Release(entry["chartName"], entry.get("chartVersion") or "", copy.deepcopy(entry.get("values")))
            for entry in helm["releases"]
        ]
    if helm.get("chartName"):
        return [Release(helm["chartName"], helm.get("chartVersion") or "", copy.deepcopy(helm.get("values")))]
    return []


def objects(name: str, namespace: str, manifest: Manifest, made: list[Release]) -> dict[str, tuple[str, Json]]:
    """The objects by their file, each with its part of the Package."""
    if not manifest.helm:
        return {}
    base = f"{name}-{manifest.name}"
    url = manifest.helm.get("repositoryUrl") or ""
    repository = {"url": url, "interval": "1h0m0s", "type": "oci" if url.startswith("oci://") else "default"}
    found = [("repository", "source.toolkit.fluxcd.io/v1", "HelmRepository", base, repository)]
    seen: dict[str, int] = {}
    for release in made:
        called, part = base, "release"
        if manifest.helm.get("releases"):
            seen[release.chart] = seen.get(release.chart, 0) + 1
            chart = release.chart + (f"-{seen[release.chart]}" if seen[release.chart] > 1 else "")
            called, part = f"{base}-{chart}", f"release/{chart}"
        source = {"kind": "HelmRepository", "name": base}
        spec: dict[str, Json] = {
            "interval": "5m0s",
            "chart": {"spec": {"chart": release.chart, "version": release.version, "sourceRef": source}},
        }
        if release.values is not None:
            spec["values"] = release.values
        found.append((part, "helm.toolkit.fluxcd.io/v2", "HelmRelease", called, spec))
    folder = f"glasskube/{namespace}/" if namespace else "glasskube/"
    return {
        f"{folder}{kind.lower()}-{called}.yaml": (
            part,
            {
                "apiVersion": api,
                "kind": kind,
                "metadata": {"name": called, **({"namespace": namespace} if namespace else {})},
                "spec": spec,
            },
        )
        for part, api, kind, called, spec in found
    }
