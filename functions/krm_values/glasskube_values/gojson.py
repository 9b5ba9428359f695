"""JSON as Go's encoding/json reads it into `any` and writes it again: every number is a 64-bit float on the way."""

from __future__ import annotations

import math
import re

from krm_values._kit.gofloat import whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from krm_values._kit.data import JSON

LEVELS = 200
"""Deeper collections are refused; Go's limit is 10,000."""
_EXACT = 1e21
_DIGITS = 15
_SMALL = 1e-6
_LONE = re.compile("[\ud800-\udfff]")


class JsonError(Exception):
    """A text that is not exactly one JSON value. `message` says why and quotes nothing of the text."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


def decode(text: str) -> JSON:
    """The one JSON value of a text, white space around it allowed. JsonError where Go refuses it, and beyond LEVELS.

    Whole numbers below 1e21 are ints with the digits that Go would print, other numbers floats. Of a repeated member the last one wins.
    """
    import json  # noqa: PLC0415 - only where a template is met

    if not text.strip(" \t\r\n"):
        raise JsonError("it is empty")
    try:
        value = json.loads(text, parse_int=_whole, parse_float=_number, parse_constant=_refuse)
    except json.JSONDecodeError as error:
        raise JsonError(_reason(error)) from None
    except RecursionError:
        raise JsonError(f"it has more than {LEVELS} levels") from None
    is_ordinary = "\\u" not in text and not _LONE.search(text) and text.count("[") + text.count("{") <= LEVELS
    return value if is_ordinary else _settled(value, 0)


def number_text(value: float) -> str:
    """A number as Go writes it to JSON; one that remembers its text keeps it."""
    text = getattr(value, "text", None)
    if text is not None:
        return str(text)
    if isinstance(value, int):
        return str(value)
    mantissa, _, exponent = repr(value).partition("e")
    if not exponent:
        return mantissa.removesuffix(".0")
    if _SMALL <= abs(value) < 1:
        sign, digits = ("-", mantissa[1:]) if mantissa[0] == "-" else ("", mantissa)
        return f"{sign}0.{'0' * (-int(exponent) - 1)}{digits.replace('.', '').removesuffix('.0')}"
    return f"{mantissa}e{exponent[0]}{exponent[1:].lstrip('0')}"


def _whole(text: str) -> int | float:
    return int(text) if len(text) <= _DIGITS and text != "-0" else _number(text)


def _number(text: str) -> int | float:
    value = float(text)
    if math.isinf(value):
        raise JsonError("it has a number beyond a 64-bit float")
    if value.is_integer() and abs(value) < _EXACT and math.copysign(value or 1, value) == (value or 1):
        return whole(value)
    return value


def _refuse(word: str) -> JSON:
    raise JsonError(f"JSON has no {word}")


def _reason(error: ValueError) -> str:
    """Why, and where; nothing of the text, which may be a secret."""
    said, line, column = (getattr(error, name) for name in ("msg", "lineno", "colno"))
    if said == "Extra data":
        said = "something follows the value"
    return f"line {line}, column {column}: {said[:1].lower()}{said[1:]}"


def _settled(value: JSON, depth: int) -> JSON:
    """The value with U+FFFD for each half of a surrogate pair that stands alone."""
    if isinstance(value, str):
        return _LONE.sub("\ufffd", value)
    if not isinstance(value, dict | list):
        return value
    if depth == LEVELS:
        raise JsonError(f"it has more than {LEVELS} levels")
    if isinstance(value, list):
        return [_settled(item, depth + 1) for item in value]
    return {_LONE.sub("\ufffd", key): _settled(item, depth + 1) for key, item in value.items()}
