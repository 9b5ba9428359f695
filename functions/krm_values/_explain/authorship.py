"""What was in the files before the first step: what their authors wrote, and what earlier runs did, as undo records tell it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.pointer import ABSENT, get, parts_of
from krm_values._data.shifting import Shifts
from krm_values._explain.model import AUTHORED, CONFIG, DEFAULT, EARLIER
from krm_values._krm import names
from krm_values._krm.item import Item
from krm_values._krm.plan import New
from krm_values._krm.taint import from_pointer, touches
from krm_values._run import registry
from krm_values._run.state import value_at

if TYPE_CHECKING:
    from typing import Any

    from krm_values._data.pointer import Path
    from krm_values._explain.ways import Trace
    from krm_values._krm.plan import Origin
    from krm_values._krm.undo_record import UndoEntry
    from krm_values._run.state import TextsRead

    _Place = tuple[Path, Path | None]
    _Owner = Item | New | None

_CONFIGS = frozenset(map(names.kind, registry.functions()))


class Authorship:
    """Tells of a value that a step read whether it was in the file before the first step, and where: its author's, or of an earlier run.

    What is known of a document is kept with it, so that no other takes its id over.
    """

    __slots__ = ("_in_texts", "_records", "_taken_back", "_texts", "_trace")

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._in_texts: dict[tuple[int, Path], tuple[_Owner, tuple[str, bool, bool]]] = {}
        self._records: dict[int, tuple[Item, tuple[list[_Place], list[_Place]]]] = {}
        self._taken_back: dict[int, tuple[Item, tuple[list[_Place], dict[Path | None, Shifts]]]] = {}
        self._texts: dict[int, tuple[Item, TextsRead]] = {}

    def state(self, at: Origin, own: Path) -> tuple[str, bool, bool]:
        """Return where a value was before the first step, whether an undo record keeps it, and whether it is hidden.

        All values of one text have this in common, unless a record tells them apart.
        """
        key = id(at.item), at.path
        known = self._in_texts.get(key) if at.inner is not None else None
        if known is None:
            known = at.item, (self.word(at, own), self.is_recorded(at, own, taken_back=True), at.in_secret)
            if at.inner is not None and not (isinstance(at.item, Item) and any(self._held(at.item))):
                self._in_texts[key] = known
        return known[1]

    def word(self, at: Origin, own: Path) -> str:
        """Return where a value was before the first step."""
        item = at.item
        if item is None:
            return CONFIG if at.config is not None else DEFAULT
        if isinstance(item, New):
            return EARLIER
        if item.api_version == names.API_VERSION and item.kind in _CONFIGS:
            return CONFIG
        if not self._trace.was_there(item) or names.MADE_BY in item.marks or self._trace.left(item, at.path):
            return EARLIER
        return EARLIER if self.is_recorded(at, own, taken_back=False) else AUTHORED

    def is_recorded(self, at: Origin, own: Path, *, taken_back: bool) -> bool:
        """Return whether an undo record of an earlier run is about a place. taken_back: one that this run takes back, or one that it leaves."""
        if not isinstance(at.item, Item):
            return False
        held = self._held(at.item)[not taken_back]
        if not held:
            return False
        here = self.in_file(at.item, own, at.path)
        text = None if at.inner is None else self.in_text(at.item, here, at.inner)
        return any(
            touches((path,), here) and (inner is None or text is None or touches((inner,), text)) for path, inner in held
        )

    def _held(self, item: Item) -> tuple[list[_Place], list[_Place]]:
        """Return the places of the file that the undo records of a document are about: of those that this run takes back, and of the others."""
        if id(item) not in self._records:
            left = [self._recorded(item, entry) for one in self._trace.records(item)[1] for entry in one.entries]
            self._records[id(item)] = item, (self._undone(item)[0], left)
        return self._records[id(item)][1]

    def _undone(self, item: Item) -> tuple[list[_Place], dict[Path | None, Shifts]]:
        """Return the places that a run takes back, and where it moves others: in the document itself, by None, and in its texts, by their paths.

        Each entry of a record is about the document as those before it leave it; its place is that in the file.
        """
        if id(item) not in self._taken_back:
            first = self._trace.first(item)
            places: list[_Place] = []
            done: dict[Path | None, Shifts] = {}
            for entry in (entry for one in self._trace.records(item)[0] for entry in one.entries):
                path, inner = self._recorded(first, entry)
                text, at = (None, path) if inner is None else (path, inner)
                at = _earlier(done.get(text), at)
                places.append((at, None) if inner is None else (path, at))
                if entry.op != "replace":
                    if text not in done:
                        done[text] = Shifts(first.data if text is None else self.value(first, text, ()), ())
                    done[text].add((entry.op, parts_of(entry.inner or entry.path), (), ABSENT))
            self._taken_back[id(item)] = item, (places, done)
        return self._taken_back[id(item)][1]

    def _recorded(self, item: Item, entry: UndoEntry) -> _Place:
        """Return the place that an entry of an undo record is about."""
        path = from_pointer(entry.path, item.data)
        return path, from_pointer(entry.inner, self.value(item, path, ())) if entry.inner else None

    def in_file(self, item: Item, path: Path, read: Path | None = None) -> Path:
        """Return where a value that a run finds in a document is in its file: what an earlier run added or removed there moves elements.

        read: the path at which a step reads it in this item, which is that in the file if nothing has changed the item before the step.
        """
        if read is not None and self._trace.first(item) is item:
            return read
        return _earlier(self._undone(item)[1].get(None), path)

    def in_text(self, item: Item, path: Path, inner: Path) -> Path:
        """Return the same of a path in the text at a path of the file."""
        return inner if self._trace.first(item) is item else _earlier(self._undone(item)[1].get(path), inner)

    def taken_back(self, item: Item, path: Path) -> Path:
        """Return where what is at a path of a file is once the steps have taken back what earlier runs wrote there; what one wrote stays there."""
        undoing = self._undone(item)[1].get(None)
        return (undoing.later(path) if undoing is not None else None) or path

    def value(self, item: Item, path: Path, inner: Path | None) -> Any:
        if inner is None:
            return get(item.data, path, ABSENT)
        texts = self._texts.setdefault(id(item), (item, {}))[1]
        return value_at(item.data, path, inner, texts)


def _earlier(undoing: Shifts | None, path: Path) -> Path:
    """Return where a place was before operations; of what was not there, the nearest map or list around it."""
    if undoing is None:
        return path
    return next((found for size in range(len(path), 0, -1) if (found := undoing.earlier(path[:size])) is not None), path)
