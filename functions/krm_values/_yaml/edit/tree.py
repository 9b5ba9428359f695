"""The tree under edit: the parser's nodes where nothing was touched, opened collections along the edited paths, new plain values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import data_edits
from krm_values._data.data_edits import Move, Remove
from krm_values._data.record import record
from krm_values._yaml.decode import is_merge, key_text, to_data
from krm_values._yaml.nodes import walk

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    from krm_values._data.data_edits import Edit
    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._yaml.decode import Node
    from krm_values._yaml.edit.source import Source

    Value: TypeAlias = "Node | Branch | NewValue"


class NewValue:
    """A new plain value. flow: a map or list is written in flow style."""

    __slots__ = ("_is_own", "flow", "value")

    def __init__(self, value: JSON, *, flow: bool) -> None:
        self.value, self.flow, self._is_own = value, flow, False

    def own(self) -> JSON:
        """Return the value for a change: a copy, the first time, since the edit that brought it keeps it."""
        if not self._is_own:
            self.value, self._is_own = data_edits.copy(self.value), True
        return self.value


class Entry:
    """A key with its value, or (without a key) a list element or merge key. `old` is the node of the text, None for a new entry.

    Offsets into the text: `lead` where its comment lines begin, `start` its key or dash, `head` behind its colon or dash, `end` the end of
    its last line (in flow style: of its value). `gap` is the text before it and, in flow style, `trail` the comment behind its comma.
    """

    __slots__ = ("end", "gap", "head", "key", "lead", "old", "start", "trail", "value")

    old: Node | None
    lead: int
    start: int
    head: int
    end: int

    def __init__(self, key: str | None, value: Value) -> None:
        self.key, self.value, self.old = key, value, None
        self.gap = self.trail = ""


class Branch:
    """A collection under edit. Its text is from `begin` to `finish`; `column` is that of its entries.

    `keys` are the entries of a map by their keys; `merged` the nodes whose keys it takes by `<<`; `original` the entries of the text.
    `inline`: a block collection whose first entry is on the line of a dash. `foot` is what follows the last entry: remaining gaps, in flow
    style the closing bracket and what precedes it; `opening` is the opening bracket; `comma`: a comma follows the last entry.
    """

    __slots__ = (
        "begin",
        "column",
        "comma",
        "entries",
        "finish",
        "flow",
        "foot",
        "inline",
        "is_map",
        "keys",
        "merged",
        "node",
        "opening",
        "original",
    )

    node: Node
    begin: int
    finish: int
    column: int
    inline: bool
    comma: bool
    opening: str
    foot: str
    original: tuple[Entry, ...]  # the entries as the text has them

    def __init__(self, node: Node) -> None:
        self.node, self.flow, self.is_map = node, node.flow, node.kind == "map"
        self.entries: list[Entry] = []
        self.keys: dict[str, Entry] = {}
        self.merged = (
            tuple(item for key, item in zip(node.keys, node.items, strict=True) if is_merge(key)) if self.is_map else ()
        )
        self.foot = ""

    def add(self, entry: Entry) -> None:
        """Append an entry of the text."""
        self.entries.append(entry)
        if entry.key is not None:
            self.keys.setdefault(entry.key, entry)

    def find(self, part: str | int) -> Entry | None:
        """Return the entry at a key or index; None for keys that come from a merge key."""
        if isinstance(part, int):
            return None if self.is_map or part >= len(self.entries) else self.entries[part]
        return self.keys.get(part) if self.is_map else None

    def put(self, part: str | int, value: JSON, *, insert: bool, after: str | None, flow: bool) -> None:
        """Replace the value of an entry or add one."""
        entry = self.find(part)
        if entry is not None and not (insert and isinstance(part, int)):
            entry.value = NewValue(value, flow=flow or (isinstance(entry.value, NewValue) and entry.value.flow))
            return
        new = Entry(None if isinstance(part, int) else part, NewValue(value, flow=flow))
        place = part if isinstance(part, int) else self._place(after)
        behind = self.entries[place] if place < len(self.entries) else None
        if behind and not self.flow and (isinstance(part, int) or place == 0):
            new.gap, behind.gap = behind.gap, ""
        self.entries.insert(place, new)
        if new.key is not None:
            self.keys[new.key] = new

    def remove(self, part: str | int) -> None:
        """Remove an entry; the gap before it stays."""
        entry = self.find(part)
        if entry is None:
            return
        place = part if isinstance(part, int) else self.entries.index(entry)
        del self.entries[place]
        if entry.key is not None:
            del self.keys[entry.key]
        if self.flow:
            return
        if place < len(self.entries):
            self.entries[place].gap = entry.gap + self.entries[place].gap
        else:
            self.foot = entry.gap + self.foot

    def move(self, at: int, to: int) -> None:
        """Move an element to another index; gaps stay where they are."""
        low, high = min(at, to), max(at, to) + 1
        gaps = [entry.gap for entry in self.entries[low:high]]
        self.entries.insert(to, self.entries.pop(at))
        if not self.flow:
            for entry, gap in zip(self.entries[low:high], gaps, strict=True):
                entry.gap = gap

    def _place(self, after: str | None) -> int:
        """Return the index of a new key; not above `<<`, which Go's reader would let win."""
        lowest = (
            max((index for index, entry in enumerate(self.entries) if entry.key is None), default=-1) + 1 if self.merged else 0
        )
        if after == "":
            return lowest
        entry = self.find(after) if after is not None else None
        is_amid = entry is not None and entry is not self.entries[-1]
        return max(lowest, self.entries.index(entry) + 1) if entry and is_amid else len(self.entries)


def data_of(value: Value) -> JSON:
    """Return the plain data of a value under edit. Aliases and merge keys of the text have their old values."""
    if isinstance(value, NewValue):
        return value.value
    if not isinstance(value, Branch):
        return to_data(value)
    if not value.is_map:
        return [data_of(entry.value) for entry in value.entries]
    own = {entry.key: data_of(entry.value) for entry in value.entries if entry.key is not None}
    if value.merged:
        inherited = to_data(value.node)
        return {**inherited, **own} if isinstance(inherited, dict) else own
    return own


def by_node(branch: Branch) -> Iterator[tuple[int, Entry]]:
    """Yield the id of each node of the text at or below a branch, with the entry that has its place."""
    for entry in branch.entries:
        if entry.old is not None:
            yield id(entry.old), entry
        if isinstance(entry.value, Branch):
            yield from by_node(entry.value)


# Collections opened for edits: their text is divided among their entries.
#
# An entry has the comment lines directly above it, its own lines, and the more deeply indented comment lines below them. The rest
# between the entries (blank lines, separate comments) stays in its place.


def open_branch(source: Source, node: Node) -> Branch:
    """Open a map or list."""
    return _open_flow(source, Branch(node)) if node.flow else _open_block(source, Branch(node))


def opened_value(source: Source, entry: Entry) -> Value:
    """Return the value of an entry; a map or list of the text is opened."""
    value = entry.value
    if isinstance(value, (Branch, NewValue)) or value.kind not in ("map", "list"):
        return value
    entry.value = open_branch(source, value)
    return entry.value


def _open_block(source: Source, branch: Branch) -> Branch:
    node, text = branch.node, source.text
    start = source.content(node)
    line = source.line_start(start)
    branch.column, branch.inline = start - line, bool(text[line:start].strip(" "))
    branch.begin = before = start if branch.inline else source.filler_start(line)
    for index in range(len(node.items)):
        entry = _entry(node, index)
        entry.start, entry.head = start, _head(source, node, index, start)
        inline = branch.inline and index == 0
        entry.lead = start if inline else source.comment_start(source.line_start(start), before)
        entry.gap = text[before : entry.lead]
        end = source.item_end(node, index)
        entry.end = before = source.tail(source.next_line(end), branch.column)
        start = source.token(end)
        branch.add(entry)
    branch.finish, branch.original = before, tuple(branch.entries)
    return branch


def _open_flow(source: Source, branch: Branch) -> Branch:
    node, text = branch.node, source.text
    branch.begin, branch.finish = source.content(node), source.end(node)
    braced = text[branch.begin] in "[{"
    at, close, before = branch.begin + braced, branch.finish - braced, ""
    branch.opening, branch.foot, branch.comma = text[branch.begin : at], text[close : branch.finish], False
    for index in range(len(node.items)):
        entry = _entry(node, index)
        entry.start = source.token(at)
        trail, entry.gap = _split(before + text[at : entry.start])
        _append_trail(branch, trail)
        entry.head, entry.end = _head(source, node, index, entry.start), source.item_end(node, index)
        at = source.token(entry.end)
        branch.comma = text[at : at + 1] == ","
        before = text[entry.end : at] if branch.comma else ""
        at = at + 1 if branch.comma else entry.end
        branch.add(entry)
    trail, foot = _split(before + text[at:close])
    _append_trail(branch, trail)
    branch.foot, branch.original = foot + branch.foot, tuple(branch.entries)
    return branch


def _append_trail(branch: Branch, trail: str) -> None:
    if branch.entries:
        branch.entries[-1].trail = trail
    else:
        branch.opening += trail


def _entry(node: Node, index: int) -> Entry:
    key = node.keys[index] if node.kind == "map" else None
    entry = Entry(None if key is None or is_merge(key) else key_text(key), node.items[index])
    entry.old = node.items[index]
    return entry


def _head(source: Source, node: Node, index: int, start: int) -> int:
    if node.kind == "list":
        return start if node.flow else start + 1
    return source.head(node, index)


def _split(between: str) -> tuple[str, str]:
    """Divide the text between two entries into what belongs to the line of the first and what precedes the second."""
    at = between.find("\n")
    if at < 0:
        return "", between
    if at > 0 and between[at - 1] == "\r":
        at -= 1
    return between[:at], between[at:]


# Edits that meet an anchor: one place of the text is several places of the data.


@record
class AnchorHit:
    """The path of an edit and the anchored node on it. certain: the edited place has no text of its own.

    alias: the alias that the path leads through; or holder, key: the map of the path's key if it may take that key by `<<`, which is
    `removed` or not. replaced: the node that goes, or `moves` to another place of its list.
    """

    path: Path
    anchor: Node
    certain: bool = False
    alias: Node | None = None
    holder: Node | None = None
    key: str = ""
    removed: bool = False
    replaced: Node | None = None
    moves: bool = False

    @property
    def name(self) -> str:
        """The anchor's name."""
        return self.anchor.anchor or ""

    @property
    def line(self) -> int:
        """The anchor's line, from 1."""
        return self.anchor.line + 1

    @property
    def about(self) -> str:
        """Return the conflict as a clause of a message."""
        anchor = f'the anchor "{self.name}"'
        return f"its value is that of {anchor}" if self.certain else f"{anchor} is used elsewhere"


def anchor_hits(holder: Branch, entry: Entry | None, edit: Edit, depth: int) -> Iterator[AnchorHit]:
    """Yield the anchors that an edit meets on one step of its path."""
    old, path, part, is_last = entry.old if entry else None, edit.path, edit.path[depth], depth == len(edit.path) - 1
    moves = is_last and isinstance(edit, Move)
    for alias in (walk(old) if moves else [old]) if old and (moves or not is_last) else ():
        if alias.kind == "alias":
            yield AnchorHit(path, alias.target, certain=True, alias=alias)
    removed = is_last and isinstance(edit, Remove)
    if holder.merged and (entry is None or removed):
        for anchor in _merged(holder):
            yield AnchorHit(path, anchor, certain=True, holder=holder.node, key=str(part), removed=removed)
    if old:
        for node in walk(old) if is_last else [old]:
            if node.anchor and node.kind != "alias":
                yield AnchorHit(path, node, replaced=old if is_last else None, moves=moves)


def _merged(holder: Branch) -> Iterator[Node]:
    """Yield the anchored maps whose keys a map takes by `<<`."""
    for item in holder.merged:
        for source in item.items if item.kind == "list" else [item]:
            yield source.target if source.kind == "alias" else source
