"""The Flux HelmRelease that an App means: the same chart, the same layers in the same order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.pointer import get, to_field
from krm_values._krm.plan import Leaf, New, Origin
from krm_values._run.generated import beside
from krm_values._run.objects import label
from krm_values._run.traced import plain
from krm_values.giantswarm_config.fold import first_difference
from krm_values.giantswarm_config.layers import CATALOG_NAMESPACES, merged

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._krm.findings import Report
    from krm_values._krm.item import Item
    from krm_values.giantswarm_config.app import App
    from krm_values.giantswarm_config.layers import Layer, Reader, Resolved

    Field = tuple[Path, JSON, Origin]

_API_VERSION = "helm.toolkit.fluxcd.io/v2"
_INTERVAL = "10m"
_KEY = "values"
_CHART: Path = ("spec", "chart", "spec")
_COPIED: tuple[tuple[str, Path], ...] = (
    ("name", (*_CHART, "chart")),
    ("version", (*_CHART, "version")),
    ("namespace", ("spec", "targetNamespace")),
)
_ACTIONS = ("install", "upgrade", "rollback", "uninstall")


def check(resolved: Resolved, reader: Reader, report: Report) -> None:
    """Report what a HelmRelease cannot express."""
    app = resolved.app
    _check_namespaces(resolved, reader, report)
    _check_values(resolved, report)
    if not _kube_config(app, reader)[0] and not app.in_cluster:
        text = "names no Secret, so the HelmRelease installs the chart in the cluster where Flux runs; set `spec.kubeConfig.secret`"
        report.warning("kube-config", "S20", text, app.item, ("spec", "kubeConfig"))
    if get(app.item.data, ("spec", "namespaceConfig")):
        text = "`namespaceConfig` has no counterpart in a HelmRelease: label and annotate the namespace by a Namespace object"
        report.warning("namespace-config", "S20", text, app.item, ("spec", "namespaceConfig"))
    for field, _ in _COPIED:
        if not isinstance(get(app.item.data, ("spec", field)), str):
            report.error("helm-release", "S20", "must be a string: the HelmRelease is made of it", app.item, ("spec", field))


def _check_namespaces(resolved: Resolved, reader: Reader, report: Report) -> None:
    """Refuse layers and a kubeconfig that are not in the namespace of the App."""
    app = resolved.app
    for reference in (layer.reference for layer in _layers(resolved)):
        item = reader.item(reference.kind, reference.namespace, reference.name, reference.owner)
        if (item.namespace if item else reference.namespace) != app.item.namespace:
            text = f"{label(reference)} is in namespace {reference.namespace}; {_own_only(app)}"
            report.error("other-namespace", "S22", text, reference.owner, reference.path)
    secret, namespace = _kube_config(app, reader)
    if secret and namespace not in ("", app.item.namespace):
        text = f"Secret {namespace}/{secret} is in namespace {namespace}; {_own_only(app)}"
        report.error("other-namespace", "S22", text, app.item, ("spec", "kubeConfig", "secret"))


def _check_values(resolved: Resolved, report: Report) -> None:
    """Report the first key to which Flux, which merges one chain, gives another value than chart-operator, which merges two."""
    combined = resolved.combined
    path = None if combined is None else first_difference(plain(merged(_layers(resolved), [])), plain(combined))
    if path is not None:
        text = (
            f"`{to_field(path)}`: Flux merges all layers one by one and gives another value than chart-operator, which merges"
            " ConfigMaps and Secrets separately: remove the null or the value of another kind from one of the layers"
        )
        report.warning("other-value", "108", text, resolved.app.item)


def made(resolved: Resolved, reader: Reader) -> New:
    """Make the HelmRelease of an App without the findings above."""
    app = resolved.app
    data: dict[str, Any] = {"apiVersion": _API_VERSION, "kind": "HelmRelease", "metadata": {"name": app.item.name}}
    if app.item.namespace:
        data["metadata"]["namespace"] = app.item.namespace
    leaves: list[Leaf] = []
    for path, value, origin in (*_fields(app, resolved.catalog, reader), *_values_from(resolved, reader)):
        _put(data, path, value)
        leaves += _leaves(path, value, origin)
    return New(
        data, app.item, "helmRelease", beside(app.item, f"{app.item.name}-helm-release"), tuple(leaves), reads_secrets=False
    )


def _fields(app: App, catalog: Item | None, reader: Reader) -> Iterator[Field]:
    """Yield each field but `valuesFrom`: its path, its value, and the field of the App or Catalog that it comes from."""
    spec: Any = get(app.item.data, ("spec",))
    yield ("spec", "interval"), _INTERVAL, Origin("default", _INTERVAL)
    yield ("spec", "releaseName"), app.item.name, _of(app.item, ("metadata", "name"))
    for field, path in _COPIED:
        yield path, spec[field], _of(app.item, ("spec", field))
    yield (*_CHART, "sourceRef", "kind"), "HelmRepository", Origin("default", "HelmRepository")
    yield (*_CHART, "sourceRef", "name"), catalog.name if catalog else app.catalog, _of(app.item, ("spec", "catalog"))
    if catalog is None:
        namespace = app.catalog_namespace or CATALOG_NAMESPACES[0]
        yield (*_CHART, "sourceRef", "namespace"), namespace, _of(app.item, ("spec", "catalogNamespace"))
    elif catalog.namespace:
        yield (*_CHART, "sourceRef", "namespace"), catalog.namespace, _of(catalog, ("metadata", "namespace"))
    if not app.in_cluster and (secret := _kube_config(app, reader)[0]):
        yield ("spec", "kubeConfig", "secretRef", "name"), secret, _of(app.item, ("spec", "kubeConfig", "secret", "name"))
    yield ("spec", "install", "createNamespace"), True, Origin("default", value=True)
    if get(spec, ("install", "skipCRDs")) is True:
        yield ("spec", "install", "crds"), "Skip", _of(app.item, ("spec", "install", "skipCRDs"))
    for action in _ACTIONS:
        timeout = get(spec, (action, "timeout"))
        if isinstance(timeout, str):
            yield ("spec", action, "timeout"), timeout, _of(app.item, ("spec", action, "timeout"))


def _values_from(resolved: Resolved, reader: Reader) -> Iterator[Field]:
    """Yield the entries of `valuesFrom`: all ConfigMap layers in merge order, then all Secret layers."""
    entries = [(layer, entry) for layer in _layers(resolved) for entry in _entries(layer, reader)]
    for index, (layer, entry) in enumerate(entries):
        reference = layer.reference
        item = reader.item(reference.kind, reference.namespace, reference.name, reference.owner)
        value: JSON = {"kind": reference.kind, "name": item.name if item else reference.name, **entry}
        named: JSON = {"name": reference.name, "namespace": reference.namespace}
        origin = Origin(reference.label, named, reference.owner, reference.path, facts=reference.facts)
        yield ("spec", "valuesFrom", index), value, origin


def _layers(resolved: Resolved) -> list[Layer]:
    """Return all layers in the order in which Flux merges them."""
    chains = resolved.chains
    return [
        layer
        for kind in ("ConfigMap", "Secret")
        if kind in chains and chains[kind].values is not None
        for layer in chains[kind].layers
    ]


def _entries(layer: Layer, reader: Reader) -> list[dict[str, JSON]]:
    """Return the data keys of a layer; of one that the list does not have the usual key, which may be missing."""
    if layer.documents:
        return [{"valuesKey": str(document.path[-1])} for document in layer.documents]
    item = reader.item(layer.reference.kind, layer.reference.namespace, layer.reference.name, layer.reference.owner)
    if item is None:
        return [{"valuesKey": _KEY, "optional": True}]
    fields: list[Any] = [get(item.data, (field,)) for field in ("data", "stringData")]
    keys = dict.fromkeys(key for field in fields if isinstance(field, dict) for key in field)
    return [{"valuesKey": key} for key in sorted(keys)]


def _leaves(path: Path, value: JSON, origin: Origin) -> list[Leaf]:
    if isinstance(value, dict):
        return [Leaf((*path, key), entry, origin) for key, entry in value.items()]
    return [Leaf(path, value, origin)]


def _put(data: dict[str, Any], path: Path, value: JSON) -> None:
    """Set a value, with the maps and lists around it."""
    *above, last = path
    found: Any = data
    for key, below in zip(above, path[1:], strict=True):
        found = found.setdefault(key, [] if isinstance(below, int) else {})
    if isinstance(found, list):
        found.append(value)
    else:
        found[last] = value


def _kube_config(app: App, reader: Reader) -> tuple[str, str]:
    """Return (name, namespace) of the Secret with the kubeconfig of the target cluster; "" for what is not given."""
    if app.in_cluster:
        return "", ""
    found = [get(app.item.data, ("spec", "kubeConfig", "secret", key)) for key in ("name", "namespace")]
    name, namespace = (value if isinstance(value, str) else "" for value in found)
    item = reader.item("Secret", namespace or app.item.namespace, name, app.item) if name else None
    return (item.name, item.namespace) if item else (name, namespace)


def _own_only(app: App) -> str:
    own = f"namespace {app.item.namespace}" if app.item.namespace else "no namespace"
    return f"a HelmRelease in {own} reads objects of its own namespace only: move the object there"


def _of(item: Item, path: Path) -> Origin:
    """Return a field of the App or Catalog as an origin."""
    return Origin(item.kind, get(item.data, path), item, path)
