"""The items of a document that lists them (a ResourceList, a List): headers at once, everything else on demand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.errors import InputError
from krm_values._data.limits import DEFAULT
from krm_values._kit.kio import headers, reader
from krm_values._kit.kio.split.block_items import BlockList
from krm_values._kit.kio.split.cross_item_anchors import Anchors
from krm_values._kit.planner.item import Header, Item
from krm_values._yaml.encoding import place

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeAlias

    from krm_values._data.limits import Limits
    from krm_values._kit.kio.split.envelope import Frame
    from krm_values._kit.kio.split.flow_items import EmptyList, FlowList
    from krm_values._kit.planner.item import Position, Reading

    Texts: TypeAlias = BlockList | FlowList | EmptyList


class ItemList:
    """The items in `texts`; `frame` is the document around them. stream: the name of the input in messages for items without a file."""

    __slots__ = ("_anchors", "_limits", "_stream", "texts")

    def __init__(self, texts: Texts, frame: Frame, stream: str = "", limits: Limits = DEFAULT) -> None:
        self.texts, self._stream, self._limits = texts, stream, limits
        self._anchors = Anchors(texts, frame.anchors, limits)

    def crossing(self, number: int) -> int:
        """Return the line, from 1, of the item's first anchor or alias that refers across its border; 0 if there is none."""
        return self._anchors.crossing(number)

    def items(
        self, first: int = 0, position: Callable[[int], Position] | None = None, relative: Callable[[str], str] | None = None
    ) -> Iterator[Item]:
        """Yield the items, numbered from `first`. `position`: returns that of an item by its index here; without it the annotations decide."""
        for number, header in enumerate(self._headers()):
            place = position(number) if position else None
            yield Item(first + number, header, _Read(self, number), place, relative)

    def read(self, number: int) -> Reading:
        """Return the reading of an item. InputError if it cannot be read."""
        try:
            return reader.read(self.texts.text(number), self._anchors.outer(number), self._limits)
        except InputError as error:
            if not self._stream:
                raise
            line, column = place(self.texts.data, self.texts.begins(number))
            shown = self.texts.column_of(number)
            raise error.moved(self._stream, line, 0 if shown < 0 else column - 1 - shown) from None

    def _headers(self) -> Iterator[Header]:
        texts = self.texts
        if not isinstance(texts, BlockList) or texts.leaves is not None:
            yield from map(self._parsed_header, range(len(texts)))
            return
        match = headers.Patterns(texts.column + 2).match
        known: dict[bytes, str] = {}
        for number in range(len(texts)):
            found = None if number in texts.suspects else match(texts.data, *texts.lines(number))
            if not found:
                yield self._parsed_header(number)
                continue
            version, kind, namespace = (known.get(text) or known.setdefault(text, text.decode()) for text in found[:3])
            yield Header(version, kind, namespace, found[3].decode())

    def _parsed_header(self, number: int) -> Header:
        return headers.read(self.texts.head(number), self._anchors.outer(number), self._limits)


class _Read:
    """Reads an item when called; one object per item, since a closure takes five times the memory."""

    __slots__ = ("_list", "_number")

    def __init__(self, items: ItemList, number: int) -> None:
        self._list, self._number = items, number

    def __call__(self) -> Reading:
        return self._list.read(self._number)
