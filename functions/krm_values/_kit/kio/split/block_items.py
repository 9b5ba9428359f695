"""The items of a block list in its text: where each begins and ends, which comments belong to it, and how they are rewritten."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from krm_values._data.errors import InputError
from krm_values._kit.kio.split.replacements import line_start
from krm_values._yaml import decode, emit
from krm_values._yaml.encoding import begins_at, fitted, is_blank
from krm_values._yaml.nodes import leaf_end

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from krm_values._data.values import JSON
    from krm_values._kit.kio.split.replacements import Patch


class BlockList:
    """A list whose elements begin with a dash, each at `column` of a line of its own. All places are byte offsets.

    `opened`: behind the list's key (and its anchor or tag). `end`: where the line after the list begins. `leaves`: where the last leaf of
    each item ends, if known; otherwise `suspects` are the items with a line that looks like a comment and may not be one.
    """

    __slots__ = ("column", "dashes", "data", "end", "leaves", "opened", "suspects")

    def __init__(
        self,
        data: bytes,
        dashes: Sequence[int],
        column: int,
        *,
        opened: int,
        end: int,
        leaves: Sequence[int] | None = None,
        suspects: Collection[int] = (),
    ) -> None:
        self.data, self.dashes, self.column, self.opened, self.end = data, dashes, column, opened, end
        self.leaves, self.suspects = leaves, suspects

    def __len__(self) -> int:
        return len(self.dashes)

    def span(self, number: int) -> tuple[int, int]:
        """Return the bytes from behind the dash to the line after the item, not including comments before that line."""
        return self.dashes[number] + 1, self._own_end(number)

    def begins(self, number: int) -> int:
        """Return the offset behind the dash."""
        return self.dashes[number] + 1

    def column_of(self, number: int) -> int:  # noqa: ARG002 - the protocol's
        """Return the column of that byte in the item's own text, -1 if it is the same as in the list."""
        return -1

    def text(self, number: int) -> str:
        """Return the item as a document of its own, with a space in place of the dash."""
        start, end = self.span(number)
        return " " * (self.column + 1) + self.data[start:end].decode()

    def head(self, number: int) -> bytes:
        """Return the item with all comments behind it as a document of its own; its lines need not be examined for that."""
        start, end = self.lines(number)
        return b" " * (self.column + 1) + self.data[start:end]

    def lines(self, number: int) -> tuple[int, int]:
        """Return the bytes from behind the dash to the line of the next dash, including comments behind the item."""
        return self.dashes[number] + 1, self._next(number)

    def holder(self, at: int) -> int:
        """Return the number of the item that contains the byte, -1 if none does."""
        return bisect_right(self.dashes, at) - 1 if at < self.end else -1

    def patches(self, edited: Mapping[int, str], removed: Collection[int], added: Sequence[JSON], breaks: bytes) -> list[Patch]:
        """Return the replacements in the text. EditError if an edited text does not begin with the original spaces."""
        made: list[Patch] = []
        for number in edited.keys() - removed:
            start, end = self.span(number)
            begins_at(edited[number], self.column + 1)
            made.append((start, end, _Fitted(self, number, edited[number], breaks)))
        made += [(self._lead(number), self._own_end(number), b"") for number in removed]
        if len(removed) == len(self.dashes) and not added:
            made.append((self.opened, self.opened, b" []"))
        if added:
            last = self._own_end(len(self.dashes) - 1)
            made.append((last, last, block(added, self.column, breaks, wide=self.column > 0)))
        return made

    def fitted(self, number: int, text: str, breaks: bytes) -> bytes:
        """Return the bytes that replace an item."""
        start, end = self.span(number)
        return fitted(text, self.data[start:end], self.column + 1, breaks)

    def _next(self, number: int) -> int:
        return self.dashes[number + 1] - self.column if number + 1 < len(self.dashes) else self.end

    def _own_end(self, number: int) -> int:
        """Return the offset behind the item and the blank lines after it, before the first following comment that is not deeper than the dash."""
        at = end = self._next(number)
        floor = self._floor(number)
        while (start := self._line_above(at, floor)) and (is_comment := self._is_loose(start, at)) is not None:
            end = start if is_comment else end
            at = start
        return end

    def _lead(self, number: int) -> int:
        """Return where the comment lines directly above the item begin."""
        at = self.dashes[number] - self.column
        floor = self._own_end(number - 1) if number else line_start(self.data, self.opened) + 1
        while (start := self._line_above(at, floor)) and self._is_loose(start, at):
            at = start
        return at

    def _line_above(self, at: int, floor: int) -> int:
        """Return the start of the line that ends at `at`, 0 if it is not behind `floor`."""
        start = self.data.rfind(b"\n", 0, max(at - 1, 0)) + 1
        return start if floor <= start < at else 0

    def _is_loose(self, start: int, end: int) -> bool | None:
        """Return whether a line is a comment that is not deeper than the dashes; None if it is blank or anything else."""
        line = self.data[start:end]
        text = line.lstrip(b" ")
        if not text.strip(b"\r\n"):
            return False
        return True if text[:1] == b"#" and len(line) - len(text) <= self.column else None

    def _floor(self, number: int) -> int:
        """Return a place of the item after which every line that looks like a comment is one."""
        start = self.dashes[number] + 1
        if self.leaves is not None:
            return self.leaves[number]
        if number not in self.suspects:
            return start
        text = self.head(number).decode()
        if is_blank(text):
            return start
        try:
            end = leaf_end(decode.parse(text, lambda _: decode.parse("0")))
        except InputError:
            return self._next(number)
        return start - self.column - 1 + len(text[:end].encode())


def block(items: Sequence[JSON], column: int, breaks: bytes, *, wide: bool) -> bytes:
    """Return new items as lines of a block list whose dashes are at `column`."""
    lines = emit.block(list(items), wide=wide)
    return b"".join((" " * column + line if line else "").encode() + breaks for line in lines)


class _Fitted:
    """Makes the bytes that replace an item when called; one object per edited item."""

    __slots__ = ("_breaks", "_list", "_number", "_text")

    def __init__(self, items: BlockList, number: int, text: str, breaks: bytes) -> None:
        self._list, self._number, self._text, self._breaks = items, number, text, breaks

    def __call__(self) -> bytes:
        return self._list.fitted(self._number, self._text, self._breaks)
