"""Numbers as Go's strconv reads and writes them."""

from __future__ import annotations

import math
import re
import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import TypeAlias

    GoScalar: TypeAlias = str | bool | int | float | None


_LONGEST = 66  # digits of a number of 64 bits, leading zeros aside
_BASES = {"x": 16, "o": 8, "b": 2}
_DIGITS = {
    16: frozenset("0123456789abcdefABCDEF"),
    10: frozenset("0123456789"),
    8: frozenset("01234567"),
    2: frozenset("01"),
}
_NUMERIC = _DIGITS[16] | frozenset("xXoO_.+-")
_FLOAT = re.compile(r"(?:[0-9]++(?:\.[0-9]*+)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_SEPARATED = re.compile(r"(?:[^_]|(?<=[0-9])_(?=[0-9]))*")
_STYLE_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_SHORTEST = range(-4, 6)
MOST, LEAST = (1 << 64) - 1, -(1 << 63)
"""Go reads whole numbers beyond these as floats."""
EXPONENT_FROM = 1e21
"""Go writes floats from here on with an exponent."""


def read_number(text: str) -> float | None:
    """Return a plain scalar that begins with a digit, a sign or a point as the number that go-yaml reads; None if it is not a number."""
    if not _NUMERIC.issuperset(text):
        return None
    if text[0] == ".":
        return parse_float(text)
    digits = text.replace("_", "")
    whole = parse_int(digits)
    if whole is not None:
        return whole
    return parse_float(digits) if _STYLE_FLOAT.fullmatch(digits) else None


def parse_int(text: str) -> int | None:
    """Return what `ParseInt` or else `ParseUint` of base 0 and 64 bits return for a string without underscores; None if both fail."""
    if text[:3] in ("0b-", "0b+") and text[3:] and _DIGITS[2].issuperset(text[3:]) and len(text) <= _LONGEST:
        # Go removes 0b and parses again
        return _fitting(int(text[3:], 2), text[2:])
    body = text[1:] if text[:1] in ("+", "-") else text
    base = _BASES.get(body[1:2].lower(), 8) if body[:1] == "0" and len(body) > 1 else 10
    digits = body[2:] if body[1:2].lower() in _BASES and base != 10 else body
    if not digits or not _DIGITS[base].issuperset(digits):
        return None
    bare = digits if len(digits) <= _LONGEST else digits.lstrip("0")
    return _fitting(int(bare or "0", base), text) if len(bare) <= _LONGEST else None


def parse_float(text: str) -> float | None:
    """Return what `ParseFloat` of 64 bits returns for a decimal string; None if it fails, as beyond the largest float."""
    digits = text[1:] if text[:1] in ("+", "-") else text
    if "_" in digits:
        if not _SEPARATED.fullmatch(digits):
            return None
        digits = digits.replace("_", "")
    if not _FLOAT.fullmatch(digits):
        return None
    value = float(digits)
    if math.isinf(value):
        return None
    return -value if text[0] == "-" else value


def short(value: float) -> str:
    """Return `FormatFloat(value, 'g', -1, 32)` with YAML's words: the text of a map key that is a float."""
    if math.isnan(value):
        return ".nan"
    try:
        single: float = struct.unpack("f", struct.pack("f", value))[0]
    except OverflowError:
        single = math.copysign(math.inf, value)
    if math.isinf(single):
        return "-.inf" if single < 0 else ".inf"
    digits, exponent = _shortest(abs(single))
    return ("-" if math.copysign(1, single) < 0 else "") + _general(digits, exponent)


def shown(value: float) -> str:
    """Return `FormatFloat(value, 'g', -1, 64)` of a finite float: what `fmt` and templates print."""
    mantissa, _, exponent = f"{abs(value)!r}".partition("e")
    before, _, after = mantissa.partition(".")
    digits = (before + after.removesuffix("0") if after == "0" else before + after).lstrip("0")
    first = len(before) - 1 + int(exponent or "0") if before != "0" else len(digits) - len(after) - 1
    return ("-" if math.copysign(1, value) < 0 else "") + (_general(digits.rstrip("0"), first) if digits else "0")


def whole(value: float) -> int:
    """Return a float without fraction as JSON writes it: the fewest digits that identify it, then zeros."""
    mantissa, _, exponent = repr(value).partition("e")
    if not exponent:
        return int(value)
    digits, _, fraction = mantissa.partition(".")
    return int(digits + fraction.ljust(int(exponent), "0"))


def is_whole(value: float) -> bool:
    """Return whether Go writes a finite float into JSON as a whole number: no fraction, below 1e21, where exponents begin, and not -0."""
    return value.is_integer() and abs(value) < EXPONENT_FROM and (value != 0 or math.copysign(1, value) > 0)


def _fitting(value: int, text: str) -> int | None:
    if text[0] == "-":
        return -value if -value >= LEAST else None
    return value if value <= (MOST if text[0] != "+" else MOST >> 1) else None


def _shortest(single: float) -> tuple[str, int]:
    """Return the fewest digits that identify a 32-bit float, and the decimal exponent of the first digit."""
    for size in range(9):
        text = f"{single:.{size}e}"
        if struct.pack("f", float(text)) == struct.pack("f", single):
            break
    mantissa, _, exponent = text.partition("e")
    return mantissa.replace(".", "").rstrip("0") or "0", int(exponent)


def _general(digits: str, exponent: int) -> str:
    if exponent not in _SHORTEST:
        fraction = f".{digits[1:]}" if digits[1:] else ""
        return f"{digits[0]}{fraction}e{'-' if exponent < 0 else '+'}{abs(exponent):02d}"
    if exponent < 0:
        return "0." + "0" * (-exponent - 1) + digits
    whole = digits[: exponent + 1].ljust(exponent + 1, "0")
    return whole + (f".{digits[exponent + 1 :]}" if digits[exponent + 1 :] else "")


# The value of a scalar in sigs.k8s.io/yaml 1.6.0: the resolver of go-yaml v2.4.2, and the conversion of its values to JSON.
#
# Source: go.yaml.in/yaml/v2 `resolve.go` and `decode.go` (`scalar`), sigs.k8s.io/yaml `yaml.go` (`convertToJSONableObject`).

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
_DATE = (  # compiled on first use, as is the next one: few runs have dates
    r"(?P<year>[0-9]{4})-(?P<month>[0-9]{1,2})-(?P<day>[0-9]{1,2})"
    r"(?:(?P<gap>[Tt]| +)(?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{1,2}):(?P<second>[0-9]{1,2})(?:[.,][0-9]+)?"
    r"(?P<zone>Z|[-+](?P<ahead>[0-9]{2}):(?P<past>[0-9]{2}))?)?"
)
_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_BASE64 = r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?"


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
    found = re.fullmatch(_DATE, text) if text[4:5] == "-" else None
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
    if not re.fullmatch(_BASE64, digits):
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
