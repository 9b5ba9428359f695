"""The way of a value: the chain of origins from the winning layer back to files that existed before the first step.

In a list, what functions left behind that ran before the explained one stands for their steps.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.errors import InputError
from krm_values._data.pointer import get
from krm_values._data.record import replace
from krm_values._explain.copies import Copies
from krm_values._explain.steps import ExplainedStep
from krm_values._krm import names, places
from krm_values._krm.item import Item
from krm_values._krm.plan import New, Origin
from krm_values._krm.taint import from_pointer, touches
from krm_values._krm.undo_record import from_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from krm_values._data.pointer import Path
    from krm_values._explain.steps import Explained, Explanation, Key
    from krm_values._krm.undo_record import Record

    _Header = tuple[str, ...]  # kind, namespace and name

GENERATED = "generated"
_LEVELS, _WAYS, _PER_WAY = 32, 256, 8
"""How long a way is, and how many layers it has: for each of those where it forks first."""
_ALWAYS = None
"""A way ends at this item whether or not the line is known: the item has no lines."""


class Way:
    """One layer on a way, and the layers that it derives from (`via`).

    file: "" where there is none. is_source: whether the file existed before the first step, so that the value is authored.
    """

    __slots__ = ("_place", "depth", "file", "is_source", "origin", "size", "step", "via")

    def __init__(
        self,
        origin: Origin,
        step: int,
        file: str = "",
        place: tuple[int, int] | Callable[[], tuple[int, int]] = places.UNKNOWN,
        via: tuple[Way, ...] = (),
        *,
        is_source: bool = False,
    ) -> None:
        self.origin, self.step, self.file, self.is_source = origin, step, file, is_source
        self._place = place
        is_long = sum([one.size for one in via]) > max(_WAYS, _PER_WAY * len(via)) or any([one.depth >= _LEVELS for one in via])  # noqa: C419
        # a long way forks no further: each of its layers may derive from the same ones again
        self.via = tuple([one.without_via() for one in via]) if is_long else via
        self.size: int = 1 + sum([one.size for one in self.via])
        self.depth: int = 1 + max([one.depth for one in self.via], default=0)

    @property
    def place(self) -> tuple[int, int]:
        """Line and column in the file, from 1, 0 where they are not known; computed on first use."""
        if not isinstance(self._place, tuple):
            self._place = self._place()
        return self._place

    def without_via(self) -> Way:
        """Return this layer alone."""
        return Way(self.origin, self.step, self.file, self._place, is_source=self.is_source)

    def all(self) -> Iterator[Way]:
        """Yield this layer and all that it derives from."""
        yield self
        for below in self.via:
            yield from below.all()


class Trace:
    """Follows origins through the steps of an explanation."""

    __slots__ = (
        "_copies",
        "_given",
        "_items",
        "_known",
        "_left",
        "_looked_at",
        "_makers",
        "_open",
        "_removed",
        "_touching",
        "_were_dropped",
        "_written",
        "before",
        "limits",
        "steps",
    )

    def __init__(self, explanation: Explanation) -> None:
        self.steps = [ExplainedStep(entry) for entry in explanation.steps]
        self.before, self.limits = explanation.before, explanation.before.limits
        self._left = None if self.before or not self.steps else _LeftBehind(self.steps[0].entry)
        self._given = {id(one) for step in self.steps for one in step.entry.items}
        self._items: dict[int, tuple[Item | New, bool | None]] = {}
        self._written: dict[tuple[int, Path], bool] = {}
        self._copies: dict[tuple[int, int], tuple[Item | New, Copies | None]] = {}  # with the item, as in `_makers`
        self._makers: dict[int, tuple[Item, tuple[int, New] | None]] = {}  # with the item, so that no other takes its id over
        self._touching: dict[Key, list[int]] | None = None
        self._removed: set[Key] | None = None
        self._open: set[int] = set()  # items whose marks are being followed, which may lead back to them
        self._looked_at: dict[int, Item] = {}
        self._were_dropped: set[int] = set()
        self._known: dict[tuple[int, int], tuple[Origin, Way]] = {}  # with the origin, so that no other takes its id over

    def way(self, origin: Origin, step: int) -> Way:
        """Return the way of an origin of a step."""
        known = self._known.get((id(origin), step))
        if known is None:
            made = self._made(origin, step)
            known = self._known[id(origin), step] = origin, made
        return known[1]

    def are_plain(self, origins: Iterable[Origin]) -> bool:
        """Return whether each of the first step's origins is its own whole way, in a file that existed before."""
        for one in origins:
            item = one.item
            if one.via or item is None:
                return False
            known = self._items.get(id(item)) or self._look_at(item)
            if known[1] is not _ALWAYS and not (known[1] and self._is_written(item, one.path)):
                return False
        return True

    def _is_written(self, item: Item | New, path: Path) -> bool:
        key = id(item), path  # many values of one text have this path
        if key not in self._written:
            self._written[key] = isinstance(item, Item) and places.exactly(item, path)[0] > 0
        return self._written[key]

    def _look_at(self, item: Item | New) -> tuple[Item | New, bool | None]:
        """Return whether a way ends at an item: _ALWAYS, True if its line is known, or False; with the item, which is cached by id."""
        if not isinstance(item, Item) or (self._left and self._left.tells(item)):
            begins: bool | None = False
        elif item.position.line or self.before:
            begins = self.was_there(item)
        else:
            begins = _ALWAYS
        self._items[id(item)] = item, begins
        return item, begins

    def _made(self, origin: Origin, step: int) -> Way:
        via = tuple(self.way(one, step) for one in origin.via)
        origin = self.steps[step].located(origin)
        if origin.item is None:
            return Way(origin, step, via=via)
        earlier, at = self._earlier(origin, origin.item, step)
        below = (*via, *earlier)
        if isinstance(origin.item, New):
            return Way(origin, step, via=below)
        file = origin.item.position.source
        item = origin.item
        if earlier and (at is None or not self.was_there(item)):
            return Way(origin, step, file, via=below)
        if earlier:  # which wrote parts of a text: the rest of it is authored
            return Way(origin, step, file, lambda: self._line(origin, item, at), below)
        left = self._left_behind(item, origin.path, step)
        below, is_source = (*below, *left), not left and self.was_there(item)
        if not item.position.line and not self.before:
            return Way(origin, step, file, via=below, is_source=is_source)
        return Way(origin, step, file, lambda: self._line(origin, item, at), below, is_source=is_source)

    def _left_behind(self, item: Item, path: Path, step: int) -> tuple[Way, ...]:
        """Return, for a list, the functions that wrote at a place before the explained one."""
        if self._left is None or item.number in self._open:
            return ()
        self._open.add(item.number)
        found = tuple(self.way(one, step) for one in self._left.origins(item, path))
        self._open.discard(item.number)
        return found

    def _earlier(self, origin: Origin, item: Item | New, step: int) -> tuple[tuple[Way, ...], Path | None]:
        """Return the decisions of earlier steps about the place of an origin, and its path before the first step, None if they wrote all of it."""
        path, inner = origin.path, origin.inner
        if not path and inner is None:
            return (), path  # each value of an object as a whole may be of an object as a whole again
        if isinstance(item, New):
            done = self.steps[step]
            if found := [one for one in done.decided(item, path, inner) if one.leaf and one.leaf.origin is not origin]:
                return tuple(self.way(one.leaf.origin, step) for one in found if one.leaf), None
            return (self._copied(done, step, item, path) if origin.layer != GENERATED else ()), None
        for number in self.touching(item):
            if number >= step:
                continue
            done = self.steps[number]
            if found := done.decided(item, path, inner):
                parts = all(one.leaf and one.leaf.inner and one.path == path for one in found) and not inner
                return tuple(self.way(one.leaf.origin, number) for one in found if one.leaf), path if parts else None
            if made := self._copied(done, number, item, path):
                return made, None
            path = done.earlier(item, path) or path
        return (), path

    def _copied(self, done: ExplainedStep, number: int, item: Item | New, path: Path) -> tuple[Way, ...]:
        """Return, for an object that the step generated, where it copied an unchanged value from, else the source of the object."""
        source = self.copied(done, item, path)
        return () if source is None else (self.way(source, number),)

    def maker(self, item: Item) -> tuple[int, New] | None:
        """Return the step that generated an object, and the object as it did; None for any other."""
        if id(item) not in self._makers:
            found = ((number, self._copies_of(self.steps[number], item)) for number in self.touching(item))
            self._makers[id(item)] = item, next(((number, one.made) for number, one in found if one is not None), None)
        return self._makers[id(item)][1]

    def touching(self, item: Item) -> list[int]:
        """Return the numbers of the steps that decide or write anything of a document, the last first."""
        if self._touching is None:
            self._touching = {}
            for number, step in enumerate(self.steps):
                for key in step.touched():
                    self._touching.setdefault(key, []).append(number)
        keys = self.steps[0].keys(item) if self.steps else ()
        found = {number for key in keys for number in self._touching.get(key, ())}
        return sorted(found, reverse=True)

    def later(self, item: Item, path: Path, step: int) -> Path | None:
        """Return where the last step leaves what one step got at a path; None if one of them removed it or wrote there."""
        for number in reversed(self.touching(item)):
            if number >= step:
                moved = self.steps[number].later(item, path, unwritten=True)
                if moved is None:
                    return None
                path = moved
        return path

    def first(self, item: Item) -> Item:
        """Return a document as it was before the first step."""
        if item.position.line and id(item) in self._given:  # no step has changed it, nor has a record been taken back
            found = item
        else:
            found = self.before.get(item.position.path, item.position.index) or item
        self._looked_at[id(found)] = found
        return found

    def drop_nodes(self) -> None:
        """Forget the nodes of the documents that were looked at since the last call. Those that are looked at again are kept from then on."""
        for key in self._looked_at.keys() - self._were_dropped:
            self._looked_at[key].drop_nodes()
            self._were_dropped.add(key)
        self._looked_at.clear()

    def keep_nodes(self) -> None:
        """Do not forget the nodes of what was looked at so far."""
        self._looked_at.clear()

    def records(self, item: Item) -> tuple[list[Record], list[Record]]:
        """Return the undo records that a document had before the first step, the newest first: those that a run takes back, and the others."""
        before = self.first(item)
        found: tuple[list[Record], list[Record]] = [], []
        for name, text in before.marks.items():
            if name.startswith(names.UNDO):
                try:
                    found[not any(step.entry.takes_back(name, item) for step in self.steps)].append(from_text(text))
                except InputError:
                    continue  # the run says what is wrong with it
        found[0].sort(key=lambda one: -one.number)
        return found

    def left(self, item: Item, path: Path) -> list[Origin]:
        """Return, for a list, the functions that wrote at a place before the explained one."""
        return [] if self._left is None else [*self._left.origins(item, path)]

    def copied(self, done: ExplainedStep, item: Item | New, path: Path) -> Origin | None:
        """Return where a step copied an unchanged value of a generated object from, else the source of the object; None if the step made no such object."""
        copies = self._copies_of(done, item)
        if copies is None:
            return None
        source = copies.made.source
        return copies.at(path) or (Origin(GENERATED, None, source, ()) if source is not None else None)

    def made_of(self, done: ExplainedStep, item: Item | New, path: Path) -> Origin | None:
        """Return the text with references from which a step made a value of a generated object without a decision about it."""
        copies = self._copies_of(done, item)
        return copies.text(path) if copies is not None else None

    def _copies_of(self, done: ExplainedStep, item: Item | New) -> Copies | None:
        """Return the copies in an object that a step generated; None for any other."""
        key = id(done), id(item)
        if key not in self._copies:
            decisions = done.of(item)
            made = next((one.item for one in decisions if isinstance(one.item, New)), None)
            self._copies[key] = item, None if made is None else Copies(made, decisions)
        return self._copies[key][1]

    def is_removed(self, item: Item) -> bool:
        """Return whether a step removes a document."""
        if self._removed is None:
            gone = [(step, one) for step in self.steps for one in step.entry.items if one.number in step.entry.outcome.removed]
            self._removed = {key for step, one in gone for key in step.keys(one)[:1]}
        return bool(self._removed) and self.steps[0].keys(item)[0] in self._removed

    def was_there(self, item: Item) -> bool:
        """Return whether a document was there before the first step."""
        at = item.position
        return at.line > 0 or not self.before or self.before.get(at.path, at.index) is not None

    def _line(self, origin: Origin, item: Item, at: Path | None) -> tuple[int, int]:
        found = places.of_origin(origin)
        if found[0]:
            return found
        before = self.before.get(item.position.path, item.position.index) or item
        path = origin.path if at is None else at
        return _line_in(before, path, origin)


def _line_in(item: Item, path: Path, origin: Origin) -> tuple[int, int]:
    """Return line and column in the document as it was read: of the value, else of the nearest field above it."""
    if not item.position.line:
        return places.UNKNOWN
    text = get(item.data, path)
    if origin.inner is not None and isinstance(text, str):
        found = places.of_origin(replace(origin, item=item, path=path))
        if not found[0]:
            found = places.of_text(item, path, places.field_inside(text, origin.inner))
        if found[0]:
            return found
    return places.of_field(item, path)


class _LeftBehind:
    """The functions that ran before the explained one, as far as its items show. Each is a layer with the function's name."""

    __slots__ = ("_function", "_headers", "_items", "_known")

    def __init__(self, entry: Explained) -> None:
        self._function, self._items = entry.function, entry.items
        self._headers: Mapping[_Header, Item] | None = None
        self._known: dict[int, tuple[Item, Mapping[str, str]]] = {}  # with the item, so that no other takes its id over

    def tells(self, item: Item) -> bool:
        """Return whether an item has a mark or an undo record of another function."""
        return bool(self._marks(item))

    def origins(self, item: Item, path: Path) -> Iterator[Origin]:
        """Yield the other functions that generated the item or wrote at, above or below this place, with the resource that they did it for."""
        for name, text in self._marks(item).items():
            if name == names.MADE_BY:
                kind, *rest = item.marks.get(names.MADE_FROM, "").split("/")
                yield self._origin(text, kind.partition(".")[0], *rest[:2])
            elif name.startswith(names.UNDO):
                yield from self._recorded(name.removeprefix(names.UNDO), text, item, path)

    def _recorded(self, function: str, text: str, item: Item, path: Path) -> Iterator[Origin]:
        try:
            record = from_text(text)
        except InputError:
            return  # the run says what is wrong with it
        if touches([from_pointer(entry.path, item.data) for entry in record.entries], path):
            yield from (self._origin(function, *by.split("/")) for by in record.by)

    def _origin(self, function: str, *header: str) -> Origin:
        if self._headers is None:
            self._headers = {(item.kind, item.namespace, item.name): item for item in self._items}
        return Origin(function, None, self._headers.get(header))

    def _marks(self, item: Item) -> Mapping[str, str]:
        if id(item) not in self._known:
            found = {name: text for name, text in item.marks.items() if name == names.MADE_BY or name.startswith(names.UNDO)}
            own = (name for name, text in found.items() if self._function in (text, name.removeprefix(names.UNDO)))
            self._known[id(item)] = item, {name: found[name] for name in found.keys() - {*own}}
        return self._known[id(item)][1]
