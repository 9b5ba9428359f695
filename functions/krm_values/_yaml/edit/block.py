"""The tree under edit to text: what was not touched is copied, only edited lines are new."""

from __future__ import annotations

from krm_values._data import data_edits
from krm_values._data.errors import EditError
from krm_values._data.record import record
from krm_values._data.values import FlowList
from krm_values._yaml import emit
from krm_values._yaml.decode import to_data
from krm_values._yaml.edit import flow
from krm_values._yaml.edit.source import Source, is_empty
from krm_values._yaml.edit.tree import Branch, Entry, NewValue, by_node, data_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from krm_values._data.values import JSON
    from krm_values._yaml.decode import Node
    from krm_values._yaml.edit.layout import Layout

    Chain = tuple[Node, ...]


_KEPT = "\0"  # behind a block scalar that keeps its trailing blank lines; no YAML text has this character


class RenderContext:
    """What rendering needs to know of a document. literal: whether new strings of several lines may stand in literal blocks."""

    __slots__ = ("_standing", "ink", "layout", "literal", "root", "source")

    def __init__(self, source: Source, layout: Layout, root: Branch, ink: flow.FlowStyle, *, literal: bool) -> None:
        self.source, self.layout, self.root, self.ink, self.literal = source, layout, root, ink, literal
        self._standing: dict[int, Entry] | None = None

    def standing(self) -> dict[int, Entry]:
        """What now stands where the text had a node, by the node's id."""
        if self._standing is None:
            self._standing = dict(reversed([*by_node(self.root)]))
        return self._standing


@record
class Trivia:
    """What stays of a value that is replaced: its anchor, the comment of its first line, the lines below that are not its own."""

    anchor: str
    comment: str
    below: str


def document(page: RenderContext) -> str:
    """The whole text."""
    text, root = page.source.text, page.root
    if root.flow:
        body = flow.render(page.ink, root)
    elif root.entries:
        body = _region(page, root, (root.node,))
    else:
        body = " " * root.column + ("{}" if root.is_map else "[]") + page.source.newline + root.foot
    first, *rest = (text[: root.begin] + body + text[root.finish :]).split(_KEPT)
    return first + "".join(map(_without_blank_lines, rest))


def _region(page: RenderContext, branch: Branch, chain: Chain) -> str:
    text = "".join(entry.gap + _chunk(page, branch, entry, chain) for entry in branch.entries)
    return (text.lstrip() if branch.inline else text) + branch.foot


def _chunk(page: RenderContext, branch: Branch, entry: Entry, chain: Chain) -> str:
    """An entry with its comments, as whole lines."""
    value = _value(page, branch, entry, chain)
    if entry.old is not None and entry.value is entry.old and page.source.keeps(entry.old, entry.end):
        value += _KEPT
    if entry.old is None:
        return " " * branch.column + (emit.scalar(entry.key) + ":" if entry.key is not None else "-") + value
    missing = " " * branch.column if entry.start == entry.lead and page.source.column(entry.start) else ""
    return missing + page.source.text[entry.lead : entry.head] + value


def _value(page: RenderContext, branch: Branch, entry: Entry, chain: Chain) -> str:
    """What stands behind the colon or dash, to the end of the entry's lines."""
    text, old, new = page.source.text, entry.old, entry.value
    if old is None:
        return _written(page, branch, entry, Trivia("", "", ""), chain)
    if not isinstance(new, Branch | NewValue):
        return text[entry.head : entry.end]
    if isinstance(new, Branch) and new.entries and (not new.flow or new.wanted):
        body = flow.render(page.ink, new) if new.flow else _region(page, new, (*chain, new.node))
        return text[entry.head : new.begin] + body + text[new.finish : entry.end]
    return _replaced(page, branch, entry, old, chain)


def _without_blank_lines(text: str) -> str:
    content = text.lstrip(" \r\n")
    return text[text.rfind("\n", 0, len(text) - len(content)) + 1 :]


def _replaced(page: RenderContext, branch: Branch, entry: Entry, old: Node, chain: Chain) -> str:
    text, value = page.source.text, data_of(entry.value)
    if data_edits.stands(_stood(page, old), value):
        return text[entry.head : entry.end]
    if entry.key is not None and text[entry.head - 1] != ":":
        raise EditError(f"cannot write behind the key `{entry.key}`: it has no colon; write it as `key:`", old.line + 1)
    block_scalar = old.kind == "scalar" and old.style in ("|", ">")
    block = old.kind in ("map", "list") and not old.flow
    if not (block or block_scalar) and not _takes_lines(page, entry.value, old):
        start, new = flow.rewritten(page.ink, old, value, flow=False)
        if is_empty(old):
            return " " + new + text[entry.head : entry.end]
        return text[entry.head : start] + (" " if start == old.end else "") + new + text[page.source.end(old) : entry.end]
    return _written(page, branch, entry, _remains(page.source, entry, old), chain)


def _stood(page: RenderContext, old: Node) -> JSON:
    """What the text as it is would say: of an alias, what its anchor has become."""
    if old.kind == "alias":
        entry = page.standing().get(id(old.target))
        if entry is not None:
            return data_of(entry.value)
    return to_data(old)


def _takes_lines(page: RenderContext, new: object, old: Node) -> bool:
    value = data_of(new)  # type: ignore[arg-type]
    if isinstance(value, str):
        return page.literal and emit.is_literal(value) and not (old.kind == "scalar" and old.style == '"' and "\n" in old.value)
    return bool(value) and isinstance(value, dict | list) and not _is_flow(new)


def _is_flow(new: object) -> bool:
    """Whether a new value, or an empty collection that got entries, is to be written in flow style."""
    if isinstance(new, Branch):
        return new.flow and any(map(_is_flow, (entry.value for entry in new.entries)))
    return isinstance(new, NewValue) and new.flow


def _remains(source: Source, entry: Entry, old: Node) -> Trivia:
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
    if block and isinstance(entry.value, Branch):  # emptied: what stands apart from its former entries stays
        below = entry.value.foot + text[entry.value.finish : entry.end]
    return Trivia(old.anchor or "" if old.kind != "alias" else "", comment if "#" in comment else "", below)


def _written(page: RenderContext, branch: Branch, entry: Entry, remains: Trivia, chain: Chain) -> str:
    """A new value behind the colon or dash, and the lines that stay."""
    newline = page.source.newline
    first, lines = _lines(page, branch, entry, chain)
    anchor = f"&{remains.anchor}" if remains.anchor else ""
    if anchor and first and lines and not first.startswith("|"):  # `- &a k: v` would anchor the key
        lines, first = [" " * _inner(page, branch, entry) + first, *lines], ""
    gap = " " if branch.is_map or not first or anchor else " " * (_inner(page, branch, entry) - branch.column - 1)
    head = gap + " ".join(word for word in (anchor, first) if word) if anchor or first else ""
    comment = remains.comment if head or remains.comment[:1] != "\t" else " " + remains.comment.lstrip()  # `:<tab>` is no YAML
    return head + comment + newline + "".join(line + newline for line in lines) + remains.below


def _lines(page: RenderContext, branch: Branch, entry: Entry, chain: Chain) -> tuple[str, list[str]]:
    """What stands behind the colon or dash on its line, and the lines below."""
    layout, old, value = page.layout, entry.old, data_of(entry.value)
    if page.literal and isinstance(value, str) and emit.is_literal(value):
        indent = page.source.scalar_indent(old) if old and old.kind == "scalar" and old.style in ("|", ">") else 0
        header, *lines = emit.literal_block(value, indent or branch.column + layout.step(chain))
        return header, lines
    if not value or not isinstance(value, dict | list):
        return emit.scalar(value) if not isinstance(value, dict | list) else emit.flow(value), []
    if _is_flow(entry.value) or isinstance(value, FlowList):
        return emit.flow(value), []
    step, dash = layout.step(chain), layout.dash(chain)
    lines = emit.block(value, step=step, dash=dash, literal=page.literal)
    if branch.is_map:
        return "", emit.indented(lines, branch.column + (step if isinstance(value, dict) else dash))
    return lines[0], emit.indented(lines[1:], _inner(page, branch, entry))


def _inner(page: RenderContext, branch: Branch, entry: Entry) -> int:
    """Column of what stands behind a dash: this element's, else its neighbours'."""
    source = page.source
    for neighbour in (entry, *branch.wanted):
        old = neighbour.old
        if old and not is_empty(old) and source.line_start(old.start) == source.line_start(neighbour.start):
            return source.column(old.start)
    return branch.column + 2
