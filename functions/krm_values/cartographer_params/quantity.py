"""Resource quantities in the canonical form that k8s.io/apimachinery writes when it copies a typed object (rule 76)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from krm_values._golang import encoding_json

if TYPE_CHECKING:
    from krm_values._data.values import JSON

_FORM = re.compile(r"([+-]?)0*+([0-9]*+)(?:\.([0-9]*+))?([eEinumkKMGTP]*+[-+]?[0-9]*)")
_EXPONENT = re.compile(r"[eE][-+]?[0-9]{1,3}")
_DECIMAL = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_BINARY = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
_NANO, _MOST_DIGITS, _BINARY_DIGITS, _LARGEST = 9, 18, 14, (1 << 63) - 1


def canonical(value: JSON) -> str | None:
    """Return the canonical form: `1024Mi` becomes `1Gi`, `0.5` becomes `500m`, null becomes "0". None if it is not a quantity."""
    if value is None:
        return "0"
    if isinstance(value, bool | dict | list):
        return None
    written = value.strip() if isinstance(value, str) else encoding_json.text(value)
    found = _FORM.fullmatch(written)
    if not written or not found:
        return None
    sign, whole, fraction, suffix = found[1], found[2] or "0", found[3] or "", found[4]
    if suffix in _BINARY:
        return _binary(written, sign, whole, fraction, _BINARY[suffix])
    is_exponent = bool(_EXPONENT.fullmatch(suffix))
    if not is_exponent and suffix not in _DECIMAL:
        return None
    return _decimal(written, sign, whole + fraction, len(fraction), int(suffix[1:]) if is_exponent else suffix)


def _decimal(written: str, sign: str, digits: str, places: int, suffix: int | str) -> str:
    exponent = suffix if isinstance(suffix, int) else _DECIMAL[suffix]
    scale = exponent - places
    is_small = len(digits) <= _MOST_DIGITS and scale >= -_NANO
    if is_small and scale % 3 == 0 and not digits.endswith("000") and digits[0] != "0":
        return written
    return _signed(sign, _in_thousands(int(digits), scale, is_exponent=isinstance(suffix, int)))


def _binary(written: str, sign: str, whole: str, fraction: str, bits: int) -> str:
    is_small = not fraction and len(whole) + bits * 3 // 10 <= _BINARY_DIGITS
    if is_small and int(whole) & 7 and int(whole) << bits <= _LARGEST:
        return written
    amount, scale = int(whole + fraction) << bits, -len(fraction)
    if amount > _LARGEST * 10 ** len(fraction):
        amount, scale = _LARGEST, 0
    unit = 10**-scale
    if amount < 1024 * unit or amount % unit:
        return _signed(sign, _in_thousands(amount, scale, is_exponent=False))
    amount, power = amount // unit, 0
    while amount % 1024 == 0:
        amount, power = amount // 1024, power + 10
    return _signed(sign, str(amount) + {bits: name for name, bits in _BINARY.items()}.get(power, ""))


def _signed(sign: str, amount: str) -> str:
    return amount if sign != "-" or amount == "0" else f"-{amount}"


def _in_thousands(amount: int, scale: int, *, is_exponent: bool) -> str:
    """Format amount x 10^scale with the largest exponent that is a multiple of 3; below 10^-9 it is rounded up."""
    if not amount:
        return "0"
    if scale < -_NANO:
        amount, scale = -(-amount // 10 ** (-_NANO - scale)), -_NANO
    while amount % 10 == 0:
        amount, scale = amount // 10, scale + 1
    while scale % 3:
        amount, scale = amount * 10, scale - 1
    if is_exponent:
        return f"{amount}e{scale}" if scale else str(amount)
    return str(amount) + {power: name for name, power in _DECIMAL.items()}.get(scale, "")
