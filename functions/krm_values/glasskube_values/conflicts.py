"""Conflicts: two Packages on one item or place, and tests of values of a Secret that are overwritten."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.path_tree import PathTree
from krm_values._data.pointer import to_pointer
from krm_values._kit.planner.findings import title
from krm_values._kit.planner.plan import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from krm_values._kit.planner.item import Item
    from krm_values.glasskube_values.configured import Configured
    from krm_values.glasskube_values.documents import Document
    from krm_values.glasskube_values.patches import Patch


class Conflicts:
    """The Packages and patches that have written each item so far."""

    __slots__ = ("_by", "_known", "_places", "_reached", "_tested")

    def __init__(self) -> None:
        self._by: dict[int, dict[str, Configured]] = {}
        self._reached: set[tuple[int, int]] = set()
        self._places: dict[int, PathTree] = {}
        self._known: set[tuple[int, tuple[str, ...], str]] = set()
        self._tested: list[tuple[Item, Patch]] = []

    def reached(self, item: Item, configured: Configured) -> Iterator[Finding]:
        """Yield an error if another Package of the same manifest matches the item."""
        who = item.number, configured.package.item.number
        if who in self._reached:
            return
        self._reached.add(who)
        name = configured.manifest.name
        first = self._by.setdefault(item.number, {}).setdefault(name, configured)
        if first is not configured:
            text = (
                f"is matched by {first.package.title} and by {configured.package.title}, both of manifest "
                f'"{name}": give the item a namespace'
            )
            yield Finding("error", "conflict", "75", text, item)

    def writes(self, item: Item, patch: Patch) -> Iterator[Finding]:
        """Yield a warning if another Package has written the place, or one around or in it. Appending does not conflict."""
        parts = patch.target.parts
        if patch.target.op == "test" or parts[-1:] == ("-",):
            return
        places = self._places.setdefault(item.number, PathTree())
        other = next((other for other in places.around(parts) if _is_foreign(other, patch)), None)
        if other is not None:
            text = (
                f"{patch.subject.of('target')}: {title(item)} {to_pointer(parts)} is also written by "
                f"{other.subject.label} of {other.subject.package.title}; this one wins"
            )
            yield patch.subject.finding("warning", "conflict", "79", text, (*patch.target.patch, "path"))
        place = item.number, parts, patch.subject.package.manifest
        if place not in self._known:
            self._known.add(place)
            places.add(parts, patch)

    def tests(self, item: Item, patch: Patch) -> None:
        """Note a patch that tests a value of a Secret."""
        if patch.target.parts[:1] in (("data",), ("stringData",)):
            self._tested.append((item, patch))

    def tested(self, documents: Mapping[int, Document]) -> Iterator[Finding]:
        """Yield an error for each test of a Secret's value that is also overwritten, because the earlier value is not kept."""
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


def _places(document: Document | None) -> PathTree:
    """Return the written places, with indices as strings."""
    found = PathTree()
    for one in document.written if document else ():
        found.add(tuple(map(str, one.path)), one)
    return found


def _is_foreign(other: Patch, patch: Patch) -> bool:
    """Return whether two patches come from Packages of different manifests; two of one manifest on one item are an error anyway."""
    return other.subject.package.manifest != patch.subject.package.manifest
