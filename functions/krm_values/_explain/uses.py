"""From a place of a file to the values that it goes into, through all steps.

`Uses` follows the place forward, so that only the values that it may reach are resolved; their cells say whether it did.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.pointer import ABSENT
from krm_values._data.record import record
from krm_values._explain import values
from krm_values._krm.places import made_from
from krm_values._krm.plan import New

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from krm_values._data.pointer import Path
    from krm_values._explain.ledger import Ledger, Listed
    from krm_values._explain.model import Cell, Hop, Value
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


class Places:
    """Places of one document, found by those above and below them."""

    __slots__ = ("_above", "_flat", "found")

    def __init__(self, found: Iterable[Place] = ()) -> None:
        self.found: set[Place] = set()
        self._flat: set[tuple[object, ...]] = set()
        self._above: set[tuple[object, ...]] = set()
        self.add(found)

    def add(self, found: Iterable[Place]) -> None:
        """Add places."""
        for place in found:
            if place not in self.found:
                self.found.add(place)
                flat = _flat(place)
                self._flat.add(flat)
                self._above.update(flat[:size] for size in range(len(flat)))

    def overlap(self, place: Place) -> bool:
        """Return whether one of the places is this one, a part of it, or what it is a part of."""
        return _flat(place) in self._above or self.covers(place)

    def covers(self, place: Place) -> bool:
        """Return whether one of the places is this one, or what it is a part of."""
        flat = _flat(place)
        return any(flat[:size] in self._flat for size in range(len(flat) + 1))


class Uses:
    """The values that places of a document go into. number: of the YAML document of the text that the places are in."""

    __slots__ = ("_keys", "_ledger", "_number", "found")

    def __init__(self, ledger: Ledger, item: Item, asked: Iterable[Place], number: int = 0) -> None:
        trace = ledger.trace
        self._ledger, self._number = ledger, number
        self.found: list[tuple[Listed, Value]] = []
        self._keys: frozenset[Key] = frozenset(trace.steps[0].keys(item) if trace.steps else ())
        wanted = Places(asked)
        reached = _Reached(self._keys, {*wanted.found, *((ledger.before_steps(item, path), inner) for path, inner in asked)})
        for step in trace.steps:
            reached.through(step)
        resources = values.collect(trace, only=reached.keys()) if trace.steps else []
        holds = Places(place for one in reached.all() for place in one.found)
        for one in ledger.listed(resources, lambda *place: holds.overlap(place), complete=True, authored=False):
            one.decided = [value for value in one.decided if holds.overlap((value.path, value.inner))]
            for value in one.values():
                if self._cell_of(value, wanted) is not None:
                    self.found.append((one, value))

    def of(self, place: Place) -> list[Use]:
        """Return the uses of one of the places, of what is in it, and of a value that it is a part of, in the order of the files."""
        asked = Places([place])
        found = ((one, value, self._cell_of(value, asked)) for one, value in self.found)
        return [Use(one.title, one.source, value, *cell) for one, value, cell in found if cell is not None]

    def _cell_of(self, value: Value, asked: Places) -> tuple[Cell, int, bool] | None:
        """Return the cell of a value that is at a place, or has a part or a hop there, and its rank; None if none is.

        What a step wrote over the author's value is no value of that line: only a line that steps wrote alone has what passes there.
        """
        removes = value.value is ABSENT and self._is_part(value.cells[:1], asked)  # as a whole
        begin = int(removes)
        for is_met in (self._is_at, self._passes):
            for rank, cell in enumerate(value.cells[begin:], begin):
                if is_met(cell, asked):
                    return cell, rank, False
                if any(is_met(one, asked) for one in cell.all()):
                    return cell, rank, True
        return None

    def _is_part(self, cells: Sequence[Cell], asked: Places) -> bool:
        """Return whether the places are only parts of what a cell was written at."""
        places = [self._ledger.place_in_file(cell) for cell in cells if self._has(cell.item, cell.step)]
        return any(asked.overlap(place) and not asked.covers(place) for place in places)

    def _is_at(self, cell: Cell, asked: Places) -> bool:
        """Return whether a cell was written at a place, or read there as what the file leads to."""
        if not self._is_in(cell, asked):
            return False
        if self._has(cell.item, cell.step) and asked.overlap(self._ledger.place_in_file(cell)):
            return True
        return any(self._meets(hop, asked) for hop in cell.way if not hop.is_written)

    def _passes(self, cell: Cell, asked: Places) -> bool:
        """Return whether a cell was read at a place where a step wrote it, and had written it in an earlier run, so that the line is the step's."""
        hops = [hop for hop in cell.way if hop.is_written]
        if not hops or not self._is_in(cell, asked):
            return False
        return any(self._meets(hop, asked) and self._ledger.is_left(hop) for hop in hops)

    def _is_in(self, cell: Cell, asked: Places) -> bool:
        """Return whether a cell may be in the YAML document of the text that the places are in."""
        return self._ledger.number(cell) == self._number or all(inner is None for _, inner in asked.found)

    def _meets(self, hop: Hop, asked: Places) -> bool:
        return asked.overlap((hop.path, hop.inner)) and self._has(hop.item, hop.step)

    def _has(self, item: Item | New | None, step: int) -> bool:
        """Return whether an item of a step is the document."""
        return item is not None and not self._keys.isdisjoint(self._ledger.trace.steps[step].keys(item))


class _Reached:
    """The places that the first ones go into, by document: those that the last step read, and in the end those that it left."""

    __slots__ = ("_places",)

    def __init__(self, keys: Iterable[Key], places: Iterable[Place]) -> None:
        found = Places(places)
        self._places: dict[Key, Places] = dict.fromkeys(keys, found)

    def keys(self) -> frozenset[Key]:
        """Return the keys of the documents."""
        return frozenset(self._places)

    def all(self) -> list[Places]:
        """Return the places of each document."""
        return [*{id(one): one for one in self._places.values()}.values()]

    def through(self, step: ExplainedStep) -> None:
        """Add the places that a step writes from those so far, and move those so far as it does."""
        added: dict[Key, Places] = {}
        lookup: Mapping[Key, Places] = self._places
        while lookup:
            reading = _Reading(step, lookup)
            lookup = {}
            for keys, targets in reading.targets():
                known = next((added[key] for key in keys if key in added), None) or Places()
                new = [place for place in targets if place not in known.found]
                known.add(new)
                added.update(dict.fromkeys(keys, known))
                lookup |= dict.fromkeys(keys, Places(new)) if new else {}
            if not reading.is_of_generated:
                break
        self._places = {key: _after(step, key, places) for key, places in self._places.items()}
        for key, places in added.items():
            if key in self._places:
                self._places[key].add(places.found)
            else:
                self._places[key] = places


def _after(step: ExplainedStep, key: Key, places: Places) -> Places:
    """Return the places after a step, which may have moved or removed them."""
    item = step.written([key])
    if item is None or not step.shifts(item):
        return places
    return Places((path, inner) for at, inner in places.found if (path := step.later(item, at)) is not None)


class _Reading:
    """The places that one step read, and what it decides from them. is_of_generated: it reads objects that it generates itself, too."""

    __slots__ = ("_copies", "_held", "_lookup", "_reads_config", "_step", "is_of_generated")

    def __init__(self, step: ExplainedStep, lookup: Mapping[Key, Places]) -> None:
        self._step, self._lookup = step, lookup
        self._held: dict[int, Places] = {}
        self._copies: set[tuple[int, int, Path]] = set()  # of which generated object, from which document and place
        self.is_of_generated = False
        config = step.entry.outcome.place()
        self._reads_config = config is not None and bool(self._in(config.item).found)

    def targets(self) -> list[tuple[Sequence[Key], list[Place]]]:
        """Return the places that the step decides from these, with the keys of their documents."""
        found: dict[int, tuple[Sequence[Key], list[Place]]] = {}
        last = None
        for decision in self._step.entry.outcome.decisions:
            item, leaf = decision.item, decision.leaf
            places = self._named(item) if isinstance(item, New) and item is not last else []
            last = item
            if leaf is not None:
                if self._is_from(leaf) or self._has(item, decision.path, leaf.inner):  # the resource's own value loses
                    places.append((decision.path, leaf.inner))
                if isinstance(item, New) and leaf.origin.item is not None and (held := self._in(leaf.origin.item)).found:
                    places += self._copied(leaf, item, leaf.origin.item, held)
            if places:
                if id(item) not in found:
                    found[id(item)] = self._step.keys(item), []
                found[id(item)][1].extend(places)
        return [*found.values()]

    def _in(self, item: Item | New) -> Places:
        """Return the places in a document."""
        held = self._held.get(id(item))
        if held is None:
            keys = self._step.keys(item)
            held = self._held[id(item)] = next((self._lookup[key] for key in keys if key in self._lookup), _NONE)
        return held

    def _has(self, item: Item | New, path: Path, inner: Path | None) -> bool:
        held = self._in(item)
        return held is not _NONE and held.overlap((path, inner))

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
        """Return the name and namespace of a generated object, if those of its source are among the places, or where the config gives them."""
        if item.named:
            given = ((path, self._step.located(one)) for path, one in item.given.items())
            return [(path, None) for path, one in given if one.item is not None and self._has(one.item, one.path, None)]
        source = made_from(item)
        is_named = source is not None and any(self._has(source, path, None) for path in _NAMED)
        return [(path, None) for path in _NAMED] if is_named else []

    def _copied(self, leaf: Leaf, item: New, source: Item | New, held: Places) -> Iterator[Place]:
        """Yield where a generated object has a copy of these places, if the object is one of the map that holds a leaf's origin."""
        size = len(leaf.origin.path) - len(leaf.path)
        base = leaf.origin.path[: max(size, 0)]
        key = id(item), id(source), base
        if leaf.origin.inner is not None or size < 0 or leaf.origin.path[size:] != leaf.path or key in self._copies:
            return
        self._copies.add(key)
        for path, inner in held.found:
            if path[:size] == base:
                yield path[size:], inner
            elif base[: len(path)] == path:
                yield (), None


def _flat(place: Place) -> tuple[object, ...]:
    """Return a path and the path inside the text there as one."""
    path, inner = place
    return path if inner is None else (*path, None, *inner)


_NONE = Places()
