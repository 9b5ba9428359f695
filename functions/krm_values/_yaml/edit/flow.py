"""Render edited flow collections (`{a: 1}`, `[x, y]`, JSON), on one line or several, with their comments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import data_edits
from krm_values._data.record import record
from krm_values._yaml import emit
from krm_values._yaml.decode import to_data
from krm_values._yaml.edit.source import is_empty
from krm_values._yaml.edit.tree import Branch, Entry, data_of

if TYPE_CHECKING:
    from krm_values._data.values import JSON
    from krm_values._yaml.decode import Node
    from krm_values._yaml.edit.source import Source

_TYPES: dict[str, type] = {"int": int, "float": float, "bool": bool, "null": type(None)}
_ENCODED = ("binary", "timestamp")  # tags of strings that are written in another form


@record
class FlowStyle:
    """The style of new text in flow collections: YAML or JSON, and whether this JSON has spaces after its colons."""

    source: Source
    is_json: bool = False
    spaced: bool = True


def render(style: FlowStyle, branch: Branch) -> str:
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
    if isinstance(value, dict | list):
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
        return text[entry.start : new.begin] + render(style, new) + text[new.finish : entry.end]
    value = data_of(new)
    if data_edits.is_written_as(to_data(old), value):
        return text[entry.start : entry.end]
    if is_empty(old):
        return _with_colon(text[entry.start : entry.head]) + " " + _write(style, value, *_margins(branch))
    start, written = rewritten(style, old, value, flow=True)
    if isinstance(value, dict | list):
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
