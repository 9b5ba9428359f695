"""The ledger: every value of the objects that the steps generate or edit, in the order of their files, and the layers of each step."""

from __future__ import annotations

from functools import lru_cache, partial
from typing import TYPE_CHECKING

from krm_values._data.pointer import ABSENT, get, scalars
from krm_values._data.record import replace
from krm_values._explain import in_text, values
from krm_values._explain.authorship import Authorship
from krm_values._explain.follow import Follower, passes
from krm_values._explain.model import AUTHORED, COPIED, DECIDED, DERIVED, EARLIER, LITERAL, Cell, Reference, Value, order
from krm_values._explain.values import Order
from krm_values._explain.ways import GENERATED, Trace
from krm_values._krm import findings, places
from krm_values._krm.item import Item
from krm_values._krm.plan import RESOURCE, New, Origin
from krm_values._run.generated import header_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._explain.model import Hop
    from krm_values._explain.steps import Explained, Explanation, Key
    from krm_values._explain.values import FinalValue, Resource
    from krm_values._krm.plan import Fits, Leaf
    from krm_values._run.state import Decision

_NAME, _NAMESPACE = ("metadata", "name"), ("metadata", "namespace")
_TEMPLATE = "template"
_TEXTS = 1024
"""Fields with texts that are kept, because one value after the other is of the same few."""


class LayerUse:
    """A layer of one step: its place, and how many values it sets and wins there. chain: the resource whose layers are ranked together."""

    __slots__ = ("chain", "layer", "origin", "rank", "sets", "wins")

    def __init__(self, origin: Origin, chain: Item | None) -> None:
        self.layer, self.origin, self.chain = origin.layer, origin, chain
        self.rank = self.sets = self.wins = 0


class Listed:
    """An object with the values that were asked for. Their cells are followed when the values are read.

    source: the title of the resource that it is generated for. decided: the values that steps decided. others: makes the rest.
    """

    __slots__ = ("_ledger", "_others", "decided", "file", "item", "source", "title")

    def __init__(
        self,
        ledger: Ledger,
        item: Item | New,
        file: str,
        source: str = "",
        *,
        decided: Sequence[FinalValue] = (),
        others: Callable[[], Iterable[Value]] = tuple,
    ) -> None:
        self._ledger, self._others, self.decided = ledger, others, decided
        self.item, self.title, self.file, self.source = item, findings.title(item), file, source

    @property
    def place(self) -> tuple[str, int, str]:
        """The key by which objects are sorted: file, index and title."""
        index = self.item.position.index if isinstance(self.item, Item) else 0
        return self.file, index, self.title

    def rest(self) -> Listed:
        """Return the object with the values alone that no step decided."""
        return Listed(self._ledger, self.item, self.file, self.source, others=self._others)

    def values(self) -> list[Value]:
        """Return the values, sorted by their paths."""
        self._ledger.trace.drop_nodes()  # of the object before
        return sorted((*map(self._ledger.value, self.decided), *self._others()), key=lambda one: order(one.path, one.inner))


class Ledger:
    """Values with all their cells. Nothing is computed before it is asked for."""

    __slots__ = ("_authorship", "_follower", "_in_field", "_layers", "_orders", "_ranks", "explanation", "trace")

    def __init__(self, explanation: Explanation, trace: Trace | None = None) -> None:
        self.explanation, self.trace = explanation, trace or Trace(explanation)
        self._authorship = Authorship(self.trace)
        self._follower = Follower(self.trace, self._authorship)
        self._layers: dict[int, list[LayerUse]] = {}
        self._orders: dict[int, Order] = {}
        self._ranks: dict[int, dict[tuple[int, str, str], int]] = {}
        self._in_field = lru_cache(_TEXTS)(places.OfField)

    def resources(self, fits: Fits | None = None) -> list[Resource]:
        """Return the objects with decided values, in the order of their first decision."""
        return values.collect(self.trace, fits)

    def listed(
        self,
        found: Iterable[Resource],
        fits: Callable[[Path, Path | None], bool] | None = None,
        *,
        complete: bool,
        authored: bool,
        beside: Iterable[Resource] = (),
        takes: Callable[[Item | New], bool] = lambda _: True,
    ) -> list[Listed]:
        """Return objects with their values, in the order of their files.

        fits: of the values that no step decided. complete: with all of those of generated objects. authored: of all objects.
        beside: the other objects with decided values, of which only values that no step decided are asked for. takes: of objects without any.
        """
        listed = [self._listed(one, fits, complete=complete or authored, authored=authored) for one in found]
        for one in beside if complete or authored else ():
            rest = self._listed(one, fits, complete=True, authored=authored).rest()
            listed += [rest] if rest.values() else []
        if (complete or authored) and self.explanation.before:
            listed += (one for one in self._undecided_objects(listed, fits) if takes(one.item))
        if authored:
            seen = {key for one in listed for key in self._keys(one.item)}
            items = self.explanation.before.items() or (self.explanation.steps[0].items if self.explanation.steps else ())
            for item in items:
                if takes(item) and not seen.intersection(self._keys(item)) and not self.trace.is_removed(item):
                    values = [*self._authored(*self.trace.restored(item), fits)]
                    listed += [Listed(self, item, item.position.path, others=partial(iter, values))] if values else []
        return sorted(listed, key=lambda one: one.place)

    def _undecided_objects(self, listed: Sequence[Listed], fits: Fits | None) -> Iterator[Listed]:
        """Yield the objects that steps generate and of which nothing is decided."""
        seen = {(one.file, *header_of(one.item.data)) for one in listed}
        for entry in self.explanation.steps:
            seen.update((one.position.path, *header_of(one.data)) for one in entry.items if one.number in entry.outcome.removed)
        for number, step in enumerate(self.trace.steps):
            for (_, file, *_), new in step.generated().items():
                key = str(file), *header_of(new.data)
                if key in seen:
                    continue
                seen.add(key)
                values = [one for one in self._undecided(new, number, ()) if fits is None or fits(one.path, None)]
                if values:
                    yield Listed(self, new, str(file), others=partial(iter, values))

    def _keys(self, item: Item | New) -> list[Key]:
        return self.trace.steps[0].keys(item) if self.trace.steps else []

    def _listed(self, found: Resource, fits: Fits | None, *, complete: bool, authored: bool) -> Listed:
        made = next(((one.step, one.item) for one in found.values if isinstance(one.item, New)), None)
        last = found.values[-1]

        def others() -> Iterator[Value]:
            places = [(one.path, one.inner) for one in found.values]
            maker = made or (self.trace.maker(last.item) if isinstance(last.item, Item) else None)
            written = [*self._literals(last.item, places, maker)] if isinstance(last.item, Item) else []
            yield from (one for one in written if fits is None or fits(one.path, None))
            known = [*places, *((one.path, None) for one in written)]
            if maker is not None:
                number, new = maker
                yield from (
                    one for one in self._undecided(new, number, known, last.item) if fits is None or fits(one.path, None)
                )
            elif authored and isinstance(last.item, Item):
                yield from self._authored(last.item, last.step, fits, known)

        return Listed(self, last.item, found.file, found.source, decided=found.values, others=others if complete else tuple)

    def _authored(
        self, item: Item, step: int, fits: Fits | None, decided: Iterable[tuple[Path, Path | None]] = ()
    ) -> Iterator[Value]:
        """Yield the leaves of a document that no step decides, where the last step leaves them. step: the one that gets the document like this."""
        known = {path for path, _ in decided}
        for at, value in _without_hidden_keys(item):
            path = self.trace.later(item, at, step)
            if path is None or not (fits is None or fits(path, None)):
                continue
            if not any(path[:size] in known for size in range(len(path) + 1)):
                yield Value(item, path, None, value, AUTHORED, -1, tuple(self._follower.own(item, at, None, step)))

    def _literals(
        self, item: Item, decided: Iterable[tuple[Path, Path | None]], maker: tuple[int, New] | None
    ) -> Iterator[Value]:
        """Yield the leaves that steps write into a document without a decision, as the key of an element that they add.

        maker: the step that generated it, if one did: only those after it write into it.
        """
        known = {path for path, _ in decided}
        found: dict[Path, Value] = {}
        first = maker[0] + 1 if maker is not None else 0
        for number in sorted(one for one in self.trace.touching(item) if one >= first):
            for at, value in self.trace.steps[number].literals(item):
                path = self.trace.later(item, at, number + 1)
                if path is not None and not any(path[:size] in known for size in range(len(path) + 1)):
                    found[path] = Value(item, path, None, value, LITERAL, number, ())
        yield from found.values()

    def value(self, one: FinalValue) -> Value:
        """Return a decided value with its cells."""
        decision, leaf = one.decision, one.decision.leaf
        cells = self._follower.cells(decision, one.step)
        if one.is_covered:
            cells = (self._follower.written_earlier(one), *cells)
        if one.parts and cells and decision.after is not ABSENT:
            return Value(
                one.item, one.path, one.inner, decision.after, DERIVED, one.step, self._with_parts(one, cells), decision
            )
        kind = (leaf.kind if leaf is not None else "") or (
            DERIVED if cells and cells[0].parts and cells[0].origin != EARLIER else DECIDED
        )
        return Value(one.item, one.path, one.inner, decision.after, kind, one.step, cells, decision)

    def _with_parts(self, one: FinalValue, cells: tuple[Cell, ...]) -> tuple[Cell, ...]:
        """Return the cells of a value of which later steps have changed parts."""
        later = [found[0] for part in one.parts if (found := self._follower.cells(part.decision, part.step))]
        hides = any(part.secret for part in (cells[0], *later))
        return (replace(cells[0], value=one.decision.after, parts=(cells[0], *later), secret=hides), *cells[1:])

    def copied(self, item: Item, path: Path) -> tuple[Cell, ...]:
        """Return the cells of a value that a step copied into an object that it generated; none of a constant, or of any other object."""
        found = self.trace.maker(item)
        if found is None:
            return ()
        number, made = found
        origin = self.trace.copied(self.trace.steps[number], item, path)
        return () if origin is None or origin.layer == GENERATED else tuple(self._follower.copied(origin, number, made, path))

    def layers(self, step: int) -> list[LayerUse]:
        """Return the layers of a step, lowest precedence first, with the counts of its own decisions."""
        if step not in self._layers:
            entry, order = self.explanation.steps[step], self.order(step)
            found = self._layers[step] = [*_layers(entry, order, lambda one: self._own(one, step))]
            self._ranks[step] = {(id(one.chain), one.layer, order.declared(one.layer, one.origin)): one.rank for one in found}
        return self._layers[step]

    def order(self, step: int) -> Order:
        """Return the order of the layers of a step."""
        if step not in self._orders:
            self._orders[step] = Order(self.explanation.steps[step])
        return self._orders[step]

    def rank(self, layer: str, origin: Origin, step: int, chain: Item | None) -> int | None:
        """Return the rank of a layer among those of its chain; None if it is none of the step's. origin: a value of it."""
        if not self.explanation.steps:
            return None
        self.layers(step)
        ranks, declared = self._ranks[step], self.order(step).declared(layer, origin)
        return ranks.get((id(chain), layer, declared), ranks.get((id(None), layer, declared)))

    def of_layer(self, origin: Origin, step: int, leaf: Leaf, target: Item | New) -> list[Cell]:
        """Return the cells of one layer's value for a leaf, through the steps before."""
        return self._follower.of_layer(origin, step, leaf, target)

    def _own(self, decision: Decision, step: int) -> tuple[Origin, ...]:
        """Return the value of the resource itself that a decision overrides, where the step does not tell it."""
        if not isinstance(decision.item, Item) or decision.leaf is None:
            return ()
        return tuple(one.source for one in self._follower.lost(decision, step) if one.layer == RESOURCE and one.step == step)[
            :1
        ]

    def step(self, number: int) -> Reference | None:
        """Return the reference of a step; None for a list, which has no Kptfile."""
        return self._follower.references[number].step()

    def references(self) -> list[Reference]:
        """Return the references of the layers of all steps, each step's own first."""
        found: dict[int, Reference] = {}
        for known in self._follower.references:
            for one in (known.step(), *known.all()):
                if one is not None:
                    found.setdefault(id(one), one)
        return [*found.values()]

    def named_by(self, reference: Reference) -> list[tuple[int, str]]:
        """Return the layers that a reference names, each with the number of its step."""
        return [
            (number, layer) for number, known in enumerate(self._follower.references) for layer in known.named_by(reference)
        ]

    def before_steps(self, item: Item, path: Path) -> Path:
        """Return where what is at a path of a file is once the steps have taken back what earlier runs wrote there."""
        return self._authorship.taken_back(item, path)

    def unwritten(self, item: Item, path: Path) -> Path | None:
        """Return where the value at a path of a rendered document was before the first step; None if a step wrote it, or generated the object."""
        return self._follower.unwritten(item, path, len(self.explanation.steps))

    def in_file(self, item: Item, path: Path) -> Path:
        """Return where that is in the file."""
        return self._authorship.in_file(item, path)

    def place_in_file(self, cell: Cell) -> tuple[Path, Path | None]:
        """Return where the value of a cell is in its file, and in the text there."""
        item, read, inner = cell.item, cell.source, cell.inner
        if not isinstance(item, Item):
            return cell.path, inner
        is_moved = read.item is item and read.path != cell.path
        at = (*read.path, *cell.path[len(read.path) :]) if is_moved else cell.path
        path = self._authorship.in_file(item, cell.path, at)
        return path, None if inner is None else self._authorship.in_text(item, path, inner)

    def number(self, cell: Cell) -> int:
        """Return which YAML document of its text a cell is in, from 0."""
        return self._follower.number(cell)

    def line(self, cell: Cell) -> tuple[int, int]:
        """Return line and column of a cell in the files as they are now, 0 where they are not known."""
        item = cell.item
        if not isinstance(item, Item):
            return places.UNKNOWN
        before = self.trace.first(item)
        is_told = cell.inner is None or cell.source.text is not None or bool(cell.source.line)
        if is_told and before is item and (cell.path, cell.inner) == (cell.source.path, cell.source.inner):
            found = self._places_of(cell.source)
            if found[0]:
                return found
        if before is item and item.position.line and cell.inner is not None and cell.source.text is not None:
            at = cell.source.text.place(cell.inner)
            found = places.OfField(item, self.place_in_file(cell)[0]).place(*at) if at is not None else places.UNKNOWN
            if found[0]:
                return found
        path, inner = self.place_in_file(cell)
        if inner is not None:
            return in_text.place(before, path, inner, self.number(cell))
        return places.of_field(before, path)

    def is_left(self, hop: Hop) -> bool:
        """Return whether the file has at the place of a hop what a step wrote there in an earlier run, or is generated."""
        item = hop.item
        return not isinstance(item, Item) or self.trace.maker(item) is not None or self._follower.is_left(hop)

    def line_of_hop(self, hop: Hop) -> int:
        """Return the line of a place on the way of a value in the files as they are now, 0 where it is not there."""
        if not isinstance(hop.item, Item):
            return 0
        before = self.trace.first(hop.item)
        if not before.position.line:
            return 0
        path = self._authorship.in_file(hop.item, hop.path, hop.path)
        if get(before.data, path, ABSENT) is ABSENT:
            return 0
        found = places.of_field(before, path) if hop.inner is None else in_text.place(before, path, hop.inner, 0)
        return found[0]

    def _places_of(self, origin: Origin) -> tuple[int, int]:
        """Return the place of an origin; of the values of one text, what they share is looked up once."""
        item = origin.item
        if not isinstance(item, Item) or not item.position.line:
            return places.UNKNOWN
        return self._in_field(item, origin.path).place(*origin.place) if origin.inner else places.of_origin(origin)

    def _undecided(
        self, made: New, step: int, decided: Iterable[tuple[Path, Path | None]], item: Item | New | None = None
    ) -> Iterator[Value]:
        """Yield the leaves of an object that a step generated that no decision is about, where the last step leaves them: copied, derived, or constants.

        item: the object as a later step got it, if one did.
        """
        known = {path for path, _ in decided}
        for at, value in scalars(made.data):
            path = self.trace.later(item, at, step + 1) if isinstance(item, Item) else at
            if path is None or any(path[:size] in known for size in range(len(path) + 1)):
                continue
            kind, cells = self._literal(made, at, value, step)
            yield Value(made, path, None, value, kind, step, cells)

    def _literal(self, item: Item | New, path: Path, value: JSON, step: int) -> tuple[str, tuple[Cell, ...]]:
        done = self.trace.steps[step]
        origin = self.trace.copied(done, item, path)
        if origin is not None and origin.layer != GENERATED:
            kind = LITERAL if origin.layer == _TEMPLATE else COPIED
            return kind, tuple(self._follower.copied(origin, step, item, path))
        if text := self.trace.made_of(done, item, path):
            return DERIVED, (self._follower.composed(value, self._follower.copied(text, step, item, path), step, item),)
        source = places.made_from(item) if isinstance(item, New) and not item.named else None
        if source is not None and path in (_NAME, _NAMESPACE):
            named = get(source.data, path)
            if isinstance(named, str) and named and isinstance(value, str) and named in value:
                cells = self._follower.copied(Origin(GENERATED, named, source, path), step, item, path)
                if value == named:
                    return COPIED, tuple(cells)
                return DERIVED, (self._follower.composed(value, cells, step, item),)
        return LITERAL, ()


def _without_hidden_keys(item: Item) -> Iterator[tuple[Path, JSON]]:
    """Yield the leaves of a document; what a record withholds as a whole is one, because its keys are from a Secret, too."""
    hidden = {tuple(map(str, place)) for place in item.withheld}  # an index may be a key there
    tops: dict[Path, None] = {}
    for at, value in scalars(item.data):
        parts = tuple(map(str, at)) if hidden else ()
        top = next((at[:size] for size in range(1, len(parts)) if parts[:size] in hidden), at)
        if top not in tops:
            tops[top] = None
            yield top, value if top == at else get(item.data, top)


def _ranked(origin: Origin, leaf: Leaf, order: Order) -> Origin:
    """Return the value of the layer that the function ranks: of a field of a template that is a param, that of the param."""
    source = origin.via[0]
    is_param = len(origin.via) == 1 and order.declares(source.layer) and passes(origin, source, leaf)
    return source if is_param else origin


def _layers(entry: Explained, order: Order, own: Callable[[Decision], tuple[Origin, ...]]) -> Iterator[LayerUse]:
    """Yield the layers of a step by their chains, the lowest first; the resource's own value is below all.

    own: returns the value of the resource itself that a decision overrides.
    """
    chains: dict[int, dict[tuple[str, str], LayerUse]] = {}
    for decision in entry.outcome.decisions:
        leaf = decision.leaf
        made = decision.item if isinstance(decision.item, New) and not decision.item.named else None
        chain = places.made_from(made) if made is not None else None  # an object with a name of its own is made for its config
        both = (leaf.origin, *leaf.overridden) if leaf else ()
        origins = tuple([_ranked(one, leaf, order) if one.via else one for one in both])  # type: ignore[arg-type]  # it has a leaf
        if RESOURCE not in [one.layer for one in origins]:
            origins = (*origins, *own(decision))
        layers: dict[tuple[str, str], Origin] = {}  # once each, though a reference hands on several values
        for origin in origins:
            layers.setdefault((origin.layer, order.declared(origin.layer, origin)), origin)
        for name, origin in layers.items():
            known = chains.setdefault(id(chain), {})
            if name not in known:
                known[name] = LayerUse(origin, chain)
            known[name].sets += 1
            known[name].wins += origin is origins[0]
    for found in chains.values():
        ordered = sorted(found.values(), key=lambda one: (one.layer != RESOURCE, *order.rank(one.origin)))
        for rank, one in enumerate(ordered, -1 if ordered[0].layer == RESOURCE else 0):
            one.rank = rank
            yield one
