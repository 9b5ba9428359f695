"""The differences of two states of a package: values that are added, removed or changed, and changed winners, each with its cause.

A `State` is a rendered package as values; `between` compares two.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from krm_values._data.errors import address
from krm_values._data.pointer import ABSENT, get, scalars, to_field
from krm_values._data.record import record, replace
from krm_values._explain import steps, values
from krm_values._explain.masking import Masking, in_nested
from krm_values._explain.ways import Trace, Way
from krm_values._krm import findings, places
from krm_values._krm.findings import HIDDEN
from krm_values._krm.item import is_secret, withholds
from krm_values._krm.plan import New, Origin
from krm_values._run.state import value_at
from krm_values._yaml import emit

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._explain.steps import Before
    from krm_values._explain.values import FinalValue, Resource
    from krm_values._krm.item import Item
    from krm_values._run.pipeline import Rendered
    from krm_values._run.state import TextsRead

    Key = tuple[str, str, Path, Path | None]  # the resource, its file where two are called alike, and the place

ADDED, REMOVED, CHANGED, WINNER = "added", "removed", "changed", "winner"
_WRITTEN = "resource"  # the layer of a value that no function decides

_GONE, _SETS = "is gone", "sets it"
_INDEX = re.compile(r"\[\d+\]")


@record
class Difference:
    """One value in two states; None where it is absent. because: its cause. at: the place of the cause, "" for none."""

    kind: str
    title: str
    path: Path
    inner: Path | None
    before: ComparedValue | None
    after: ComparedValue | None
    at: str
    because: str

    @property
    def winner(self) -> str:
        """The layer at the end of the value's way, with its place, if that was another one before."""
        ends = [next(one.way.ends()) if one and one.way else None for one in (self.before, self.after)]
        old, new = ends
        if old is None or new is None or _origin(old) == _origin(new):
            return ""
        return f"{new.origin.layer} {address(new.file, new.line) if new.line else ''}".rstrip()

    @property
    def field(self) -> str:
        """The path of the value: within its text if it is in one."""
        return to_field(self.path if self.inner is None else self.inner) or to_field(self.path)


def between(before: State, after: State) -> list[Difference]:
    """Return the differences by resource, in the order of the second state; removed values come last in their resource."""
    resources: dict[tuple[str, str], list[Difference]] = {}
    keys = [*after.values, *(key for key in before.values if key not in after.values)]
    keys += _literals(before, after)
    for key in keys:
        if one := _difference(key, before.entry(key), after.entry(key)):
            known = replace(one, at="", because="") if _is_there(one, before, after) else one
            resources.setdefault(key[:2], []).append(known)
    return [found for differences in resources.values() for found in differences]


def _literals(before: State, after: State) -> list[Key]:
    """Return the places where objects that both states generate have different literals."""
    old, new = before.literals(), after.literals()
    both = {key[:2] for key in old} & {key[:2] for key in new}
    found = [key for key in new if key not in old or not _is_same(old[key], new[key])]
    return [key for key in (*found, *(key for key in old if key not in new)) if key[:2] in both]


def shown(entry: ComparedValue | None) -> str:
    """Return the value in one line of YAML."""
    if entry is None:
        return ""
    return HIDDEN if entry.hidden else emit.flow(entry.shown)


def _difference(key: Key, before: ComparedValue | None, after: ComparedValue | None) -> Difference | None:
    if before is None:
        kind = ADDED
    elif after is None:
        kind = REMOVED
    elif not _is_same(before.value, after.value):
        kind = CHANGED
    elif _winner(before) != _winner(after):
        kind = WINNER
    else:
        return None
    title, _, path, inner = key
    return Difference(kind, title, path, inner, before, after, *_cause(before, after))


def _cause(before: ComparedValue | None, after: ComparedValue | None) -> tuple[str, str]:
    """Return the place of the cause and the sentence that is reported for it."""
    old, new = _sources(before), _sources(after)
    for key, way in new.items():
        if key in old and not _is_same(old[key].origin.value, way.origin.value):
            return address(way.file, way.line), "changed"
    for key, way in new.items():
        if key not in _sources(before, losers=True):
            return address(way.file, way.line), "now sets it" if before else _SETS
    for key, way in old.items():
        if key not in _sources(after, losers=True):
            return address(way.file, way.line), "no longer sets it" if after else _GONE
    winner = next((way for key, way in new.items() if key not in old), None)
    return (address(winner.file, winner.line), "now overrides what set it") if winner else ("", "")


def _sources(entry: ComparedValue | None, *, losers: bool = False) -> dict[object, Way]:
    """Return where a value comes from, without line numbers, which may move. losers: include the layers that it overrides."""
    if entry is None or entry.way is None:
        return {}
    ways = entry.way, *(entry.overridden if losers else ())
    return {_place(one): one for way in ways for one in _written(way)}


def _written(way: Way) -> Iterator[Way]:
    """Yield the places on a way that are known, those at its end first."""
    yield from sorted((one for one in way.all() if one.line), key=lambda one: bool(one.via))


def _is_there(one: Difference, before: State, after: State) -> bool:
    """Return whether the supposed cause is in both states, so that the real cause is another: a layer that is newly read, or no longer."""
    entry, other = (
        (one.before, after) if one.because == _GONE else (one.after, before) if one.because == _SETS else (None, after)
    )
    way = next((way for way in _sources(entry).values() if address(way.file, way.line) == one.at), None)
    return way is not None and other.authored.has(way)


def _place(way: Way) -> tuple[object, ...]:
    """Return the object and the field of a layer, in whatever file; without an object, the file."""
    origin = way.origin
    title = findings.title(origin.item) if origin.item else ""
    return "" if title.strip() else way.file, title, origin.path, origin.inner


def _origin(way: Way) -> tuple[object, ...]:
    """Return the same without the layer's index, since earlier layers may have been added or removed."""
    file, title, path, inner = _place(way)
    return file, title, tuple(part for part in path if isinstance(part, str)), inner  # type: ignore[attr-defined]


def _winner(entry: ComparedValue) -> object:
    """Return the winning layer and its place, without line numbers and without the layer's index."""
    return (_INDEX.sub("", entry.way.origin.layer), *_origin(entry.way)) if entry.way else None


def _is_same(one: JSON, other: JSON) -> bool:
    """Return whether two values are equal, however strings are quoted; 1 differs from true, and 1.0 from 1."""
    if isinstance(one, str) and isinstance(other, str):
        return str(one) == str(other)
    if isinstance(one, dict) and isinstance(other, dict):
        return [*one] == [*other] and all(_is_same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_is_same, one, other))
    return type(one) is type(other) and emit.flow(one) == emit.flow(other)


@record
class ComparedValue:
    """A value: itself, as it may be shown, its origins, and the layers that it overrides. shown: None if it is hidden.

    decided: the value as a step decided it, None if no step did. source, file: of its resource.
    """

    reference: Mapping[str, JSON]
    value: JSON
    shown: JSON
    hidden: bool
    way: Way | None
    overridden: tuple[Way, ...]
    decided: FinalValue | None = None
    source: str = ""
    file: str = ""


class State:
    """The values of a rendered package, without those that a step removes."""

    __slots__ = ("_before", "_below", "_items", "_made", "_shows", "_texts", "_tree", "authored", "trace", "values")

    def __init__(self, done: Rendered, *, show_secrets: bool) -> None:
        explanation = steps.of_package(done)
        masks = [Masking(entry.outcome, show_secrets=show_secrets) for entry in explanation.steps]
        self.trace, self.authored = Trace(explanation), _Authored(explanation.before)
        resources = values.collect(self.trace)
        titles = Counter(one.title for one in resources)
        self._tree, self._before, self._shows = done.loaded.tree, explanation.before, show_secrets
        self.values: dict[Key, ComparedValue] = {
            (one.title, one.file if titles[one.title] > 1 else "", value.path, value.inner): _entry(one, value, masks)
            for one in resources
            for value in one.values
            if not value.is_removed
        }
        made = [one for one in resources if any(isinstance(value.item, New) for value in one.values)]
        self._made = [(one.title, one.file if titles[one.title] > 1 else "") for one in made]
        self._items: dict[str, list[Item]] = {}
        self._texts: dict[int, TextsRead] = {}  # by items that the tree keeps
        self._below: dict[Key, ComparedValue] = {}

    def entry(self, key: Key) -> ComparedValue | None:
        """Return the value at a place: as a step decided it, else as part of a decided value, else as authored."""
        if key in self.values:
            return self.values[key]
        title, file, path, inner = key
        item = self._item(title, file)
        if item is None:
            return None
        return self._written(item, path) if inner is None else self._composed(item, key)

    def literals(self) -> dict[Key, JSON]:
        """Return the parts of generated objects that no step decided: literals of templates, and fixed fields of a function's output."""
        decided = {(title, file, path) for title, file, path, _ in self.values}
        found: dict[Key, JSON] = {}
        for title, file in self._made:
            item = self._item(title, file)
            for path, value in scalars(item.data) if item else ():
                if not any((title, file, path[:size]) in decided for size in range(len(path) + 1)):
                    found[title, file, path, None] = value
        return found

    def _item(self, title: str, file: str) -> Item | None:
        return next((one for one in self._titled(title) if file in ("", one.position.path)), None)

    def _composed(self, item: Item, key: Key) -> ComparedValue | None:
        """Return a value of a text that a step decided as part of another value, or in parts."""
        value = value_at(item.data, key[2], key[3] or (), self._texts.setdefault(id(item), {}))
        near = self._near(key) if value is not ABSENT else None
        if near is None:
            return None
        hides = not self._shows and (is_secret(item) or withholds(item, key[2]) or in_nested(item, key[2]) or near.hidden)
        shown = self._shown(key, value) if hides else value
        hidden = shown is HIDDEN
        return replace(near, value=value, shown=None if hidden else shown, hidden=hidden, decided=None)

    def _shown(self, key: Key, value: Any) -> Any:
        """Return a value of a text with only those parts that a step decided and that may be shown; HIDDEN if there are none."""
        *head, inner = key
        for size in range(len(inner or ()), -1, -1):
            if found := self.values.get((*head, (inner or ())[:size])):  # type: ignore[arg-type]
                return HIDDEN if found.hidden else get(found.shown, (inner or ())[size:], HIDDEN)
        if key not in self._below or not isinstance(value, dict | list):
            return HIDDEN
        entries = value.items() if isinstance(value, dict) else enumerate(value)
        parts = [(name, self._shown((*head, (*(inner or ()), name)), part)) for name, part in entries]  # type: ignore[arg-type]
        if all(part is HIDDEN for _, part in parts):
            return HIDDEN
        return dict(parts) if isinstance(value, dict) else [part for _, part in parts]

    def _near(self, key: Key) -> ComparedValue | None:
        """Return the nearest decided value above a place, else the first one below it."""
        *head, inner = key
        for size in range(len(inner or ()), -1, -1):
            if found := self.values.get((*head, (inner or ())[:size])):  # type: ignore[arg-type]
                return found
        if not self._below:
            for (title, file, path, at), one in self.values.items():
                for size in range(len(at or ())):
                    self._below.setdefault((title, file, path, (at or ())[:size]), one)
        return self._below.get(key)

    def _titled(self, title: str) -> list[Item]:
        """Return the resources with this title."""
        if not self._items:
            for item in map(self._tree.item, range(len(self._tree.documents))):
                self._items.setdefault(findings.title(item), []).append(item)
        return self._items.get(title, [])

    def _written(self, item: Item, path: Path) -> ComparedValue | None:
        value = get(item.data, path, ABSENT)
        if value is ABSENT:
            return None
        hidden = not self._shows and (withholds(item, path) or in_nested(item, path))
        before = self._before.get(item.position.path, item.position.index) or item
        origin = Origin(_WRITTEN, value, before, path)
        made = self.trace.generated(item, path)
        way = Way(origin, -1, item.position.path, places.of_field(before, path), is_source=True)
        way = made[2] if made and made[2] else way
        shown = None if hidden else value
        return ComparedValue(findings.reference(item), value, shown, hidden, way, (), file=item.position.path)


def _entry(resource: Resource, value: FinalValue, masks: list[Masking]) -> ComparedValue:
    shown, hidden = masks[value.step].after(value.decision)
    after = value.decision.after
    return ComparedValue(
        findings.reference(value.item),
        None if after is ABSENT else after,
        None if hidden else shown,
        hidden,
        value.way,
        value.overridden,
        decided=value,
        source=resource.source,
        file=resource.file,
    )


class _Authored:
    """The objects of a package as they were before its first step, by title; read on first use, each text once."""

    __slots__ = ("_before", "_by_title", "_texts")

    def __init__(self, before: Before) -> None:
        self._before = before
        self._by_title: dict[str, list[Item]] | None = None
        self._texts: dict[int, TextsRead] = {}

    def has(self, way: Way) -> bool:
        """Return whether the object of a layer, in whatever file, has the layer's value at the layer's place."""
        origin = way.origin
        if origin.item is None:
            return False
        found = (self._value(one, origin.path, origin.inner) for one in self._titled(findings.title(origin.item)))
        return any(value is not ABSENT and emit.flow(value) == emit.flow(origin.value) for value in found)

    def _titled(self, title: str) -> list[Item]:
        if self._by_title is None:
            self._by_title = {}
            for item in self._before.items():
                self._by_title.setdefault(findings.title(item), []).append(item)
        return self._by_title.get(title, [])

    def _value(self, item: Item, path: Path, inner: Path | None) -> Any:
        return value_at(item.data, path, inner, self._texts.setdefault(id(item), {}))
