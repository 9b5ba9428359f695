"""Render an edited tree: text that was not edited is copied, only edited lines are new."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import data_edits
from krm_values._data.errors import EditError
from krm_values._data.record import record
from krm_values._data.values import FlowList
from krm_values._yaml import emit
from krm_values._yaml.decode import to_data
from krm_values._yaml.edit.source import Source, is_empty
from krm_values._yaml.edit.tree import Branch, Entry, NewValue, by_node, data_of

if TYPE_CHECKING:
    from krm_values._data.values import JSON
    from krm_values._yaml.decode import Node
    from krm_values._yaml.edit.source import Layout

    Chain = tuple[Node, ...]


_KEPT = "\0"  # behind a block scalar that keeps its trailing blank lines; YAML does not allow this character


class RenderContext:
    """The document that is rendered. literal: whether new strings of several lines are written as literal blocks."""

    __slots__ = ("_current", "flow_style", "layout", "literal", "root", "source")

    def __init__(self, source: Source, layout: Layout, root: Branch, flow_style: FlowStyle, *, literal: bool) -> None:
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
        body = flow_collection(context.flow_style, root)
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
    if not isinstance(new, (Branch, NewValue)):
        return text[entry.head : entry.end]
    if isinstance(new, Branch) and new.entries and (not new.flow or new.original):
        body = flow_collection(context.flow_style, new) if new.flow else _region(context, new, (*chain, new.node))
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
        start, new = rewritten(context.flow_style, old, value, flow=False)
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
    return bool(value) and isinstance(value, (dict, list)) and not _is_flow(new)


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
    is_block = isinstance(data_of(entry.value), (dict, list)) and first[:1] not in ("", "{", "[")
    if anchor and is_block:  # `- &a k: v` would anchor the key
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
    if not value or not isinstance(value, (dict, list)):
        return emit.scalar(value) if not isinstance(value, (dict, list)) else emit.flow(value), []
    if _is_flow(entry.value) or isinstance(value, FlowList):
        return emit.flow(value), []
    step, dash = layout.step(chain), layout.dash(chain)
    lines = emit.block(value, step=step, dash=dash, literal=context.literal)
    if branch.is_map:
        return "", emit.indented(lines, branch.column + (step if isinstance(value, dict) else dash))
    rest = lines[1:]
    return lines[0], emit.indented(rest, _inner(context, branch, entry)) if rest else []


def _inner(context: RenderContext, branch: Branch, entry: Entry) -> int:
    """Return the column of what follows a dash: that of this element, else of its neighbours."""
    source = context.source
    for neighbour in (entry, *branch.original):
        old = neighbour.old
        if old and not is_empty(old) and source.line_start(old.start) == source.line_start(neighbour.start):
            return source.column(old.start)
    return branch.column + 2


# Edited flow collections (`{a: 1}`, `[x, y]`, JSON), on one line or several, with their comments.

_TYPES: dict[str, type] = {"int": int, "float": float, "bool": bool, "null": type(None)}
_ENCODED = ("binary", "timestamp")  # tags of strings that are written in another form


@record
class FlowStyle:
    """The style of new text in flow collections: YAML or JSON, and whether this JSON has spaces after its colons."""

    source: Source
    is_json: bool = False
    spaced: bool = True


def flow_collection(style: FlowStyle, branch: Branch) -> str:
    """Render an edited flow collection from bracket to bracket."""
    source, text = style.source, style.source.text
    if not branch.entries or not branch.original or text[branch.begin] not in "[{":
        return _write(style, data_of(branch), "", "")
    if tuple(branch.entries) != branch.original:
        return _restructured(style, branch)
    out, at = [], branch.begin
    for entry in branch.entries:
        out += [text[at : entry.start], _body(style, branch, entry)]
        at = entry.end
    return "".join(out) + source.text[at : branch.finish]


def rewritten(style: FlowStyle, old: Node, value: JSON, *, flow: bool) -> tuple[int, str]:
    """Return where the text of a one-line value begins, and its new text.

    Anchor, fitting tag and quotes stay; single quotes only where the old value did not need them.
    """
    quotes = old.style if old.kind == "scalar" else ""
    if quotes == "'" and (not old.value or not emit.is_plain(old.value, flow=flow)):
        quotes = ""
    if isinstance(value, (dict, list)):
        new = _write(style, value, "", "")
    else:
        new = emit.as_json(value) if style.is_json else emit.scalar(value, style=quotes, flow=flow)
    if old.kind == "alias" or not old.tag or _fits(old, value):
        return style.source.content(old), new
    return old.start, f"&{old.anchor} {new}" if old.anchor else new


def _fits(old: Node, value: JSON) -> bool:
    tag = (old.tag or "").rpartition(":")[2]
    return old.kind == "scalar" and tag not in _ENCODED and type(value) is _TYPES.get(tag, str)


def _body(style: FlowStyle, branch: Branch, entry: Entry) -> str:
    """Render an entry without its comma."""
    text, old, new = style.source.text, entry.old, entry.value
    if old is None:
        key = "" if entry.key is None else _key(style, entry.key) + _colon(style, branch)
        return key + _write(style, data_of(new), *_margins(branch))
    if new is old:
        return text[entry.start : entry.end]
    if isinstance(new, Branch) and new.original and new.entries:
        return text[entry.start : new.begin] + flow_collection(style, new) + text[new.finish : entry.end]
    value = data_of(new)
    if data_edits.is_written_as(to_data(old), value):
        return text[entry.start : entry.end]
    if is_empty(old):
        return _with_colon(text[entry.start : entry.head]) + " " + _write(style, value, *_margins(branch))
    start, written = rewritten(style, old, value, flow=True)
    if isinstance(value, (dict, list)):
        written = _write(style, value, *_margins(branch))
    return text[entry.start : start] + (" " if start == old.end else "") + written


def _with_colon(key: str) -> str:
    """Return the text of a key with its colon; one of several lines takes a colon only behind `?`."""
    if key.endswith(":"):
        return key
    return f"? {key}:" if "\n" in key and not key.startswith("?") else f"{key}:"


def _restructured(style: FlowStyle, branch: Branch) -> str:
    out, last, spaced = [branch.opening], len(branch.entries) - 1, False
    for index, entry in enumerate(branch.entries):
        gap = _gap(style, branch, index, entry)
        if spaced and gap is entry.gap:
            gap = gap.removeprefix(" ")
        if index and "#" in branch.entries[index - 1].trail and "\n" not in gap:
            gap = style.source.newline + " " * style.source.column(branch.original[0].start)
        body, comma, trail = _body(style, branch, entry), "," if index < last or branch.comma else "", entry.trail
        spaced = body.endswith(":") and (comma + trail + branch.foot)[:1] in (",", "}", "]")
        out += [gap, body, " " if spaced else "", comma, trail]  # behind the colon of an empty value libyaml wants a space
    if "#" in branch.entries[-1].trail and "\n" not in branch.foot:
        out.append(style.source.newline + " " * style.source.column(branch.begin))
    return "".join(out) + branch.foot


def _gap(style: FlowStyle, branch: Branch, index: int, entry: Entry) -> str:
    """Return the text before an entry: its own lines, or the spaces of its place."""
    first = branch.original[0]
    if "\n" in entry.gap or (entry in branch.original[1:] and index):
        return entry.gap
    if index == 0:
        return _bare(style, first.gap)
    gap = branch.original[-1].gap
    if "\n" in gap:
        return _bare(style, gap)
    return " " if gap or (len(branch.original) == 1 and style.spaced) else ""


def _bare(style: FlowStyle, gap: str) -> str:
    """Return a gap without its comments."""
    return style.source.newline + gap.rpartition("\n")[2] if "\n" in gap else gap


def _key(style: FlowStyle, key: str) -> str:
    return emit.as_json(key) if style.is_json else emit.scalar(key, flow=True)


def _colon(style: FlowStyle, branch: Branch) -> str:
    if not style.is_json:
        return ": "
    for entry in branch.original:
        if entry.old is not None:
            behind = style.source.text[entry.head : entry.old.start]
            return ":" + behind if not behind.strip(" ") else ": "
    return ": " if style.spaced else ":"


def _margins(branch: Branch) -> tuple[str, str]:
    """Return the spaces before an entry on its own line, and those before the closing bracket."""
    gap = branch.original[0].gap if branch.original else ""
    return (gap.rpartition("\n")[2], branch.foot[:-1].rpartition("\n")[2]) if "\n" in gap else ("", "")


def _write(style: FlowStyle, value: JSON, margin: str, outer: str) -> str:
    """Return a new value on one line; in JSON with one entry per line, laid out like the others."""
    if not style.is_json:
        return emit.flow(value)
    step = len(margin) - len(outer)
    if step > 0:
        return emit.as_json(value, indent=step).replace("\n", style.source.newline + margin)
    return emit.as_json(value, spaced=style.spaced)


def is_spaced(source: Source, root: Branch) -> bool:
    """Return whether a JSON text has spaces after its colons."""
    return not root.original or source.text[root.original[0].head] in " \r\n"
