"""The Catalog of an App, found by name in the given namespace or in the two that the operator tries."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from krm_values._data.pointer import get
from krm_values._kit.planner.item import Item
from krm_values._kit.planner.plan import Finding
from krm_values._kit.planner.resources import Missing, Several
from krm_values.giantswarm_config.spec.app import GROUP
from krm_values.giantswarm_config.spec.references import of_level

if TYPE_CHECKING:
    from typing import Any

    from krm_values._kit.layers.allowance import Allowance
    from krm_values._kit.planner.report import Report
    from krm_values._kit.planner.resources import Resources
    from krm_values.giantswarm_config.spec.app import App
    from krm_values.giantswarm_config.spec.levels import Levels
    from krm_values.giantswarm_config.spec.references import Reference

NAMESPACES = ("default", "giantswarm")
_PATH = ("spec", "catalog")


def layers(catalog: Item | None, levels: Levels, report: Report) -> list[Reference]:
    """Return the references of a Catalog."""
    if catalog is None:
        return []
    config: Any = get(catalog.data, ("spec", "config"))
    return list(of_level(catalog, "catalog", config, levels, report))


def find(app: App, allowed: Allowance, resources: Resources, report: Report) -> Item | None:
    """Return the Catalog of an App; None with an error in the report, unless it may be missing."""
    if not app.catalog:
        return None
    namespaces = (app.catalog_namespace,) if app.catalog_namespace else NAMESPACES
    for namespace in namespaces:
        found = resources.find("Catalog", GROUP, namespace, app.catalog)
        if isinstance(found, Several):
            text = f"Catalog {namespace}/{app.catalog} is in the list {len(found.items)} times, in {found.places}: keep one"
            report.error("ambiguous", "10", text, app.item, _PATH)
            return None
        if isinstance(found, Item):
            return found
    older = _app_catalog(app, resources, report)
    if older is None:
        report.add(_missing(app, namespaces, allowed, resources))
    return older


def _app_catalog(app: App, resources: Resources, report: Report) -> Item | None:
    found = resources.find("AppCatalog", GROUP, "", app.catalog)
    if not isinstance(found, Item):
        return None
    text = f'no Catalog "{app.catalog}" is in the list; the AppCatalog of that name is read in its place, which the operator no longer does'
    report.info("app-catalog", "11", text, app.item, _PATH)
    return found


def _missing(app: App, namespaces: tuple[str, ...], allowed: Allowance, resources: Resources) -> Finding:
    places = f"namespace{'s' * (len(namespaces) > 1)} {' and '.join(namespaces)}"
    if any(allowed.allows("Catalog", namespace, app.catalog) for namespace in namespaces):
        text = f'Catalog "{app.catalog}" is not in the list and counts as a Catalog without `config`, as `allowMissing` permits'
        return Finding("info", "missing-allowed", "10", text, app.item, _PATH)
    found = resources.find("Catalog", GROUP, namespaces[0], app.catalog)
    near = [item.namespace for item in found.near] if isinstance(found, Missing) else []
    known = chain.from_iterable(resources.names("Catalog", GROUP, namespace) for namespace in namespaces)
    hint = resources.hints.hint(app.catalog, known) or "; add it, or name it in `allowMissing`"
    hint = f"; one of that name is in namespace {' and '.join(near[:2])}" if near else hint
    text = f'Catalog "{app.catalog}" is not in {places} of the list{hint}'
    return Finding("error", "missing", "10", text, app.item, _PATH)
