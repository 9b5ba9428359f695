"""JSON as Go's encoding/json decodes it into `any` and encodes it again: every number becomes a 64-bit float in between."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from krm_values._data.go_numbers import EXPONENT_FROM, LEAST, MOST, is_whole, whole
from krm_values._data.scalars import Float, text_of

if TYPE_CHECKING:
    from krm_values._data.values import JSON


LEVELS = 200
"""Deeper collections are refused where a text is read; Go's limit is 10,000."""
ENTRIES = 100_000
"""More members and elements in all are refused where a text is read."""
_EXPONENT_BELOW = 1e-6
_EXACT_DIGITS = 15
_TABLE = {
    **{code: f"\\u{code:04x}" for code in (*range(0x20), *b"&<>", 0x2028, 0x2029)},
    **{ord(char): f"\\{short}" for char, short in zip('"\\\b\f\n\r\t', '"\\bfnrt', strict=True)},
}
_LONE, _UNREADABLE = re.compile("[\ud800-\udfff]"), "\ufffd"


class JsonError(Exception):
    """A text that is not exactly one JSON value. `message` quotes nothing of the text."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


def decode(written: str) -> JSON:
    """Return the one JSON value of a text; surrounding white space is allowed. JsonError where Go refuses it, and beyond LEVELS or ENTRIES.

    Whole numbers below 1e21 are ints with the digits that Go would print, other numbers floats. The last of repeated members wins.
    """
    import json  # noqa: PLC0415 - rarely needed

    if not written.strip(" \t\r\n"):
        raise JsonError("it is empty")
    try:
        value = json.loads(written, parse_int=_whole, parse_float=_number, parse_constant=_refuse)
    except json.JSONDecodeError as error:
        raise JsonError(_reason(error)) from None
    except RecursionError:
        raise JsonError(f"it has more than {LEVELS} levels") from None
    if written.count(",") >= ENTRIES // 2 and _entries(value) > ENTRIES:
        raise JsonError(f"it has more than {ENTRIES:,} members and elements")
    is_ordinary = "\\u" not in written and not _LONE.search(written) and written.count("[") + written.count("{") <= LEVELS
    return value if is_ordinary else _settled(value, 0)


def is_json(written: str) -> bool:
    """Return whether a text is a JSON map or list, behind a byte order mark or not: what is edited in it stays JSON then."""
    import json  # noqa: PLC0415 - rarely needed

    body = written.removeprefix("\ufeff")
    if not body.lstrip(" \t\r\n").startswith(("{", "[")):
        return False
    try:
        json.loads(body, parse_int=len, parse_float=len, parse_constant=_refuse)
    except (json.JSONDecodeError, JsonError, RecursionError):
        return False
    return True


def number(value: float) -> int | float:
    """Return a number after its conversion to a 64-bit float, as Go writes it; ValueError for a number that is not finite as a float.

    Whole numbers of up to 64 bits are ints, as Go reads them back.
    """
    try:
        held = float(value)
    except OverflowError:
        held = math.inf
    if not math.isfinite(held):
        raise ValueError(f'"{getattr(value, "text", value)}" is not a number that JSON can hold')
    if held == 0 and math.copysign(1, held) < 0:
        return Float("-0")
    if is_whole(held):
        digits = whole(held)
        return digits if LEAST <= digits <= MOST else Float(str(digits), held)
    return Float(_written(held))


def normalised(value: JSON) -> JSON:
    """Return plain data with every number converted by `number`; keys keep their order."""
    if isinstance(value, dict):
        return {key: normalised(below) for key, below in value.items()}
    if isinstance(value, list):
        return [normalised(below) for below in value]
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return value
    return number(value)


def text(value: JSON) -> str:
    """Return compact JSON as Go writes it: keys sorted, no spaces, `&`, `<` and `>` escaped."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{_quoted(key)}:{text(value[key])}" for key in sorted(value)) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(text, value)) + "]"
    if isinstance(value, str):
        return _quoted(value)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return number_text(number(value))


def number_text(value: float) -> str:
    """Return a number's text as Go writes it to JSON: 509 of `0775`, 2.1 of `2.10`. A whole number keeps all its digits."""
    if isinstance(value, int):
        return str(int(value))
    held = number(value) if math.isfinite(value) else value
    return str(int(held)) if isinstance(held, int) else text_of(held)


def by_value(value: JSON) -> JSON:
    """Return plain data with every number as JSON has it, however it was written; whole numbers keep all their digits."""
    if isinstance(value, dict):
        return {key: by_value(below) for key, below in value.items()}
    if isinstance(value, list):
        return [by_value(below) for below in value]
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return value
    return int(value) if isinstance(value, int) else number(value) if math.isfinite(value) else value


def _quoted(value: str) -> str:
    shown = value.translate(_TABLE)
    return f'"{shown}"' if shown.isascii() else f'"{_LONE.sub(_UNREADABLE, shown)}"'


def _written(held: float) -> str:
    """Return the fewest digits that identify a float, with an exponent only where Go writes one."""
    mantissa, _, exponent = repr(held).partition("e")
    if _EXPONENT_BELOW <= abs(held) < EXPONENT_FROM:
        return _unfolded(mantissa, int(exponent or 0))
    sign, digits = ("-", mantissa[1:]) if mantissa[0] == "-" else ("", mantissa)
    power = int(exponent or 0)
    front, _, back = digits.partition(".")
    shown = f"{front}.{back}" if back.strip("0") else front
    return f"{sign}{shown}e{'-' if power < 0 else '+'}{abs(power):02d}".replace("e-0", "e-")


def _unfolded(mantissa: str, power: int) -> str:
    """Turn `1.5` and -5 into `0.000015`: Python writes exponents below 1e-4, Go below 1e-6."""
    if not power:
        return mantissa
    sign, digits = ("-", mantissa[1:]) if mantissa[0] == "-" else ("", mantissa)
    return f"{sign}0." + "0" * (-power - 1) + digits.replace(".", "")


def _whole(written: str) -> int | float:
    return int(written) if len(written) <= _EXACT_DIGITS and written != "-0" else _number(written)


def _number(written: str) -> int | float:
    try:
        held = number(float(written))
    except ValueError:
        raise JsonError("it has a number beyond a 64-bit float") from None
    is_digits = isinstance(held, int) or (held != 0 and held.is_integer())
    return held if is_digits else float(held)


def _refuse(word: str) -> JSON:
    raise JsonError(f"JSON has no {word}")


def _reason(error: ValueError) -> str:
    """Return the reason with line and column; nothing of the text, which may be secret."""
    reason, line, column = (getattr(error, name) for name in ("msg", "lineno", "colno"))
    if reason == "Extra data":
        reason = "something follows the value"
    return f"line {line}, column {column}: {reason[:1].lower()}{reason[1:]}"


def _entries(value: JSON) -> int:
    """Count the members and elements of a value at all depths."""
    if not isinstance(value, (dict, list)):
        return 0
    return len(value) + sum(map(_entries, value.values() if isinstance(value, dict) else value))


def _settled(value: JSON, depth: int) -> JSON:
    """Return the value with U+FFFD for each unpaired surrogate."""
    if isinstance(value, str):
        return _LONE.sub(_UNREADABLE, value)
    if not isinstance(value, (dict, list)):
        return value
    if depth == LEVELS:
        raise JsonError(f"it has more than {LEVELS} levels")
    if isinstance(value, list):
        return [_settled(item, depth + 1) for item in value]
    return {_LONE.sub(_UNREADABLE, key): _settled(item, depth + 1) for key, item in value.items()}
