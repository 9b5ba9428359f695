"""From a place of a file to the values that it goes into, through all steps, and why no step reads it if there are none.

`Uses` follows the place forward, so that only the values that it may reach are resolved; their cells say whether it did.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.record import record
from krm_values._explain import values
from krm_values._explain.steps import is_part
from krm_values._krm.places import made_from
from krm_values._krm.plan import New

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from krm_values._data.pointer import Path
    from krm_values._explain.ledger import Ledger
    from krm_values._explain.model import Cell, Value
    from krm_values._explain.steps import ExplainedStep, Key, Place
    from krm_values._krm.item import Item
    from krm_values._krm.plan import Leaf

_NAMED = (("metadata", "name"), ("metadata", "namespace"))


@record
class Use:
    """A value that a place goes into, and its cell of that place: the winner has rank 0. is_part: the cell is composed of it and others."""

    title: str
    source: str
    value: Value
    cell: Cell
    rank: int
    is_part: bool


class Uses:
    """Finds the values that places of documents go into."""

    __slots__ = ("_ledger",)

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def of(self, item: Item, path: Path, inner: Path | None) -> list[Use]:
        """Return the uses of a place, of what is in it, and of a value that it is a part of, in the order of the files."""
        trace = self._ledger.trace
        if not trace.steps:
            return []
        own, place = frozenset(trace.steps[0].keys(item)), (path, inner)
        reached = _Reached(trace.steps[0], item, place)
        for step in trace.steps:
            reached.through(step)
        found: list[Use] = []
        resources = values.collect(trace, only=reached.keys())
        for one in self._ledger.listed(resources, reached.holds, complete=True, authored=False):
            one.decided = [value for value in one.decided if reached.holds(value.path, value.inner)]
            for value in one.values():
                use = _cell_of(value, trace.steps, own, place)
                if use is not None:
                    found.append(Use(one.title, one.source, value, *use))
        return found


class _Reached:
    """The places that a place goes into, by document: those that the last step read, and in the end those that it left."""

    __slots__ = ("_places",)

    def __init__(self, step: ExplainedStep, item: Item, place: Place) -> None:
        self._places: dict[Key, set[Place]] = {key: {place} for key in step.keys(item)}

    def keys(self) -> frozenset[Key]:
        """Return the keys of the documents."""
        return frozenset(self._places)

    def holds(self, path: Path, inner: Path | None) -> bool:
        """Return whether a place may be one of them: of whatever document."""
        return any(_overlap((path, inner), one) for found in self._places.values() for one in found)

    def through(self, step: ExplainedStep) -> None:
        """Add the places that a step writes from those so far, and move those so far as it does."""
        added: dict[Key, set[Place]] = {}
        lookup = self._places
        while lookup:
            reading = _Reading(step, lookup)
            lookup = {key: new for key, places in reading.targets().items() if (new := places - added.get(key, set()))}
            for key, new in lookup.items():
                added.setdefault(key, set()).update(new)
            if not reading.is_of_generated:
                break
        for key, places in self._places.items():
            item = step.written([key])
            if item is not None and step.shifts(item):
                self._places[key] = {(path, inner) for at, inner in places if (path := step.later(item, at)) is not None}
        for key, places in added.items():
            self._places.setdefault(key, set()).update(places)


class _Reading:
    """The places that one step read, and what it decides from them. is_of_generated: it reads objects that it generates itself, too."""

    __slots__ = ("_held", "_lookup", "_reads_config", "_step", "is_of_generated")

    def __init__(self, step: ExplainedStep, lookup: Mapping[Key, set[Place]]) -> None:
        self._step, self._lookup = step, lookup
        self._held: dict[int, set[Place]] = {}
        self.is_of_generated = False
        config = step.entry.outcome.place()
        self._reads_config = config is not None and bool(self._in(config.item))

    def targets(self) -> dict[Key, set[Place]]:
        """Return the places that the step decides from these, by document."""
        found: dict[Key, set[Place]] = {}
        last = None
        for decision in self._step.entry.outcome.decisions:
            item, leaf = decision.item, decision.leaf
            places = self._named(item) if isinstance(item, New) and item is not last else []
            last = item
            if leaf is not None:
                if self._is_from(leaf) or self._has(item, decision.path, leaf.inner):  # the resource's own value loses
                    places.append((decision.path, leaf.inner))
                if isinstance(item, New) and leaf.origin.item is not None and (held := self._in(leaf.origin.item)):
                    places += _copied(leaf, held)
            for key in self._step.keys(item) if places else ():
                found.setdefault(key, set()).update(places)
        return found

    def _in(self, item: Item | New) -> set[Place]:
        """Return the places in a document."""
        held = self._held.get(id(item))
        if held is None:
            keys = self._step.keys(item)
            held = self._held[id(item)] = set().union(*(self._lookup[key] for key in keys if key in self._lookup))
        return held

    def _has(self, item: Item | New, path: Path, inner: Path | None) -> bool:
        held = self._in(item)
        return bool(held) and any(_overlap((path, inner), one) for one in held)

    def _is_from(self, leaf: Leaf) -> bool:
        """Return whether a layer has a value of a leaf at one of the places."""
        for top in (leaf.origin, *leaf.overridden):
            for one in top.trail() if top.via else (top,):
                origin = self._step.located(one) if one.item is None and self._reads_config else one
                if isinstance(origin.item, New):
                    self.is_of_generated = True
                if origin.item is not None and self._has(origin.item, origin.path, origin.inner):
                    return True
        return False

    def _named(self, item: New) -> list[Place]:
        """Return the name and namespace of a generated object, if those of its source are among the places."""
        source = made_from(item)
        is_named = source is not None and any(self._has(source, path, None) for path in _NAMED)
        return [(path, None) for path in _NAMED] if is_named else []


def _copied(leaf: Leaf, held: Iterable[Place]) -> Iterator[Place]:
    """Yield where a generated object has a copy of these places, if the object is one of the map that holds a leaf's origin."""
    size = len(leaf.origin.path) - len(leaf.path)
    base = leaf.origin.path[:size]
    if leaf.origin.inner is None and size >= 0 and leaf.origin.path[size:] == leaf.path:
        for path, inner in held:
            if path[:size] == base:
                yield path[size:], inner
            elif base[: len(path)] == path:
                yield (), None


def _cell_of(value: Value, steps: Sequence[ExplainedStep], own: frozenset[Key], place: Place) -> tuple[Cell, int, bool] | None:
    """Return the cell of a value that is at a place, or has a part or a hop there, and its rank; None if none is."""

    def is_at(cell: Cell) -> bool:
        found = [
            (cell.item, cell.step, cell.path, cell.inner),
            *((hop.item, hop.step, hop.path, hop.inner) for hop in cell.way),
        ]
        return any(
            item is not None and _overlap((path, inner), place) and not own.isdisjoint(steps[step].keys(item))
            for item, step, path, inner in found
        )

    for rank, cell in enumerate(value.cells):
        if is_at(cell):
            return cell, rank, False
        if any(map(is_at, _parts(cell))):
            return cell, rank, True
    return None


def _parts(cell: Cell) -> Iterator[Cell]:
    for one in cell.parts:
        yield one
        yield from _parts(one)


def _overlap(one: Place, other: Place) -> bool:
    """Return whether one of two places is the other, or a part of it."""
    return is_part(one, other) or is_part(other, one)
