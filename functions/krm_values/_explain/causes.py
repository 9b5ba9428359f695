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
from krm_values._explain.match import MOVED, Pair, Place
from krm_values._explain.sides import Side
from krm_values._explain.ways import Way
from krm_values._krm import kptfile
from krm_values._krm.item import Item
from krm_values._krm.plan import New

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

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
_OF_OBJECTS = (STEP, SOURCE, SELECTOR, CONFIG, ENTRY, ORDER)
ONLY, RENDERED, TOGETHER, ONE_OF, UNKNOWN = "only", "rendered", "together", "one of", "unknown"
NOWHERE = Pair(None, None)
MOST = 8
"""Renders that decide between candidates, at most."""
_NAMED = 4
"""Causes that a line names."""


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
        self._by_document: tuple[dict[Key, list[int]], dict[Key, list[int]]] = {}, {}
        for number, one in enumerate(self.changes):
            for after_it, known in enumerate(self._by_document):
                if found := one.in_state(after=bool(after_it)):
                    known.setdefault((found[0].path, found[0].index), []).append(number)
        self._outcomes: dict[tuple[int, bool], set[object] | None] = {}

    def of(self, found: Sequence[Difference]) -> list[Difference]:
        """Return the differences with their causes."""
        known = [self._candidates(one) for one in found]
        everything = {number: self._kind_of_any(one) for number, one in enumerate(self.changes)}
        unreached = {number for number, candidates in enumerate(known) if not candidates}
        known = [candidates or everything for candidates in known]
        groups: dict[tuple[int, ...], list[int]] = {}
        for number, candidates in enumerate(known):
            groups.setdefault(tuple(sorted({self.changes[one].hunk for one in candidates})), []).append(number)
        decided: dict[int, tuple[dict[int, str], str]] = {}
        for hunks, members in sorted(groups.items(), key=lambda group: (-len(group[1]), group[1][0])):
            for number in members:
                decided[number] = known[number], UNKNOWN if not hunks else ONLY
            if len(hunks) > 1:
                self._decide(hunks, members, found, decided)
            for number in members:
                if number in unreached and decided[number][1] == ONE_OF:
                    decided[number] = {}, UNKNOWN
        return [self._with(one, *decided[number]) for number, one in enumerate(found)]

    def _with(self, one: Difference, candidates: dict[int, str], proof: str) -> Difference:
        listed = tuple(Cause(kind, self.changes[number], number) for number, kind in sorted(candidates.items()))
        return replace(one, causes=listed, proof=proof)

    def _decide(
        self,
        hunks: tuple[int, ...],
        members: list[int],
        found: Sequence[Difference],
        decided: dict[int, tuple[dict[int, str], str]],
    ) -> None:
        """Choose between hunks by rendering; what is not decided is one of them."""
        alone = self._applied(hunks, back=False)
        open_ones = []
        for number in members:
            made = {hunk for hunk in hunks if alone and not self._differs(hunk, found[number], back=False)}
            if made:
                decided[number] = self._of_hunks(decided[number][0], made), RENDERED
            else:
                open_ones.append(number)
                decided[number] = decided[number][0], ONE_OF
        if not alone or not open_ones or not self._applied(hunks, back=True):
            return
        for number in open_ones:
            needed = {hunk for hunk in hunks if self._differs(hunk, found[number], back=True)}
            if needed:
                decided[number] = self._of_hunks(decided[number][0], needed), TOGETHER

    def _of_hunks(self, candidates: dict[int, str], hunks: set[int]) -> dict[int, str]:
        return {number: kind for number, kind in candidates.items() if self.changes[number].hunk in hunks}

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
        changes = [one for one in self.changes if one.hunk == hunk]
        try:
            root = applied(self._roots[back], changes, back=back)
            self.renders += 1
            done = self._render(root)
        except (UserError, EditError, ValueError):
            return None
        if done.failed:
            return None
        return {one.key for one in differences.between(Side(done, show_secrets=True), self._after)}

    def _candidates(self, one: Difference) -> dict[int, str]:
        """Return the edits that may be the cause, with their classes."""
        found: dict[int, str] = {}
        sides = ((self._before, one.pair.before, one.was or one.place), (self._after, one.pair.after, one.place))
        for (side, document, place), known in zip(sides, self._by_document, strict=True):
            if document is None:
                continue
            for (key, at), kind in reach(side, document, place).items():
                for number in known.get(key, ()):
                    state = self.changes[number].in_state(after=side is self._after)
                    if state and state[1].meets(at):
                        found.setdefault(number, self._kind(kind, self.changes[number]))
        if one.place is None:
            return {number: kind for number, kind in found.items() if kind in _OF_OBJECTS}
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
    named = [_cause(cause, mark) for cause in one.causes[:_NAMED]]
    named += [f"{len(one.causes) - _NAMED:,} more"] if len(one.causes) > _NAMED else []
    if one.proof == ONE_OF:
        return f"because one of {', '.join(named)}"
    return f"because {' and '.join(named)}" + (" together" if one.proof == TOGETHER else "")


def _cause(cause: Cause, mark: Callable[[str], str]) -> str:
    change = cause.change
    state = " (A)" if change.is_before else ""
    return f"{mark(address(*change.at))}{state} {change.kind}"


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
    made = side.trace.generated(document.item, place.path if place else ())
    if made is not None:
        steps[made[0]] = None
        copied = () if values or made[2] is None else made[2].all()
        for one in copied:
            _add(found, one, (), SOURCE if place is None else VALUE)
    elif not values:
        found.setdefault(((document.path, document.index), place or WHOLE), SOURCE if place is None else VALUE)
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
        made = side.trace.generated(item, ())
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
