"""The limits of a run: the defaults, and the environment variables that raise them, which no other module reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.errors import UsageError
from krm_values._data.limits import DEEPEST, DEFAULT, fields
from krm_values._data.record import replace
from krm_values._data.shown import described
from krm_values._data.suggest import hint

if TYPE_CHECKING:
    from collections.abc import Mapping

    from krm_values._data.limits import Limits

_DIGITS, _SHOWN = 15, 60
PREFIX = "KRM_VALUES_MAX_"
"""The prefix of the variables; the field's name in capitals follows."""
LIMITS = replace(DEFAULT, advice=f"{PREFIX}{{FIELD}} raises the limit")
"""The limits of a run without such variables; messages name the variable that raises a limit."""


def variable(field: str) -> str:
    """Return the variable that raises a limit."""
    return PREFIX + field.upper()


def of_environment(environment: Mapping[str, str]) -> Limits:
    """Return the limits of this run. UsageError names a variable with an invalid value, or one that raises no limit."""
    given = sorted(name for name in environment if name.startswith(PREFIX))
    if not given:
        return LIMITS
    known = {variable(field): field for field in fields()}
    found = {}
    for name in given:
        if name not in known:
            raise UsageError(f"{name}: is not a limit{hint(name, known)}; `docs/limits.md` lists all")
        found[known[name]] = _number(name, environment[name], DEEPEST if known[name] == "depth" else 0)
    return replace(LIMITS, **found)


def _number(name: str, text: str, highest: int) -> int:
    """Return a whole number from 1 on."""
    if not (text.isascii() and text.isdigit() and len(text) <= _DIGITS and int(text)):
        shown = described(text[:_SHOWN])
        raise UsageError(f"{name}: must be a whole number from 1 on, written in at most {_DIGITS} digits; found {shown}")
    if highest and int(text) > highest:
        raise UsageError(f"{name}: must not be more than {highest:,}, found {int(text):,}")
    return int(text)
