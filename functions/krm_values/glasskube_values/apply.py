"""Which items and charts a target matches, and the application of all patches to them, in upstream's order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.path_tree import PathTree
from krm_values._data.pointer import to_pointer
from krm_values._data.record import record
from krm_values._krm import names
from krm_values._krm.findings import title
from krm_values._krm.hosts import is_hidden
from krm_values._krm.item import Item, is_secret
from krm_values._krm.plan import RESOURCE, Finding, Origin
from krm_values._krm.undo_record import WithheldSecret
from krm_values._run.objects import Objects
from krm_values.glasskube_values.json_patch import PatchError
from krm_values.glasskube_values.packages import GROUP
from krm_values.glasskube_values.patched_document import PatchedDocument
from krm_values.glasskube_values.patches import creates_parents

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
    from typing import Any

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._krm.findings import Report
    from krm_values._krm.resources import Resources
    from krm_values.glasskube_values.config import GlasskubeValues
    from krm_values.glasskube_values.json_patch import Patched
    from krm_values.glasskube_values.manifest import Manifest, Release, Resource
    from krm_values.glasskube_values.packages import Candidate, Package
    from krm_values.glasskube_values.patches import Patch
    from krm_values.glasskube_values.values import ResolvedValue

_NEVER = (GROUP, names.GROUP)
_KPTFILE = ("kpt.dev", "Kptfile")


@record
class Chart:
    """A release of a package while targets are applied to its values. suffix: of the names of a second release of one chart."""

    release: Release
    suffix: str
    document: PatchedDocument

    @property
    def values(self) -> JSON:
        """Its values; None if there are none and no target applies."""
        return self.document.data if self.document.patched else self.release.values


@record
class Configured:
    """A Package whose manifest can be read. values: by name. patches: in the order in which they are applied. charts: of the manifest's releases."""

    package: Package
    candidate: Candidate
    manifest: Manifest
    values: dict[str, ResolvedValue]
    patches: tuple[Patch, ...]
    charts: tuple[Chart, ...]


@record
class _Place:
    """A document that a target matches: an item, or the values of a chart."""

    name: str
    document: PatchedDocument
    item: Item | None = None

    @property
    def is_secret(self) -> bool:
        return self.item is not None and is_secret(self.item)


class Applier:
    """The documents of a run, to which the patches of all Packages are applied."""

    __slots__ = (
        "_config",
        "_conflicts",
        "_failed",
        "_index",
        "_limits",
        "_metadata",
        "_objects",
        "_report",
        "documents",
        "items",
    )

    def __init__(self, config: GlasskubeValues, resources: Resources, report: Report) -> None:
        self._config, self._limits, self._report = config, resources.limits, report
        self._index, self._conflicts, self._objects = TargetIndex(resources), Conflicts(), Objects()
        self.items: dict[int, Item] = {}
        self.documents: dict[int, PatchedDocument] = {}
        self._failed: dict[int, PathTree] = {}
        self._metadata: dict[int, Patch] = {}  # the last that wrote an item's metadata, or all of it

    def apply_all(self, configured: Configured) -> None:
        """Apply all patches of one Package."""
        missed: list[tuple[Patch, str]] = []
        for patch in configured.patches:
            matching = self._chart_places if patch.target.resource is None else self._item_places
            places, missing = matching(configured, patch)
            missed += [(patch, missing)] if missing else []
            for place in places:
                self._apply(patch, place)
        self._report.extend(_unmatched(configured.patches, missed, self._index))

    def check_results(self) -> Iterator[Finding]:
        """Yield the errors of the patched items, after all Packages. Removes from `documents` what is no object any more."""
        for number, document in sorted(self.documents.items()):
            item = self.items[number]
            if document.written and not _has_metadata(document.data):
                del self.documents[number]
                text = "would not be an object any more: a target must leave `metadata` and its `annotations` maps"
                yield self._blamed(Finding("error", "patch", "70", text, item))
                continue
            for name in filter(is_hidden, _annotations(document.data)):
                text = f'would get the annotation "{name}", which targets must not write: it belongs to hosts or krm-values'
                yield self._blamed(Finding("error", "patch", "70", text, item))
        yield from self._conflicts.overwritten_tests(self.documents)

    def _blamed(self, finding: Finding) -> Finding:
        """Return a finding about an item's metadata with the address of the patch that wrote it."""
        patch = self._metadata.get(finding.item.number) if isinstance(finding.item, Item) else None
        return patch.subject.candidate.pointing(finding, (*patch.target.patch, "path")) if patch else finding

    def _apply(self, patch: Patch, place: _Place) -> None:
        """Apply a patch. One below a place that failed is not reported again."""
        parts, failed = patch.target.parts, self._failed.setdefault(id(place.document), PathTree())
        if failed.above(parts):
            return
        if place.item is not None and (conflict := self._conflicts.note_write(place.item, patch)):
            self._report.add(conflict)
        try:
            done = place.document.apply(patch, create_parents=creates_parents(patch.target, self._config))
        except PatchError as error:
            failed.add(() if error.kind == "many" else parts, patch)  # beyond the limit every further patch would fail alike
            if error.kind in ("pointer", "index"):
                patch.subject.covers_lint("pointer", patch.target.path)
            text = f"{patch.subject.of('patch')}: {error.message}, in {place.name}"
            self._report.add(patch.subject.finding("error", "patch", error.rule, text, _faulty(error, patch)))
            return
        self._applied(patch, place, done)

    def _item_places(self, configured: Configured, patch: Patch) -> tuple[list[_Place], str]:
        """Return the documents that a resource target matches, or the message that it matches none."""
        resource = patch.target.resource
        assert resource is not None
        found = self._index.items(resource, configured.package, configured.manifest)
        if not found:
            near = self._index.near(resource)
            hint = f" (there is {title(near[0])}, {near[0].api_version})" if near else self._index.hint(resource)
            space = f" in namespace {resource.namespace}" if resource.namespace else ""
            return [], f'no {resource.kind} "{resource.name}" ({resource.api_group}){space} matches{hint}'
        return [self._place_of(item, configured) for item in found if item.data is not None], ""

    def _place_of(self, item: Item, configured: Configured) -> _Place:
        """Return an item's document; report conflicts with other Packages."""
        if conflict := self._conflicts.note_match(item, configured):
            self._report.add(conflict)
        self._report.extend(self._objects.unknown_keys(item, "S5"))
        self.items[item.number] = item
        document = self.documents.setdefault(
            item.number, PatchedDocument(item.data, _origin_before_patches(item), self._limits)
        )
        return _Place(title(item), document, item)

    def _chart_places(self, configured: Configured, patch: Patch) -> tuple[list[_Place], str]:
        """Return the documents that a chart target matches, or the message that it matches none."""
        name = patch.target.chart
        found = [chart for chart in configured.charts if chart.release.chart == name]
        if found:
            return [_Place(f'the values of chart "{name}"', chart.document) for chart in found], ""
        hint = suggest.hint(name, (release.chart for release in configured.manifest.releases), '"')
        return [], f'no chart "{name}" in manifest "{configured.manifest.name}"{hint}'

    def _applied(self, patch: Patch, place: _Place, done: Patched) -> None:
        """Note an applied patch for `check_results`, and report its warnings."""
        if patch.target.op == "test":
            if place.item is not None and place.is_secret:
                self._conflicts.note_test(place.item, patch)
            return
        if place.item is not None and patch.target.parts[:1] in ((), ("metadata",)):
            self._metadata[place.item.number] = patch
        if patch.target.op == "remove":
            return
        if patch.origin.secret and not place.is_secret:
            subject = f"value {patch.subject.label}" if patch.subject.kind == "value" else patch.subject.label
            text = f"{subject} comes from a Secret and is written into {place.name}, which is not a Secret"
            self._report.add(patch.subject.finding("warning", "target", "19", text, patch.target.path))
        if patch.string_for and place.item is not None and isinstance(done.before, bool | int | float):
            text = (
                f"{patch.subject.of('target')}: writes a {patch.string_for} as a string over a value that is not a string, in {place.name}: "
                'give it a `valueTemplate` of "{{.}}", or set `typed`'
            )
            self._report.add(patch.subject.finding("warning", "target", "45", text, patch.target.path))


class TargetIndex:
    """The items of a list, indexed by the fields of a target."""

    __slots__ = ("_items", "_kinds", "_named", "_names", "_resources")

    def __init__(self, resources: Resources) -> None:
        self._items: dict[tuple[str, str, str, str], dict[str, list[Item]]] = {}  # each by namespace
        self._named: dict[tuple[str, str], list[Item]] = {}
        self._names: dict[str, list[str]] = {}
        self._kinds: dict[str, list[str]] = {}
        self._resources = resources
        for item in resources:
            if may_be_target(item):
                spaces = self._items.setdefault((item.group, item.version, item.kind, item.name), {})
                spaces.setdefault(item.namespace, []).append(item)
                self._named.setdefault((item.kind, item.name), []).append(item)
        for kind, name in self._named:
            self._names.setdefault(kind, []).append(name)
            self._kinds.setdefault(name, []).append(kind)

    def items(self, resource: Resource, package: Package, manifest: Manifest) -> list[Item]:
        """Return the items that a target's resource matches for a package; none if its `api_group` is not group and version.

        A Package without a namespace matches exactly the namespace of the target, or none (S30).
        """
        wanted = resource.group_version
        if wanted is None:
            return []
        spaces = self._items.get((*wanted, resource.kind, resource.name), {})
        if not package.is_cluster and not package.namespace:
            return spaces.get(resource.namespace) or self._renamed(wanted, resource, package, resource.namespace)
        reach: Collection[str] = spaces if package.is_cluster else ("", package.namespace)
        if resource.namespace:
            reach = [space for space in ("", resource.namespace) if space in reach]
        reached = [item for space in reach for item in spaces.get(space, ()) if _is_meant(item, resource, package, manifest)]
        return sorted(reached, key=lambda item: item.number) or self._renamed(
            wanted, resource, package, resource.namespace or None
        )

    def _renamed(self, wanted: tuple[str, str], resource: Resource, package: Package, namespace: str | None) -> list[Item]:
        """Return the items in reach that a target's resource matched before a host renamed them."""
        group, version = wanted
        found = self._resources.renamed(resource.kind, group, namespace, resource.name, package.item)
        reach = None if package.is_cluster or not package.namespace else ("", package.namespace)
        return [
            item
            for item in found
            if item.version == version and may_be_target(item) and (reach is None or item.namespace in reach)
        ]

    def near(self, resource: Resource) -> list[Item]:
        """Return the items of the kind and name, of any namespace, group and version."""
        return self._named.get((resource.kind, resource.name), [])

    def wrong(self, resource: Resource) -> str:
        """Return the field of a target's resource that is most likely wrong, if it matches nothing."""
        if self.near(resource):
            return "apiGroup"
        return "name" if resource.kind in self._names else "kind"

    def hint(self, resource: Resource) -> str:
        """Return a hint with the nearest name of an item of the kind, else with the nearest kind."""
        if resource.kind in self._names:
            return suggest.hint(resource.name, self._names[resource.kind], '"')
        return suggest.hint(resource.kind, self._kinds.get(resource.name) or self._names)


def may_be_target(item: Item) -> bool:
    """Return whether targets may match it: never objects of packages, of krm-values and of kpt."""
    return item.group not in _NEVER and (item.group, item.kind) != _KPTFILE


def _is_meant(item: Item, resource: Resource, package: Package, manifest: Manifest) -> bool:
    """Return whether an item is in the namespace that a target names, if it names one."""
    return not resource.namespace or (item.namespace or _default_namespace(item, package, manifest)) == resource.namespace


def _default_namespace(item: Item, package: Package, manifest: Manifest) -> str:
    """Return the namespace with which an item without one is matched."""
    if not package.is_cluster:
        return package.namespace
    return _plain_namespace(item, manifest) or manifest.default_namespace


def _plain_namespace(item: Item, manifest: Manifest) -> str:
    """Return the namespace of the item's plain manifest, found by the name of its file, or because there is only one."""
    if len(manifest.plain) == 1:
        return manifest.plain[0].default_namespace
    file = item.file.rpartition("/")[2]
    found = [plain for plain in manifest.plain if file and plain.url.rpartition("/")[2] == file]
    return found[0].default_namespace if len(found) == 1 else ""


def _unmatched(patches: Sequence[Patch], missed: Sequence[tuple[Patch, str]], index: TargetIndex) -> Iterator[Finding]:
    """Yield an error for each value whose targets all match nothing, so that it would be lost; else a warning per target."""
    misses = {id(patch) for patch, _ in missed}
    matching = {patch.subject.label for patch in patches if id(patch) not in misses}
    lost: dict[str, tuple[Patch, list[str]]] = {}
    for patch, missing in missed:
        patch.subject.covers_lint("dead-target", patch.target.path)
        if patch.subject.kind == "value" and patch.subject.label not in matching:
            lost.setdefault(patch.subject.label, (patch, []))[1].append(missing)
            continue
        rule = "77" if patch.target.resource is None else "73"
        yield patch.subject.finding(
            "warning", "target", rule, f"{patch.subject.of('target')}: {missing}", _field_of(patch, index)
        )
    for patch, messages in lost.values():
        text = f"{patch.subject.of('target')}: the value is not written anywhere: {suggest.listed(messages)}; correct the target, or unset the value"
        yield patch.subject.finding("error", "target", "S32", text, _field_of(patch, index))


def _field_of(patch: Patch, index: TargetIndex) -> Path:
    """Return the path of the target's field that is most likely wrong."""
    target = patch.target
    return (*target.path, "resource", index.wrong(target.resource)) if target.resource else (*target.path, "chartName")


def _faulty(error: PatchError, patch: Patch) -> Path:
    """Return the path of the patch's field that is wrong."""
    return (*patch.target.patch, "op" if error.kind in ("test", "many") else "path")


def _has_metadata(data: JSON) -> bool:
    metadata = data.get("metadata") if isinstance(data, dict) else None
    return isinstance(metadata, dict) and isinstance(metadata.get("annotations", {}), dict)


def _annotations(data: Any) -> Iterator[str]:
    """Yield the names of an object's annotations."""
    yield from data["metadata"].get("annotations", {})


def _origin_before_patches(item: Item) -> Callable[[Path, JSON], Origin]:
    """Return a function that makes the origin of a value before any patch; values of a Secret are withheld."""

    def origin(path: Path, value: JSON) -> Origin:
        is_empty = value in (None, "") and not isinstance(value, WithheldSecret)
        is_unknown = is_secret(item) and (not path or path[0] in ("data", "stringData")) and not is_empty
        return Origin(RESOURCE, None if is_unknown else value, item, path)

    return origin


_OF_CLUSTER = frozenset(
    [
        "APIService",
        "CSIDriver",
        "CustomResourceDefinition",
        "IngressClass",
        "MutatingWebhookConfiguration",
        "Namespace",
        "Node",
        "PersistentVolume",
        "PriorityClass",
        "RuntimeClass",
        "StorageClass",
        "ValidatingAdmissionPolicy",
        "ValidatingWebhookConfiguration",
        "VolumeSnapshotClass",
        "GatewayClass",
    ]
)
_NAMESPACED = frozenset(("Cluster", "ClusterClass", "ClusterResourceSet"))
"""Kinds of Cluster API that begin like those of the whole cluster."""


def _only_one(item: Item, package: Package) -> str:
    """Return what to do about an item that two Packages of one manifest match: a namespace helps only where the item can have one."""
    if item.namespace or package.is_cluster:
        return "keep one of the two"
    if item.kind in _OF_CLUSTER or (item.kind.startswith("Cluster") and item.kind not in _NAMESPACED):
        return f"a {item.kind} has no namespace, so keep one of the two, or write one ClusterPackage"
    return "give the item a namespace"


class Conflicts:
    """The Packages that match each item, and the places that their patches write or try to write."""

    __slots__ = ("_by", "_known", "_matched", "_places", "_tested")

    def __init__(self) -> None:
        self._by: dict[int, dict[str, Configured]] = {}
        self._matched: set[tuple[int, int]] = set()
        self._places: dict[int, PathTree] = {}
        self._known: set[tuple[int, tuple[str, ...], str]] = set()
        self._tested: list[tuple[Item, Patch]] = []

    def note_match(self, item: Item, configured: Configured) -> Finding | None:
        """Note that a Package matches an item; return an error if another Package of the same manifest does."""
        who = item.number, configured.package.item.number
        if who in self._matched:
            return None
        self._matched.add(who)
        name = configured.manifest.name
        first = self._by.setdefault(item.number, {}).setdefault(name, configured)
        if first is configured:
            return None
        text = (
            f"is matched by {first.package.title} and by {configured.package.title}, both of manifest "
            f'"{name}": {_only_one(item, configured.package)}'
        )
        return Finding("error", "conflict", "75", text, item)

    def note_write(self, item: Item, patch: Patch) -> Finding | None:
        """Note a patch that is about to write; return a warning if a Package of another manifest writes the place, or one around or in it.

        Appending does not conflict.
        """
        parts = patch.target.parts
        if patch.target.op == "test" or parts[-1:] == ("-",):
            return None
        places = self._places.setdefault(item.number, PathTree())
        other = next((other for other in places.around(parts) if _is_foreign(other, patch)), None)
        place = item.number, parts, patch.subject.package.manifest_name
        if place not in self._known:
            self._known.add(place)
            places.add(parts, patch)
        if other is None:
            return None
        text = (
            f"{patch.subject.of('target')}: {title(item)} {to_pointer(parts)} is also written by "
            f"{other.subject.label} of {other.subject.package.title}; this one wins"
        )
        return patch.subject.finding("warning", "conflict", "79", text, (*patch.target.patch, "path"))

    def note_test(self, item: Item, patch: Patch) -> None:
        """Note a patch that tests a value of a Secret."""
        if patch.target.parts[:1] in (("data",), ("stringData",)):
            self._tested.append((item, patch))

    def overwritten_tests(self, documents: Mapping[int, PatchedDocument]) -> Iterator[Finding]:
        """After all patches, yield an error for each test of a Secret's value that is also overwritten, because the earlier value is not kept."""
        written: dict[int, PathTree] = {}
        for item, patch in self._tested:
            if item.number not in written:
                written[item.number] = _places(documents.get(item.number))
            if written[item.number].around(patch.target.parts):
                text = (
                    f"{patch.subject.of('patch')}: tests a value that is also overwritten in {title(item)}, "
                    "whose earlier values are not kept: remove the test"
                )
                yield patch.subject.finding("error", "record", "67", text, (*patch.target.patch, "op"))


def _places(document: PatchedDocument | None) -> PathTree:
    """Return the written places, with indices as strings."""
    found = PathTree()
    for one in document.written if document else ():
        found.add(tuple(map(str, one.path)), one)
    return found


def _is_foreign(other: Patch, patch: Patch) -> bool:
    """Return whether two patches come from Packages of different manifests; two of one manifest on one item are an error anyway."""
    return other.subject.package.manifest_name != patch.subject.package.manifest_name
