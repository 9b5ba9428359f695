"""What the steps of an explanation did to each document: which of them decided, generated, copied or moved what, and how it was before.

In a list, what functions left behind that ran before the explained one stands for their steps.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.errors import InputError
from krm_values._explain.copies import Copies
from krm_values._explain.steps import ExplainedStep
from krm_values._krm import names, reader
from krm_values._krm.item import Item
from krm_values._krm.plan import New, Origin
from krm_values._krm.taint import from_pointer, touches
from krm_values._krm.undo_record import from_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from krm_values._data.pointer import Path
    from krm_values._explain.steps import Explained, Explanation, Key
    from krm_values._krm.undo_record import Record

    _Header = tuple[str, ...]  # kind, namespace and name

GENERATED = "generated"


class Trace:
    """The steps of an explanation, and what they did to each document."""

    __slots__ = (
        "_copies",
        "_given",
        "_left",
        "_looked_at",
        "_makers",
        "_removed",
        "_touching",
        "_were_dropped",
        "before",
        "limits",
        "steps",
    )

    def __init__(self, explanation: Explanation) -> None:
        self.steps = [ExplainedStep(entry) for entry in explanation.steps]
        self.before, self.limits = explanation.before, explanation.before.limits
        self._left = None if self.before or not self.steps else _LeftBehind(self.steps[0].entry)
        self._given = {id(one) for step in self.steps for one in step.entry.items}
        self._copies: dict[tuple[int, int], tuple[Item | New, Copies | None]] = {}  # with the item, as in `_makers`
        self._makers: dict[int, tuple[Item, tuple[int, New] | None]] = {}  # with the item, so that no other takes its id over
        self._touching: dict[Key, list[int]] | None = None
        self._removed: set[Key] | None = None
        self._looked_at: dict[int, Item] = {}
        self._were_dropped: set[int] = set()

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

    def restored(self, item: Item) -> tuple[Item, int]:
        """Return a document of which no step decides anything without what earlier runs wrote there, and the step that takes it back."""
        keys = self.steps[0].keys(item) if self.steps else ()
        for number, step in enumerate(self.steps):
            written = step.written(keys)
            if written is not None and (text := step.entry.outcome.edited.get(written.number)):
                return item.seen_as(reader.read(text, None, self.limits), written.header), number
        return item, 0

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
        """Return where a step copied an unchanged value of a generated object from, else the source of the object; None if the step made no such object.

        Of the name and namespace that a functionConfig gives, that is there.
        """
        copies = self._copies_of(done, item)
        if copies is None:
            return None
        source, given = copies.made.source, copies.made.given.get(path)
        if given is not None:
            return done.located(given)
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
            made = next((one.item for one in decisions if isinstance(one.item, New)), None) or done.made(item)
            self._copies[key] = item, None if made is None else Copies(made, decisions)
        return self._copies[key][1]

    def is_made(self, item: Item) -> bool:
        """Return whether a step generates a document, or removes one that it generated in an earlier run."""
        return self.is_removed(item) or any(step.made(item) is not None for step in self.steps)

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


class _LeftBehind:
    """The functions that ran before the explained one, as far as its items show. Each is a layer with the function's name."""

    __slots__ = ("_function", "_headers", "_items", "_known")

    def __init__(self, entry: Explained) -> None:
        self._function, self._items = entry.function, entry.items
        self._headers: Mapping[_Header, Item] | None = None
        self._known: dict[int, tuple[Item, Mapping[str, str]]] = {}  # with the item, so that no other takes its id over

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
