"""Finds and reads the layers of an App: its Catalog, the objects that references name, and those that only the cluster adds."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.pointer import get, to_field
from krm_values._data.record import record
from krm_values._krm.item import Item
from krm_values._krm.plan import New
from krm_values._krm.resources import Missing, Several, previous_names
from krm_values._run import texts
from krm_values._run.generated import beside
from krm_values._run.objects import Lookup, is_encrypted, label, read_data
from krm_values._run.objects import unknown_keys as unknown_data_keys
from krm_values._run.texts import Embedded, read_layer
from krm_values._run.traced import Map, explained, leaves, merge, plain, tree
from krm_values.giantswarm_config.app import EXTRA, GROUP, USER, VERSION_LABEL, Reference, of_level

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any, TypeAlias

    from krm_values._krm.findings import Report
    from krm_values._krm.plan import Origin
    from krm_values._krm.resources import Resources
    from krm_values._run.traced import Clash, Reason
    from krm_values.giantswarm_config.app import App, Levels
    from krm_values.giantswarm_config.config import GiantswarmConfig

    Documents: TypeAlias = tuple[Embedded, ...]

CATALOG_NAMESPACES = ("default", "giantswarm")
_CATALOG = ("spec", "catalog")
_RULES = {
    "text": "45",
    "document": "37",
    "duplicate": "38",
    "merged": "38",
    "boolean": "39",
    "digits": "40",
    "date": "42",
}
"""The rules of what is wrong with the text of a layer."""


@record
class Layer:
    """A reference and the documents of its object in merge order: none if the object is empty or may be missing, None if it is unusable."""

    reference: Reference
    documents: Documents | None


@record
class Chain:
    """The layers of one kind, lowest first, and their merged values; None if a layer cannot be used."""

    layers: tuple[Layer, ...]
    values: Map | None


@record
class Resolved:
    """An App with its Catalog, its chains by kind, and what Helm receives (None if a chain is not known)."""

    app: App
    catalog: Item | None
    chains: Mapping[str, Chain]
    combined: Map | None


def merged(layers: Iterable[Layer], clashes: list[Clash]) -> Map:
    """Merge layers, lowest first."""
    found = Map()
    for layer in layers:
        documents = layer.documents or ()
        for document in documents:
            name = layer.reference.label if len(documents) == 1 else f"{layer.reference.label} {document.path[-1]}"
            origin = document.as_layer(name, layer.reference.facts)
            found = merge(found, tree(document.values, origin), clashes)
    return found


def new_object(
    kind: str, metadata: dict[str, Any], key: str, found: Map, source: Item, *, part: str, reason: Reason | None = None
) -> New:
    """Return a generated ConfigMap or Secret with merged values as the text of one key, beside its source."""
    data = texts.values_object(metadata, key, texts.write(plain(found)), is_secret=kind == "Secret")
    told = explained(found, ("data", key), reason)
    return New(data, source, part, beside(source, metadata["name"]), told, reads_secrets=kind == "Secret")


class Reader:
    """Reads each object once, however many Apps refer to it."""

    __slots__ = ("_config", "_levels", "_lookup", "_read", "_resources")

    def __init__(self, config: GiantswarmConfig, resources: Resources, levels: Levels) -> None:
        self._config, self._resources, self._levels = config, resources, levels
        self._lookup = Lookup(resources, config.allow_missing, missing="43", encrypted="35")
        self._read: dict[int, Documents | None] = {}

    def documents(self, reference: Reference, report: Report) -> Documents | None:
        """Return the documents of a layer in merge order, or None with an error in the report.

        One that is missing or encrypted, which `allowMissing` permits, has no documents.
        """
        found = self._lookup.find(reference, report)
        if not isinstance(found, Item):
            return None if found is None else ()
        if found.number not in self._read:
            self._read[found.number] = self._open(found, reference, report)
        documents = self._read[found.number]
        if documents and any(document.encrypted for document in documents):
            return () if self._lookup.may_be_encrypted(reference, found, report) else None
        return documents

    def item(self, kind: str, namespace: str, name: str, by: Item | None = None) -> Item | None:
        """Return a core object; None if the list does not have exactly one of that name. by: the object that refers to it."""
        found = self._resources.find(kind, "", namespace, name, by)
        return found if isinstance(found, Item) else None

    def catalog(self, app: App, report: Report) -> Item | None:
        """Return the Catalog of an App; None with an error in the report, unless it may be missing."""
        if not app.catalog:
            return None
        namespaces = (app.catalog_namespace,) if app.catalog_namespace else CATALOG_NAMESPACES
        for namespace in namespaces:
            found = self._resources.find("Catalog", GROUP, namespace, app.catalog, app.item)
            if isinstance(found, Several):
                text = f"Catalog {namespace}/{app.catalog} is in the list {len(found.items)} times, in {found.places}: keep one"
                report.error("ambiguous", "10", text, app.item, _CATALOG)
                return None
            if isinstance(found, Item):
                return found
        older = self._resources.find("AppCatalog", GROUP, "", app.catalog, app.item)
        if isinstance(older, Item):
            text = f'no Catalog "{app.catalog}" is in the list; the AppCatalog of that name is read in its place, which the operator no longer does'
            report.info("app-catalog", "11", text, app.item, _CATALOG)
            return older
        self._report_missing(app, namespaces, report)
        return None

    def of_catalog(self, catalog: Item | None, report: Report) -> Iterator[Reference]:
        """Yield the references of a Catalog."""
        if catalog is not None:
            config: Any = get(catalog.data, ("spec", "config"))
            yield from of_level(catalog, "catalog", config, self._levels, report)

    def assumed(self, app: App, kinds: set[str], report: Report) -> Iterator[Reference]:
        """Yield the layers that only the cluster adds, if `assume` names them and the list has them."""
        if "clusterValues" in self._config.assume and "ConfigMap" in kinds:
            yield from self._cluster_values(app, report)
        given = {reference.kind for reference in app.references if reference.level == "userConfig"}
        for kind in sorted(kinds - given) if "userValues" in self._config.assume else ():
            suffix = "-user-values" if kind == "ConfigMap" else "-user-secrets"
            namespace = self._config.chart_namespace or "giantswarm"
            named = [one + suffix for one in previous_names(app.item)]
            name = next((one for one in named if self.item(kind, namespace, one, app.item)), named[0])
            found = Reference(kind, namespace, name, "userConfig", USER, app.levels.user, app.item, ())
            yield from self._if_listed(app, found, "15", report)

    def _cluster_values(self, app: App, report: Report) -> Iterator[Reference]:
        """Yield the webhook's entry for `<cluster>-cluster-values`, unless the App refers to that ConfigMap itself."""
        if app.in_cluster or app.label(VERSION_LABEL) == "0.0.0":
            return
        if not app.cluster:
            text = "the assumed cluster values are skipped: an App of an organization needs the label `giantswarm.io/cluster`"
            report.info("assumed-skipped", "14", text, app.item)
            return
        name, priority = f"{app.cluster}-cluster-values", 1
        last = 1 + max((reference.position for reference in app.references), default=0)
        found = Reference("ConfigMap", app.item.namespace, name, EXTRA, app.levels.band(priority), priority, app.item, (), last)
        if not any(found.same_object(one) for one in app.references):
            yield from self._if_listed(app, found, "14", report)

    def _if_listed(self, app: App, reference: Reference, rule: str, report: Report) -> Iterator[Reference]:
        if self.item(reference.kind, reference.namespace, reference.name, reference.owner):
            yield reference
        else:
            text = f"{label(reference)}, which `assume` would add, is not in the list"
            report.info("assumed-absent", rule, text, app.item)

    def _report_missing(self, app: App, namespaces: tuple[str, ...], report: Report) -> None:
        if any(self._lookup.allowed.allows("Catalog", namespace, app.catalog) for namespace in namespaces):
            text = f'Catalog "{app.catalog}" is not in the list and counts as a Catalog without `config`, as `allowMissing` permits'
            report.info("missing-allowed", "10", text, app.item, _CATALOG)
            return
        found = self._resources.find("Catalog", GROUP, namespaces[0], app.catalog)
        near = [item.namespace for item in found.near] if isinstance(found, Missing) else []
        known = chain.from_iterable(self._resources.names("Catalog", GROUP, namespace) for namespace in namespaces)
        hint = suggest.hint(app.catalog, known) or "; add it, or name it in `allowMissing`"
        hint = f"; one of that name is in namespace {' and '.join(near[:2])}" if near else hint
        places = f"namespace{'s' * (len(namespaces) > 1)} {' and '.join(namespaces)}"
        report.error("missing", "10", f'Catalog "{app.catalog}" is not in {places} of the list{hint}', app.item, _CATALOG)

    def _open(self, item: Item, reference: Reference, report: Report) -> Documents | None:
        """Return the document of each data key, keys in bytewise order; None if one is unusable."""
        if item.error is not None or not isinstance(item.data, dict):
            return None
        if is_encrypted(item):
            return (Embedded(item, (), None, encrypted=True),)
        data = read_data(item)
        report.extend(unknown_data_keys(item, "S5"))
        for path, text in data.faults:
            report.error("data", "35", text, item, path)
        if data.faults:
            return None
        if len(data.texts) > 1 and self._config.keys == "one":
            _report_several_keys(item, reference, list(data.texts), report)
            return None
        limits = self._resources.limits
        documents = [
            read_layer(item, data.paths[key], data.texts[key], _RULES, report, limits=limits) for key in sorted(data.texts)
        ]
        found = tuple(document for document in documents if document is not None)
        if len(found) > 1:
            _report_same_values(item, found, report)
        return found if len(found) == len(documents) else None


def _report_same_values(item: Item, documents: Documents, report: Report) -> None:
    """Warn of values that several data keys of one object set, with the keys in the order in which they are merged."""
    names = {document.path: str(document.path[-1]) for document in documents}
    found = Map()
    for document in documents:
        found = merge(found, tree(document.values, document.as_layer(names[document.path], {})), [])
    by_keys: dict[tuple[str, ...], list[Origin]] = {}
    for leaf in leaves(found, ()):
        if leaf.overridden:
            setters = {one.path for origin in (leaf.origin, *leaf.overridden) for one in origin.trail()}
            keys = tuple(names[document.path] for document in documents if document.path in setters)
            if len(keys) > 1:
                by_keys.setdefault(keys, []).append(leaf.origin)
    for keys, winners in by_keys.items():
        first = winners[0]
        document = next(one for one in documents if one.path == first.path)
        paths = suggest.listed([to_field(one.inner or ()) for one in winners], quote="`")
        text = f"{paths}: set by the data keys {suggest.listed(keys, quote='`')}; `{names[first.path]}` wins, keys are merged in bytewise order"
        inside = document.inside(*document.place(first.inner or ()))
        report.warning("same-value", "S24", text, item, first.path, inside=inside)


def _report_several_keys(item: Item, reference: Reference, keys: list[str], report: Report) -> None:
    named = suggest.listed(keys, quote="`")
    if reference.level == EXTRA:
        text = f"must have one data key, found {len(keys)}: {named}; the operator would take one of them at random; `keys: any` merges them"
        report.error("several-keys", "32", text, item, ("data",))
    else:
        text = f"must have exactly one data key ({reference.role}), found {len(keys)}: {named}"
        report.error("several-keys", "30", text, item, ("data",))
