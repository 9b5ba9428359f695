"""Numbers as Go's strconv reads and writes them."""

from __future__ import annotations

import math
import re
import struct

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
