"""Scalars as version 0.1.0 read them, by YAML 1.2's core schema. Undo records without a version have digests of such values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.scalars import Float, Int, Text

if TYPE_CHECKING:
    from krm_values._data.values import JSON


_DIGITS = frozenset("0123456789")
_BASES = {"0o": (8, frozenset("01234567")), "0x": (16, frozenset("0123456789abcdefABCDEF"))}
_FLOAT = "!!float "


def value(found: JSON) -> JSON:
    """Return a value as 0.1.0 read it from a file; maps and lists member by member."""
    if isinstance(found, dict):
        return {key: value(item) for key, item in found.items()}
    if isinstance(found, list):
        return [value(item) for item in found]
    if not isinstance(found, (Int, Float, Text)):
        return found
    text = found.text
    if isinstance(found, Text):
        return text
    read = _plain(text)
    is_float = found.source.startswith(_FLOAT)
    return Float(text, float(read)) if isinstance(read, float) or (is_float and isinstance(read, int)) else read


def _plain(text: str) -> JSON:
    """Return a number as YAML 1.2 reads it, else the text."""
    digits = text[2:]
    base, known = _BASES.get(text[:2], (10, _DIGITS))
    if base != 10:
        return int(digits, base) if digits and known.issuperset(digits) else text
    body = text[1:] if text[0] in "+-" else text
    if _DIGITS.issuperset(body):
        return int(text)
    special = body.lower() in (".inf", ".nan")
    mantissa, mark, exponent = body.replace("E", "e").partition("e")
    whole, _, fraction = mantissa.partition(".")
    power = exponent[1:] if exponent[:1] in ("+", "-") else exponent
    is_float = (
        (whole or fraction) and _DIGITS.issuperset(whole + fraction) and (not mark or power) and _DIGITS.issuperset(power)
    )
    return float(text.replace(".", "", 1)) if special else float(text) if is_float else text
