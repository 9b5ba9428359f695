"""New YAML and JSON text in one style, with nothing that a YAML 1.1 or 1.2 reader would read as another type.

Strings are plain where every reader takes them as strings, else single-quoted, and double-quoted where escapes are needed; strings of
several lines are literal blocks. Anchors and aliases are never written, tags only on a copy of a tagged value.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from krm_values._data.errors import EditError
from krm_values._data.limits import KEPT, SHORT
from krm_values._data.record import record
from krm_values._data.scalars import (
    Float,
    Int,
    Text,
    is_ambiguous,
    is_bare,
    is_printable,
    quoted,
    shows,
    source,
    source_of,
    text_of,
)
from krm_values._data.values import FlowList

if TYPE_CHECKING:
    from krm_values._data.values import JSON

_FORBIDDEN_FIRST = frozenset(",[]{}#&*!|>'\"%@`")
_FORBIDDEN_IN_FLOW = frozenset(",?[]{}:")
_LONG, _LONGEST_KEY = 100, 1_000
_BLOCK: dict[str, str] = {}
_FLOW: dict[str, str] = {}
_JSON_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")
_JSON_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r", "\b": "\\b", "\f": "\\f"}


@record
class _Style:
    step: int
    dash: int
    literal: bool


def block(value: JSON, *, step: int = 2, wide: bool = False, dash: int | None = None, literal: bool = True) -> list[str]:
    """Return the lines of a value in block style, the first without indentation.

    step: the indentation of a map below its key. wide: indent the dashes of a list below its key as well; dash: by this number of spaces.
    literal: whether strings of several lines become literal blocks, indented by `step`.
    """
    out: list[str] = []
    style = _Style(step, (step if wide else 0) if dash is None else dash, literal)
    if isinstance(value, dict) and value:
        _map(out, "", value, "", style)
    elif isinstance(value, list) and value and not isinstance(value, FlowList):
        _list(out, "", value, "", style)
    else:
        _leaf(out, "", value, "", style)
    return out


def flow(value: JSON) -> str:
    """Return a value on one line in flow style."""
    if isinstance(value, dict):
        return (
            "{" + ", ".join(f"{scalar(key, flow=True)}: {_flow_member(value, key, item)}" for key, item in value.items()) + "}"
        )
    if isinstance(value, FlowList):
        return "[" + ", ".join(_double(item) for item in value) + "]"
    if isinstance(value, list):
        return "[" + ", ".join(_flow_member(value, index, item) for index, item in enumerate(value)) + "]"
    return scalar(value, flow=True)


def _flow_member(holder: JSON, key: str | int, item: JSON) -> str:
    return source(holder, key) or flow(item)


def scalar(value: JSON, *, style: str = "", flow: bool = False) -> str:
    """Return a scalar on one line. style: the quote character to keep where the string allows it; flow: whether it is inside `[]` or `{}`."""
    if type(value) is str and not style:
        return _string(value, _FLOW if flow else _BLOCK)
    if not isinstance(value, str):
        return _constant(value)
    if type(value) is Text and not (flow and "," in value.source and is_bare(value)):
        return value.source
    if style == '"':
        return quoted(value)
    if style != "'" and is_plain(value, flow=flow):
        return value
    return _single(value)


def _string(value: str, known: dict[str, str]) -> str:
    """Return a string on one line. The result for short strings is cached, because most of them repeat."""
    found = known.get(value)
    if found is None:
        found = value if is_plain(value, flow=known is _FLOW) else _single(value)
        if len(value) <= SHORT and len(known) < KEPT:
            known[value] = found
    return found


def _single(value: str) -> str:
    """Return a string in single quotes; where it needs escapes in double quotes."""
    return "'" + value.replace("'", "''") + "'" if is_printable(value) else quoted(value)


def _double(value: JSON) -> str:
    """Return an element of a FlowList: what needs quotes gets double quotes, as people write `["$(params.x[*])"]`."""
    plain = not isinstance(value, str) or is_plain(value, flow=True) or '"' in value
    return flow(value) if plain else scalar(value, style='"', flow=True)


def as_json(value: JSON, *, indent: int | None = None, spaced: bool = False) -> str:
    """Return a value as JSON text. EditError for a number that JSON does not have.

    indent: spaces per level; None writes one line, with a space after colons and commas if `spaced`.
    """
    colon, comma = (": ", ", ") if spaced else (":", ",")
    return _json(value, colon, comma) if indent is None else _pretty(value, indent, "\n")


def check_keys(value: JSON) -> None:
    """Raise EditError for a map key that is too long for YAML readers, which look ahead 1,024 characters."""
    below = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for key in value if isinstance(value, dict) else ():
        if len(key) > _LONG and len(quoted(key)) > _LONGEST_KEY:
            raise EditError(f"cannot write a key of {len(key):,} characters: readers of YAML take about {_LONGEST_KEY:,}")
    for entry in below:
        if isinstance(entry, (dict, list)):
            check_keys(entry)


def is_plain(text: str, *, flow: bool = False) -> bool:
    """Return whether every reader reads the unquoted text as this string."""
    if is_ambiguous(text) or not is_printable(text) or text[0] == " " or text[-1] in " :":
        return False
    if text[0] in _FORBIDDEN_FIRST or (text[0] in "-?:" and text[1:2] in ("", " ")):
        return False
    if ": " in text or " #" in text or text.startswith(("---", "...")):
        return False
    return not flow or (text != "-" and _FORBIDDEN_IN_FLOW.isdisjoint(text))


def is_literal(text: str) -> bool:
    """Return whether a string of several lines can be a literal block without an indentation indicator."""
    if "\n" not in text or type(text) is Text:
        return False
    body = text.lstrip("\n")
    return bool(body) and body[0] not in " \t" and is_printable(text.replace("\n", "").replace("\t", ""))


def literal_block(text: str, step: int) -> list[str]:
    """Return the header and the lines of a literal block."""
    body = text.rstrip("\n")
    chomping = {0: "-", 1: ""}.get(len(text) - len(body), "+")
    lines = (text if chomping == "-" else text[:-1]).split("\n")
    return ["|" + chomping, *indented(lines, step)]


def indented(lines: list[str], column: int) -> list[str]:
    """Return the lines indented to a column; empty lines stay empty."""
    return [" " * column + line if line else "" for line in lines]


def _map(out: list[str], lead: str, value: dict[str, JSON], indent: str, style: _Style) -> None:
    """Append the lines of a map, the first one behind `lead`, the others behind `indent`."""
    for key, item in value.items():
        _member(out, lead + scalar(key) + ":", _written(value, key, item), indent, style)
        lead = indent


def _list(out: list[str], lead: str, value: list[JSON], indent: str, style: _Style) -> None:
    """Append the lines of a list, as `_map` does."""
    for index, item in enumerate(value):
        written = _written(value, index, item)
        if isinstance(written, dict) and written:
            _map(out, lead + "- ", written, indent + "  ", style)
        elif isinstance(written, list) and written and not isinstance(written, FlowList):
            _list(out, lead + "- ", written, indent + "  ", style)
        else:
            _leaf(out, lead + "- ", written, indent, style)
        lead = indent


def _member(out: list[str], key: str, item: JSON, indent: str, style: _Style) -> None:
    """Append the lines of a map's entry, the first of which begins with `key`."""
    if isinstance(item, dict) and item:
        out.append(key)
        below = indent + " " * style.step
        _map(out, below, item, below, style)
    elif isinstance(item, list) and item and not isinstance(item, FlowList):
        out.append(key)
        below = indent + " " * style.dash
        _list(out, below, item, below, style)
    else:
        _leaf(out, key + " ", item, indent, style)


def _leaf(out: list[str], lead: str, value: JSON, indent: str, style: _Style) -> None:
    """Append a value that has no lines of its own, or a literal block, behind `lead`."""
    if style.literal and isinstance(value, str) and is_literal(value):
        header, *lines = literal_block(value, style.step)
        out.append(lead + header)
        out += [indent + line if line else "" for line in lines]
    else:
        out.append(lead + (flow(value) if isinstance(value, (dict, list)) else scalar(value)))


def _written(holder: JSON, key: str | int, item: JSON) -> JSON:
    """Return a member; if its map or list knows its source text, that text."""
    known = source(holder, key)
    return Text("", "", known) if known else item


def _constant(value: JSON) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and not source_of(value):
        return _float(value)
    return source_of(value) or text_of(value)


def _float(value: float) -> str:
    if not math.isfinite(value):
        return ".nan" if math.isnan(value) else ".inf" if value > 0 else "-.inf"
    mantissa, mark, exponent = repr(value).partition("e")
    return mantissa + (".0" if mark and "." not in mantissa else "") + mark + exponent  # YAML 1.1 requires the point


def _json(value: JSON, colon: str, comma: str) -> str:
    if isinstance(value, str):
        return _json_string(value)
    if isinstance(value, dict):
        return "{" + comma.join(_json_string(key) + colon + _json(item, colon, comma) for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + comma.join(_json(item, colon, comma) for item in value) + "]"
    if isinstance(value, (Float, Int)) or type(value) is float:
        return _json_number(value)
    return _constant(value)


def _pretty(value: JSON, indent: int, newline: str) -> str:
    if not value or not isinstance(value, (dict, list)):
        return _json(value, "", "")
    below = newline + " " * indent
    if isinstance(value, dict):
        parts = [_json_string(key) + ": " + _pretty(item, indent, below) for key, item in value.items()]
    else:
        parts = [_pretty(item, indent, below) for item in value]
    left, right = "{}" if isinstance(value, dict) else "[]"
    return left + below + ("," + below).join(parts) + newline + right


def _json_string(text: str) -> str:
    if text.isascii() and text.isprintable() and '"' not in text and "\\" not in text:
        return f'"{text}"'
    return (
        '"' + "".join(_JSON_ESCAPES.get(c) or (c if c >= "\U00010000" or shows(c) else f"\\u{ord(c):04x}") for c in text) + '"'
    )


def _json_number(value: float) -> str:
    """Return a number as it is written if that is JSON, else by its value."""
    text = text_of(value) if isinstance(value, (Float, Int)) else _float(value)
    if _JSON_NUMBER.fullmatch(text):
        return text
    if isinstance(value, int):
        return str(int(value))
    if not math.isfinite(value):
        named = f'the number "{text}"' if text.lstrip("+-").lower() in (".nan", ".inf") else "a number beyond 64 bits"
        raise EditError(f"cannot write {named} into JSON; write it as a string")
    return repr(float(value))
