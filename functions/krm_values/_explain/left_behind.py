"""Traces of functions that ran before, in the items of a list: marks name what made an object, undo records who wrote where."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.errors import InputError
from krm_values._kit.planner.plan import Origin
from krm_values._kit.planner.undo_record.entries import from_text
from krm_values._kit.planner.withheld import from_pointer, touches

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from krm_values._data.pointer import Path
    from krm_values._explain.facts import Explained
    from krm_values._kit.planner.item import Item

    _Header = tuple[str, ...]  # kind, namespace and name

_MADE_BY, _MADE_FROM = "generated-by", "generated-from"
_RECORD = "undo."


class LeftBehind:
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
            if name == _MADE_BY:
                kind, *rest = item.marks.get(_MADE_FROM, "").split("/")
                yield self._origin(text, kind.partition(".")[0], *rest[:2])
            elif name.startswith(_RECORD):
                yield from self._recorded(name.removeprefix(_RECORD), text, item, path)

    def _recorded(self, function: str, text: str, item: Item, path: Path) -> Iterator[Origin]:
        try:
            record = from_text(text)
        except InputError:
            return  # the run says what is wrong with it
        if touches([from_pointer(entry.path, item.data) for entry in record.entries], path):
            yield from (self._origin(function, *by.split("/")) for by in record.by)

    def _origin(self, function: str, *header: str) -> Origin:
        if self._headers is None:
            self._headers = _by_header(self._items)
        return Origin(function, None, self._headers.get(header))

    def _marks(self, item: Item) -> Mapping[str, str]:
        if id(item) not in self._known:
            found = {name: text for name, text in item.marks.items() if name == _MADE_BY or name.startswith(_RECORD)}
            own = (name for name, text in found.items() if self._function in (text, name.removeprefix(_RECORD)))
            self._known[id(item)] = item, {name: found[name] for name in found.keys() - {*own}}
        return self._known[id(item)][1]


def _by_header(items: Iterable[Item]) -> dict[_Header, Item]:
    return {(item.kind, item.namespace, item.name): item for item in items}
