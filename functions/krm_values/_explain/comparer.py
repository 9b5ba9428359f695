"""Finds the places in which two matched documents differ.

A place is a path in a document and, within a YAML or JSON text that holds a map, a path in that text.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING

from krm_values._data.data_edits import key_of
from krm_values._data.diff import shared
from krm_values._data.errors import InputError
from krm_values._data.pointer import ABSENT, get
from krm_values._data.record import record
from krm_values._go import yaml as goyaml
from krm_values._krm.item import is_secret
from krm_values._krm.taint import covers, touches
from krm_values._run import objects
from krm_values._yaml import decode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._explain.match import Pair

    _Maps = list[dict[str, Any]]  # what one text holds, as it is read in one way or the other

ADDED, REMOVED, CHANGED, MOVED = "added", "removed", "changed", "moved"
_KEYS = ("name", "chunkName")
_COMPOSED = ("kind", "namespace", "name", "valuesKey")
_STEP = ("image", "exec", "name", "configPath", "configMap")
_PIPELINE = (("pipeline", "mutators"), ("pipeline", "validators"))
_TEXTS = ("data", "stringData")
_OF_DOCUMENTS = re.compile(r"values|\.(?:ya?ml|json)\Z")
"""What is in the key of a text of a Secret where the text is a document of YAML or JSON, even one of a single line."""
_NO_MAP = frozenset(("document", "duplicate", "merged"))
"""Lints of texts that hold more than the map that is read."""


@record
class Place:
    """A path in a document and, in a text, a path there. number: of the YAML document of the text, from 0."""

    path: Path
    inner: Path | None = None
    number: int = 0

    def below(self, *parts: str | int) -> Place:
        """Return a place below."""
        if self.inner is None:
            return Place((*self.path, *parts))
        return Place(self.path, (*self.inner, *parts), self.number)

    def around(self) -> Iterator[Place]:
        """Yield the place and all that contain it, the nearest first."""
        for size in range(len(self.inner), -1, -1) if self.inner is not None else ():
            yield Place(self.path, self.inner[:size] if self.inner else (), self.number)
        for size in range(len(self.path), -1, -1):
            yield Place(self.path[:size])

    def contains(self, other: Place) -> bool:
        """Return whether the other is this place or one below it."""
        if self.inner is None:
            return other.path[: len(self.path)] == self.path
        if (self.path, self.number) != (other.path, other.number):
            return False
        return other.inner is not None and other.inner[: len(self.inner)] == self.inner

    def meets(self, other: Place) -> bool:
        """Return whether one of the two contains the other."""
        return self.contains(other) or other.contains(self)


@record
class Change:
    """What differs at a place: a value, or an element that has moved.

    before, after: the place in each state; where there is no value, the place that it would have. old, new: the values, ABSENT where there is
    none. is_element: whether it is an element of a list that is in one state only. order: of a moved element, the old and the new index of
    each element that is kept.
    """

    kind: str
    before: Place
    after: Place
    old: Any
    new: Any
    is_element: bool = False
    order: tuple[tuple[int, int], ...] = ()

    def sides(self) -> tuple[tuple[Place, Any], tuple[Place, Any]]:
        """Return the place and the value in each state."""
        return (self.before, self.old), (self.after, self.new)


class Comparer:
    """Finds the differences of two documents. keys: by which elements of lists are known, beside the usual ones.

    by_leaf: whether an empty collection that gets its first value is a leaf that goes. A list of a Secret is one value, and elements of one with
    values from Secrets are matched by their indexes: what hidden values share must not be told.
    """

    __slots__ = ("_after", "_as_whole", "_before", "_by_leaf", "_hidden", "_keys", "_pipelines", "_secrets", "_texts")

    def __init__(self, keys: Iterable[str] = (), *, by_leaf: bool = True) -> None:
        self._by_leaf = by_leaf
        self._keys = (*_KEYS, *(key for key in keys if key not in _KEYS))
        self._as_whole = self._texts = self._pipelines = False
        self._secrets = False, False  # whether the document is a Secret in the old and in the new state
        self._hidden: tuple[Path, ...] = ()
        self._before: dict[Place, Place] = {}  # where elements were that have another index in the last document
        self._after: dict[Place, Place] = {}

    def changes(self, pair: Pair, old: JSON, new: JSON) -> Iterator[Change]:
        """Yield the differences of the data of a matched document, in the order of the new state."""
        items = [one.item for one in (pair.before, pair.after) if one]
        self._secrets = (
            pair.before is not None and is_secret(pair.before.item),
            pair.after is not None and is_secret(pair.after.item),
        )
        self._as_whole = any(self._secrets)
        self._hidden = tuple(path for item in items for path in item.withheld)
        self._texts = any(item.kind in ("ConfigMap", "Secret") and not item.group for item in items)
        self._pipelines = all(item.kind == "Kptfile" for item in items)
        self._before, self._after = {}, {}
        yield from self._values(old, new, Place(()), Place(()))

    def before(self, place: Place) -> Place:
        """Return where the value at a place of the last document's new state was in the old one."""
        return _shifted(place, self._before)

    def after(self, place: Place) -> Place:
        """Return where the value at a place of the last document's old state is in the new one."""
        return _shifted(place, self._after)

    def leaves(self, value: Any, place: Place, *, after: bool) -> Iterator[tuple[Place, Any]]:
        """Yield the scalars and empty collections in a value of the last document, with their places; those in texts, too.

        after: whether it is the document in its new state.
        """
        inside = self._inside(value, place, after=after) if isinstance(value, str) else None
        if inside and inside[0]:
            place, value = Place(place.path, ()), inside[0]
        if not value or not isinstance(value, (dict, list)) or (isinstance(value, list) and self._is_whole(place)):
            yield place, value
            return
        for part, below in value.items() if isinstance(value, dict) else enumerate(value):
            yield from self.leaves(below, place.below(part), after=after)

    def _values(self, old: Any, new: Any, before: Place, after: Place) -> Iterator[Change]:
        if old is new:
            return
        if isinstance(old, dict) and isinstance(new, dict):
            yield from self._maps(old, new, before, after)
        elif isinstance(old, list) and isinstance(new, list) and not self._is_whole(after):
            yield from self._lists(old, new, before, after)
        elif isinstance(old, str) and isinstance(new, str) and before.inner is None:
            yield from self._strings(old, new, before, after)
        elif not is_same(old, new):
            yield Change(CHANGED, before, after, old, new)

    def _is_whole(self, place: Place) -> bool:
        """Return whether a list is one value, because it is hidden."""
        return self._as_whole or covers(self._hidden, place.path)

    def _maps(self, old: dict[str, Any], new: dict[str, Any], before: Place, after: Place) -> Iterator[Change]:
        yield from self._emptied(old, new, before, after)
        for key, value in new.items():
            if key in old:
                yield from self._values(old[key], value, before.below(key), after.below(key))
            else:
                yield from self._one(ADDED, ABSENT, value, before.below(key), after.below(key))
        for key, value in old.items():
            if key not in new:
                yield from self._one(REMOVED, value, ABSENT, before.below(key), after.below(key))

    def _emptied(self, old: Any, new: Any, before: Place, after: Place) -> Iterator[Change]:
        """Yield the empty collection that one state has: a leaf that the other has not."""
        if self._by_leaf and bool(old) != bool(new) and after.inner != ():
            yield Change(REMOVED, before, after, old, ABSENT) if new else Change(ADDED, before, after, ABSENT, new)

    def _one(self, kind: str, old: Any, new: Any, before: Place, after: Place) -> Iterator[Change]:
        """Yield what a key adds or removes: each value in its maps, and in its text."""
        value = new if old is ABSENT else old
        inside = self._inside(value, before, after=old is ABSENT) if isinstance(value, str) else None
        if inside and inside[0]:
            before, after, value = Place(before.path, ()), Place(after.path, ()), inside[0]
        if not isinstance(value, dict) or not value:
            sides = (ABSENT, value) if old is ABSENT else (value, ABSENT)
            yield Change(kind, before, after, *sides)
            return
        for key, below in value.items():
            one, other = (ABSENT, below) if old is ABSENT else (below, ABSENT)
            yield from self._one(kind, one, other, before.below(key), after.below(key))

    def _strings(self, old: str, new: str, before: Place, after: Place) -> Iterator[Change]:
        if str(old) == str(new) and self._secrets[0] == self._secrets[1]:
            return
        if documents := self._documents(old, new, before, after):
            for number, both in enumerate(documents):
                yield from self._texts_in(*both, Place(before.path, (), number), Place(after.path, (), number))
            return
        one, other = self._inside(old, before, after=False), self._inside(new, after, after=True)
        if one is None or other is None or not (one[0] or other[0]):
            yield Change(CHANGED, before, after, old, new)
            return
        yield from self._texts_in(one, other, Place(before.path, ()), Place(after.path, ()))

    def _texts_in(self, one: _Maps, other: _Maps, before: Place, after: Place) -> Iterator[Change]:
        """Yield the differences of the maps that two texts hold, each as it is read in one way or the other."""
        found: set[tuple[Place, Place]] = set()
        for first, second in zip(one, other, strict=False):
            for change in self._maps(first, second, before, after):
                places = change.before, change.after
                if places not in found and (_has(one[-1], places[0]) or _has(other[-1], places[1])):
                    found.add(places)
                    yield change

    def _documents(self, old: str, new: str, before: Place, after: Place) -> Sequence[tuple[_Maps, _Maps]]:
        """Return the maps of the YAML documents of two texts that have as many, of several; none if one holds anything else.

        Of sources alone, of which a function may read each document as a layer.
        """
        if self._by_leaf or not (self._is_layer(before) and self._is_layer(after)):
            return ()
        try:
            parts = [
                goyaml.split(self._clear(text, place, after=is_after))
                for text, place, is_after in ((old, before, False), (new, after, True))
            ]
        except ValueError:
            return ()
        if not len(parts[0]) == len(parts[1]) > 1:
            return ()
        read = [[_maps_of(part, is_layer=True) for part in one] for one in parts]
        found = [(one, other) for one, other in zip(*read, strict=True) if one is not None and other is not None]
        return found if len(found) == len(parts[0]) else ()

    def _is_layer(self, place: Place) -> bool:
        """Return whether a place is a text of a ConfigMap or Secret, which functions read as layers."""
        return self._texts and len(place.path) > 1 and place.path[0] in _TEXTS

    def _clear(self, text: str, place: Place, *, after: bool) -> str:
        """Return a text, of a Secret as it is decoded."""
        return objects.decode(text) if self._secrets[after] and place.path[0] == "data" else text

    def _inside(self, text: str, place: Place, *, after: bool) -> _Maps | None:
        """Return the map that a text holds: as YAML 1.2 and, in a ConfigMap or Secret, as Go reads it, too. None if it holds none.

        One line of a Secret, as a password, may only look like a map, and what looks like its key must not be named.
        """
        is_layer = self._is_layer(place)
        if place.inner is not None or not (is_layer or "\n" in text or text.lstrip()[:1] == "{"):
            return None
        try:
            clear = self._clear(text, place, after=after)
        except ValueError:
            return None
        if self._as_whole and "\n" not in clear.strip() and not _OF_DOCUMENTS.search(str(place.path[-1])):
            return None
        return _maps_of(clear, is_layer=is_layer)

    def _lists(self, old: list[Any], new: list[Any], before: Place, after: Place) -> Iterator[Change]:
        yield from self._emptied(old, new, before, after)
        partners, are_same = self._partners(old, new, before)
        kept = [(partners[index], index) for index in range(len(new)) if index in partners]
        olds = sorted(one for one, _ in kept)
        moved = {index for (one, index), place in zip(kept, olds, strict=True) if one != place} if are_same else set()
        gone = [index for index in range(len(old)) if index not in {*olds}]
        last = -1  # the index of the element before, in the old list
        for index, value in enumerate(new):
            while gone and index in partners and gone[0] < partners[index]:
                yield self._gone(old, gone.pop(0), index, before, after)
            if index not in partners:
                yield Change(ADDED, before.below(last + 1), after.below(index), ABSENT, value, is_element=True)
                continue
            last = partners[index]
            places = before.below(last), after.below(index)
            if last != index:
                self._after[places[0]], self._before[places[1]] = places[1], places[0]
            if index in moved:
                yield Change(MOVED, *places, old[last], value, order=tuple(kept))
            yield from self._values(old[last], value, *places)
        for one in gone:
            yield self._gone(old, one, len(new), before, after)

    def _gone(self, old: list[Any], index: int, at: int, before: Place, after: Place) -> Change:
        return Change(REMOVED, before.below(index), after.below(at), old[index], ABSENT, is_element=True)

    def _partners(self, old: list[Any], new: list[Any], place: Place) -> tuple[dict[int, int], bool]:
        """Return the index of the old element of each new one that has one, and whether they may have changed places."""
        if touches(self._hidden, place.path):
            return {index: index for index in range(min(len(old), len(new)))}, False
        for names_of in self._identities(place):
            one, other = [*map(names_of, old)], [*map(names_of, new)]
            if None not in one and None not in other and len({*one}) == len(one) and len({*other}) == len(other):
                known = {name: index for index, name in enumerate(one)}
                return {index: known[name] for index, name in enumerate(other) if name in known}, True
        keys = [*map(_spelt, old)], [*map(_spelt, new)]
        if Counter(keys[0]) == Counter(keys[1]):
            waiting: dict[object, list[int]] = {}
            for index, key in enumerate(keys[0]):
                waiting.setdefault(key, []).append(index)
            return {index: waiting[key].pop(0) for index, key in enumerate(keys[1])}, True
        return _in_order(old, new), False

    def _identities(self, place: Place) -> Iterator[Callable[[Any], object]]:
        """Yield functions that return the name of an element, None for one without."""
        if self._pipelines and place.path in _PIPELINE:
            yield lambda one: tuple(_spelt(one.get(key)) for key in _STEP) if isinstance(one, dict) else None
        for key in self._keys:
            yield lambda one, key=key: _scalar(one.get(key)) if isinstance(one, dict) else None  # type: ignore[misc]
        yield (
            lambda one: tuple(_spelt(one.get(key)) for key in _COMPOSED) if isinstance(one, dict) and one.get("name") else None
        )


def _maps_of(text: str, *, is_layer: bool) -> _Maps | None:
    """Return the map that a text holds, in each way in which it is read: as YAML 1.2 and, if it is a layer, as Go reads it. None if it holds none."""
    try:
        found = [decode.data(text + "\n")]
        if is_layer:
            read = goyaml.read(text)
            found += [] if any(lint.kind in _NO_MAP for lint in read.lints) else [read.data]
    except (InputError, ValueError):
        return None
    return found if all(isinstance(one, dict) for one in found) else None  # type: ignore[return-value]


def _has(data: JSON, place: Place) -> bool:
    """Return whether the map of a text has a place: one that is read in two ways may have other keys."""
    return get(data, place.inner or (), ABSENT) is not ABSENT


def _shifted(place: Place, shifts: Mapping[Place, Place]) -> Place:
    """Return a place by the innermost of the elements around it that have another place."""
    one = next((around for around in place.around() if around in shifts), None) if shifts else None
    if one is None:
        return place
    other = shifts[one]
    if one.inner is None:
        return Place((*other.path, *place.path[len(one.path) :]), place.inner)
    return Place(other.path, (*(other.inner or ()), *(place.inner or ())[len(one.inner) :]), other.number)


def _in_order(old: list[Any], new: list[Any]) -> dict[int, int]:
    """Return the partners of elements by a longest common subsequence; between those that both lists have, the others are paired in order."""
    start = 0
    while start < min(len(old), len(new)) and is_same(old[start], new[start]):
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and is_same(old[-1 - end], new[-1 - end]):
        end += 1
    middle = shared(old[start : len(old) - end], new[start : len(new) - end])
    anchors = [(start + one, start + other) for one, other in middle]
    both = [(at, at) for at in range(start)] + anchors
    both += [(len(old) - end + at, len(new) - end + at) for at in range(end)]
    partners = {other: one for one, other in both}
    for (one, other), (last, behind) in pairwise([(-1, -1), *both, (len(old), len(new))]):
        left = zip(range(one + 1, last), range(other + 1, behind), strict=False)
        partners |= {at: index for index, at in left if _form(old[index]) is _form(new[at])}
    return partners


def _form(value: object) -> type:
    return dict if isinstance(value, dict) else list if isinstance(value, list) else str


def _scalar(value: object) -> object:
    return None if value is None or isinstance(value, (dict, list)) else _spelt(value)


def _spelt(value: object) -> object:
    """Return a key for values: equal for those that are the same, as `is_same` has it."""
    if isinstance(value, (dict, list)):
        return key_of(value)
    return _type(value), str(value) if isinstance(value, str) else value


def is_same(one: Any, other: Any) -> bool:
    """Return whether two values are equal, however strings are quoted and keys are ordered; 1 differs from true, and 1.0 from 1."""
    if isinstance(one, dict):
        return isinstance(other, dict) and one.keys() == other.keys() and all(is_same(one[key], other[key]) for key in one)
    if isinstance(one, list):
        return isinstance(other, list) and len(one) == len(other) and all(map(is_same, one, other))
    if isinstance(one, str):
        return isinstance(other, str) and str(one) == str(other)
    return _type(one) is _type(other) and one == other


def _type(value: object) -> type:
    return next((kind for kind in (bool, int, float, str) if isinstance(value, kind)), type(value))


def merge_keys(data: Iterable[JSON]) -> set[str]:
    """Return the keys by which layered-values merges elements of lists, of the `merge` of functionConfigs."""
    found: set[str] = set()
    for one in data:
        for how in _maps_in(get(one, ("spec", "merge"))):
            by = how.get("by")
            found |= {by} if isinstance(by, str) else set()
    return found


def _maps_in(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
    for below in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _maps_in(below)
