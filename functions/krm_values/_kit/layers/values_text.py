"""The text of values in a ConfigMap or Secret: one form that YAML 1.1, YAML 1.2 and Go readers read as the same data.

Block style, indented by 2, dashes at the parent's column, keys sorted by code point, one final line break; no folding, anchors or tags.
Strings that any of these readers would retype or refuse are in double quotes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.limits import KEPT, SHORT
from krm_values._data.quoting import quoted
from krm_values._data.scalars.go import is_date, resolve
from krm_values._data.scalars.strconv import is_whole, whole
from krm_values._yaml.emit import indented, is_literal, is_plain, literal_block, scalar

if TYPE_CHECKING:
    from krm_values._data.values import JSON

_WRITTEN: dict[str, str] = {}
_KEY = 1000  # characters of a key that still fit on its line for every reader


def write(data: JSON) -> str:
    """Return the text of plain data; floats without a fraction are written as whole numbers."""
    return "\n".join(_lines(data)) + "\n"


def _lines(value: JSON) -> list[str]:
    if isinstance(value, dict) and value:
        return [line for key in sorted(value) for line in _entry(key, value[key])]
    if isinstance(value, list) and value:
        return [line for item in value for line in _element(item)]
    if isinstance(value, dict | list):
        return ["{}" if isinstance(value, dict) else "[]"]
    if isinstance(value, str):
        return literal_block(value, 2) if _is_block(value) else [_text(value)]
    return [_constant(value)]


def _entry(key: str, value: JSON) -> list[str]:
    name, lines = _text(key), _lines(value)
    head = [f"{name}:"] if len(name) <= _KEY else [f"? {name}", ":"]
    if value and isinstance(value, dict | list):
        return [*head, *(indented(lines, 2) if isinstance(value, dict) else lines)]
    return [*head[:-1], f"{head[-1]} {lines[0]}", *lines[1:]]


def _element(value: JSON) -> list[str]:
    first, *lines = _lines(value)
    return [f"- {first}", *(indented(lines, 2) if isinstance(value, dict | list) else lines)]


def _text(value: str) -> str:
    """Return a string on one line. The result for short strings is cached, because most of them repeat."""
    found = _WRITTEN.get(value)
    if found is None:
        is_safe = is_plain(value) and isinstance(resolve(value), str) and not is_date(value)
        found = value if is_safe else quoted(value)
        if len(value) <= SHORT and len(_WRITTEN) < KEPT:
            _WRITTEN[value] = found
    return found


def _is_block(value: str) -> bool:
    """Return whether a text can be a literal block: no trailing spaces or empty lines at an end, which people and editors lose."""
    ends = (line[-1:] for line in value.split("\n"))
    return is_literal(value) and not value.endswith("\n\n") and not any(end in (" ", "\t") for end in ends)


def _constant(value: float | None) -> str:
    """Return the text of a number, a boolean or null."""
    if isinstance(value, float):
        return str(whole(value)) if is_whole(value) else scalar(float(value))
    return str(int(value)) if isinstance(value, int) and not isinstance(value, bool) else scalar(value)
