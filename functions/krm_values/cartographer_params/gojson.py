"""Numbers and text as Go's encoding/json gives them: every number is a 64-bit float (rules 63 and 75)."""

from __future__ import annotations

import math
import re

from krm_values._kit.gofloat import whole
from krm_values._kit.scalars import Float

TYPE_CHECKING = False
if TYPE_CHECKING:
    from krm_values._kit.data import JSON

_EXPONENT_FROM, _EXPONENT_BELOW = 1e21, 1e-6
_TABLE = {
    **{code: f"\\u{code:04x}" for code in (*range(0x20), *b"&<>", 0x2028, 0x2029)},
    **{ord(char): f"\\{short}" for char, short in zip('"\\\b\f\n\r\t', '"\\bfnrt', strict=True)},
}
_SURROGATE, _UNREADABLE = re.compile("[\ud800-\udfff]"), "\ufffd"


def number(value: float) -> int | float:
    """A number after its way through a 64-bit float, written as Go writes it; ValueError for what a float cannot hold."""
    try:
        held = float(value)
    except OverflowError:
        held = math.inf
    if not math.isfinite(held):
        raise ValueError(f'"{getattr(value, "text", value)}" is no number that JSON can hold')
    if held == 0 and math.copysign(1, held) < 0:
        return Float("-0")
    if abs(held) < _EXPONENT_FROM and held.is_integer():
        return whole(held)
    return Float(_written(held))


def normalised(value: JSON) -> JSON:
    """Plain data with every number as `number` gives it; the keys keep their order."""
    if isinstance(value, dict):
        return {key: normalised(below) for key, below in value.items()}
    if isinstance(value, list):
        return [normalised(below) for below in value]
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    return number(value)


def text(value: JSON) -> str:
    """Compact JSON in Go's way: keys sorted, no blanks, `&`, `<` and `>` escaped."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{_quoted(key)}:{text(value[key])}" for key in sorted(value)) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(text, value)) + "]"
    if isinstance(value, str):
        return _quoted(value)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    held = number(value)
    return str(getattr(held, "text", held))


def _quoted(value: str) -> str:
    shown = value.translate(_TABLE)
    return f'"{shown}"' if shown.isascii() else f'"{_SURROGATE.sub(_UNREADABLE, shown)}"'


def _written(held: float) -> str:
    """The fewest digits that mean this float, with an exponent only where Go writes one."""
    mantissa, _, exponent = repr(held).partition("e")
    if _EXPONENT_BELOW <= abs(held) < _EXPONENT_FROM:
        return _unfolded(mantissa, int(exponent or 0))
    sign, digits = ("-", mantissa[1:]) if mantissa[0] == "-" else ("", mantissa)
    power = int(exponent or 0)
    front, _, back = digits.partition(".")
    shown = f"{front}.{back}" if back.strip("0") else front
    return f"{sign}{shown}e{'-' if power < 0 else '+'}{abs(power):02d}".replace("e-0", "e-")


def _unfolded(mantissa: str, power: int) -> str:
    """`1.5` and -5 to `0.000015`: Python turns to exponents below 1e-4, Go below 1e-6."""
    if not power:
        return mantissa
    sign, digits = ("-", mantissa[1:]) if mantissa[0] == "-" else ("", mantissa)
    return f"{sign}0." + "0" * (-power - 1) + digits.replace(".", "")
