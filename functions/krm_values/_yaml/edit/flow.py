"""Flow collections under edit (`{a: 1}`, `[x, y]`, JSON) to text, on one line or on several, comments kept."""

from __future__ import annotations

from krm_values._data import data_edits
from krm_values._data.record import record
from krm_values._yaml import emit
from krm_values._yaml.decode import to_data
from krm_values._yaml.edit.source import is_empty
from krm_values._yaml.edit.tree import Branch, Entry, data_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from krm_values._data.values import JSON
    from krm_values._yaml.decode import Node
    from krm_values._yaml.edit.source import Source

_TYPES: dict[str, type] = {"int": int, "float": float, "bool": bool, "null": type(None)}
_ENCODED = ("binary", "timestamp")  # tags of texts that are not written as they are


@record
class FlowStyle:
    """How new text in flow collections is written: YAML or JSON, and whether this JSON has blanks behind its colons."""

    source: Source
    is_json: bool = False
    spaced: bool = True


def render(ink: FlowStyle, branch: Branch) -> str:
    """A flow collection under edit, from bracket to bracket."""
    source, text = ink.source, ink.source.text
    if not branch.entries or not branch.wanted or text[branch.begin] not in "[{":
        return _write(ink, data_of(branch), "", "")
    if tuple(branch.entries) != branch.wanted:
        return _restructured(ink, branch)
    out, at = [], branch.begin
    for entry in branch.entries:
        out += [text[at : entry.start], _body(ink, branch, entry)]
        at = entry.end
    return "".join(out) + source.text[at : branch.finish]


def rewritten(ink: FlowStyle, old: Node, value: JSON, *, flow: bool) -> tuple[int, str]:
    """A value of one line in the place of another: where its text begins, and the text. Anchor, fitting tag and quotes stay, single ones if they were a choice."""
    style = old.style if old.kind == "scalar" else ""
    if style == "'" and (not old.value or not emit.is_plain(old.value, flow=flow)):
        style = ""
    if isinstance(value, dict | list):
        new = _write(ink, value, "", "")
    else:
        new = emit.as_json(value) if ink.is_json else emit.scalar(value, style=style, flow=flow)
    if old.kind == "alias" or not old.tag or _fits(old, value):
        return ink.source.content(old), new
    return old.start, f"&{old.anchor} {new}" if old.anchor else new


def _fits(old: Node, value: JSON) -> bool:
    tag = (old.tag or "").rpartition(":")[2]
    return old.kind == "scalar" and tag not in _ENCODED and type(value) is _TYPES.get(tag, str)


def _body(ink: FlowStyle, branch: Branch, entry: Entry) -> str:
    """An entry without its comma."""
    text, old, new = ink.source.text, entry.old, entry.value
    if old is None:
        key = "" if entry.key is None else _key(ink, entry.key) + _colon(ink, branch)
        return key + _write(ink, data_of(new), *_margins(branch))
    if new is old:
        return text[entry.start : entry.end]
    if isinstance(new, Branch) and new.wanted and new.entries:
        return text[entry.start : new.begin] + render(ink, new) + text[new.finish : entry.end]
    value = data_of(new)
    if data_edits.stands(to_data(old), value):
        return text[entry.start : entry.end]
    if is_empty(old):
        colon = ":" if text[entry.head - 1] != ":" else ""
        return text[entry.start : entry.head] + colon + " " + _write(ink, value, *_margins(branch))
    start, written = rewritten(ink, old, value, flow=True)
    if isinstance(value, dict | list):
        written = _write(ink, value, *_margins(branch))
    return text[entry.start : start] + (" " if start == old.end else "") + written


def _restructured(ink: FlowStyle, branch: Branch) -> str:
    out, last = [branch.opening], len(branch.entries) - 1
    for index, entry in enumerate(branch.entries):
        gap = _gap(ink, branch, index, entry)
        if index and "#" in branch.entries[index - 1].trail and "\n" not in gap:
            gap = ink.source.newline + " " * ink.source.column(branch.wanted[0].start)
        out += [gap, _body(ink, branch, entry), "," if index < last or branch.comma else "", entry.trail]
    if "#" in branch.entries[-1].trail and "\n" not in branch.foot:
        out.append(ink.source.newline + " " * ink.source.column(branch.begin))
    return "".join(out) + branch.foot


def _gap(ink: FlowStyle, branch: Branch, index: int, entry: Entry) -> str:
    """What precedes an entry: its own lines, or the blanks that belong to the place."""
    first = branch.wanted[0]
    if "\n" in entry.gap or (entry in branch.wanted[1:] and index):
        return entry.gap
    if index == 0:
        return _bare(ink, first.gap)
    gap = branch.wanted[-1].gap
    if "\n" in gap:
        return _bare(ink, gap)
    return " " if gap or (len(branch.wanted) == 1 and ink.spaced) else ""


def _bare(ink: FlowStyle, gap: str) -> str:
    """A gap without its comments."""
    return ink.source.newline + gap.rpartition("\n")[2] if "\n" in gap else gap


def _key(ink: FlowStyle, key: str) -> str:
    return emit.as_json(key) if ink.is_json else emit.scalar(key, flow=True)


def _colon(ink: FlowStyle, branch: Branch) -> str:
    if not ink.is_json:
        return ": "
    for entry in branch.wanted:
        if entry.old is not None:
            behind = ink.source.text[entry.head : entry.old.start]
            return ":" + behind if not behind.strip(" ") else ": "
    return ": " if ink.spaced else ":"


def _margins(branch: Branch) -> tuple[str, str]:
    """The blanks that an entry on its own line has before it, and those of the closing bracket."""
    gap = branch.wanted[0].gap if branch.wanted else ""
    return (gap.rpartition("\n")[2], branch.foot[:-1].rpartition("\n")[2]) if "\n" in gap else ("", "")


def _write(ink: FlowStyle, value: JSON, margin: str, outer: str) -> str:
    """A new value: on one line, but in JSON that has its entries on lines of their own laid out like them."""
    if not ink.is_json:
        return emit.flow(value)
    step = len(margin) - len(outer)
    if step > 0:
        return emit.as_json(value, indent=step).replace("\n", ink.source.newline + margin)
    return emit.as_json(value, spaced=ink.spaced)


def is_spaced(source: Source, root: Branch) -> bool:
    """Whether a JSON text has blanks behind its colons."""
    return not root.wanted or source.text[root.wanted[0].head] in " \r\n"
