"""New YAML and JSON text in one style, with nothing that a YAML 1.1 or 1.2 reader would read as another type.

Strings are plain where every reader takes them as strings, else single-quoted, and double-quoted where escapes are needed; strings of
several lines are literal blocks. Anchors and aliases are never written, tags only on a copy of a tagged value.
"""

from __future__ import annotations

import math

from krm_values._data.errors import EditError
from krm_values._data.quoting import is_printable, quoted, shows
from krm_values._data.record import pattern, record
from krm_values._data.scalars.tags import source
from krm_values._data.scalars.text import Float, Int, Text, is_ambiguous, is_bare, source_of, text_of
from krm_values._data.values import FlowList

TYPE_CHECKING = False
if TYPE_CHECKING:
    from krm_values._data.values import JSON

_FORBIDDEN_FIRST = frozenset(",[]{}#&*!|>'\"%@`")
_FORBIDDEN_IN_FLOW = frozenset(",?[]{}:")
_LONG, _LONGEST_KEY = 100, 1_000
_JSON_NUMBER = pattern(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")
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
    return _block(value, _Style(step, (step if wide else 0) if dash is None else dash, literal))


def flow(value: JSON) -> str:
    """Return a value on one line in flow style."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{scalar(key, flow=True)}: {_member(value, key, item)}" for key, item in value.items()) + "}"
    if isinstance(value, FlowList):
        return "[" + ", ".join(_double(item) for item in value) + "]"
    if isinstance(value, list):
        return "[" + ", ".join(_member(value, index, item) for index, item in enumerate(value)) + "]"
    return scalar(value, flow=True)


def _member(holder: JSON, key: str | int, item: JSON) -> str:
    return source(holder, key) or flow(item)


def scalar(value: JSON, *, style: str = "", flow: bool = False) -> str:
    """Return a scalar on one line. style: the quote character to keep where the string allows it; flow: whether it is inside `[]` or `{}`."""
    if not isinstance(value, str):
        return _constant(value)
    if type(value) is Text and not (flow and "," in value.source and is_bare(value)):
        return value.source
    if style == '"':
        return quoted(value)
    if style != "'" and is_plain(value, flow=flow):
        return value
    if is_printable(value):
        return "'" + value.replace("'", "''") + "'"
    return quoted(value)


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
        if isinstance(entry, dict | list):
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
    if type(text) is Text:
        return False
    body = text.lstrip("\n")
    return "\n" in text and bool(body) and body[0] not in " \t" and is_printable(text.replace("\n", "").replace("\t", ""))


def literal_block(text: str, step: int) -> list[str]:
    """Return the header and the lines of a literal block."""
    body = text.rstrip("\n")
    chomping = {0: "-", 1: ""}.get(len(text) - len(body), "+")
    lines = (text if chomping == "-" else text[:-1]).split("\n")
    return ["|" + chomping, *indented(lines, step)]


def indented(lines: list[str], column: int) -> list[str]:
    """Return the lines indented to a column; empty lines stay empty."""
    return [" " * column + line if line else "" for line in lines]


def _block(value: JSON, style: _Style) -> list[str]:
    if isinstance(value, dict) and value:
        return [line for key, item in value.items() for line in _entry(scalar(key) + ":", _written(value, key, item), style)]
    if isinstance(value, list) and value and not isinstance(value, FlowList):
        return [line for index, item in enumerate(value) for line in _element(_written(value, index, item), style)]
    if style.literal and isinstance(value, str) and is_literal(value):
        return literal_block(value, style.step)
    return [flow(value) if isinstance(value, dict | list) else scalar(value)]


def _written(holder: JSON, key: str | int, item: JSON) -> JSON:
    """Return a member; if its map or list knows its source text, that text."""
    known = source(holder, key)
    return Text("", "", known) if known else item


def _entry(key: str, item: JSON, style: _Style) -> list[str]:
    lines = _block(item, style)
    if not isinstance(item, dict | list) or not item or isinstance(item, FlowList):
        return [f"{key} {lines[0]}", *lines[1:]]
    return [key, *indented(lines, style.step if isinstance(item, dict) else style.dash)]


def _element(item: JSON, style: _Style) -> list[str]:
    lines = _block(item, style)
    return ["- " + lines[0], *indented(lines[1:], 2 if isinstance(item, dict | list) else 0)]


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
    if isinstance(value, Float | Int) or type(value) is float:
        return _json_number(value)
    return _constant(value)


def _pretty(value: JSON, indent: int, newline: str) -> str:
    if not value or not isinstance(value, dict | list):
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
    text = text_of(value) if isinstance(value, Float | Int) else _float(value)
    if _JSON_NUMBER.fullmatch(text):
        return text
    if isinstance(value, int):
        return str(int(value))
    if not math.isfinite(value):
        named = f'the number "{text}"' if text.lstrip("+-").lower() in (".nan", ".inf") else "a number beyond 64 bits"
        raise EditError(f"cannot write {named} into JSON; write it as a string")
    return repr(float(value))
