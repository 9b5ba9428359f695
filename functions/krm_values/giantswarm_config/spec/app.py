"""An App: its references, the name of its Catalog, and its target cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.pointer import get
from krm_values._data.record import record
from krm_values._kit.planner.plan import Finding
from krm_values.giantswarm_config.spec.references import EXTRA, of_extras, of_level

if TYPE_CHECKING:
    from collections.abc import Iterator

    from krm_values._data.values import JSON
    from krm_values._kit.planner.item import Item
    from krm_values._kit.planner.report import Report
    from krm_values.giantswarm_config.spec.levels import Levels
    from krm_values.giantswarm_config.spec.references import Reference

GROUP = "application.giantswarm.io"
CLUSTER_LABEL, VERSION_LABEL = "giantswarm.io/cluster", "app-operator.giantswarm.io/version"
_REQUIRED = ("name", "namespace", "version", "kubeConfig")


@record
class App:
    """An App as its spec describes it. references: without those of its Catalog."""

    item: Item
    catalog: str
    catalog_namespace: str
    in_cluster: bool
    references: tuple[Reference, ...]
    levels: Levels

    def label(self, name: str) -> str:
        """Return the value of a label, or ""."""
        found = get(self.item.data, ("metadata", "labels", name))
        return found if isinstance(found, str) else ""

    @property
    def in_organization(self) -> bool:
        """Whether the App is in the namespace of an organization, which may own many clusters."""
        return self.item.namespace.startswith("org-")

    @property
    def cluster(self) -> str:
        """The workload cluster that the App belongs to; "" if unknown."""
        return self.label(CLUSTER_LABEL) if self.in_organization else self.item.namespace

    @property
    def target(self) -> str:
        """The cluster where the chart is installed; "" if unknown."""
        named = get(self.item.data, ("spec", "kubeConfig", "context", "name"))
        secret = get(self.item.data, ("spec", "kubeConfig", "secret", "name"))
        return self.label(CLUSTER_LABEL) or self.cluster or str(named or secret or "")


def read_app(item: Item, levels: Levels, report: Report) -> App:
    """Read an App; everything that is wrong with it is appended to `findings`."""
    spec = item.data.get("spec") if isinstance(item.data, dict) else None
    if not isinstance(spec, dict):
        if item.error is None:
            text = "must be a map; found " + ("nothing" if spec is None else "{found}")
            report.error("spec", "1", text, item, ("spec",), found=spec)
        return App(item, "", "", False, (), levels)
    if not item.name:
        text = "must be given: the written objects are named after the App"
        report.error("name", "75", text, item, ("metadata", "name"))
    references = [
        *of_level(item, "config", spec.get("config"), levels, report),
        *of_level(item, "userConfig", spec.get("userConfig"), levels, report),
        *of_extras(item, spec.get(EXTRA), levels, report),
    ]
    catalog = _string(item, spec, "catalog", report)
    namespace = _string(item, spec, "catalogNamespace", report)
    report.extend(_refused(item, spec, references))
    in_cluster = get(spec, ("kubeConfig", "inCluster")) is True
    return App(item, catalog, namespace, in_cluster, tuple(references), levels)


def _string(item: Item, spec: dict[str, JSON], key: str, report: Report) -> str:
    value = spec.get(key)
    if isinstance(value, str) and (value or key != "catalog"):
        return value
    if value is not None:
        report.error("spec", "10", "must be a name; found {found}", item, ("spec", key), found=value)
    elif key == "catalog":
        report.error("spec", "10", "must name the App's Catalog", item, ("spec", key))
    return ""


def _refused(item: Item, spec: dict[str, JSON], references: list[Reference]) -> Iterator[Finding]:
    if "configs" in spec:
        text = f"is not a field of App, so its layers never apply; rename it to `spec.{EXTRA}`"
        yield Finding("error", "configs", "12", text, item, ("spec", "configs"))
    if absent := [key for key in _REQUIRED if spec.get(key) is None]:
        fields = ", ".join(f"`spec.{key}`" for key in absent)
        text = f"the API server refuses an App without {fields}; add the missing fields"
        yield Finding("warning", "required", "1", text, item, lacking=tuple(("spec", key) for key in absent))
    if spec.get("catalog") == "default":
        for reference in references:
            yield from _user_name(item, reference)


def _user_name(item: Item, reference: Reference) -> Iterator[Finding]:
    """Check the names of user configuration that admission demands for the catalog `default`."""
    if reference.level != "userConfig":
        return
    suffix = "-user-values" if reference.kind == "ConfigMap" else "-user-secrets"
    allowed = [item.name + suffix]
    if not item.namespace.startswith("org-") and item.name.startswith(item.namespace + "-"):
        allowed.append(item.name[len(item.namespace) + 1 :] + suffix)
    if reference.name not in allowed:
        wanted = " or ".join(f"`{name}`" for name in allowed)
        text = f"must be {wanted} for an App of the catalog `default`, or admission refuses the App; found {{found}}"
        yield Finding("warning", "user-name", "16", text, item, (*reference.path, "name"), reference.name)
