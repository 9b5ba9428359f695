"""Matches the documents of two states of a package."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from krm_values._data.record import record
from krm_values._krm import kptfile, names
from krm_values._run.generated import identity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from krm_values._krm.item import Item
    from krm_values._run.tree import PackageDocument

_DIGEST = re.compile(r"-(?:(?=[a-f]*[0-9])[0-9a-f]{7,64}|[bcdfghkmt2456789]{10})$")
"""The end of a name that is a digest of the content: hex digits, or those of kustomize."""


class Document:
    """A document of one state of a package."""

    __slots__ = ("file", "item", "origin", "package", "path", "text")

    def __init__(self, item: Item, document: PackageDocument) -> None:
        self.item, self.path, self.package, self.text = item, document.path, document.package, document.text
        self.file, self.origin = document.file, document.origin

    @property
    def index(self) -> int:
        return self.item.position.index

    @property
    def header(self) -> tuple[str, str, str, str, str]:
        """Kind, group, namespace, name and package."""
        return self.header_in(self.package)

    def header_in(self, package: str) -> tuple[str, str, str, str, str]:
        """Return the same for a document that is in another package."""
        return self.item.kind, self.item.group, self.item.namespace, self.item.label, package

    def stem_in(self, package: str) -> tuple[str, str, str, str, str] | None:
        """Return the same without the digest at the end of the name, None for a name without one."""
        kind, group, namespace, name, _ = self.header
        return (kind, group, namespace, name[: found.start()], package) if (found := _DIGEST.search(name)) else None

    @property
    def mark(self) -> tuple[str, str] | None:
        """The function that generated it and for what, None for any other."""
        if names.MADE_FROM not in self.text:
            return None
        marks = self.item.marks
        return (marks.get(names.MADE_BY, ""), marks[names.MADE_FROM]) if names.MADE_FROM in marks else None


@record
class Pair:
    """A document in two states; None where there is none."""

    before: Document | None
    after: Document | None

    @property
    def is_equal(self) -> bool:
        """Whether both have the same text."""
        return self.before is not None and self.after is not None and self.before.text == self.after.text


def documents(old: Sequence[Document], new: Sequence[Document]) -> list[Pair]:
    """Match documents: equal ones, others by name, then the renamed ones at the same place of a file; generated ones by their marks.

    A package that is in another directory is the same one. In the order of the new state; those that are gone stand where they were.
    """
    found = _Matched(old, new)
    found.by(lambda one, package: (package, one.text))
    found.by(lambda one, package: None if one.mark else one.header_in(package))
    found.by(lambda one, package: None if one.mark else one.stem_in(package))
    found.by(lambda one, package: None if one.mark else (package, one.file, one.index, one.item.kind))
    while found.by(lambda one, _: one.mark, found.renamed()):
        pass
    found.by(lambda one, package: one.header_in(package))
    found.by(lambda one, package: (package, one.file, one.index, one.item.kind))
    found.by(lambda one, _: one.text)
    return found.pairs()


class _Matched:
    """The documents that are matched so far, and those that are left of either state."""

    __slots__ = ("_found", "_new", "_old", "_packages")

    def __init__(self, old: Sequence[Document], new: Sequence[Document]) -> None:
        self._old, self._new = [*old], [*new]
        self._packages = _moved_packages(old, new)
        self._found: list[Pair] = []

    def by(
        self,
        key: Callable[[Document, str], object],
        renamed: Callable[[tuple[str, str]], tuple[str, str]] | None = None,
    ) -> bool:
        """Match the documents of one key, those of one file first. Return whether any was matched.

        key: of a document, and of the path that its package has in the new state. renamed: turns a mark into that of the new state.
        """
        waiting: dict[object, list[Document]] = {}
        for one in self._old:
            found: Any = key(one, self._package(one))
            if found is not None:
                waiting.setdefault(renamed(found) if renamed else found, []).append(one)
        taken: set[int] = set()
        left = []
        for one in self._new:
            candidates = waiting.get(key(one, one.package)) if waiting else None
            if candidates:
                here = one.package, one.file
                partner = next((old for old in candidates if (self._package(old), old.file) == here), candidates[0])
                candidates.remove(partner)
                taken.add(id(partner))
                self._found.append(Pair(partner, one))
            else:
                left.append(one)
        self._new, self._old = left, [one for one in self._old if id(one) not in taken]
        return bool(taken)

    def _package(self, one: Document) -> str:
        """Return the path in the new state of the package of an old document."""
        return self._packages.get(one.package, one.package)

    def renamed(self) -> Callable[[tuple[str, str]], tuple[str, str]]:
        """Return the function that turns a mark into that of the new state, by the sources that are renamed."""
        known = {
            identity(one.before.item): identity(one.after.item)
            for one in self._found
            if one.before and one.after and one.before.header != one.after.header
        }

        def mark(found: tuple[str, str]) -> tuple[str, str]:
            function, source = found
            size = len(source)
            while size > 0:
                if source[:size] in known:
                    return function, known[source[:size]] + source[size:]
                size = source.rfind("/", 0, size)
            return found

        return mark

    def pairs(self) -> list[Pair]:
        """Return all pairs by file and index."""
        alone = [*(Pair(one, None) for one in self._old), *(Pair(None, one) for one in self._new)]
        return sorted([*self._found, *alone], key=_order)


def _moved_packages(old: Sequence[Document], new: Sequence[Document]) -> dict[str, str]:
    """Return the packages that have another path in the new state: by equal Kptfiles, else by their names."""
    kptfiles = [{one.package: one for one in state if one.item.kind == kptfile.NAME} for state in (old, new)]
    gone = [one for package, one in kptfiles[0].items() if package not in kptfiles[1]]
    came = [one for package, one in kptfiles[1].items() if package not in kptfiles[0]]
    found: dict[str, str] = {}
    for key in (lambda one: one.text, lambda one: one.item.name):
        others = _only((one for one in came if one.package not in found.values()), key)
        for name, one in _only((one for one in gone if one.package not in found), key).items():
            if name in others:
                found[one.package] = others[name].package
    return found


def _only(found: Iterable[Document], key: Callable[[Document], str]) -> dict[str, Document]:
    """Return the documents of which no other one has the same key, by their keys."""
    known: dict[str, list[Document]] = {}
    for one in found:
        known.setdefault(key(one), []).append(one)
    return {name: one for name, (one, *others) in known.items() if not others}


def _order(pair: Pair) -> tuple[str, int, int]:
    one = pair.after or pair.before
    return (one.path, one.index, int(pair.after is None)) if one else ("", 0, 0)
