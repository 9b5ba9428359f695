"""The items of a flow list (`[...]`, JSON) in its text and how they are rewritten; and the list that is empty or absent."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from krm_values._data.errors import EditError
from krm_values._kit.kio.split.block_items import block
from krm_values._kit.kio.split.replacements import line_end
from krm_values._yaml import emit
from krm_values._yaml.encoding import fitted, with_breaks

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from krm_values._data.values import JSON
    from krm_values._kit.kio.split.replacements import Patch

_BRACKETS = (b"{", b"[")


class FlowList:
    """A list in brackets: `opened` is behind the left one, `closed` at the right one, `spans` are its elements. All places are byte offsets."""

    __slots__ = ("closed", "data", "opened", "spans")

    def __init__(self, data: bytes, opened: int, spans: Sequence[tuple[int, int]], closed: int) -> None:
        self.data, self.opened, self.spans, self.closed = data, opened, spans, closed

    def __len__(self) -> int:
        return len(self.spans)

    def span(self, number: int) -> tuple[int, int]:
        return self.spans[number]

    def begins(self, number: int) -> int:
        """Return the offset of the item's first byte."""
        return self.spans[number][0]

    def column_of(self, number: int) -> int:
        """Return the column of that byte in the item's own text."""
        return self._column(number)

    def head(self, number: int) -> bytes:
        """Return the item as a document of its own, whatever its column."""
        start, end = self.spans[number]
        return self.data[start:end]

    def holder(self, at: int) -> int:
        """Return the number of the item that contains the byte, -1 if none does."""
        number = bisect_right(self.spans, (at, len(self.data))) - 1
        return number if number >= 0 and at < self.spans[number][1] else -1

    def text(self, number: int) -> str:
        """Return the item as a document of its own; it keeps its column if it begins its line."""
        start, end = self.spans[number]
        return " " * self._column(number) + self.data[start:end].decode()

    def patches(self, edited: Mapping[int, str], removed: Collection[int], added: Sequence[JSON], breaks: bytes) -> list[Patch]:
        """Return the replacements in the text. EditError if an edited text does not begin with the original spaces."""
        kept = [number for number in range(len(self.spans)) if number not in removed]
        new = [self._json(value, breaks) for value in added]
        if not kept:
            is_whole = not (self.spans and new)
            start, end = (self.opened, self.closed) if is_whole else (self.spans[0][0], self.spans[-1][1])
            return [(start, end, (b"," + self._between(breaks)).join(new))]
        last = self.spans[kept[-1]][1]
        made: list[Patch] = [(last, last, b"".join(b"," + self._between(breaks) + text for text in new))]
        made += [(*self.spans[number], self._new(number, edited[number], breaks)) for number in kept if number in edited]
        return made + self._removals(kept)

    def _removals(self, kept: Sequence[int]) -> list[Patch]:
        """Return patches from each removed element to the next kept one; after the last kept one, from its end."""
        made: list[Patch] = []
        before = -1
        for number in [*kept, len(self.spans)]:
            if number - before > 1 and number < len(self.spans):
                made.append((self.spans[before + 1][0], self.spans[number][0], b""))
            elif number - before > 1:
                made.append((self.spans[before][1], self.spans[-1][1], b""))
            before = number
        return made

    def _new(self, number: int, text: str, breaks: bytes) -> bytes:
        start, end = self.spans[number]
        if self.data[start : start + 1] not in _BRACKETS:
            raise EditError("an item of a list in brackets can be edited only if it is in braces")
        return fitted(text, self.data[start:end], self._column(number), breaks)

    def _column(self, number: int) -> int:
        start = at = self.spans[number][0]
        while self.data[at - 1 : at] == b" ":
            at -= 1
        return start - at if self.data[at - 1 : at] in (b"", b"\n") else 0

    def _json(self, value: JSON, breaks: bytes) -> bytes:
        step, column = self._step(), self._column(0) if self.spans else 0
        return with_breaks(emit.as_json(value, indent=step).replace("\n", "\n" + " " * column), breaks)

    def _step(self) -> int | None:
        """Return by how much the content of brackets is indented; None if the list is on one line."""
        if not self.spans or not self._column(0):
            return None
        start, end = self.spans[0]
        lines = self.data[start:end].split(b"\n")
        inner = lines[1] if len(lines) > 1 else b""
        return max(len(inner) - len(inner.lstrip(b" ")) - self._column(0), 0) or 2

    def _between(self, breaks: bytes) -> bytes:
        if self.spans and self._column(0):
            return breaks + b" " * self._column(0)
        return b" " if b", " in self.data[:4096] else b""


class EmptyList:
    """A list that is `[]`, null or absent: `start` to `end` is its text, `column` that of the dashes of new items.

    `column` is -1 inside a flow map: there new items are written in brackets.
    """

    __slots__ = ("column", "data", "end", "start")

    def __init__(self, data: bytes, start: int, end: int, column: int) -> None:
        self.data, self.start, self.end, self.column = data, start, end, column

    def __len__(self) -> int:
        return 0

    def span(self, number: int) -> tuple[int, int]:
        raise IndexError(number)

    def begins(self, number: int) -> int:
        raise IndexError(number)

    def column_of(self, number: int) -> int:
        raise IndexError(number)

    def head(self, number: int) -> bytes:
        raise IndexError(number)

    def holder(self, at: int) -> int:  # noqa: ARG002 - the protocol's
        return -1

    def text(self, number: int) -> str:
        raise IndexError(number)

    def patches(self, edited: Mapping[int, str], removed: Collection[int], added: Sequence[JSON], breaks: bytes) -> list[Patch]:
        """Return the replacements: null becomes `[]`, and new items become a block list below the key."""
        assert not edited
        assert not removed
        found = self.data[self.start : self.end]
        if self.column < 0 and (added or found[:1] != b"["):
            return [(self.start, self.end, emit.as_json(list(added)).encode())]
        if not added:
            return [] if found[:1] == b"[" else [(self.start, self.end, b"[]" if found else b" []")]
        start, at = self.start, line_end(self.data, self.end)
        while self.data[start - 1 : start] == b" ":
            start -= 1
        return [(start, self.end, b""), (at, at, block(added, self.column, breaks, wide=False))]
