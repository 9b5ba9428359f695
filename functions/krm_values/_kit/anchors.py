"""Anchors and aliases that cross the border between two items of one list."""

from __future__ import annotations

import re

from krm_values._kit import yaml
from krm_values._kit.errors import InputError
from krm_values._kit.nodes import walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Protocol

    from krm_values._kit.nodes import Node, Outer

    class Texts(Protocol):
        """The items of a list in its text."""

        data: bytes

        def begins(self, number: int) -> int: ...
        def head(self, number: int) -> bytes: ...
        def holder(self, at: int) -> int: ...
        def span(self, number: int) -> tuple[int, int]: ...
        def text(self, number: int) -> str: ...


_ANCHOR = re.compile(r"[&*][0-9A-Za-z_-]")  # no anchor and no alias begins otherwise


class Anchors:
    """Looks for anchors and aliases in the items of a list; `before` are those of the text before them."""

    __slots__ = ("_before", "_items")

    def __init__(self, items: Texts, before: Mapping[str, Node]) -> None:
        self._items, self._before = items, before

    def outer(self, number: int) -> Outer:
        """Finds the anchor that an alias of the item means, if it is not in the item itself: the last one before it."""
        return lambda name: self._defined(name, self._items.begins(number))

    def crossing(self, number: int) -> int:
        """The line, from 1, of the first anchor or alias that crosses the item's border, 0 if none does."""
        text = self._items.text(number)
        if not _ANCHOR.search(text):
            return 0
        free = _Free()
        for node in free.nodes(text):
            crosses = free.is_free(node) if node.kind == "alias" else node.anchor and self._is_used(node.anchor, number)
            if crosses:
                return node.line + 1
        return 0

    def _defined(self, name: str, end: int) -> Node | None:
        needle = b"&" + name.encode()
        at = self._items.data.rfind(needle, 0, end)
        while at >= 0:
            holder = self._items.holder(at)
            found = self._anchor(holder, name) if holder >= 0 else None
            if found:
                return found
            at = self._items.data.rfind(needle, 0, at)
        return self._before.get(name)

    def _anchor(self, number: int, name: str) -> Node | None:
        try:
            root = yaml.parse(self._items.head(number).decode(), self.outer(number))
        except InputError:
            return None
        found = [node for node in walk(root) if node.anchor == name and node.kind != "alias"]
        return found[-1] if found else None

    def _is_used(self, name: str, number: int) -> bool:
        """Whether a later item has an alias of this name and no anchor for it. Around the items the bare text counts."""
        alias = re.compile(rb"\*" + re.escape(name.encode()) + rb"(?![0-9A-Za-z_-])")
        seen = {number}
        for found in alias.finditer(self._items.data, self._items.span(number)[1]):
            holder = self._items.holder(found.start())
            if holder < 0:
                return True
            if holder not in seen and _Free().has(self._items.head(holder).decode(), name):
                return True
            seen.add(holder)
        return False


class _Free:
    """The aliases of one text that have no anchor in it."""

    __slots__ = ("_stand_in",)

    def __init__(self) -> None:
        self._stand_in = yaml.parse("0")

    def nodes(self, text: str) -> list[Node]:
        """All nodes of the text; none if it cannot be parsed."""
        try:
            return list(walk(yaml.parse(text, lambda _: self._stand_in)))
        except InputError:
            return []

    def is_free(self, node: Node) -> bool:
        return node.kind == "alias" and node.target is self._stand_in

    def has(self, text: str, name: str) -> bool:
        return any(node.anchor == name and self.is_free(node) for node in self.nodes(text))
