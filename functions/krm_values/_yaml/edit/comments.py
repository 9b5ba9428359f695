"""Collections opened for edits: their text is divided among their entries.

An entry has the comment lines directly above it, its own lines, and the more deeply indented comment lines below them. The rest
between the entries (blank lines, separate comments) stays in its place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._yaml.decode import is_merge, key_text
from krm_values._yaml.edit.tree import Branch, Entry, NewValue

if TYPE_CHECKING:
    from krm_values._yaml.decode import Node
    from krm_values._yaml.edit.source import Source
    from krm_values._yaml.edit.tree import Value


def open_branch(source: Source, node: Node) -> Branch:
    """Open a map or list."""
    return _open_flow(source, Branch(node)) if node.flow else _open_block(source, Branch(node))


def below(source: Source, entry: Entry) -> Value:
    """Return the value of an entry; a map or list of the text is opened."""
    value = entry.value
    if isinstance(value, Branch | NewValue) or value.kind not in ("map", "list"):
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
