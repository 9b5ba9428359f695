"""Selectors of resources, by their header and labels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.pointer import get
from krm_values._data.record import record
from krm_values._data.shown import cut
from krm_values._kit.layers.allowance import fits
from krm_values._kit.planner.item import Item
from krm_values._kit.planner.names import GROUP

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from krm_values._kit.planner.resources import Resources

_KPTFILE = "Kptfile"
_LOCAL = "config.kubernetes.io/local-config"
_FIELDS = ("api_version", "kind", "name", "namespace")
_LABELS = ("metadata", "labels")
_NONE: Mapping[str, str] = {}


@record
class Selector:
    """Patterns by header field, and labels; an absent field matches all."""

    patterns: tuple[tuple[str, str], ...]
    labels: Mapping[str, str] = _NONE

    @property
    def is_empty(self) -> bool:
        """Whether there are no patterns and no labels."""
        return not self.patterns and not self.labels

    def fits(self, subject: Item | Subject) -> bool:
        """Return whether a resource, or a generated object, matches."""
        return all(fits(pattern, getattr(subject, name)) for name, pattern in self.patterns) and self._has_labels(subject)

    def selects(self, item: Item) -> bool:
        """Return whether a resource is selected: objects for local use, and Kptfiles, only by their kind and name."""
        if not self.fits(item):
            return False
        patterns = dict(self.patterns)
        named = all("*" not in patterns.get(name, "*") for name in ("kind", "name"))
        return named or not _is_local(item)

    def _has_labels(self, subject: Item | Subject) -> bool:
        if not self.labels:
            return True
        found = get(subject.data, _LABELS) if isinstance(subject, Item) else None
        if not isinstance(found, dict):
            return False
        return all(key in found and value in ("*", found[key]) for key, value in self.labels.items())

    def __str__(self) -> str:
        words = [f"{_shown(name)}: {pattern}" for name, pattern in self.patterns]
        return ", ".join([*words, *(f"label {key}: {value}" for key, value in self.labels.items())])


@record
class Subject:
    """A generated object as selectors see it."""

    kind: str
    namespace: str
    name: str
    api_version: str = "v1"


def of(config: Any) -> Selector:
    """Return the selector for a part of the config that has its fields."""
    given = [(name, getattr(config, name)) for name in _FIELDS]
    return Selector(tuple((name, text) for name, text in given if text is not None), config.labels or _NONE)


class Index:
    """Resources by name and by kind, so that a selector with one of them examines only those."""

    __slots__ = ("_by", "_items")

    def __init__(self, items: Iterable[Item]) -> None:
        self._items = items
        self._by: dict[str, dict[str, list[Item]]] = {}

    def selected(self, selector: Selector) -> list[Item]:
        """Return the resources that are selected, in list order."""
        return [item for item in self._candidates(dict(selector.patterns)) if selector.selects(item)]

    def _candidates(self, patterns: Mapping[str, str]) -> Iterable[Item]:
        for field in ("name", "kind"):
            if "*" not in patterns.get(field, "*"):
                return self._of(field).get(patterns[field], ())
        return self._items

    def _of(self, field: str) -> dict[str, list[Item]]:
        """Return the resources by a field of their header."""
        if field not in self._by:
            found = self._by[field] = {}
            for item in self._items:
                found.setdefault(getattr(item, field), []).append(item)
        return self._by[field]


def near(selector: Selector, resources: Resources) -> str:
    """Return why a selector selects nothing: what a resource of its kind and name has instead, or the nearest name, or the kinds that there are."""
    patterns = dict(selector.patterns)
    kind, name = patterns.get("kind", "*"), patterns.get("name", "*")
    of_kind = [item for item in resources if fits(kind, item.kind)]
    named = [item for item in of_kind if fits(name, item.name)]
    if named and (kind, name) != ("*", "*"):
        return f"; {_has_instead(selector, named[0])}"
    if of_kind:
        return resources.hints.hint(name, [item.name for item in of_kind])
    kinds = sorted({item.kind for item in resources if item.kind != _KPTFILE and item.group != GROUP})
    only = f", only {suggest.listed(kinds)}" if kinds else ""
    none = f"; the list has no {kind}{only} (of a package, only files below the directory of its Kptfile are read)"
    return resources.hints.hint(kind, kinds) or none


def _has_instead(selector: Selector, item: Item) -> str:
    """Return what a resource has in place of the first field or label that a selector asks for."""
    who = f"{item.kind} `{item.name}`"
    for name, pattern in selector.patterns:
        found = getattr(item, name)
        if not fits(pattern, found):
            return f"{who} has {f'the {_shown(name)} `{found}`' if found else f'no {_shown(name)}'}"
    labels = get(item.data, _LABELS)
    for key, value in selector.labels.items():
        found = labels.get(key) if isinstance(labels, dict) else None
        if found is None or value not in ("*", found):
            return f"{who} has {f'the label `{key}: {cut(str(found))}`' if found is not None else f'no label `{key}`'}"
    return f"{who} is selected only by its kind and name, without a star: it is a Kptfile or for local use"


def _is_local(item: Item) -> bool:
    if item.kind == _KPTFILE:
        return True
    return get(item.data, ("metadata", "annotations", _LOCAL)) == "true"


def _shown(name: str) -> str:
    return "apiVersion" if name == "api_version" else name
