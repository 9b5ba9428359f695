"""Packages in each other's way: two of one manifest on one item, two on one place, and a test of a Secret's value that is overwritten."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.path_tree import PathTree
from krm_values._data.pointer import to_pointer
from krm_values._krm.findings import title
from krm_values._krm.plan import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from krm_values._krm.item import Item
    from krm_values._run.edited import Edited
    from krm_values.glasskube_values.packages import Package
    from krm_values.glasskube_values.patches import Patch

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


class Conflicts:
    """The Packages that match each item, and the places that their patches write or try to write."""

    __slots__ = ("_by", "_known", "_matched", "_places", "_tested")

    def __init__(self) -> None:
        self._by: dict[int, dict[str, Package]] = {}
        self._matched: set[tuple[int, int]] = set()
        self._places: dict[int, PathTree] = {}
        self._known: set[tuple[int, tuple[str, ...], str]] = set()
        self._tested: list[tuple[Item, Patch]] = []

    def note_match(self, item: Item, package: Package) -> Finding | None:
        """Note that a Package matches an item; return an error if another Package of the same manifest does."""
        who = item.number, package.item.number
        if who in self._matched:
            return None
        self._matched.add(who)
        name = package.manifest_name
        first = self._by.setdefault(item.number, {}).setdefault(name, package)
        if first is package:
            return None
        text = f'is matched by {first.title} and by {package.title}, both of manifest "{name}": {_only_one(item, package)}'
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

    def overwritten_tests(self, documents: Mapping[int, Edited]) -> Iterator[Finding]:
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


def _only_one(item: Item, package: Package) -> str:
    """Return what to do about an item that two Packages of one manifest match: a namespace helps only where the item can have one."""
    if item.namespace or package.is_cluster:
        return "keep one of the two"
    if item.kind in _OF_CLUSTER or (item.kind.startswith("Cluster") and item.kind not in _NAMESPACED):
        return f"a {item.kind} has no namespace, so keep one of the two, or write one ClusterPackage"
    return "give the item a namespace"


def _places(document: Edited | None) -> PathTree:
    """Return the written places, with indices as strings."""
    found = PathTree()
    for path in document.places() if document else ():
        found.add(tuple(map(str, path)), path)
    return found


def _is_foreign(other: Patch, patch: Patch) -> bool:
    """Return whether two patches come from Packages of different manifests; two of one manifest on one item are an error anyway."""
    return other.subject.package.manifest_name != patch.subject.package.manifest_name
