"""Render an edited tree: text that was not edited is copied, only edited lines are new."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import data_edits
from krm_values._data.errors import EditError
from krm_values._data.record import record
from krm_values._data.values import FlowList
from krm_values._yaml import emit
from krm_values._yaml.decode import to_data
from krm_values._yaml.edit import flow
from krm_values._yaml.edit.source import Source, is_empty
from krm_values._yaml.edit.tree import Branch, Entry, NewValue, by_node, data_of

if TYPE_CHECKING:
    from krm_values._data.values import JSON
    from krm_values._yaml.decode import Node
    from krm_values._yaml.edit.layout import Layout

    Chain = tuple[Node, ...]


_KEPT = "\0"  # behind a block scalar that keeps its trailing blank lines; YAML does not allow this character


class RenderContext:
    """The document that is rendered. literal: whether new strings of several lines are written as literal blocks."""

    __slots__ = ("_current", "flow_style", "layout", "literal", "root", "source")

    def __init__(self, source: Source, layout: Layout, root: Branch, flow_style: flow.FlowStyle, *, literal: bool) -> None:
        self.source, self.layout, self.root, self.flow_style, self.literal = source, layout, root, flow_style, literal
        self._current: dict[int, Entry] | None = None

    def current_entries(self) -> dict[int, Entry]:
        """Return the entries that are now in place of the nodes of the text, by the node's id."""
        if self._current is None:
            self._current = dict(reversed([*by_node(self.root)]))
        return self._current


@record
class Trivia:
    """The parts of a replaced value that stay: its anchor, the comment on its first line, the lines below that are not part of it."""

    anchor: str
    comment: str
    below: str


def document(context: RenderContext) -> str:
    """Render the whole text."""
    text, root = context.source.text, context.root
    if root.flow:
        body = flow.render(context.flow_style, root)
    elif root.entries:
        body = _region(context, root, (root.node,))
    else:
        body = " " * root.column + ("{}" if root.is_map else "[]") + context.source.newline + root.foot
    first, *rest = (text[: root.begin] + body + text[root.finish :]).split(_KEPT)
    return first + "".join(map(_without_blank_lines, rest))


def _region(context: RenderContext, branch: Branch, chain: Chain) -> str:
    text = "".join(entry.gap + _entry(context, branch, entry, chain) for entry in branch.entries)
    return (text.lstrip() if branch.inline else text) + branch.foot


def _entry(context: RenderContext, branch: Branch, entry: Entry, chain: Chain) -> str:
    """Render an entry with its comments as whole lines."""
    value = value_text(context, branch, entry, chain)
    if entry.old is not None and entry.value is entry.old and context.source.keeps(entry.old, entry.end):
        value += _KEPT
    if entry.old is None:
        return " " * branch.column + (emit.scalar(entry.key) + ":" if entry.key is not None else "-") + value
    missing = " " * branch.column if entry.start == entry.lead and context.source.column(entry.start) else ""
    return missing + context.source.text[entry.lead : entry.head] + value


def value_text(context: RenderContext, branch: Branch, entry: Entry, chain: Chain) -> str:
    """Render what follows the colon or dash, up to the end of the entry's lines."""
    text, old, new = context.source.text, entry.old, entry.value
    if old is None:
        return _written(context, branch, entry, Trivia("", "", ""), chain)
    if not isinstance(new, Branch | NewValue):
        return text[entry.head : entry.end]
    if isinstance(new, Branch) and new.entries and (not new.flow or new.original):
        body = flow.render(context.flow_style, new) if new.flow else _region(context, new, (*chain, new.node))
        return text[entry.head : new.begin] + body + text[new.finish : entry.end]
    return _replaced(context, branch, entry, old, chain)


def _without_blank_lines(text: str) -> str:
    content = text.lstrip(" \r\n")
    return text[text.rfind("\n", 0, len(text) - len(content)) + 1 :]


def _replaced(context: RenderContext, branch: Branch, entry: Entry, old: Node, chain: Chain) -> str:
    text, value = context.source.text, data_of(entry.value)
    if data_edits.is_written_as(_current(context, old), value):
        return text[entry.head : entry.end]
    if entry.key is not None and text[entry.head - 1] != ":":
        raise EditError(f"cannot write behind the key `{entry.key}`: it has no colon; write it as `key:`", old.line + 1)
    block_scalar = old.kind == "scalar" and old.style in ("|", ">")
    block = old.kind in ("map", "list") and not old.flow
    if not (block or block_scalar) and not _takes_lines(context, entry.value, old):
        start, new = flow.rewritten(context.flow_style, old, value, flow=False)
        if is_empty(old):
            return " " + new + text[entry.head : entry.end]
        return text[entry.head : start] + (" " if start == old.end else "") + new + text[context.source.end(old) : entry.end]
    return _written(context, branch, entry, _trivia(context.source, entry, old), chain)


def _current(context: RenderContext, old: Node) -> JSON:
    """Return the value that the text as it is would now have: of an alias, the present value of its anchor."""
    if old.kind == "alias":
        entry = context.current_entries().get(id(old.target))
        if entry is not None:
            return data_of(entry.value)
    return to_data(old)


def _takes_lines(context: RenderContext, new: object, old: Node) -> bool:
    value = data_of(new)  # type: ignore[arg-type]
    if isinstance(value, str):
        return (
            context.literal and emit.is_literal(value) and not (old.kind == "scalar" and old.style == '"' and "\n" in old.value)
        )
    return bool(value) and isinstance(value, dict | list) and not _is_flow(new)


def _is_flow(new: object) -> bool:
    """Return whether a new value, or an empty collection that got entries, is written in flow style."""
    if isinstance(new, Branch):
        return new.flow and any(map(_is_flow, (entry.value for entry in new.entries)))
    return isinstance(new, NewValue) and new.flow


def _trivia(source: Source, entry: Entry, old: Node) -> Trivia:
    text, end = source.text, source.end(old)
    block = old.kind in ("map", "list") and not old.flow
    head = source.properties_end(old, entry.head) if not is_empty(old) else entry.head
    content = source.content(old)
    if old.kind == "scalar" and old.style in ("|", ">"):
        head = content + 1
        while text[head] in "+-0123456789":
            head += 1
    elif source.line_start(content) == source.line_start(head):
        head = source.line_end(head) if block else end
    comment = text[head : source.line_end(head)]
    below = text[source.next_line(end) : entry.end]
    if block and isinstance(entry.value, Branch):  # emptied: comments apart from its former entries stay
        below = entry.value.foot + text[entry.value.finish : entry.end]
    return Trivia(old.anchor or "" if old.kind != "alias" else "", comment if "#" in comment else "", below)


def _written(context: RenderContext, branch: Branch, entry: Entry, trivia: Trivia, chain: Chain) -> str:
    """Render a new value behind the colon or dash, and the lines below that stay."""
    newline = context.source.newline
    first, lines = _lines(context, branch, entry, chain)
    anchor = f"&{trivia.anchor}" if trivia.anchor else ""
    if anchor and first and lines and not first.startswith("|"):  # `- &a k: v` would anchor the key
        lines, first = [" " * _inner(context, branch, entry) + first, *lines], ""
    gap = " " if branch.is_map or not first or anchor else " " * (_inner(context, branch, entry) - branch.column - 1)
    head = gap + " ".join(word for word in (anchor, first) if word) if anchor or first else ""
    comment = trivia.comment if head or trivia.comment[:1] != "\t" else " " + trivia.comment.lstrip()  # `:<tab>` is not YAML
    return head + comment + newline + "".join(line + newline for line in lines) + trivia.below


def _lines(context: RenderContext, branch: Branch, entry: Entry, chain: Chain) -> tuple[str, list[str]]:
    """Return the text behind the colon or dash on its line, and the lines below it."""
    layout, old, value = context.layout, entry.old, data_of(entry.value)
    if context.literal and isinstance(value, str) and emit.is_literal(value):
        indent = context.source.scalar_indent(old) if old and old.kind == "scalar" and old.style in ("|", ">") else 0
        header, *lines = emit.literal_block(value, indent or branch.column + layout.step(chain))
        return header, lines
    if not value or not isinstance(value, dict | list):
        return emit.scalar(value) if not isinstance(value, dict | list) else emit.flow(value), []
    if _is_flow(entry.value) or isinstance(value, FlowList):
        return emit.flow(value), []
    step, dash = layout.step(chain), layout.dash(chain)
    lines = emit.block(value, step=step, dash=dash, literal=context.literal)
    if branch.is_map:
        return "", emit.indented(lines, branch.column + (step if isinstance(value, dict) else dash))
    return lines[0], emit.indented(lines[1:], _inner(context, branch, entry))


def _inner(context: RenderContext, branch: Branch, entry: Entry) -> int:
    """Return the column of what follows a dash: that of this element, else of its neighbours."""
    source = context.source
    for neighbour in (entry, *branch.original):
        old = neighbour.old
        if old and not is_empty(old) and source.line_start(old.start) == source.line_start(neighbour.start):
            return source.column(old.start)
    return branch.column + 2
