"""Finds the objects that layers name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._kit.planner.findings import title
from krm_values._kit.planner.item import Item
from krm_values._kit.planner.plan import Finding
from krm_values._kit.planner.resources import listed
from krm_values.layered_values.selectors import Index, Selector, near

if TYPE_CHECKING:
    from collections.abc import Sequence

    from krm_values._kit.planner.resources import Resources
    from krm_values.layered_values.parsed import Source

_KINDS = ("ConfigMap", "Secret")


class Finder:
    """Finds the one object that a source names, by its present name or the one that it had before a host renamed it."""

    __slots__ = ("_index", "_named", "_own", "_resources")

    def __init__(self, resources: Resources, index: Index) -> None:
        self._resources, self._index, self._own = resources, index, Index(resources.generated)
        self._named: dict[tuple[str, str], list[Item]] | None = None

    def find(self, source: Source, label: str, *, optional: bool) -> Item | Finding:
        """Return the object, or the finding that there is none or more than one. label: the layer, for messages."""
        found = self._selected(source) if source.selector is not None else self._called(source)
        if len(found) == 1:
            return found[0]
        what = _what(source)
        if len(found) > 1:
            names = suggest.several([title(item) for item in found])
            text = f"{label}: {what} means {len(found)} resources, {names} ({listed(found)}): say which one"
            return Finding("error", "several", "14" if source.selector is not None else "11", text, config=source.at)
        if self._is_own(source):
            text = f"{label}: {what} is what this config itself generates: name the layers that it is made of"
            return Finding("error", "own-output", "23", text, config=source.at)
        if optional:
            text = f"{label}: {what} is absent from the list, as `optional` allows"
            return Finding("info", "absent", "21", text, config=source.at)
        text = f"{label}: {what} is not in the list{self._hint(source)}: add it, or set `optional: true`"
        return Finding("error", "no-object", "14" if source.selector is not None else "11", text, config=source.at)

    def _selected(self, source: Source) -> list[Item]:
        return self._index.selected(source.selector) if source.selector is not None else []

    def _called(self, source: Source) -> Sequence[Item]:
        found = self._by_name().get((source.kind, source.name), [])
        if source.namespace is not None:
            found = [item for item in found if item.namespace == source.namespace]
        if found:
            return found
        renamed = self._resources.find(source.kind, "", source.namespace or "", source.name)
        return [renamed] if isinstance(renamed, Item) else []

    def _by_name(self) -> dict[tuple[str, str], list[Item]]:
        if self._named is None:
            self._named = {}
            for item in self._resources.select(*_KINDS, group=""):
                self._named.setdefault((item.kind, item.name), []).append(item)
        return self._named

    def _is_own(self, source: Source) -> bool:
        ours = self._resources.generated
        if source.selector is not None:
            return bool(self._own.selected(source.selector))
        named = [item for item in ours if (item.kind, item.name) == (source.kind, source.name)]
        return any(source.namespace in (None, item.namespace) for item in named)

    def _hint(self, source: Source) -> str:
        if source.selector is not None:
            return near(source.selector, self._resources)
        space = () if source.namespace is None else (("namespace", source.namespace),)
        return near(Selector((("kind", source.kind), ("name", source.name), *space)), self._resources)


def _what(source: Source) -> str:
    if source.selector is not None:
        return f"`from` ({source.selector})"
    space = f"{source.namespace}/" if source.namespace else ""
    return f"{source.kind} {space}{source.name}"
