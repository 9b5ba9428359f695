"""The items that a target matches: those of its group, version, kind and name that the Package may patch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.record import record
from krm_values._kit.planner import names
from krm_values.glasskube_values.packages import GROUP

if TYPE_CHECKING:
    from krm_values._kit.planner.item import Item
    from krm_values._kit.planner.resources import Resources
    from krm_values.glasskube_values.manifest import Manifest
    from krm_values.glasskube_values.manifest_targets import Resource
    from krm_values.glasskube_values.packages import Package

_NEVER = (GROUP, names.GROUP)
_KPTFILE = ("kpt.dev", "Kptfile")


@record
class GroupVersion:
    """A group and version, read from an `apiGroup`."""

    group: str
    version: str


class TargetIndex:
    """The items of a list, indexed by the fields of a target."""

    __slots__ = ("_items", "_kinds", "_named", "_names", "hints")

    def __init__(self, resources: Resources) -> None:
        self._items: dict[tuple[str, str, str, str], list[Item]] = {}
        self._named: dict[tuple[str, str], list[Item]] = {}
        self._names: dict[str, list[str]] = {}
        self._kinds: dict[str, list[str]] = {}
        self.hints = resources.hints
        for item in resources:
            if may_be_target(item):
                self._items.setdefault((item.group, item.version, item.kind, item.name), []).append(item)
                self._named.setdefault((item.kind, item.name), []).append(item)
        for kind, name in self._named:
            self._names.setdefault(kind, []).append(name)
            self._kinds.setdefault(name, []).append(kind)

    def items(self, resource: Resource, package: Package, manifest: Manifest) -> list[Item]:
        """Return the items that a target's resource matches for a package. Its `api_group` must be valid.

        A Package without a namespace matches exactly the namespace of the target, or none (S30).
        """
        wanted = group_version(resource.api_group)
        if wanted is None:
            return []
        named = self._items.get((wanted.group, wanted.version, resource.kind, resource.name), [])
        if not package.is_cluster and not package.namespace:
            return [item for item in named if item.namespace == resource.namespace]
        reached = [item for item in named if package.is_cluster or item.namespace in ("", package.namespace)]
        if not resource.namespace:
            return reached
        return [
            item for item in reached if (item.namespace or default_namespace(item, package, manifest)) == resource.namespace
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
            return self.hints.hint(resource.name, self._names[resource.kind], '"')
        return self.hints.hint(resource.kind, self._kinds.get(resource.name) or self._names)


def may_be_target(item: Item) -> bool:
    """Return whether targets may match it: never objects of packages, of krm-values and of kpt."""
    return item.group not in _NEVER and (item.group, item.kind) != _KPTFILE


def group_version(api_group: str) -> GroupVersion | None:
    """Split `apps/v1` or `v1`; None for "". Raises ValueError with more than one slash."""
    if not api_group:
        return None
    if api_group.count("/") > 1:
        raise ValueError(api_group)
    group, _, version = api_group.rpartition("/")
    return GroupVersion(group, version)


def default_namespace(item: Item, package: Package, manifest: Manifest) -> str:
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
