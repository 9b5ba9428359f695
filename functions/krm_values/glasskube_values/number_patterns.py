"""Patterns for ranges of whole numbers, with sign and leading zeros."""

from __future__ import annotations

END = "$(?!\\n)"
"""The end of the string, in ECMAScript and in Python's `re`."""


def pattern(least: int | None, most: int | None) -> str | None:
    """Return the pattern that matches exactly the numbers from `least` to `most`; None if there is no such number."""
    if least is not None and most is not None and least > most:
        return None
    forms = []
    if most is None or most >= 0:
        forms.append(f"\\+?0*{_grouped(_digits(max(0, least or 0), most))}")
    if least is None or least <= 0:
        forms.append(f"-0*{_grouped(_digits(0 if most is None else max(0, -most), None if least is None else -least))}")
    if forms == ["\\+?0*[0-9]+", "-0*[0-9]+"]:
        return f"^[+-]?[0-9]+{END}"
    return f"^{_grouped('|'.join(forms))}{END}"


def _digits(low: int, high: int | None) -> str:
    """Return a pattern for the digits, without leading zeros, of the numbers from `low` to `high`."""
    if high is None and low <= 1:
        return "[0-9]+" if low == 0 else "[1-9][0-9]*"
    if high is None:
        size = len(str(low))
        return f"{_span(str(low), '9' * size)}|[1-9][0-9]{{{size},}}"
    forms = []
    for size in range(len(str(low)), len(str(high)) + 1):
        least = max(low, 10 ** (size - 1) if size > 1 else 0)
        forms.append(_span(str(least), str(min(high, 10**size - 1))))
    return "|".join(forms)


def _span(low: str, high: str) -> str:
    """Return a pattern for the digits of one length, from `low` to `high`."""
    if low == high:
        return low
    rest = len(low) - 1
    if set(low[1:]) <= {"0"} and set(high[1:]) <= {"9"}:
        return _one(low[0], high[0]) + _any(rest)
    if low[0] == high[0]:
        return low[0] + _grouped(_span(low[1:], high[1:]))
    forms = [low[0] + _grouped(_span(low[1:], "9" * rest))]
    if int(high[0]) - int(low[0]) > 1:
        forms.append(_one(str(int(low[0]) + 1), str(int(high[0]) - 1)) + _any(rest))
    return "|".join((*forms, high[0] + _grouped(_span("0" * rest, high[1:]))))


def _one(low: str, high: str) -> str:
    return low if low == high else f"[{low}-{high}]"


def _any(count: int) -> str:
    return "" if count == 0 else "[0-9]" if count == 1 else f"[0-9]{{{count}}}"


def _grouped(form: str) -> str:
    return f"(?:{form})" if "|" in form else form
