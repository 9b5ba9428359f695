"""The items of a document that lists them (a ResourceList, a List): headers at once, everything else on demand; and anchors across items."""

from __future__ import annotations

import functools
import re
from bisect import bisect_left, insort
from typing import TYPE_CHECKING

from krm_values._data.errors import InputError
from krm_values._data.limits import DEFAULT
from krm_values._krm import headers, reader
from krm_values._krm.item import Header, Item
from krm_values._krm.list_text import BlockList
from krm_values._yaml import decode
from krm_values._yaml.encoding import Lines
from krm_values._yaml.nodes import walk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from krm_values._data.limits import Limits
    from krm_values._krm.item import Locate, Position, Reading
    from krm_values._krm.list_text import Frame, ItemTexts
    from krm_values._yaml.nodes import Node, Outer


class ItemList:
    """The items in `texts`; `frame` is the document around them. stream: the name of the input in messages for items without a file."""

    __slots__ = ("_anchors", "_limits", "_places", "_stream", "texts")

    def __init__(self, texts: ItemTexts, frame: Frame, stream: str = "", limits: Limits = DEFAULT) -> None:
        self.texts, self._stream, self._limits = texts, stream, limits
        self._anchors = Anchors(texts, frame.anchors, limits)
        self._places: list[tuple[int, int]] | None = None

    def crossing(self, number: int) -> int:
        """Return the line, from 1, of the item's first anchor or alias that refers across its border; 0 if there is none."""
        return self._anchors.crossing(number)

    def outer(self, number: int) -> Outer:
        """Return a function that finds the anchor of an alias in the item: the last one before it."""
        return self._anchors.outer(number)

    def items(
        self, first: int = 0, position: Callable[[int], Position] | None = None, locate: Locate | None = None
    ) -> Iterator[Item]:
        """Yield the items, numbered from `first`. `position`: returns that of an item by its index here; `locate`: returns it once it is asked for."""
        for number, header in enumerate(self._headers()):
            place = position(number) if position else None
            yield Item(first + number, header, _Read(self, number), place, locate)

    def place(self, number: int) -> tuple[int, int]:
        """Return the line of an item in the text, from 1, and how many columns further to the right that line is there than in its own text."""
        if self._places is None:
            lines, texts = Lines(self.texts.data), self.texts
            self._places = [lines.item(*texts.begins(one)) for one in range(len(texts))]
        return self._places[number]

    def read(self, number: int) -> Reading:
        """Return the reading of an item. InputError if it cannot be read."""
        try:
            return reader.read(self.texts.text(number), self.outer(number), self._limits)
        except InputError as error:
            if not self._stream:
                raise
            raise error.moved(self._stream, *self.place(number)) from None

    def _headers(self) -> Iterator[Header]:
        texts = self.texts
        if not isinstance(texts, BlockList) or texts.leaves is not None:  # not from the scan, whose proof the patterns rely on
            yield from map(self._parsed_header, range(len(texts)))
            return
        match = headers.Patterns(texts.column + 2).match
        decoded = functools.cache(bytes.decode)  # many items have the same
        for number in range(len(texts)):
            found = None if number in texts.suspects else match(texts.data, *texts.span_with_comments(number))
            if not found:
                yield self._parsed_header(number)
                continue
            version, kind, namespace, name = found
            yield Header(decoded(version), decoded(kind), decoded(namespace), name.decode())

    def _parsed_header(self, number: int) -> Header:
        return headers.read(self.texts.with_comments(number), self._anchors.outer(number), self._limits)


class _Read:
    """Reads an item when called; one object per item, since a closure takes five times the memory."""

    __slots__ = ("_list", "_number")

    def __init__(self, items: ItemList, number: int) -> None:
        self._list, self._number = items, number

    def __call__(self) -> Reading:
        return self._list.read(self._number)


# Anchors and aliases that refer across the border between two items of one list.

_MARK = re.compile(r"[&*][0-9A-Za-z_-]")  # no anchor and no alias begins otherwise
_NAMED = re.compile(rb"([&*])([0-9A-Za-z_-]+)")


class Anchors:
    """Finds anchors and aliases in the items of a list; `before` are those of the text before the items."""

    __slots__ = ("_before", "_defining", "_free", "_index", "_items", "_limits", "_reached", "_read")

    def __init__(self, items: ItemTexts, before: Mapping[str, Node], limits: Limits = DEFAULT) -> None:
        self._items, self._before, self._limits = items, before, limits
        self._index: _Index | None = None
        self._read: dict[int, dict[str, Node]] = {}
        self._defining: dict[str, list[int]] = {}
        self._reached: dict[str, int] = {}  # by name, before which item all that may have it are read
        self._free: dict[int, frozenset[str]] = {}

    def outer(self, number: int) -> Outer:
        """Return a function that finds the anchor of an alias outside the item: the last one before it."""
        return lambda name: self._defined(name, number)

    def crossing(self, number: int) -> int:
        """Return the line, from 1, of the first anchor or alias that refers across the item's border; 0 if there is none."""
        text = self._items.text(number)
        if not _MARK.search(text):
            return 0
        free = _Free(self._limits)
        for node in free.nodes(text):
            crosses = free.is_free(node) if node.kind == "alias" else node.anchor and self._is_used(node.anchor, number)
            if crosses:
                return node.line + 1
        return 0

    def _defined(self, name: str, number: int) -> Node | None:
        if self._reached.get(name, 0) < number:
            self._read_all(name, number)
        holders = self._defining.get(name, [])
        place = bisect_left(holders, number)
        return self._read[holders[place - 1]][name] if place else self._before.get(name)

    def _read_all(self, name: str, number: int) -> None:
        """Read the earlier items that may define an anchor, and those that these depend on, in order, so that no reading recurses."""
        index, needed = self._indexed(), set[int]()
        left = [(name, number)]
        while left:
            name, number = left.pop()
            known, holders = self._reached.get(name, 0), index.anchors.get(name, [])
            self._reached[name] = max(known, number)
            for holder in holders[bisect_left(holders, known) : bisect_left(holders, number)]:
                if holder not in needed:
                    needed.add(holder)
                    left += [(other, holder) for other in index.names.get(holder, ())]
        for holder in sorted(needed - self._read.keys()):
            self._read[holder] = self._anchors(holder)
            for anchor in self._read[holder]:
                insort(self._defining.setdefault(anchor, []), holder)

    def _anchors(self, number: int) -> dict[str, Node]:
        """Return the anchors of an item, the last one of repeated names; none if the item cannot be read."""
        try:
            root = decode.parse(self._items.with_comments(number).decode(), self.outer(number), self._limits)
        except InputError:
            return {}
        return {node.anchor: node for node in walk(root) if node.anchor and node.kind != "alias"}

    def _is_used(self, name: str, number: int) -> bool:
        """Return whether a later item has an alias of this name and does not define it. In the text around the items any occurrence counts."""
        index = self._indexed()
        if index.around.get(name, -1) >= self._items.span(number)[1]:
            return True
        holders = index.aliases.get(name, [])
        while holders and name not in self._frees(holders[-1]):
            holders.pop()  # it defines the name itself, whichever item is asked about
        return bool(holders) and holders[-1] > number

    def _frees(self, number: int) -> frozenset[str]:
        """Return the names of the aliases that an item does not define."""
        if number not in self._free:
            free = _Free(self._limits)
            nodes = free.nodes(self._items.with_comments(number).decode())
            self._free[number] = frozenset(node.anchor or "" for node in nodes if free.is_free(node))
        return self._free[number]

    def _indexed(self) -> _Index:
        if self._index is None:
            self._index = _Index(self._items)
        return self._index


class _Index:
    """By name, the items that may contain an anchor or alias, in order; and the last occurrence outside the items.

    names: the aliases of each item.
    """

    __slots__ = ("aliases", "anchors", "around", "names")

    def __init__(self, items: ItemTexts) -> None:
        self.anchors: dict[str, list[int]] = {}
        self.aliases: dict[str, list[int]] = {}
        self.around: dict[str, int] = {}
        self.names: dict[int, list[str]] = {}
        for found in _NAMED.finditer(items.data):
            name, holder = found[2].decode(), items.holder(found.start())
            known = self.anchors if found[1] == b"&" else self.aliases
            if holder >= 0:
                listed = known.setdefault(name, [])
                if listed[-1:] != [holder]:
                    listed.append(holder)
                    self.names.setdefault(holder, []).extend([name] if known is self.aliases else [])
            elif known is self.aliases:
                self.around[name] = found.start()


class _Free:
    """The aliases of one text that it does not define."""

    __slots__ = ("_limits", "_stand_in")

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._stand_in = decode.parse("0")

    def nodes(self, text: str) -> list[Node]:
        """Return all nodes of the text; none if it cannot be parsed."""
        try:
            return list(walk(decode.parse(text, lambda _: self._stand_in, self._limits)))
        except InputError:
            return []

    def is_free(self, node: Node) -> bool:
        return node.kind == "alias" and node.target is self._stand_in
