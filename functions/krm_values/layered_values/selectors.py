"""Which resources a config means: those that a selector selects, or the one that a layer names."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.pointer import get
from krm_values._data.record import record
from krm_values._data.scalars import text_of
from krm_values._data.shown import cut
from krm_values._krm.findings import title
from krm_values._krm.item import Item
from krm_values._krm.names import GROUP
from krm_values._krm.resources import listed, previous
from krm_values._run.objects import fits

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._krm.findings import Report
    from krm_values._krm.resources import Resources
    from krm_values.layered_values.paths import Segments

    Patterns = tuple[tuple[str, str], ...]

MOST_COMPARED = 4_000_000
"""Resources that the selectors with stars of a run are compared with, each selector's counted."""
_KPTFILE = "Kptfile"
_LOCAL = "config.kubernetes.io/local-config"
_FIELDS = ("api_version", "kind", "name", "namespace")
_LABELS = ("metadata", "labels")
_NONE: Mapping[str, str] = {}
_STARS = f"the selectors with stars are compared with more than {MOST_COMPARED:,} resources: write fewer of them, or give each a `kind` too"


class TooMuchError(Exception):
    """More work than a config may ask for. at: the place in the config at which it became too much."""

    def __init__(self, message: str, at: Path = ()) -> None:
        super().__init__(message)
        self.at = at


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

    def fitted(self, item: Item) -> bool:
        """Return whether a resource matched before a host renamed it."""
        patterns = dict(self.patterns)
        return any(
            fits(patterns.get("api_version", "*"), item.api_version)
            and fits(patterns.get("kind", "*"), kind)
            and fits(patterns.get("name", "*"), name)
            and any(fits(patterns.get("namespace", "*"), one) for one in (space, item.namespace))
            for kind, space, name in previous(item)
        ) and self._has_labels(item)

    def selects(self, item: Item) -> bool:
        """Return whether a resource is selected: objects for local use, and Kptfiles, only by their kind and name."""
        return self.fits(item) and self.reaches(item)

    def reaches(self, item: Item) -> bool:
        """Return whether it is one that the selector may select if it matches."""
        patterns = dict(self.patterns)
        named = all("*" not in patterns.get(name, "*") for name in ("kind", "name"))
        return named or not _is_local(item)

    def _has_labels(self, subject: Item | Subject) -> bool:
        if not self.labels:
            return True
        found = _labels(subject)
        return all(key in found and value in ("*", text_of(found[key])) for key, value in self.labels.items())

    def __str__(self) -> str:
        words = [f"{_shown(name)}: {pattern}" for name, pattern in self.patterns]
        return ", ".join([*words, *(f"label {key}: {value}" for key, value in self.labels.items())])


def _labels(subject: Item | Subject) -> Mapping[str, Any]:
    found = get(subject.data, _LABELS) if isinstance(subject, Item) else None
    return found if isinstance(found, dict) else _NONE


def selector_of(config: Any) -> Selector:
    """Return the selector for a part of the config that has its fields."""
    given = [(name, getattr(config, name)) for name in _FIELDS]
    return Selector(tuple((name, text) for name, text in given if text is not None), config.labels or _NONE)


@record
class Subject:
    """A generated object as selectors see it."""

    kind: str
    namespace: str
    name: str
    api_version: str = "v1"


@record
class Source:
    """The source of a layer or a schema. at: its place in the config. kind: ConfigMap, Secret, from or values."""

    at: Path
    kind: str
    name: str = ""
    namespace: str | None = None
    key: str | None = None
    selector: Selector | None = None
    values: Mapping[str, JSON] | None = None
    path: Segments = ()
    path_text: str = ""

    def __str__(self) -> str:
        if self.selector is not None:
            return f"`from` ({self.selector})"
        return f"{self.kind} {self.namespace}/{self.name}" if self.namespace else f"{self.kind} {self.name}"


class Index:
    """Resources by the fields and labels that selectors name, so that a selector examines only those that it may mean."""

    __slots__ = ("_by", "_compared", "_found", "_items", "_kinds", "_labelled", "_renamed")

    def __init__(self, items: Iterable[Any]) -> None:
        self._items = items
        self._by: dict[tuple[str, ...], dict[tuple[str, ...], list[Any]]] = {}
        self._found: dict[Patterns, list[Any]] = {}
        self._labelled: dict[Patterns, dict[tuple[str, str], list[Any]]] = {}
        self._kinds: list[str] | None = None
        self._compared = 0
        self._renamed: dict[str, list[Item]] | None = None  # by each name that they had

    def selected(self, selector: Selector, at: Path = ()) -> list[Item]:
        """Return the resources that are selected, in list order; if there are none, those that were before a host renamed them.

        at: where the config has the selector.
        """
        found = [item for item in self._candidates(selector, at) if selector.selects(item)]
        return found or [item for item in self._formerly(selector, at) if selector.reaches(item)]

    def fitting(self, selector: Selector, at: Path = ()) -> list[Any]:
        """Return all that match, in list order; if there are none, those that did before a host renamed them."""
        return [one for one in self._candidates(selector, at) if selector.fits(one)] or self._formerly(selector, at)

    def _formerly(self, selector: Selector, at: Path) -> list[Item]:
        """Return the resources that matched a selector with a name or namespace before a host renamed them. TooMuchError as below."""
        patterns = dict(selector.patterns)
        if patterns.get("name", patterns.get("namespace")) is None:
            return []
        if self._renamed is None:
            self._renamed = {}
            for item in self._items:
                for name in {had for _, _, had in previous(item)} if isinstance(item, Item) else ():
                    self._renamed.setdefault(name, []).append(item)
        name = patterns.get("name", "*")
        found = self._renamed.get(name, []) if "*" not in name else [*chain.from_iterable(self._renamed.values())]
        self._compared += len(found)
        if self._compared > MOST_COMPARED:
            raise TooMuchError(_STARS, at)
        return [*{item.number: item for item in found if selector.fitted(item)}.values()]

    def named(self, **fields: str) -> list[Any]:
        """Return all with these fields, in which a star is no pattern."""
        return self._of((*fields,)).get((*fields.values(),), [])

    def near(self, selector: Selector, at: Path = ()) -> str:
        """Return why a selector selects nothing: what a resource of its kind and name has instead, or the nearest name, or the kinds that there are."""
        patterns = dict(selector.patterns)
        kind, name = patterns.get("kind", "*"), patterns.get("name", "*")
        named = self._with((("kind", kind), ("name", name)), at)
        if named and (kind, name) != ("*", "*"):
            return f"; {_has_instead(selector, named[0])}"
        if of_kind := self._with((("kind", kind),), at):
            return suggest.hint(name, (item.name for item in of_kind))
        if self._kinds is None:
            self._kinds = sorted({item.kind for item in self._items if item.kind != _KPTFILE and item.group != GROUP})
        only = f", only {suggest.listed(self._kinds)}" if self._kinds else ""
        none = f"; the list has no {kind}{only} (of a package, only files below the directory of its Kptfile are read)"
        return suggest.hint(kind, self._kinds) or none

    def _candidates(self, selector: Selector, at: Path) -> Sequence[Any]:
        found = self._with(selector.patterns, at)
        if not selector.labels or len(found) == 1:
            return found
        by_label = self._labelled.get(selector.patterns)
        if by_label is None:
            by_label = self._labelled[selector.patterns] = {}
            for one in found:
                for key, value in _labels(one).items():
                    for wanted in {"*", text_of(value)}:
                        by_label.setdefault((key, wanted), []).append(one)
        return min((by_label.get(label, []) for label in selector.labels.items()), key=len)

    def _with(self, patterns: Patterns, at: Path) -> list[Any]:
        """Return those whose fields have the patterns. TooMuchError after too many comparisons with a star."""
        if patterns not in self._found:
            exact = {name: text for name, text in patterns if "*" not in text}
            starred = [(name, text) for name, text in patterns if "*" in text and text.strip("*")]
            found = self._of((*exact,)).get((*exact.values(),), [])
            for name, text in starred:
                self._compared += len(found)
                if self._compared > MOST_COMPARED:
                    raise TooMuchError(_STARS, at)
                found = [one for one in found if fits(text, getattr(one, name))]
            self._found[patterns] = found
        return self._found[patterns]

    def _of(self, fields: tuple[str, ...]) -> dict[tuple[str, ...], list[Any]]:
        """Return the resources by some fields of their header."""
        if fields not in self._by:
            found = self._by[fields] = {}
            for one in self._items:
                found.setdefault((*(getattr(one, field) for field in fields),), []).append(one)
        return self._by[fields]


class Finder:
    """Finds the one object that a source names, by its present name or the one that it had before a host renamed it."""

    __slots__ = ("_index", "_own", "_resources")

    def __init__(self, resources: Resources, index: Index) -> None:
        self._resources, self._index, self._own = resources, index, Index(resources.generated)

    def find(self, source: Source, label: str, report: Report, *, optional: bool) -> Item | None:
        """Return the object; None, with a finding, if there is none or more than one. label: the layer, for messages."""
        rule = "11" if source.selector is None else "14"
        found = self._called(source) if source.selector is None else self._index.selected(source.selector, source.at)
        if len(found) == 1:
            return found[0]
        if len(found) > 1:
            names = suggest.several([title(item) for item in found])
            text = f"{label}: {source} means {len(found)} resources, {names} ({listed(found)}): say which one"
            report.error("several", rule, text, config=source.at)
        elif self._is_own(source):
            text = f"{label}: {source} is what this config itself generates: name the layers that it is made of"
            report.error("own-output", "23", text, config=source.at)
        elif optional:
            report.info("absent", "21", f"{label}: {source} is absent from the list, as `optional` allows", config=source.at)
        else:
            text = f"{label}: {source} is not in the list{self._hint(source)}: add it, or set `optional: true`"
            report.error("no-object", rule, text, config=source.at)
        return None

    def _called(self, source: Source) -> Sequence[Item]:
        if found := [item for item in self._index.named(**_fields(source)) if not item.group]:
            return found
        return self._resources.renamed(source.kind, "", source.namespace, source.name)

    def _is_own(self, source: Source) -> bool:
        selected = self._own.selected(source.selector, source.at) if source.selector else self._own.named(**_fields(source))
        return bool(selected)

    def _hint(self, source: Source) -> str:
        return self._index.near(source.selector or Selector((*_fields(source).items(),)), source.at)


def _fields(source: Source) -> dict[str, str]:
    """Return the fields by which a source names a ConfigMap or Secret."""
    space = {} if source.namespace is None else {"namespace": source.namespace}
    return {"kind": source.kind, "name": source.name, **space}


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
        if found is None or value not in ("*", text_of(found)):
            return f"{who} has {f'the label `{key}: {cut(str(found))}`' if found is not None else f'no label `{key}`'}"
    return f"{who} is selected only by its kind and name, without a star: it is a Kptfile or for local use"


def _is_local(item: Item) -> bool:
    return item.kind == _KPTFILE or get(item.data, ("metadata", "annotations", _LOCAL)) == "true"


def _shown(name: str) -> str:
    return "apiVersion" if name == "api_version" else name
