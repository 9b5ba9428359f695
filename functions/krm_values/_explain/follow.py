"""From the decisions of the steps to one list of cells per value: who won, and who would win in turn.

A place that a step read is followed back through the steps before it, to the decision that wrote it there or to the file in which it was.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from krm_values._data import data_edits
from krm_values._data.pointer import ABSENT, get, scalars
from krm_values._data.record import replace
from krm_values._explain import in_text, masking, standing
from krm_values._explain.merges import Merges
from krm_values._explain.model import AUTHORED, CYCLE, DEFAULT, EARLIER, Cell, Hop, order
from krm_values._explain.references import References
from krm_values._explain.steps import ExplainedStep
from krm_values._explain.values import declared_layers
from krm_values._explain.ways import GENERATED
from krm_values._krm import places
from krm_values._krm.item import Item, is_secret
from krm_values._krm.plan import RESOURCE, New, Origin
from krm_values._run.traced import NAMES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._explain.authorship import Authorship
    from krm_values._explain.model import Reference
    from krm_values._explain.references import Written
    from krm_values._explain.values import FinalValue
    from krm_values._explain.ways import Trace
    from krm_values._krm.plan import Leaf
    from krm_values._run.state import Decision

    _Place = tuple[Path, Path | None]


_ENVGENE = "envgene-sd"


class Follower:
    """Resolves the decisions of an explanation to cells."""

    __slots__ = (
        "_authorship",
        "_documents",
        "_known",
        "_merges",
        "_open",
        "_ranked",
        "_trace",
        "references",
    )

    def __init__(self, trace: Trace, authorship: Authorship) -> None:
        self._trace, self._authorship = trace, authorship
        self.references = [References(step.entry, number, trace, self._written) for number, step in enumerate(trace.steps)]
        self._known: dict[
            tuple[int, int], tuple[Decision, tuple[Cell, ...]]
        ] = {}  # with the decision, so that no other takes its id over
        self._merges = Merges(trace, self.number)
        self._ranked: dict[int, frozenset[str]] = {}
        self._open: set[tuple[int, int]] = set()
        self._documents: dict[tuple[int, Path], tuple[Item, list[int]]] = {}  # by item and field, the first lines in its text

    def cells(self, decision: Decision, step: int) -> tuple[Cell, ...]:
        """Return the cells of what a step decided, the winner first, each place once."""
        found = self._merges.beside(self._decided(decision, step))
        return tuple(self._distinct(self._trace.steps[step], found))

    def _distinct(self, step: ExplainedStep, cells: Sequence[Cell]) -> Iterator[Cell]:
        """Yield the cells without those of a place that came already."""
        if len(cells) < 2:
            yield from cells
            return
        seen: dict[object, Cell] = {}
        numbers: dict[object, set[int]] = {}  # of the places that came before
        for one in cells:
            place = (step.key(one.item) if one.item is not None else one.layer, one.path, one.inner, bool(one.parts))
            first = seen.setdefault(place, one)
            known = numbers.setdefault(place, {self.number(first)}) if first is not one else None
            if known is None or self.number(one) not in known:
                yield one
            if known is not None:
                known.add(self.number(one))

    def number(self, cell: Cell) -> int:
        """Return which YAML document of its text a cell is in, from 0."""
        item = cell.item
        if cell.inner is None or not isinstance(item, Item):
            return 0
        key = id(item), cell.path
        if key not in self._documents:
            text = get(item.data, cell.path)
            self._documents[key] = item, in_text.first_lines(text) if isinstance(text, str) else []
        lines = self._documents[key][1]
        return max(bisect_right(lines, cell.source.place[0]) - 1, 0) if len(lines) > 1 else 0

    def _read(self, decision: Decision, step: int) -> tuple[Cell, ...]:
        """Return the same, kept because later steps may read the place for many values."""
        key = id(decision), step
        if key not in self._known:
            self._known[key] = decision, self.cells(decision, step)
        return self._known[key][1]

    def own(self, item: Item, path: Path, inner: Path | None, step: int) -> list[Cell]:
        """Return the cells of a place as a step found it: of earlier steps, then of the file; none if it has no value there."""
        value = self._authorship.value(item, path, inner)
        if value is ABSENT:
            return []
        return self._place(Origin(RESOURCE, value, item, path, inner), step, item)

    def written_earlier(self, one: FinalValue) -> Cell:
        """Return the cell of a value that a step wrote in an earlier run and that stays, though the step is not here any more."""
        value: Any = one.decision.after
        at = Origin(RESOURCE, value, one.item if isinstance(one.item, Item) else None, one.path, one.inner)
        cell = self._base(at, one.step, one.item, word=EARLIER)
        return replace(cell, secret=cell.secret or one.is_secret)

    def copied(self, origin: Origin, step: int, target: Item | New, path: Path) -> list[Cell]:
        """Return the cells of a place that a step copied to a path of a generated object."""
        found = self._place(origin, step, origin.item, target, self.references[step].of(origin.layer, target))
        placed = [standing.placed(one, path, 0, origin, None) for one in found]
        return [one for one in placed if one is not None]

    def is_left(self, hop: Hop) -> bool:
        """Return whether an earlier run wrote at the place of a hop."""
        at = Origin("", None, hop.item, hop.path, hop.inner)
        return self._authorship.word(at, hop.path) == EARLIER or self._authorship.is_recorded(at, hop.path, taken_back=True)

    def composed(self, value: JSON, parts: Sequence[Cell], step: int, target: Item | New) -> Cell:
        """Return the cell of a value that a function made of others."""
        because = self.references[step].of("", target)
        source = Origin("", value)
        return Cell("", value, step, parts[0].origin, source, None, (), None, because).of_parts(parts)

    def _written(self, step: int, item: Item, path: Path) -> Written:
        """Return where a step has what it reads at a place from: the document before all steps, or where an earlier step took it from.

        That of a map or list is found by one of its values: the place around that of a template or layer that has it at the same path.
        """
        own = self.unwritten(item, path, step)
        if own is not None:
            return item, own, None, self._authorship.in_file(item, own, path)
        found: list[Written] = []
        for below, value in scalars(get(item.data, path)):
            cell = self._place(Origin(RESOURCE, value, item, (*path, *below)), step, item)[0]
            while cell.parts and cell.item is item:
                cell = cell.parts[0]
            passed = [
                (one.item, self.unwritten(one.item, one.path, one.step), one.inner, one.path) for one in reversed(cell.way)
            ]
            for at, outer, inner, read in ((cell.item, cell.path, cell.inner, cell.source.path), *passed):
                if isinstance(at, Item) and outer is not None and self._trace.was_there(at) and self._trace.maker(at) is None:
                    around = _around(outer, inner, below)
                    own, text = around or (outer, inner)
                    place = at, own, text, self._authorship.in_file(at, own, (*read, *outer[len(read) :])[: len(own)])
                    if around is not None:
                        return place
                    found.append(place)
        return found[0] if found else (item, path, None, path)

    def unwritten(self, item: Item | New, path: Path, step: int) -> Path | None:
        """Return where a place that a step reads was before the steps before it; None if one of them wrote there or generated the object."""
        if isinstance(item, New):
            return None
        own: Path | None = path
        for number in self._trace.touching(item) if step else ():
            if number < step and own is not None:
                own = self._trace.steps[number].earlier(item, own)
        made = self._trace.maker(item) if step else None
        return None if made is not None and made[0] < step else own

    def _decided(self, decision: Decision, step: int) -> list[Cell]:
        leaf, item = decision.leaf, decision.item
        if leaf is None:
            return []
        if (id(leaf), step) in self._open:
            return [self._base(leaf.origin, step, item, word=CYCLE)]
        self._open.add((id(leaf), step))
        found: list[Cell] = []
        origins: list[Origin | None] = []  # of each cell, that of the layer
        for origin in _in_effect(leaf):
            found += self.of_layer(origin, step, leaf, item, self.references[step].of(origin.layer, item))
            origins += [origin] * (len(found) - len(origins))
        self._open.discard((id(leaf), step))
        if isinstance(item, Item) and not any(one.layer == RESOURCE for one in leaf.overridden):
            found += self._lost(decision, found, step)
            origins += [None] * (len(found) - len(origins))
        if decision.secret or (isinstance(item, Item) and is_secret(item)):
            found = [one if one.secret else replace(one, secret=True) for one in found]
        found = [self._lost_whole(one, decision) if one.layer == RESOURCE else one for one in found]
        rest = zip(found[1:], origins[1:], strict=True)
        raised = [standing.raised(one, decision, found[0], origin, step) for one, origin in rest]
        return [*found[:1], *(one for one in raised if one is not None)]

    def _lost_whole(self, cell: Cell, decision: Decision) -> Cell:
        """Return the cell of the resource's own value, which was replaced as a whole.

        It may hold what an earlier run wrote: where that came from Secrets, it is not shown.
        """
        if not isinstance(cell.value, (dict, list)) or len(cell.path) >= len(decision.path):
            return cell
        both = self._trace.records(decision.item) if isinstance(decision.item, Item) else ((), ())
        hides = masking.hides_before(decision) or any(one.has_secrets for held in both for one in held)
        return replace(_in_order(cell), secret=cell.secret or hides)

    def lost(self, decision: Decision, step: int) -> Sequence[Cell]:
        """Return the cells among which is what the resource itself had at the place of a decision: of no other layer, if that is known without them."""
        leaf, item = decision.leaf, decision.item
        origins = (leaf.origin, *leaf.overridden) if leaf else ()
        if leaf is None or any(one.via or _is_same(one.item, item) for one in origins):
            return self.cells(decision, step)
        return self._stood(decision, self.of_layer(leaf.origin, step, leaf, item), step)

    def _lost(self, decision: Decision, found: Sequence[Cell], step: int) -> list[Cell]:
        """Return the cells of what the resource itself had at a place that a step decided, unless the winner is from there."""
        lost = self._stood(decision, found, step)
        hides = bool(lost) and masking.hides_before(decision)
        because = self.references[step].of(RESOURCE, decision.item)
        return [(replace(one, secret=True) if hides and not one.secret else one).because_of(because) for one in lost]

    def _stood(self, decision: Decision, found: Sequence[Cell], step: int) -> list[Cell]:
        """Return the same with its keys sorted, as an undo record keeps them: so they are told before a render, too."""
        item, inner = decision.item, decision.leaf.inner if decision.leaf else None
        path = self._before(decision, step)
        if not isinstance(item, Item) or path is None or (found and _is_around(found[0], item, path, inner)):
            return []
        if decision.inserted or (decision.found and decision.leaf is not None and decision.leaf.kind):
            return []  # what the function itself would write there, and may have written in an earlier run
        own = self.own(item, path, inner, step)
        if self._trace.steps[step].entry.function == _ENVGENE:  # it keeps no record of what was merged into a Full SD
            return [] if decision.leaf is not None and any(one.item is item for one in decision.leaf.overridden) else own
        return [_in_order(one) if one.layer == RESOURCE else one for one in own]

    def _before(self, decision: Decision, step: int) -> Path | None:
        """Return where the value that a decision replaced was before the step; None if it is in an element that the step inserted."""
        if decision.after is ABSENT:
            return decision.path
        return self._trace.steps[step].replaced(decision.item, decision.path)

    def of_layer(
        self, origin: Origin, step: int, leaf: Leaf, target: Item | New, because: tuple[Reference, ...] = ()
    ) -> list[Cell]:
        """Return the cells of one layer's value: where it was written, or what it was composed of. because: references that each of them has."""
        done = self._trace.steps[step]
        if len(origin.via) == 1 and passes(origin, origin.via[0], leaf):
            own = tuple(one for one in self.references[step].of(origin.via[0].layer, target) if one.kind == "config")
            both = (*own, *(one for one in because if one not in own))
            found = self.of_layer(origin.via[0], step, leaf, target, both)
            if origin.via[0].layer not in self._layers(step):  # the layer is the one that reads it there
                found = [replace(one, layer=origin.layer) if one.step == step and not one.way else one for one in found]
            at = done.located(origin)
            if at.item is None or (at.item, at.path, at.inner) == (found[0].item, found[0].path, found[0].inner):
                return found
            hides = at.in_secret
            return [one.through(Hop(step, at.layer, at.item, at.path, at.inner), hides=hides) for one in found]
        at = done.located(origin)
        if origin.via:
            own = self.references[step].of(origin.layer, target)
            parts = [_left(self.of_layer(one, step, leaf, target, own)[0], one) for one in origin.via]
            return [self._place(at, step, at.item, target, because)[0].of_parts(parts)]
        return self._place(at, step, at.item, target, because)

    def _layers(self, step: int) -> frozenset[str]:
        """Return the names of the layers that a step ranks: those that its function declares, and those that have decided anything."""
        if step not in self._ranked:
            entry = self._trace.steps[step].entry
            leaves = [one.leaf for one in entry.outcome.decisions if one.leaf is not None]
            decided = {origin.layer for leaf in leaves for origin in (leaf.origin, *leaf.overridden)}
            self._ranked[step] = frozenset({*declared_layers(entry), *decided})
        return self._ranked[step]

    def _place(
        self,
        at: Origin,
        step: int,
        item: Item | New | None,
        target: Item | New | None = None,
        because: tuple[Reference, ...] = (),
    ) -> list[Cell]:
        """Return the cells of a place as a step found it, after the steps before it."""
        if item is None:
            return [self._base(at, step, target, because)]
        if not at.path and at.inner is None:
            return [self._whole(at, step, target, because)]
        path = at.path
        before = (
            [step] if isinstance(item, New) else self._trace.touching(item) if step else ()
        )  # before the first step there is none
        for number in before:
            if number > step or (number == step and isinstance(item, Item)):
                continue
            done = self._trace.steps[number]
            found = [one for one in done.decided(item, path, at.inner) if one.leaf and one.leaf.origin is not at]
            if found:
                hides = not isinstance(found[0].item, New) and at.in_secret
                hop = Hop(step, at.layer, item, path, at.inner, is_written=True)
                return self._earlier(found, number, at, hop, because, hides=hides)
            if made := self._trace.copied(done, item, path):
                hop, hides = Hop(step, at.layer, item, path, at.inner, is_written=True), at.in_secret
                if (
                    made.layer == GENERATED and not made.path
                ):  # of the object as a whole: the value is that of its source, or made of it
                    made = _of_source(made, path, at.value)
                    if made.path:
                        return [one.through(hop, because, hides=hides) for one in self._place(made, number, made.item)]
                return [self._base(made, number).through(hop, because, hides=hides)]
            path = done.earlier(item, path) or path
        return [self._base(at, step, target, because, own=path)]

    def _whole(self, at: Origin, step: int, target: Item | New | None, because: tuple[Reference, ...]) -> Cell:
        """Return the cell of an object as a whole, whose values are not followed one by one: each may be of an object as a whole again."""
        source = places.made_from(at.item) if isinstance(at.item, New) else at.item
        return self._base(
            at,
            step,
            target,
            because,
            word=DEFAULT if source is None else self._authorship.word(replace(at, item=source), at.path),
        )

    def _earlier(
        self, found: Sequence[Decision], number: int, at: Origin, hop: Hop, because: tuple[Reference, ...], *, hides: bool
    ) -> list[Cell]:
        """Return the cells of a place that an earlier step decided: whole, as part of a value, or in parts."""
        first = found[0]
        rest = _rest(first, hop.path, at.inner)
        if len(found) == 1 and rest is not None:
            cells = self._read(first, number)
            if cells and cells[0].parts and not rest:  # what stood there is the whole, not the part that a layer set
                cells = (replace(cells[0], value=at.value), *cells[1:])
            size = len(first.path if first.leaf is None or first.leaf.inner is None else first.leaf.inner)
            below = [standing.below(cells[0], rest), *(standing.lower(one, rest, size) for one in cells[1:])] if cells else []
            return [one.through(hop, because, hides=hides) for one in below if one is not None]
        found = sorted(found, key=lambda one: order(one.path, one.leaf.inner if one.leaf else None))
        parts = [self._read(one, number)[0].through(hop, hides=hides) for one in found if self._read(one, number)]
        base = self._base(at, hop.step, None, because, word=EARLIER)
        return [replace(base.of_parts(parts), origin=parts[0].origin, secret=base.secret)] if parts else [base]

    def _base(
        self,
        at: Origin,
        step: int,
        target: Item | New | None = None,
        because: tuple[Reference, ...] = (),
        *,
        word: str = "",
        own: Path | None = None,
    ) -> Cell:
        """Return the cell of a place that no step wrote. What an earlier function wrote there has the resources for which it did as its parts.

        own: its path before all steps, if it is another one than that where this step reads it.
        """
        own = at.path if own is None else own
        found, is_kept, hides = self._authorship.state(at, own)
        word = word or found
        parts = (
            tuple(self._base(one, step, word=AUTHORED) for one in self._trace.left(at.item, at.path))
            if word == EARLIER and isinstance(at.item, Item)
            else ()
        )
        kept = word == AUTHORED and is_kept
        chain = places.made_from(target) if isinstance(target, New) else None
        return Cell(at.layer, at.value, step, word, at, at.item, own, at.inner, because, (), parts, kept, None, chain, hides)


def _in_effect(leaf: Leaf) -> Sequence[Origin]:
    """Return the layers' values, that first which decides: by what an element of a list is known, that is the lowest layer which has the element."""
    if leaf.reason != NAMES:
        return leaf.origin, *leaf.overridden
    both = leaf.origin, *leaf.overridden
    layers = [one for one in both if one.layer != RESOURCE]
    return [*reversed(layers), *(one for one in both if one.layer == RESOURCE)]


def _sorted(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _sorted(value[key]) for key in sorted(value)}
    return [*map(_sorted, value)] if isinstance(value, list) else value


def _is_same(one: Item | New | None, other: Item | New) -> bool:
    """Return whether two items of a run are the same resource."""
    return one is other or (isinstance(one, Item) and isinstance(other, Item) and one.number == other.number)


def _of_source(made: Origin, path: Path, value: JSON) -> Origin:
    """Return the place in the source of a generated object that has the same value, else the whole source."""
    same = get(made.item.data, path, ABSENT) if made.item is not None else ABSENT
    is_copy = same is not ABSENT and data_edits.same(same, value)
    return replace(made, value=value, path=path) if is_copy else replace(made, value=value)


def passes(origin: Origin, source: Origin, leaf: Leaf) -> bool:
    """Return whether a layer hands on the value of the one that it reads: as its own value, or as all of what is written."""
    if source.layer == RESOURCE and origin.layer != RESOURCE:
        return False  # of which the layer writes a part
    return data_edits.same(origin.value, source.value) or (
        all(one is not origin for one in leaf.overridden) and data_edits.same(leaf.value, source.value)
    )


def _left(cell: Cell, origin: Origin) -> Cell:
    """Return the cell of a string of which a layer writes parts without those that earlier steps wrote and it writes over."""
    if origin.layer != RESOURCE or not origin.parts or not cell.parts or not {*cell.source.parts} <= {*origin.parts}:
        return cell
    if cell.source.layer == RESOURCE or not cell.source.parts:
        return cell
    first, *others = [_left(replace(one, way=cell.way), origin) for one in cell.parts]
    return first.of_parts(others) if others else first


def _around(path: Path, inner: Path | None, below: Path) -> tuple[Path, Path | None] | None:
    """Return the place around one that is at a path below it; None if it is not."""
    own = path if inner is None else inner
    size = len(own) - len(below)
    if size <= 0 or own[size:] != below:
        return None
    return (own[:size], None) if inner is None else (path, own[:size])


def _is_around(cell: Cell, item: Item, path: Path, inner: Path | None) -> bool:
    """Return whether a cell's place is one of a resource, or around it."""
    if cell.item is not item:
        return False
    if cell.inner is not None:
        return cell.path == path and inner is not None and inner[: len(cell.inner)] == cell.inner
    return path[: len(cell.path)] == cell.path


def _rest(decision: Decision, path: Path, inner: Path | None) -> Path | None:
    """Return the path from a decided place down to another; None if it does not lead there."""
    at = decision.leaf.inner if decision.leaf else None
    if at is not None:
        return inner[len(at) :] if inner is not None and decision.path == path and inner[: len(at)] == at else None
    if path[: len(decision.path)] != decision.path:
        return None
    return (*path[len(decision.path) :], *(inner or ()))


def _in_order(cell: Cell) -> Cell:
    """Return a cell with the keys of its value sorted, as an undo record keeps them."""
    return replace(cell, value=_sorted(cell.value)) if isinstance(cell.value, (dict, list)) else cell
