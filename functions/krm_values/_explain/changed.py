"""What differs between the sources of two packages: the edits between them.

A source is what no step writes again: values below undo records and generated objects are none.
"""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from krm_values._data.pointer import ABSENT, get
from krm_values._data.record import record
from krm_values._explain import in_text, match
from krm_values._explain.comparer import ADDED, MOVED, REMOVED, Change, Comparer, Place, merge_keys
from krm_values._explain.sides import configs
from krm_values._krm import kptfile, places
from krm_values._krm.plan import New
from krm_values._run.texts import values_at

if TYPE_CHECKING:
    from collections.abc import Sequence

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._explain.match import Document, Pair
    from krm_values._explain.sides import Side
    from krm_values._explain.steps import ExplainedStep, Key
    from krm_values._run.state import Decision

    _Texts = dict[tuple[Path, int], JSON]  # by field and number of the YAML document of its text

WHOLE = Place(())


@record
class SourceChange:
    """A place that differs in the sources. change: None for a whole document; a Kptfile that moved stands for its package.

    hunk: the number of the edit that it belongs to. file: of what is no YAML. in_file: the path as the file has it, where an earlier run moved it.
    """

    kind: str
    pair: Pair
    change: Change | None
    hunk: int
    file: str = ""
    in_file: Path = ()

    @property
    def is_before(self) -> bool:
        """Whether it is shown as in the first state, since the second has it no more."""
        return self.kind == REMOVED

    @property
    def document(self) -> Document | None:
        return self.pair.before if self.is_before else self.pair.after

    @property
    def place(self) -> Place:
        """The place in the state in which it is shown."""
        if self.change is None:
            return WHOLE
        return self.change.before if self.is_before else self.change.after

    @property
    def at(self) -> tuple[str, int]:
        """File and line."""
        if self.document is None:
            return self.file, 0
        item, place = self.document.item, self.place
        if place.number and item.position.line:
            line = in_text.place(item, self.in_file, place.inner or (), place.number)[0]
        else:
            line = places.of_field(item, (*self.in_file, *(place.inner or ())))[0]
        return self.document.path, line or item.position.line

    def in_state(self, *, after: bool) -> tuple[Document, Place] | None:
        """Return the document and the place in one of the states, None if it is not there."""
        document = self.pair.after if after else self.pair.before
        if document is None or self.kind == (REMOVED if after else ADDED):
            return None
        return document, WHOLE if self.change is None else self.change.after if after else self.change.before


def changed(before: Side, after: Side) -> list[SourceChange]:
    """Return the places that differ, by file and document."""
    comparer = Comparer(merge_keys(one.item.data for one in configs(before, after)), by_leaf=False)
    found: list[SourceChange] = []
    hunks = 0
    made = {one.mark for side in (before, after) for one in side.sources if one.mark and side.trace.is_made(one.item)}
    sources = [[one for one in side.sources if one.mark is None or one.mark not in made] for side in (before, after)]
    for pair in match.documents(*sources):
        one, other = pair.before, pair.after
        if one is None or other is None:
            hunks += 1
            found.append(SourceChange(REMOVED if other is None else ADDED, pair, None, hunks))
            continue
        if one.package != other.package and one.item.kind == kptfile.NAME:
            hunks += 1
            found.append(SourceChange(MOVED, pair, None, hunks))
        if pair.is_equal:
            continue
        states = before.pristine(one), after.pristine(other)
        changes = [*comparer.changes(pair, *states)]
        for change, hunk in zip(changes, _hunks(changes, states), strict=True):
            side, item, path = (
                (before, one.item, change.before.path) if change.kind == REMOVED else (after, other.item, change.after.path)
            )
            found.append(SourceChange(change.kind, pair, change, hunks + hunk, "", side.ledger.in_file(item, path)))
        hunks += len(changes)
    return found


def _hunks(changes: Sequence[Change], states: tuple[JSON, JSON]) -> list[int]:
    """Return the number of the hunk of each change, from 1.

    The order of a list is one, so are the elements that took the place of others, and a map that came or went with all that is in it.
    """
    texts: tuple[_Texts, _Texts] = {}, {}
    removed = {change.before for change in changes if change.kind == REMOVED and change.is_element}
    known: dict[tuple[str, Place], int] = {}
    wholes: dict[tuple[str, Place], int] = {}
    found = []
    for number, change in enumerate(changes, 1):
        if change.kind == MOVED:
            found.append(known.setdefault((MOVED, _above(change.before)), number))
        elif change.is_element:
            found.append(known.setdefault(("", _begin(change.before, removed)), number))
        elif change.kind in (ADDED, REMOVED):
            place, side = (change.before, 0) if change.kind == ADDED else (change.after, 1)
            found.append(wholes.setdefault((change.kind, _missing(place, states[side], texts[side])), number))
        else:
            found.append(number)
    replaced = {hunk for hunk, change in zip(found, changes, strict=True) if change.is_element and change.kind == ADDED}
    return [
        hunk if change.kind == MOVED or hunk in replaced or not change.is_element else number
        for number, (hunk, change) in enumerate(zip(found, changes, strict=True), 1)
    ]


def _missing(place: Place, data: JSON, texts: _Texts) -> Place:
    """Return the outermost place above one that a state does not have, or the place itself. texts: caches what is in its texts."""
    for size in range(1, len(place.path) + (place.inner is not None)):
        if get(data, place.path[:size], ABSENT) is ABSENT:
            return Place(place.path[:size])
    if place.inner is not None:
        key = place.path, place.number
        if key not in texts:
            texts[key] = values_at(data, *key)
        for size in range(1, len(place.inner)):
            if get(texts[key], place.inner[:size], ABSENT) is ABSENT:
                return Place(place.path, place.inner[:size], place.number)
    return place


def _begin(place: Place, removed: set[Place]) -> Place:
    """Return the place of the first of the removed elements that lie side by side."""
    while True:
        *_, index = place.inner or place.path
        before = _above(place).below(int(index) - 1)
        if before not in removed:
            return place
        place = before


def _above(place: Place) -> Place:
    """Return the list of an element."""
    return Place(place.path, place.inner[:-1], place.number) if place.inner else Place(place.path[:-1], place.inner)


class Touched:
    """The documents of two rendered packages whose values may have other winners, since a source of them was edited."""

    __slots__ = ("_after", "_before")

    def __init__(self, before: Side, after: Side, changes: Sequence[SourceChange]) -> None:
        pairs = [one.pair for one in changes]
        self._before = _touched(before, {(one.before.path, one.before.index) for one in pairs if one.before})
        self._after = _touched(after, {(one.after.path, one.after.index) for one in pairs if one.after})

    def has(self, pair: Pair) -> bool:
        """Return whether the winners of a document may differ."""
        sides = ((pair.before, self._before), (pair.after, self._after))
        return any(one is not None and not found.isdisjoint(_keys(one)) for one, found in sides)


def _keys(document: Document) -> tuple[Key, Key]:
    item = document.item
    named = "named", document.path, item.api_version, item.kind, item.namespace, item.name
    return ("at", document.path, document.index), named


def _touched(side: Side, edited: set[tuple[str, int]]) -> set[Key]:
    """Return the documents that were edited or into which a step wrote values from such ones, by the keys of steps."""
    found: set[Key] = {("at", *at) for at in edited}
    for number, ran in enumerate(side.done.ran) if edited else ():
        step, place = side.trace.steps[number], ran.outcome.place()
        config = place.item.position if place else None
        is_all = (posixpath.join(ran.task.package, kptfile.NAME), 0) in edited
        is_all = is_all or (config is not None and (config.path, config.index) in edited)
        known: dict[int, bool] = {}
        for decision in ran.outcome.decisions:
            keys = step.keys(decision.item)
            if is_all or not found.isdisjoint(keys) or _comes_from(decision, step, found, known):
                found.update(keys)
    return found


def _comes_from(decision: Decision, step: ExplainedStep, found: set[Key], known: dict[int, bool]) -> bool:
    """Return whether a decision has to do with documents that were found."""
    leaf = decision.leaf
    origins = (leaf.origin, *leaf.overridden) if leaf else ()
    items = [one.item for origin in origins for one in origin.trail() if one.item is not None]
    items += [decision.item.source] if isinstance(decision.item, New) and decision.item.source is not None else []
    for item in items:
        if id(item) not in known:
            known[id(item)] = not found.isdisjoint(step.keys(item))
        if known[id(item)]:
            return True
    return False
