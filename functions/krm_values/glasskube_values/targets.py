"""Which items a target's resource matches: its group, version, kind and name, and the namespaces that the Package reaches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._krm import names
from krm_values.glasskube_values.packages import GROUP

if TYPE_CHECKING:
    from collections.abc import Collection

    from krm_values._krm.item import Item
    from krm_values._krm.resources import Resources
    from krm_values.glasskube_values.manifest import Manifest, Resource
    from krm_values.glasskube_values.packages import Package

_NEVER = (GROUP, names.GROUP)
_KPTFILE = ("kpt.dev", "Kptfile")


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

    def wrong_field(self, resource: Resource) -> str:
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
