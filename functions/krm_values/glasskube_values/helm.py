"""Helm releases of a package: their values after all targets, and their objects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.pointer import scalars
from krm_values._kit.planner.plan import Finding, Leaf, New, Origin
from krm_values.glasskube_values.configured import Chart
from krm_values.glasskube_values.decisions import leaves
from krm_values.glasskube_values.documents import Document

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values.glasskube_values.candidates import Candidate
    from krm_values.glasskube_values.configured import Configured
    from krm_values.glasskube_values.manifest import Manifest, Release
    from krm_values.glasskube_values.packages import Package

_VALUES = ("spec", "values")
_API = {"HelmRelease": "helm.toolkit.fluxcd.io/v2", "HelmRepository": "source.toolkit.fluxcd.io/v1"}


def charts(candidate: Candidate, manifest: Manifest) -> list[Chart]:
    """Return the releases of a manifest, before any target."""
    made: list[Chart] = []
    seen: dict[str, int] = {}
    for release in manifest.releases:
        number = seen[release.chart] = seen.get(release.chart, 0) + 1
        origin_of = _pristine(candidate, release)
        start = {} if release.values is None else release.values
        made.append(Chart(release, f"-{number}" if number > 1 else "", Document(start, origin_of)))
    return made


def objects(one: Configured) -> Iterator[New]:
    """Yield a HelmRelease per chart, and their HelmRepository."""
    manifest, item = one.manifest, one.package.item
    name = f"{item.label}-{manifest.name}"
    namespace = one.package.namespace or (manifest.default_namespace if one.package.is_cluster else "")
    for chart in one.charts:
        part, full_name = "release", name
        if manifest.many_releases:
            part, full_name = f"release/{chart.release.chart}{chart.suffix}", f"{name}-{chart.release.chart}{chart.suffix}"
        origins = (*leaves(chart.document, _VALUES), *_untouched(chart, one.candidate))
        data = _object("HelmRelease", namespace, full_name, _release(chart, name))
        yield New(data, item, part, _file("HelmRelease", namespace, full_name), origins)
    if one.charts:
        kind = "oci" if manifest.repository_url.startswith("oci://") else "default"
        spec: JSON = {"url": manifest.repository_url, "interval": "1h0m0s", "type": kind}
        data = _object("HelmRepository", namespace, name, spec)
        yield New(data, item, "repository", _file("HelmRepository", namespace, name))


def warnings(package: Package, candidate: Candidate, manifest: Manifest, made: list[Chart]) -> Iterator[Finding]:
    """Yield a warning for what differs from upstream, or is undefined there."""
    for chart in made:
        if chart.suffix:
            text = f'manifest "{manifest.name}" has another release of chart "{chart.release.chart}"; its name gets the suffix {chart.suffix}'
            yield candidate.pointing(
                Finding("warning", "manifest", "96", text, package.item), (*chart.release.path, "chartName")
            )
    if made and package.is_cluster and not manifest.default_namespace:
        text = f'manifest "{manifest.name}" has no defaultNamespace: its Helm objects have no namespace'
        yield candidate.pointing(Finding("warning", "manifest", "96", text, package.item), ("helm",))


def _release(chart: Chart, repository: str) -> dict[str, JSON]:
    source: dict[str, JSON] = {"kind": "HelmRepository", "name": repository}
    inner: dict[str, JSON] = {"chart": chart.release.chart}
    if chart.release.version:
        inner["version"] = chart.release.version
    spec: dict[str, JSON] = {"interval": "5m0s", "chart": {"spec": {**inner, "sourceRef": source}}}
    return spec if chart.values is None else {**spec, "values": chart.values}


def _object(kind: str, namespace: str, name: str, spec: JSON) -> JSON:
    metadata: dict[str, JSON] = {"name": name, **({"namespace": namespace} if namespace else {})}
    return {"apiVersion": _API[kind], "kind": kind, "metadata": metadata, "spec": spec}


def _file(kind: str, namespace: str, name: str) -> str:
    folder = f"glasskube/{namespace}" if namespace else "glasskube"
    return f"{folder}/{kind.lower()}-{name}.yaml"


def _pristine(candidate: Candidate, release: Release) -> Callable[[Path, JSON], Origin]:
    def origin(path: Path, value: JSON) -> Origin:
        return candidate.origin("manifest", value, (*release.path, "values", *path))

    return origin


def _untouched(chart: Chart, candidate: Candidate) -> Iterator[Leaf]:
    """Yield a leaf for each value that no target has changed."""
    origin_of, written = _pristine(candidate, chart.release), {one.path for one in chart.document.written}
    for path, value in scalars(chart.values):
        if not any(path[:size] in written for size in range(len(path) + 1)):
            yield Leaf((*_VALUES, *path), value, origin_of(path, value))
