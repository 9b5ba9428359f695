"""Why two packages differ: of each difference the edits of the sources that made it.

Candidates are the edits at places that a value was made of, or by which its layers, its object or its steps were chosen. Where there are
several, the packages are rendered with each edit alone, and it shows which of them made the difference.
"""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from krm_values._data.errors import EditError, UserError, address
from krm_values._data.pointer import ABSENT, get
from krm_values._data.record import replace
from krm_values._explain import differences
from krm_values._explain.changed import WHOLE, SourceChange
from krm_values._explain.differences import Cause
from krm_values._explain.hunks import applied
from krm_values._explain.match import CHANGED, MOVED, Pair, Place, is_same
from krm_values._explain.sides import Side
from krm_values._explain.ways import Way
from krm_values._krm import kptfile
from krm_values._krm.item import Item
from krm_values._krm.plan import New

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from krm_values._explain.differences import Difference
    from krm_values._explain.match import Document
    from krm_values._explain.values import FinalValue
    from krm_values._krm.packages import Package
    from krm_values._run.pipeline import Rendered

    Key = tuple[str, int]  # file and index of a document before the first step
    Reach = dict[tuple[Key, Place], str]  # the class of each place

VALUE, LOSER, ENTRY, ORDER, CONFIG, SOURCE, SELECTOR, STEP = (
    *("value", "loser", "entry", "order"),
    *("config", "source", "selector", "step"),
)
_OF_VALUES = (VALUE, LOSER)
_OF_CHOICE = (ENTRY, ORDER, CONFIG, SOURCE, SELECTOR, STEP)
_OF_OBJECTS = (STEP, SOURCE, SELECTOR, CONFIG, ENTRY, ORDER)
ONLY, RENDERED, TOGETHER, ONE_OF, UNKNOWN = "only", "rendered", "together", "one of", "unknown"
NOWHERE = Pair(None, None)
MOST = 8
"""Renders that decide between candidates, at most."""
_NAMED = 4
"""Causes that a line names."""


class _Index:
    """Edits by document and place in one of the states."""

    __slots__ = ("_at", "_below")

    def __init__(self, changes: Sequence[SourceChange], numbers: Iterable[int], *, after: bool) -> None:
        self._at: dict[tuple[Key, Place], list[int]] = {}
        self._below: dict[tuple[Key, Place], list[int]] = {}
        for number in numbers:
            if state := changes[number].in_state(after=after):
                key = state[0].path, state[0].index
                self._at.setdefault((key, state[1]), []).append(number)
                for place in state[1].around():
                    self._below.setdefault((key, place), []).append(number)

    def meeting(self, key: Key, place: Place) -> Iterator[int]:
        """Yield the edits whose place contains this one or is in it."""
        yield from self._below.get((key, place), ())
        for around in place.around():
            yield from self._at.get((key, around), ())


class Causes:
    """Finds the causes of the differences of two packages. roots: the packages. render: renders one in memory, most times at most."""

    def __init__(
        self,
        before: Side,
        after: Side,
        changes: list[SourceChange],
        roots: tuple[Package, Package],
        render: Callable[[Package], Rendered],
        *,
        most: int = MOST,
    ) -> None:
        self._before, self._after, self._roots, self._render, self._left = before, after, roots, render, most
        self.changes = changes
        self.renders = 0
        self._has_winners = False  # whether equal values with other winners are asked for
        self._by_hunk: dict[int, list[int]] = {}
        for number, one in enumerate(changes):
            self._by_hunk.setdefault(one.hunk, []).append(number)
        self._outcomes: dict[tuple[int, bool], set[object] | None] = {}

    def of(self, found: Sequence[Difference]) -> list[Difference]:
        """Return the differences with their causes."""
        both = [(one.before, one.after) for one in found if one.before and one.after]
        self._has_winners = any(is_same(old.value, new.value) for old, new in both)
        known = self._candidates(found)
        groups: dict[tuple[tuple[int, ...], bool], list[int]] = {}
        for number, candidates in enumerate(known):
            is_sure = any(kind in _OF_VALUES or self._is_own(found[number], one) for one, kind in candidates.items())
            groups.setdefault((self._hunks(candidates), is_sure), []).append(number)
        decided: dict[int, tuple[set[int], str]] = {}
        for (hunks, is_sure), members in sorted(groups.items(), key=lambda group: (-len(group[1]), group[1][0])):
            decided |= self._decided(hunks, {number: found[number] for number in members}, is_sure=is_sure)
        return [self._with(one, known[number], *decided[number]) for number, one in enumerate(found)]

    def _is_own(self, one: Difference, number: int) -> bool:
        """Return whether an edit is that of the object that differs."""
        return one.place is None and self._is_beside(one, number)

    def _is_beside(self, one: Difference, number: int) -> bool:
        """Return whether an edit is in the document that differs."""
        pair = self.changes[number].pair
        sides = ((one.pair.before, pair.before), (one.pair.after, pair.after))
        return any(here and there and (here.path, here.index) == (there.path, there.index) for here, there in sides)

    def _hunks(self, candidates: Iterable[int]) -> tuple[int, ...]:
        return tuple(sorted({self.changes[one].hunk for one in candidates}))

    def _with(self, one: Difference, candidates: dict[int, str], hunks: set[int], proof: str) -> Difference:
        numbers = [number for hunk in hunks for number in self._by_hunk[hunk]]
        numbers = [number for number in numbers if number in candidates] or numbers
        listed = ((candidates.get(number) or self._kind_of_any(self.changes[number]), number) for number in sorted(numbers))
        return replace(one, causes=tuple(Cause(kind, self.changes[number], number) for kind, number in listed), proof=proof)

    def _decided(
        self, hunks: tuple[int, ...], members: dict[int, Difference], *, is_sure: bool
    ) -> dict[int, tuple[set[int], str]]:
        """Return the hunks that made each difference, and how that is known. is_sure: whether the value itself was at one of their places.

        Where the candidates do not make it, or are none, any other edit may: an answer that is not complete is corrected by rendering.
        """
        everything = tuple(self._by_hunk)
        likely = ONLY if len(hunks) == 1 else ONE_OF if hunks else UNKNOWN
        decided = dict.fromkeys(members, ({*hunks}, likely))
        if len(everything) == 1:
            return dict.fromkeys(members, ({*everything}, ONLY))
        if len(hunks) == 1 and is_sure:
            return decided
        tried = [(hunks, False), *([(hunks, True)] if is_sure else []), (everything, False), (everything, True)]
        for pool, back in tried:
            if not members or not pool or not self._applied(pool, back=back):
                continue
            for number, one in [*members.items()]:
                if made := {hunk for hunk in pool if self._differs(hunk, one, back=back) == back}:
                    proof = TOGETHER if back else ONLY if made == {*hunks} and len(hunks) == 1 else RENDERED
                    decided[number] = made, proof
                    del members[number]
        return decided

    def _differs(self, hunk: int, one: Difference, *, back: bool) -> bool:
        """Return whether a place is not as in the second state, with one hunk alone or without it."""
        left = self._outcomes[hunk, back]
        return left is None or not left.isdisjoint((one.key, one.key_of_object))

    def _applied(self, hunks: Iterable[int], *, back: bool) -> bool:
        """Render with each hunk alone, or with all but it. Return False if that were too many renders."""
        missing = [hunk for hunk in hunks if (hunk, back) not in self._outcomes]
        if len(missing) > self._left:
            return False
        for hunk in missing:
            self._left -= 1
            self._outcomes[hunk, back] = self._outcome(hunk, back=back)
        return True

    def _outcome(self, hunk: int, *, back: bool) -> set[object] | None:
        """Return what still differs from the second state with one hunk, or without it; None where that cannot be rendered."""
        changes = [self.changes[number] for number in self._by_hunk[hunk]]
        try:
            root = applied(self._roots[back], changes, back=back)
            self.renders += 1
            done = self._render(root)
        except (UserError, EditError, ValueError):
            return None
        if done.failed:
            return None
        left = differences.between(Side(done, show_secrets=True), self._after, lambda _: self._has_winners)
        return {one.key for one in left}

    def _candidates(self, found: Sequence[Difference]) -> list[dict[int, str]]:
        """Return for each difference the edits that may be the cause, with their classes.

        An edit of a layer's value counts for the values that it went into, and not as an edit of what names the layers.
        """
        sides = [
            ((self._before, one.pair.before, one.was or one.place), (self._after, one.pair.after, one.place)) for one in found
        ]
        reached = [[reach(*side) if side[1] else {} for side in both] for both in sides]  # type: ignore[arg-type]
        whole = [_Index(self.changes, range(len(self.changes)), after=after) for after in (False, True)]
        known = [self._met(both, whole, _OF_VALUES) for both in reached]
        taken = {
            number
            for one, candidates in zip(found, known, strict=True)
            for number in candidates
            if not self._is_beside(one, number)
        }
        rest = [number for number in range(len(self.changes)) if number not in taken]
        others = [_Index(self.changes, rest, after=after) for after in (False, True)]
        known = [{**self._met(both, others, _OF_CHOICE), **candidates} for both, candidates in zip(reached, known, strict=True)]
        return [
            candidates if one.place else {number: kind for number, kind in candidates.items() if kind in _OF_OBJECTS}
            for one, candidates in zip(found, known, strict=True)
        ]

    def _met(self, both: Sequence[Reach], indexes: Sequence[_Index], kinds: Collection[str]) -> dict[int, str]:
        """Return the edits at the places of some classes, with the nearest class."""
        found: dict[int, str] = {}
        for reached, index in zip(both, indexes, strict=True):
            for (key, place), kind in reached.items():
                for number in index.meeting(key, place) if kind in kinds else ():
                    found.setdefault(number, self._kind(kind, self.changes[number]))
        return found

    def _kind_of_any(self, change: SourceChange) -> str:
        """Return the class of an edit that is found by rendering alone."""
        if change.document is not None and change.document.item.kind == kptfile.NAME:
            return STEP
        configs = (ran.outcome.place() for side in (self._before, self._after) for ran in side.done.ran)
        places = {_key(place.item) for place in configs if place}
        state = [found for after in (False, True) if (found := change.in_state(after=after))]
        is_config = any((document.path, document.index) in places for document, _ in state)
        return CONFIG if is_config else self._kind(ENTRY, change)

    def _kind(self, kind: str, change: SourceChange) -> str:
        if change.kind == MOVED and kind != STEP:
            return ORDER
        if kind != ENTRY:
            return kind
        top = change.place.path[:2]
        if top in ((), ("kind",), ("apiVersion",)) or top[0] == "metadata":
            return SELECTOR if top == ("metadata", "labels") else SOURCE
        return ENTRY


def of_file(kind: str, path: str, number: int) -> tuple[SourceChange, Difference]:
    """Return a file that is no YAML and differs, as an edit of this number and as a difference of which it is the cause."""
    change = SourceChange(kind, NOWHERE, None, -number, path)
    cause = Cause(SOURCE, change, number)
    return change, differences.Difference(kind, NOWHERE, None, None, None, None, path, (cause,), ONLY)


def because_of(one: Difference, mark: Callable[[str], str] = str) -> str:
    """Return the causes as words. mark: makes a place of its text."""
    if one.causes is None:
        return ""
    if not one.causes:
        return "cause unknown"
    found: dict[str, str] = {}
    for cause in one.causes:
        place, change = address(*cause.change.at), cause.change
        was = found.get(place, "")
        found[place] = f" {CHANGED}" if was else f"{' (A)' if change.is_before else ''} {change.kind}"
    named = [f"{mark(place)}{what}" for place, what in [*found.items()][:_NAMED]]
    named += [f"{len(found) - _NAMED:,} more"] if len(found) > _NAMED else []
    if one.proof == ONE_OF:
        return f"because one of {', '.join(named)}"
    return f"because {' and '.join(named)}" + (" together" if one.proof == TOGETHER else "")


# Which places a value was made of, and by which it was chosen.


def reach(side: Side, document: Document, place: Place | None) -> Reach:
    """Return the places before the first step that a value depends on, or (without a place) an object; the nearest class of each."""
    found: Reach = {}
    steps: dict[int, None] = {}
    if place is None:
        values = [*side.decided(document).values()]
    else:
        near = side.near(document, place)
        values = [near] if near else side.below(document, place)
    for value in values:
        steps[value.step] = None
        rest = () if place is None else _rest(value, place)
        for number, way in enumerate(value.ways):
            kind = SOURCE if place is None else LOSER if number else VALUE
            for one in way.all():
                _add(found, one, rest, kind)
                steps.update({one.step: None} if one.step >= 0 else {})
    made = side.trace.maker(document.item)
    if made is not None:
        steps[made[0]] = None
        found_copy = None if values else side.trace.generated(document.item, place.path if place else ())
        for one in found_copy[2].all() if found_copy and found_copy[2] else ():
            _add(found, one, (), SOURCE if place is None else VALUE)
    elif place is None:
        found.setdefault(((document.path, document.index), WHOLE), SOURCE)
    elif not values:
        source = side.source(document)
        is_there = source is not None and get(source.data, place.path, ABSENT) is not ABSENT
        found.setdefault(((document.path, document.index), place if is_there else WHOLE), VALUE if is_there else ENTRY)
        steps.update({} if is_there else dict.fromkeys(side.trace.touching(document.item)))
    _add_objects(found, side, document, values)
    for number in steps:
        _add_step(found, side, number)
    return found


def _rest(value: FinalValue, place: Place) -> tuple[str | int, ...]:
    """Return the path from a decided value to a place within it."""
    if value.inner is None and place.inner is not None:
        return ()
    return (*place.path[len(value.path) :], *(place.inner or ())[len(value.inner or ()) :])


def _add(found: Reach, way: Way, rest: tuple[str | int, ...], kind: str) -> None:
    """Add the place of a layer, as deep as it has what is asked for; and the object for which an earlier step generated it."""
    origin = way.origin
    if not isinstance(origin.item, Item):
        return
    at = Place(origin.path, origin.inner)
    if rest and isinstance(origin.value, dict | list) and get(origin.value, rest, ABSENT) is not ABSENT:
        at = at.below(*rest)
    found.setdefault((_key(origin.item), at), kind)


def _add_objects(found: Reach, side: Side, document: Document, values: Sequence[FinalValue]) -> None:
    """Add the objects for which the document and those on the ways of its values were generated, and what selects the others."""
    items: list[Item] = [document.item]
    items += [
        one.origin.item for value in values for way in value.ways for one in way.all() if isinstance(one.origin.item, Item)
    ]
    for value in values:
        source: Item | New | None = value.item
        while isinstance(source, New):
            source = source.source
        items += [source] if source else []
    for item in {id(one): one for one in items}.values():
        found.setdefault((_key(item), Place(("metadata",))), ENTRY)
        made = side.trace.maker(item)
        for one in made[1].all() if made and made[1] else ():
            if isinstance(one.origin.item, Item):
                found.setdefault((_key(one.origin.item), WHOLE), ENTRY)
    for value in values:
        source = value.item
        while isinstance(source, New):
            source = source.source
        if source is not None and source is not value.item:
            found.setdefault((_key(source), WHOLE), ENTRY)


def _add_step(found: Reach, side: Side, number: int) -> None:
    """Add the entry of a step in its Kptfile, and its functionConfig."""
    task = side.done.ran[number].task
    found.setdefault(((posixpath.join(task.package, kptfile.NAME), 0), Place(task.step.path)), STEP)
    place = side.done.ran[number].outcome.place()
    if place is not None and place.step is None:
        found.setdefault((_key(place.item), WHOLE), CONFIG)


def _key(item: Item) -> Key:
    return item.position.path, item.position.index
