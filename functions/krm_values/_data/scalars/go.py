"""The value of a scalar in sigs.k8s.io/yaml 1.6.0: the resolver of go-yaml v2.4.2, and the conversion of its values to JSON.

Source: go.yaml.in/yaml/v2 `resolve.go` and `decode.go` (`scalar`), sigs.k8s.io/yaml `yaml.go` (`convertToJSONableObject`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from krm_values._data.scalars.strconv import read_number, short

if TYPE_CHECKING:
    from typing import TypeAlias

    GoScalar: TypeAlias = str | bool | int | float | None

_CASES = ("lower", "capitalize", "upper")
_TRUE = ("y", "yes", "true", "on")
_FALSE = ("n", "no", "false", "off")


def _spelled(*words: str) -> list[str]:
    return [getattr(word, case)() for word in words for case in _CASES]


_WORDS: dict[str, GoScalar] = {
    **dict.fromkeys(_spelled(*_TRUE), True),
    **dict.fromkeys(_spelled(*_FALSE), False),
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), float("nan")),
    **dict.fromkeys((".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"), float("inf")),
    **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), float("-inf")),
}
OLD_WORDS = frozenset(word for word in _spelled(*_TRUE, *_FALSE) if word.lower() not in ("true", "false"))
"""Words that only a YAML 1.1 reader takes as booleans."""
_HINTS = frozenset("0123456789+-.")
_TAG = "tag:yaml.org,2002:"
_BINARY = _TAG + "binary"
_TYPES = {_TAG + name: name for name in ("str", "bool", "int", "float", "null", "timestamp")}
_DATE = re.compile(
    r"(?P<year>[0-9]{4})-(?P<month>[0-9]{1,2})-(?P<day>[0-9]{1,2})"
    r"(?:(?P<gap>[Tt]| +)(?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{1,2}):(?P<second>[0-9]{1,2})(?:[.,][0-9]+)?"
    r"(?P<zone>Z|[-+](?P<ahead>[0-9]{2}):(?P<past>[0-9]{2}))?)?"
)
_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_BASE64 = re.compile(r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?")


class UnfitTagError(ValueError):
    """A tag that does not fit its scalar."""


def resolve(text: str, tag: str | None = None, *, plain: bool = True) -> GoScalar:
    """Return the value of a scalar by its text, tag and style; UnfitTagError where Go refuses the tag. Dates are strings."""
    if not tag:
        return _plain(text) if plain else text
    if tag == _BINARY:
        return _binary(text)
    wanted = _TYPES.get(tag, "str")
    if wanted == "str":
        return text
    if wanted == "timestamp":
        if not is_date(text):
            raise UnfitTagError
        return text
    return _tagged(text, wanted)


def is_date(text: str) -> bool:
    """Return whether Go reads a plain scalar as a timestamp, which it then keeps as a string."""
    found = _DATE.fullmatch(text) if text[4:5] == "-" else None
    if not found:
        return False
    year, month, day = (int(found[name]) for name in ("year", "month", "day"))
    is_leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    if not 1 <= month <= len(_DAYS) or not 1 <= day <= _DAYS[month - 1] + (month == 2 and is_leap):
        return False
    if found["gap"] is None:
        return True
    if (found["gap"] in "Tt") != (found["zone"] is not None):
        return False
    limits = (("hour", 23), ("minute", 59), ("second", 59), ("ahead", 24), ("past", 59))
    return all(int(found[name] or 0) <= most for name, most in limits)


def key_text(key: GoScalar) -> str | None:
    """Return the JSON key of a map key; None where Go has none (null, and whole numbers from 2^63 on)."""
    if isinstance(key, str):
        return key
    if isinstance(key, bool):
        return "true" if key else "false"
    if isinstance(key, int):
        return str(key) if key < 1 << 63 else None
    return None if key is None else short(key)


def _plain(text: str) -> GoScalar:
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in _HINTS:
        return text
    value = read_number(text)
    return text if value is None else value


def _tagged(text: str, wanted: str) -> GoScalar:
    value = _plain(text) if not is_date(text) else text
    if wanted == "float" and type(value) is int and value < 1 << 63:
        return float(value)
    if type(value).__name__.replace("NoneType", "null") != wanted:
        raise UnfitTagError
    return value


def _binary(text: str) -> str:
    """Decode base64; like Go's JSON, replace each byte that is not UTF-8 by U+FFFD."""
    digits = text.replace("\r", "").replace("\n", "")
    if not _BASE64.fullmatch(digits):
        raise UnfitTagError
    import binascii  # noqa: PLC0415 - such tags are rare

    left, value = binascii.a2b_base64(digits), ""
    while left:
        try:
            return value + left.decode()
        except UnicodeDecodeError as error:
            value += left[: error.start].decode() + "\ufffd"
            left = left[error.start + 1 :]
    return value
