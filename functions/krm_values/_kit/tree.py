"""The tree under edit: the parser's nodes where nothing was touched, opened collections along the edited paths, new plain values.

Opening a collection cuts its text into what belongs to each entry: the comment lines directly above it, its own lines, and the deeper
comment lines below them. What is left between the entries (blank lines, comments that stand apart) stays in its place.
"""

from __future__ import annotations

from krm_values._kit.pointer import ABSENT
from krm_values._kit.yaml import is_merge, key_text, to_data

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from krm_values._kit.plan import JSON
    from krm_values._kit.source import Source
    from krm_values._kit.yaml import Node

    Value: TypeAlias = "Node | Branch | Fresh"


class Fresh:
    """A new plain value; `flow`: a map or list to be written in flow style."""

    __slots__ = ("flow", "value")

    def __init__(self, value: JSON, *, flow: bool) -> None:
        self.value, self.flow = value, flow


class Entry:
    """A key with its value, or (without a key) a list element or merge key. `old` is what the text has, None for a new entry.

    Offsets into the text: `lead` where its comment lines begin, `start` its key or dash, `head` behind its colon or dash, `end` where
    its last line ends (in flow style: its value). `gap` is the text before it and, in flow style, `trail` the comment behind its comma.
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
    """A collection under edit. Its text runs from `begin` to `finish`; `column` is that of its entries.

    `inline`: a block collection whose first entry stands behind a dash. `foot` is what follows the last entry: left-over gaps, in flow
    style the closing bracket and what precedes it; `opening` the opening one; `comma`: a comma stands behind the last entry.
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
        "node",
        "opening",
        "wanted",
    )

    node: Node
    begin: int
    finish: int
    column: int
    inline: bool
    comma: bool
    opening: str
    foot: str
    wanted: tuple[Entry, ...]  # the entries as the text has them

    def __init__(self, node: Node) -> None:
        self.node, self.flow, self.is_map = node, node.flow, node.kind == "map"
        self.entries: list[Entry] = []
        self.foot = ""

    def find(self, part: str | int) -> Entry | None:
        """The entry at a key or index that stands in the text (a merge key gives none)."""
        if isinstance(part, int):
            return None if self.is_map or part >= len(self.entries) else self.entries[part]
        return next((entry for entry in self.entries if entry.key == part), None) if self.is_map else None

    def put(self, part: str | int, value: JSON, *, insert: bool, after: str | None, flow: bool) -> None:
        """Replace the value of an entry or add one."""
        entry = self.find(part)
        if entry is not None and not (insert and isinstance(part, int)):
            entry.value = Fresh(value, flow=flow or (isinstance(entry.value, Fresh) and entry.value.flow))
            return
        new = Entry(None if isinstance(part, int) else part, Fresh(value, flow=flow))
        place = part if isinstance(part, int) else self._place(after)
        behind = self.entries[place] if place < len(self.entries) else None
        if behind and not self.flow and (isinstance(part, int) or place == 0):
            new.gap, behind.gap = behind.gap, ""
        self.entries.insert(place, new)

    def remove(self, part: str | int) -> None:
        """Take an entry out; the gap before it stays."""
        entry = self.find(part)
        if entry is None:
            return
        place = self.entries.index(entry)
        del self.entries[place]
        if self.flow:
            return
        if place < len(self.entries):
            self.entries[place].gap = entry.gap + self.entries[place].gap
        else:
            self.foot = entry.gap + self.foot

    def move(self, at: int, to: int) -> None:
        """Take an element to another index; gaps stay where they are."""
        gaps = [entry.gap for entry in self.entries]
        self.entries.insert(to, self.entries.pop(at))
        if not self.flow:
            for entry, gap in zip(self.entries, gaps, strict=True):
                entry.gap = gap

    def _place(self, after: str | None) -> int:
        if after == "":
            return 0
        entry = self.find(after) if after is not None else None
        return self.entries.index(entry) + 1 if entry else len(self.entries)


def open_branch(source: Source, node: Node) -> Branch:
    """A map or list, opened."""
    return _open_flow(source, Branch(node)) if node.flow else _open_block(source, Branch(node))


def below(source: Source, entry: Entry) -> Value:
    """The value of an entry, opened if it is a map or list of the text."""
    value = entry.value
    if isinstance(value, Branch | Fresh) or value.kind not in ("map", "list"):
        return value
    entry.value = open_branch(source, value)
    return entry.value


def data_of(value: Value) -> JSON:
    """Plain data of a value under edit. The text's aliases and merge keys count as they were."""
    if isinstance(value, Fresh):
        return value.value
    if not isinstance(value, Branch):
        return to_data(value)
    if not value.is_map:
        return [data_of(entry.value) for entry in value.entries]
    own = {entry.key: data_of(entry.value) for entry in value.entries if entry.key is not None}
    if any(map(is_merge, value.node.keys)):
        inherited = to_data(value.node)
        return {**inherited, **own} if isinstance(inherited, dict) else own
    return own


def current(branch: Branch, node: Node) -> object:
    """The data that now stands where `node` stood in the text, or ABSENT where it has gone."""
    for entry in branch.entries:
        if entry.old is node:
            return data_of(entry.value)
        if isinstance(entry.value, Branch):
            found = current(entry.value, node)
            if found is not ABSENT:
                return found
    return ABSENT


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
        branch.entries.append(entry)
    branch.finish, branch.wanted = before, tuple(branch.entries)
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
        branch.entries.append(entry)
    trail, foot = _split(before + text[at:close])
    _append_trail(branch, trail)
    branch.foot, branch.wanted = foot + branch.foot, tuple(branch.entries)
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
    key_end = source.end(node.keys[index])
    colon = source.token(key_end)
    return colon + 1 if source.text[colon : colon + 1] == ":" else key_end


def _split(between: str) -> tuple[str, str]:
    """What still belongs to the line before, and what leads to the next entry."""
    at = between.find("\n")
    if at < 0:
        return "", between
    if at > 0 and between[at - 1] == "\r":
        at -= 1
    return between[:at], between[at:]
