"""The differences of two rendered packages: objects and leaves that came, went or changed, elements that moved, and values with another winner."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from krm_values._data.errors import address
from krm_values._data.pointer import ABSENT, get
from krm_values._data.record import record, replace
from krm_values._explain import match
from krm_values._explain.comparer import ADDED, CHANGED, MOVED, REMOVED, Comparer, Place, is_same, merge_keys
from krm_values._explain.match import Document
from krm_values._explain.sides import configs
from krm_values._explain.text import has_texts, path_of
from krm_values._krm import findings
from krm_values._krm.item import Item
from krm_values._run.texts import values_at

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._explain.changed import SourceChange
    from krm_values._explain.match import Pair
    from krm_values._explain.model import Cell
    from krm_values._explain.sides import ComparedValue, Side

WINNER = "winner"
_INDEX = re.compile(r"\[\d+\]")


@record
class Cause:
    """An edit that made a difference. kind: how it bears on the value. number: its index among all edits."""

    kind: str
    change: SourceChange
    number: int


@record
class Difference:
    """One difference: of an object (place is None) or of a place in it. before, after: the value in each state, None where there is none.

    was: the place in the first state, if that has it. file: of a file that is no YAML. causes, proof: None if they are not asked for.
    """

    kind: str
    pair: Pair
    place: Place | None
    was: Place | None
    before: ComparedValue | None
    after: ComparedValue | None
    file: str = ""
    causes: tuple[Cause, ...] | None = None
    proof: str = ""

    @property
    def document(self) -> Document | None:
        """The document in the state that has it, the second if both have."""
        return self.pair.after or self.pair.before

    @property
    def title(self) -> str:
        return findings.title(self.document.item) if self.document else self.file

    @property
    def is_equal(self) -> bool:
        """Whether the data are equal, and only come from another place."""
        return self.kind == WINNER

    @property
    def key(self) -> tuple[object, ...]:
        """What the same difference has between other states of the package."""
        return self.document.header if self.document else self.file, self.place

    @property
    def key_of_object(self) -> tuple[object, ...]:
        """What a difference of the whole object has."""
        return self.key[0], None

    @property
    def winner(self) -> str:
        """The layer at the end of the value's way, with its place, if that was another one before."""
        old, new = (one.end if one else None for one in (self.before, self.after))
        if self.after is None or old is None or new is None or _origin(old) == _origin(new):
            return ""
        file, line = self.after.at
        return f"{new.layer} {address(file, line) if line else ''}".rstrip()

    def field(self, *, names_text: bool = False) -> str:
        """Return the path of the value, within its text if it is in one; "" for an object. names_text: name the field of the text, too."""
        return "" if self.place is None else path_of(self.place.path, self.place.inner, names_text=names_text)


def named(found: Sequence[Difference]) -> Iterator[tuple[Difference, str]]:
    """Yield the differences with their paths: with the field of the text, where an object has differences in several texts."""
    places: dict[str, list[tuple[Path, Path | None]]] = {}
    for one in found:
        places.setdefault(one.title, []).extend([(one.place.path, one.place.inner)] if one.place else ())
    names_text = {title: has_texts(at) for title, at in places.items()}
    return ((one, one.field(names_text=names_text[one.title])) for one in found)


def between(before: Side, after: Side, has_winners: Callable[[Pair], bool] = lambda _: True) -> list[Difference]:
    """Return the differences by document, in the order of the second state, and then by path.

    has_winners: whether to compare the winners of a document's values, too.
    """
    comparer = Comparer(merge_keys(one.item.data for one in configs(before, after)))
    found: list[Difference] = []
    pairs = match.documents(before.documents, after.documents)
    partners = _Partners(before, after)
    for pair in pairs:
        if pair.before is None or pair.after is None:
            found.append(Difference(REMOVED if pair.after is None else ADDED, pair, None, None, None, None))
            continue
        different = [] if pair.is_equal else [*_once([*_leaves(comparer, pair, before, after)])]
        if has_winners(pair):
            known = {one.place for one in different if one.place}
            different += _winners(pair, (before, after), known, partners, None if pair.is_equal else comparer)
        # whatever is equal: the order must tell nothing of hidden values
        found += sorted(different, key=lambda one: _order_of_place(one.place) if one.place else [])
    return found


def _leaves(comparer: Comparer, pair: Pair, before: Side, after: Side) -> Iterator[Difference]:
    """Yield the leaves of a document that differ, and the elements that moved."""
    one, other = pair.before, pair.after
    if one is None or other is None:
        return
    for change in comparer.changes(pair, one.item.data, other.item.data):
        if change.kind == MOVED:
            sides = before.value(one, change.before, change.old), after.value(other, change.after, change.new)
            yield Difference(MOVED, pair, change.after, change.before, *sides)
            continue
        old, new = (
            [] if value is ABSENT else [*comparer.leaves(value, at, after=bool(number))]
            for number, (at, value) in enumerate(change.sides())
        )
        if len(old) == len(new) == 1 and (old[0][0], new[0][0]) == (change.before, change.after):
            sides = before.value(one, *old[0]), after.value(other, *new[0])
            yield Difference(CHANGED, pair, change.after, change.before, *sides)
            continue
        for place, value in new:
            yield Difference(ADDED, pair, place, None, None, after.value(other, place, value))
        for place, value in old:
            yield Difference(REMOVED, pair, place, place, before.value(one, place, value), None)


def _once(found: list[Difference]) -> Iterator[Difference]:
    """Yield the differences with one for each place: where an element went and another one came, the leaves that both have are changed or equal."""
    gone = {one.place: one for one in found if one.kind == REMOVED}
    came = {one.place for one in found if one.kind == ADDED and one.place in gone}
    for one in found:
        if one.place not in came or one.kind not in (ADDED, REMOVED):
            yield one
            continue
        other = gone[one.place]
        if one.kind == ADDED and other.before and one.after and not is_same(other.before.value, one.after.value):
            yield replace(one, kind=CHANGED, was=one.place, before=other.before)


class _Partners:
    """The documents before the first step that are the same in both states."""

    __slots__ = ("_after", "_before", "_found")

    def __init__(self, before: Side, after: Side) -> None:
        self._before, self._after = before, after
        self._found: dict[tuple[str, int], tuple[str, int]] | None = None

    def of(self, path: str, index: int) -> tuple[str, int]:
        """Return file and index in the second state of a document of the first one."""
        if self._found is None:
            pairs = match.documents(self._before.sources, self._after.sources)
            both = ((pair.before, pair.after) for pair in pairs)
            self._found = {(one.path, one.index): (other.path, other.index) for one, other in both if one and other}
        return self._found.get((path, index), ("", -1))


def _winners(
    pair: Pair, sides: tuple[Side, Side], known: set[Place], partners: _Partners, comparer: Comparer | None
) -> Iterator[Difference]:
    """Yield the equal values that another place wins. known: where values differ. comparer: of the document, None if its states are equal."""
    one, other = pair.before, pair.after
    if one is None or other is None:
        return
    before, after = sides
    old, new = ({Place(*at) for at in side.decided(document)} for side, document in ((before, one), (after, other)))
    if comparer is not None:
        old = {comparer.after(place) for place in old}
    texts: tuple[dict[Path, JSON], dict[Path, JSON]] = {}, {}
    above = {around for at in known for around in at.around()}
    for place in sorted(old | new, key=_order_of_place):
        if place in above or not known.isdisjoint(place.around()):
            continue
        was_at = comparer.before(place) if comparer else place
        was, now = _at(one.item.data, was_at, texts[0]), _at(other.item.data, place, texts[1])
        if was is ABSENT or now is ABSENT or not is_same(was, now):
            continue
        entries = before.value(one, was_at, was), after.value(other, place, now)
        if _winner(entries[0], partners) != _winner(entries[1]):
            hides = entries[0].hidden or entries[1].hidden  # that two hidden values are equal must not be told
            yield Difference(CHANGED if hides else WINNER, pair, place, was_at, *entries)


def _order_of_place(place: Place) -> list[tuple[int, str]]:
    return [(part, "") if isinstance(part, int) else (-1, part) for part in (*place.path, *(place.inner or ()))]


def _at(data: JSON, place: Place, texts: dict[Path, JSON]) -> Any:
    if place.inner is None:
        return get(data, place.path, ABSENT)
    if place.path not in texts:
        texts[place.path] = values_at(data, place.path)
    return get(texts[place.path], place.inner, ABSENT)


def _winner(entry: ComparedValue, partners: _Partners | None = None) -> object:
    """Return the winning place without indexes of elements, since earlier ones may have been added; of what has none, the layer.

    partners: turns a document of the first state into that of the second.
    """
    end = entry.end
    if end is None:
        return None
    if not isinstance(end.item, Item):
        return _INDEX.sub("", end.layer)
    at = end.item.position.path, end.item.position.index
    return (partners.of(*at) if partners else at), *_named(end)


def _origin(end: Cell) -> tuple[object, ...]:
    """Return the object and the field of a layer, in whatever file, without the layer's index."""
    title = findings.title(end.item) if end.item else ""
    file = end.item.position.source if isinstance(end.item, Item) else ""
    return "" if title.strip() else file, title, *_named(end)


def _named(end: Cell) -> tuple[object, ...]:
    """Return the place of a layer without the indexes of list elements."""
    return tuple(tuple(part for part in path if isinstance(part, str)) for path in (end.path, end.inner or ()))
