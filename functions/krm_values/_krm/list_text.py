"""The text of a list: the document around its items, where each item begins and ends, and how fields and items are rewritten.

Every byte that no replacement covers is copied. All places are byte offsets.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING

from krm_values._data.errors import EditError, InputError, RepeatedKeyError
from krm_values._yaml import decode, emit
from krm_values._yaml.encoding import ENDS_LINE, LINE_BREAK, check_pad, fitted, is_blank, place, with_breaks
from krm_values._yaml.nodes import leaf_end

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from typing import TypeAlias

    from krm_values._data.values import JSON
    from krm_values._yaml.nodes import Node

    New: TypeAlias = bytes | Callable[[], bytes]
    Patch: TypeAlias = tuple[
        int, int, New
    ]  # start, end, replacement; the bytes of an edited item are made once they are asked for
    ItemTexts: TypeAlias = "BlockList | FlowList | EmptyList"
    Field: TypeAlias = tuple[int, int, int, JSON]  # its key begins, its value begins and ends (bytes), its plain value


_BREAK = re.compile(LINE_BREAK)


def apply(data: bytes, patches: Iterable[Patch]) -> Iterator[bytes | memoryview]:
    """Yield the patched text in pieces. Patches must not overlap; those at one offset keep their order."""
    ordered, at = sorted(patches, key=lambda patch: patch[0]), 0
    for start, end, _ in ordered:
        assert start >= at, "patches overlap"
        at = end
    return _pieces(memoryview(data), ordered)


def _pieces(view: memoryview, patches: Sequence[Patch]) -> Iterator[bytes | memoryview]:
    at = 0
    for start, end, new in patches:
        yield view[at:start]
        yield new() if callable(new) else new
        at = end
    yield view[at:]


def closed(data: bytes, patches: Iterable[Patch], breaks: bytes) -> Iterator[Patch]:
    """Yield the patches; if the last line of the text has no line break, the first new line after it begins with one."""
    end = len(data)
    is_open = data[-1:] != b"\n"
    for start, stop, new in patches:
        is_line = isinstance(new, bytes) and start == end and new.endswith(b"\n")
        yield start, stop, breaks + new if isinstance(new, bytes) and is_line and is_open else new
        is_open = is_open and not is_line


def line_start(data: bytes, at: int) -> int:
    """Return the start of the line that contains `at`; lines end in LF."""
    return data.rfind(b"\n", 0, at) + 1


def line_end(data: bytes, at: int) -> int:
    """Return the end of the line that contains `at`, including its break (any that YAML knows); `at` itself if a line begins there."""
    if ENDS_LINE.search(data, max(at - 3, 0), at):
        return at
    found = _BREAK.search(data, at)
    return found.end() if found else len(data)


# The document around a list's items: the other fields of its map, and how a field is removed or inserted.

FIELDS = ("apiVersion", "kind", "metadata", "items", "functionConfig", "results")


class Frame:
    """The fields of a document's top-level map; of `items` only the key and the extent, which only a flow map needs. All are byte offsets.

    `flow`: the map is written in braces, `opened` is behind the left one. `column`: of its keys. `end`: where text after it begins.
    `anchors`: those before the items.
    """

    __slots__ = ("anchors", "column", "data", "end", "fields", "flow", "opened")

    def __init__(self, data: bytes, column: int, end: int, *, flow: bool = False, opened: int = 0) -> None:
        self.data, self.column, self.end, self.flow, self.opened = data, column, end, flow, opened
        self.fields: dict[str, Field] = {}
        self.anchors: dict[str, Node] = {}

    def value(self, name: str) -> JSON:
        """Return the plain value of a field, None if it is absent."""
        return self.fields[name][3] if name in self.fields else None

    def place(self, name: str) -> tuple[int, int]:
        """Return line and column of a field's value; those of the beginning of the text if it is absent."""
        return place(self.data, self.fields[name][1]) if name in self.fields else (1, 1)

    def begins(self, name: str) -> tuple[int, int]:
        """Return line and column of a field's key."""
        return place(self.data, self.fields[name][0])

    def text(self, name: str) -> tuple[str, int]:
        """Return a field's value as a document of its own, which begins at its column, and the line on which it begins."""
        _, start, _, _ = self.fields[name]
        line, column = place(self.data, start)
        return " " * (column - 1) + self.value_text(name), line

    def value_text(self, name: str) -> str:
        """Return a field's value as it is in the text."""
        _, start, end, _ = self.fields[name]
        return self.data[start:end].decode()

    def add(self, name: str, begins: int, value: tuple[int, int], data: JSON) -> None:
        """Add a field. InputError if its name is repeated."""
        if name in self.fields:
            found = RepeatedKeyError(name, *place(self.data, begins))
            raise found if name in FIELDS else found.unnamed()
        self.fields[name] = begins, *value, data

    def put(self, name: str, values: Iterable[JSON], breaks: bytes) -> list[Patch]:
        """Return the patches that set a field to this list, in its place or as the last field."""
        if self.flow:
            return self._put_in_braces(name, values, breaks)
        parts = [emit.block({name: [value]}) for value in values] or [emit.block({name: []})]
        first, *others = (self._lines(lines[1:] if number else lines, breaks) for number, lines in enumerate(parts))
        begins, ends = self.end, self.end
        if name in self.fields:
            begins, ends = self.fields[name][0] - self.column, line_end(self.data, self.fields[name][2])
        return [(begins, ends, first), *((ends, ends, text) for text in others)]

    def _lines(self, lines: list[str], breaks: bytes) -> bytes:
        return b"".join((" " * self.column + line if line else "").encode() + breaks for line in lines)

    def remove(self, name: str) -> list[Patch]:
        """Return the patches that remove a field, if it exists."""
        if name not in self.fields:
            return []
        begins, _, ends, _ = self.fields[name]
        if not self.flow:
            return [(begins - self.column, line_end(self.data, ends), b"")]
        order = sorted(self.fields.values(), key=lambda field: field[0])
        number = order.index(self.fields[name])
        if number + 1 < len(order):
            return [(begins, order[number + 1][0], b"")]
        return [(order[number - 1][2] if number else begins, ends, b"")]

    def _put_in_braces(self, name: str, values: Iterable[JSON], breaks: bytes) -> list[Patch]:
        column = self._field_column()
        text = emit.as_json(list(values), indent=column or None).replace("\n", "\n" + " " * column)
        new = with_breaks(text, breaks)
        if name in self.fields:
            return [(*self.fields[name][1:3], new)]
        last = max((field[2] for field in self.fields.values()), default=self.opened)
        between = breaks + b" " * column if column else b" "
        colon = emit.as_json(name) + ": "
        return [(last, last, (b"," if self.fields else b"") + between + colon.encode() + new)]

    def _field_column(self) -> int:
        """Return the column of the fields if each has a line of its own, else 0."""
        begins = min((field[0] for field in self.fields.values()), default=0)
        before = self.data[line_start(self.data, begins) : begins]
        return 0 if before.strip(b" ") else len(before)


# The items of a block list in its text: where each begins and ends, which comments belong to it, and how they are rewritten.


class BlockList:
    """A list whose elements begin with a dash, each at `column` of a line of its own. All places are byte offsets.

    `opened`: behind the list's key (and its anchor or tag). `end`: where the line after the list begins. `leaves`: where the last leaf of
    each item ends, which the parser's events tell; None from the scan. `suspects`: of a scanned list, the items in which a quoted scalar
    or a flow collection may span lines, so that a line with `#` need not be a comment.
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

    def begins(self, number: int) -> tuple[int, int]:
        """Return the offset of the item's first byte, and its column in the item's own text: -1 if that is the same as in the list."""
        return self.dashes[number] + 1, -1

    def text(self, number: int) -> str:
        """Return the item as a document of its own, with a space in place of the dash."""
        start, end = self.span(number)
        return " " * (self.column + 1) + self.data[start:end].decode()

    def with_comments(self, number: int) -> bytes:
        """Return the item with all comments behind it as a document of its own; cheaper than `text`, which finds where its own lines end."""
        start, end = self.span_with_comments(number)
        return b" " * (self.column + 1) + self.data[start:end]

    def span_with_comments(self, number: int) -> tuple[int, int]:
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
            check_pad(edited[number], self.column + 1)
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
        """Return True for a comment that is not deeper than the dashes, False for a blank line, None for anything else."""
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
        text = self.with_comments(number).decode()
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


# The items of a flow list (`[...]`, JSON) in its text and how they are rewritten; and the list that is empty or absent.

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

    def begins(self, number: int) -> tuple[int, int]:
        """Return the offset of the item's first byte, and its column in the item's own text."""
        return self.spans[number][0], self._column(number)

    def with_comments(self, number: int) -> bytes:
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

    def begins(self, number: int) -> tuple[int, int]:
        raise IndexError(number)

    def with_comments(self, number: int) -> bytes:
        raise IndexError(number)

    def holder(self, at: int) -> int:  # noqa: ARG002 - as of the other lists
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
