"""Why two packages differ: of each difference the edits of the sources that made it.

Candidates are the edits at places that a value was made of, or by which its layers, its object or its steps were chosen. Where there are
several, the packages are rendered with each edit alone, and it shows which of them made the difference.
"""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from krm_values._data.errors import EditError, UserError, address
from krm_values._data.pointer import ABSENT, get
from krm_values._data.record import record, replace
from krm_values._explain import differences
from krm_values._explain.changed import WHOLE, SourceChange
from krm_values._explain.comparer import CHANGED, MOVED, REMOVED, Place
from krm_values._explain.differences import Cause
from krm_values._explain.hunks import applied
from krm_values._explain.match import Pair
from krm_values._explain.sides import Side
from krm_values._krm import findings, kptfile, places
from krm_values._krm.item import Item, is_secret

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from krm_values._data.pointer import Path
    from krm_values._explain.differences import Difference
    from krm_values._explain.match import Document
    from krm_values._explain.model import Cell, Reference, Value
    from krm_values._krm.packages import Package
    from krm_values._krm.plan import New
    from krm_values._run.pipeline import Rendered

    Key = tuple[str, int]  # file and index of a document before the first step

VALUE, LOSER, ENTRY, ORDER, CONFIG, SOURCE, SELECTOR, STEP = (
    *("value", "loser", "entry", "order"),
    *("config", "source", "selector", "step"),
)
_OF_VALUES = (VALUE, LOSER)
_OF_CHOICE = (ENTRY, ORDER, CONFIG, SOURCE, SELECTOR, STEP)
_OF_OBJECTS = (STEP, SOURCE, SELECTOR, CONFIG, ENTRY, ORDER)
_CLASSES = {"entry": ENTRY, "config": CONFIG, "selector": CONFIG, "source": SOURCE}
"""The class of each kind of reference but a step."""
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


@record
class _Outcome:
    """What a render with one edit, or without it, leaves of the differences.

    left: those from the second state. gone: what the first state has and this one has not, by its place in the first: where an element has gone,
    another one may be at its index. None if that is not asked for.
    """

    left: set[object]
    gone: set[object] | None


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
        self._has_gone = False  # whether values in elements that are gone are asked for
        self._by_hunk: dict[int, list[int]] = {}
        for number, one in enumerate(changes):
            self._by_hunk.setdefault(one.hunk, []).append(number)
        self._objects = {
            (one.kind, one.document.path, one.document.index): number
            for number, one in enumerate(changes)
            if one.change is None and one.document is not None
        }
        self._outcomes: dict[tuple[int, bool], _Outcome | None] = {}

    def of(self, found: Sequence[Difference]) -> list[Difference]:
        """Return the differences with their causes."""
        self._has_winners = any(one.is_equal for one in found)
        self._has_gone = any(one.kind == REMOVED and _is_in_list(one.place) for one in found)
        known = [self._nearest(*both) for both in zip(found, self._candidates(found), strict=True)]
        groups: dict[tuple[tuple[int, ...], bool, bool], list[int]] = {}
        for number, candidates in enumerate(known):
            values = () if self._has_moved(found[number]) else _OF_VALUES
            is_sure = any(
                (kind in values and not self._stays(found[number], one)) or self._is_own(found[number], one)
                for one, kind in candidates.items()
            )
            is_removed = any(self._is_own(found[number], one) for one in candidates)
            is_gone = found[number].kind == REMOVED and not is_removed  # each of several edits may take away what is there
            is_open = is_gone or self._is_in_another_element(found[number])
            groups.setdefault((self._hunks(candidates), is_sure and not is_open, is_open), []).append(number)
        decided: dict[int, tuple[set[int], str]] = {}
        for (hunks, is_sure, is_open), members in sorted(groups.items(), key=lambda group: (-len(group[1]), group[1][0])):
            named = {number: found[number] for number in members}
            decided |= self._decided(hunks, named, is_sure=is_sure, tries_all=is_open)
        return [self._with(one, known[number], *decided[number]) for number, one in enumerate(found)]

    def _nearest(self, one: Difference, candidates: dict[int, str]) -> dict[int, str]:
        """Return the edits that may be the cause: of an object that somebody added or removed, that."""
        number = (
            self._objects.get((one.kind, one.document.path, one.document.index)) if one.document and not one.place else None
        )
        return candidates if number is None else {number: SOURCE}

    @staticmethod
    def _has_moved(one: Difference) -> bool:
        """Return whether a value was written at another place in each state: something else may have let the other one win."""
        both = ((one.before, one.pair.before), (one.after, one.pair.after))
        ends = [(value.end, document) for value, document in both if value is not None and value.end is not None]
        found = [(end.path, end.inner, _object_of(end, document)) for end, document in ends]
        return len(found) == 2 and found[0] != found[1]

    def _is_in_another_element(self, one: Difference) -> bool:
        """Return whether a value is in an element that is another one than before: whatever a layer's elements are known by may have let it there."""
        return _is_in_list(one.place) and (one.before is None or one.after is None or self._has_moved(one))

    def _stays(self, one: Difference, number: int) -> bool:
        """Return whether a value comes or goes, and what is edited is there in both states: something else may have taken or left it."""
        change = self.changes[number]
        return (one.before is None) != (one.after is None) and all(change.in_state(after=after) for after in (False, True))

    def _is_own(self, one: Difference, number: int) -> bool:
        """Return whether an edit adds or removes the object that comes or goes; one of its values need not be why."""
        return one.place is None and self.changes[number].change is None and self._is_beside(one, number)

    def _is_beside(self, one: Difference, number: int) -> bool:
        """Return whether an edit is in the document that differs."""
        pair = self.changes[number].pair
        sides = ((one.pair.before, pair.before), (one.pair.after, pair.after))
        return any(here and there and (here.path, here.index) == (there.path, there.index) for here, there in sides)

    def _hunks(self, candidates: Iterable[int]) -> tuple[int, ...]:
        return tuple(sorted({self.changes[one].hunk for one in candidates}))

    def _with(self, one: Difference, candidates: dict[int, str], hunks: set[int], proof: str) -> Difference:
        numbers: list[int] = []
        for hunk in hunks:
            numbers += [number for number in self._by_hunk[hunk] if number in candidates] or self._by_hunk[hunk]
        listed = ((candidates.get(number) or self._kind_of_any(self.changes[number]), number) for number in sorted(numbers))
        return replace(one, causes=tuple(Cause(kind, self.changes[number], number) for kind, number in listed), proof=proof)

    def _decided(
        self, hunks: tuple[int, ...], members: dict[int, Difference], *, is_sure: bool, tries_all: bool
    ) -> dict[int, tuple[set[int], str]]:
        """Return the hunks that made each difference, and how that is known.

        is_sure: whether the value itself was at one of their places. tries_all: whether any edit beside them may have made it as well.

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
        tried = [(everything, False), *tried] if tries_all else tried
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
        outcome = self._outcomes[hunk, back]
        if outcome is None:
            return True
        if outcome.gone is not None and one.kind == REMOVED and one.place is not None:
            return _key_before(one) not in outcome.gone
        return not outcome.left.isdisjoint((one.key, one.key_of_object))

    def _applied(self, hunks: Iterable[int], *, back: bool) -> bool:
        """Render with each hunk alone, or with all but it. Return False if that were too many renders."""
        missing = [hunk for hunk in hunks if (hunk, back) not in self._outcomes]
        if len(missing) > self._left:
            return False
        for hunk in missing:
            self._left -= 1
            self._outcomes[hunk, back] = self._outcome(hunk, back=back)
        return True

    def _outcome(self, hunk: int, *, back: bool) -> _Outcome | None:
        """Return what there is with one hunk, or without it; None where that cannot be rendered."""
        changes = [self.changes[number] for number in self._by_hunk[hunk]]
        try:
            root = applied(self._roots[back], changes, back=back)
            self.renders += 1
            done = self._render(root)
        except (UserError, EditError, ValueError):
            return None
        if done.failed:
            return None
        side = Side(done, show_secrets=self._after.shows_secrets)
        left = differences.between(side, self._after, lambda pair: self._has_winners or _hides(pair))
        gone = differences.between(self._before, side, lambda _: False) if self._has_gone else None
        return _Outcome(
            {one.key for one in left if self._has_winners or not one.is_equal},
            None if gone is None else {_key_before(one) for one in gone if one.kind == REMOVED},
        )

    def _candidates(self, found: Sequence[Difference]) -> list[dict[int, str]]:
        """Return for each difference the edits that may be the cause, with their classes.

        An edit of a layer's value counts for the values that it went into, and not as an edit of what names the layers.
        """
        sides = [
            ((self._before, one.pair.before, one.was or one.place), (self._after, one.pair.after, one.place)) for one in found
        ]
        reached = [[reach(side, document, place) if document else Reach() for side, document, place in both] for both in sides]
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
        for after, (reached, index) in enumerate(zip(both, indexes, strict=True)):
            for (key, place), kind in reached.places.items():
                for number in index.meeting(key, place) if kind in kinds else ():
                    state = self.changes[number].in_state(after=bool(after))
                    if number not in found and state and not reached.is_of_another(key, state[1].path):
                        found[number] = self._kind(kind, self.changes[number])
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
    return f"because {' and '.join(named)}" + (" together" if one.proof == TOGETHER and len(named) > 1 else "")


def _is_in_list(place: Place | None) -> bool:
    """Return whether a place is an element of a list, or in one."""
    return place is not None and any(isinstance(part, int) for part in (*place.path, *(place.inner or ())))


def _key_before(one: Difference) -> tuple[object, ...]:
    """Return what something that is gone has between the first state and any other one."""
    return one.pair.before.header if one.pair.before else one.file, one.place


def _hides(pair: Pair) -> bool:
    """Return whether a document has hidden values: of those an equal one from elsewhere is another one, because that they are equal must not be told."""
    return any(is_secret(one.item) or one.item.withheld for one in (pair.before, pair.after) if one is not None)


def _object_of(end: Cell, document: Document | None) -> str:
    """Return the object in which a value was written; "" for the one that has it, which may have another name in the other state."""
    if end.item is None or (
        document is not None and isinstance(end.item, Item) and _key(end.item) == (document.path, document.index)
    ):
        return ""
    return findings.title(end.item)


# Which places a value was made of, and by which it was chosen.


class Reach:
    """The places before the first step that a value depends on, or an object; the nearest class of each.

    Of a list that names layers, only the entries of those that have the value count, where all of them are known.
    """

    __slots__ = ("_lists", "_within", "places")

    def __init__(self) -> None:
        self.places: dict[tuple[Key, Place], str] = {}
        self._lists: set[tuple[Key, Path]] = set()
        self._within: set[tuple[Key, Path]] = set()

    def add(self, item: Item, place: Place, kind: str) -> None:
        """Add a place of a document; one of a list names a layer."""
        self._put(_key(item), place, kind)

    def add_step(self, side: Side, number: int) -> None:
        """Add the entry of a step in its Kptfile."""
        task = side.done.ran[number].task
        self._put((posixpath.join(task.package, kptfile.NAME), 0), Place(task.step.path), STEP)

    def add_around(self, item: Item, place: Place, kind: str) -> None:
        """Add a part of a document, of which anything may count but the entries of layers without the value."""
        self.places.setdefault((_key(item), place), kind)

    def add_lists(self, references: Iterable[Reference]) -> None:
        """Add the lists whose entries are known."""
        named = [place for one in references if one.item for place in ((one.item, one.path), one.read) if place]
        self._lists |= {(_key(item), path[:-1]) for item, path in named if isinstance(path[-1], int)}

    def _put(self, key: Key, place: Place, kind: str) -> None:
        self.places.setdefault((key, place), kind)
        self._within.update((key, place.path[:size]) for size in range(len(place.path) + 1))

    def is_of_another(self, key: Key, path: Path) -> bool:
        """Return whether a place is within the entry of a layer that does not have the value."""
        return any(
            (key, path[:size]) in self._lists and (key, path[: size + 1]) not in self._within for size in range(len(path))
        )


def reach(side: Side, document: Document, place: Place | None) -> Reach:
    """Return the places that a value depends on, or (without a place) an object."""
    found = Reach()
    steps: dict[int, None] = {}
    near = None if place is None else side.near(document, place)
    decided = [near] if near else [*side.decided(document).values()] if place is None else side.below(document, place)
    values = [side.ledger.value(one) for one in decided]
    made = side.trace.maker(document.item)
    copied = () if values or made is None else side.ledger.copied(document.item, place.path if place else ())
    cells: list[tuple[str, Cell, Path]] = [(SOURCE if place is None else VALUE, one, ()) for one in copied]
    for value in values:
        steps[value.step] = None
        rest = () if place is None else _rest(value, place)
        kinds = (SOURCE,) if place is None else (VALUE, LOSER)
        cells += [(kinds[min(rank, len(kinds) - 1)], one, rest) for rank, one in enumerate(value.cells)]
    all_cells = [(kind, one, rest) for kind, cell, rest in cells for one in cell.all()]
    for kind, cell, rest in all_cells:
        _add(found, cell, rest, kind, side.ledger.number(cell))
        steps.update(dict.fromkeys(one for one in (cell.step, *(hop.step for hop in cell.way)) if one >= 0))
    if made is not None:
        steps[made[0]] = None
    elif place is None:
        found.add(document.item, WHOLE, SOURCE)
    elif not values:
        source = side.source(document)
        is_there = source is not None and get(source.data, place.path, ABSENT) is not ABSENT
        found.add(document.item, place if is_there else WHOLE, VALUE if is_there else ENTRY)
        steps.update({} if is_there else dict.fromkeys(side.trace.touching(document.item)))
    _add_references(found, [cell for _, cell, _ in all_cells])
    _add_objects(found, side, [document.item, *(one.item for one in values)], [cell for _, cell, _ in all_cells])
    for number in steps:
        found.add_step(side, number)
        config = side.done.ran[number].outcome.place()
        if config is not None and config.step is None:
            found.add_around(config.item, WHOLE, CONFIG)
    return found


def _rest(value: Value, place: Place) -> Path:
    """Return the path from a decided value to a place within it."""
    if value.inner is None and place.inner is not None:
        return ()
    return (*place.path[len(value.path) :], *(place.inner or ())[len(value.inner or ()) :])


def _add(found: Reach, cell: Cell, rest: Path, kind: str, number: int) -> None:
    """Add the place of a cell and those on its way, as deep as it has what is asked for. number: of the YAML document of the text of the cell."""
    is_deep = rest and isinstance(cell.value, (dict, list)) and get(cell.value, rest, ABSENT) is not ABSENT
    for hop, (item, path, inner) in enumerate(cell.places()):
        if isinstance(item, Item):
            place = Place(path, inner, 0 if hop else number)
            found.add(item, place.below(*(rest if is_deep else ())), kind)


def _add_references(found: Reach, cells: Sequence[Cell]) -> None:
    """Add the places that say why a layer is there. Other entries of their lists do not count, if each layer has one."""
    references = {id(one): one for cell in cells for one in cell.because}
    for one in references.values():
        if one.item is not None:
            found.add(one.item, Place(one.path, one.inner), _CLASSES[one.kind])
        if one.read is not None:
            found.add(one.read[0], Place(one.read[1]), _CLASSES[one.kind])
    if all(any(one.kind in (ENTRY, CONFIG) for one in cell.because) for cell in cells):
        found.add_lists(one for one in references.values() if one.kind in _CLASSES)


def _add_objects(found: Reach, side: Side, objects: Sequence[Item | New], cells: Sequence[Cell]) -> None:
    """Add the objects for which the document and those on the ways of its values were generated, and what selects the others."""
    passed = [*objects, *(item for cell in cells for item, _, _ in cell.places())]
    for item in {id(one): one for one in passed if one is not None}.values():
        made = side.trace.maker(item) if isinstance(item, Item) else (0, item)
        if isinstance(item, Item):
            found.add_around(item, Place(("metadata",)), ENTRY)
        source = places.made_from(made[1]) if made else None
        if source is not None:
            found.add_around(source, WHOLE, ENTRY)


def _key(item: Item) -> Key:
    return item.position.path, item.position.index
