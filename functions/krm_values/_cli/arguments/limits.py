"""The limits of a run: the defaults, and what variables of the environment say. Nobody else reads these variables."""

from __future__ import annotations

from krm_values._data.errors import UsageError
from krm_values._data.limits import DEEPEST, DEFAULT, PREFIX, fields, variable
from krm_values._data.record import replace
from krm_values._data.shown import described
from krm_values._data.suggest import hint

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from krm_values._data.limits import Limits

_DIGITS, _SHOWN = 15, 60


def of_environment(environment: Mapping[str, str]) -> Limits:
    """The limits of this run. UsageError names a variable whose value cannot be used, or that raises nothing."""
    given = sorted(name for name in environment if name.startswith(PREFIX))
    if not given:
        return DEFAULT
    known = {variable(field): field for field in fields()}
    found = {}
    for name in given:
        if name not in known:
            raise UsageError(f"{name}: is not a limit{hint(name, known)}; `docs/limits.md` lists all")
        found[known[name]] = _number(name, environment[name], DEEPEST if known[name] == "depth" else 0)
    return replace(DEFAULT, **found)


def _number(name: str, text: str, highest: int) -> int:
    """A whole number from 1 on."""
    if not (text.isascii() and text.isdigit() and len(text) <= _DIGITS and int(text)):
        shown = described(text[:_SHOWN])
        raise UsageError(f"{name}: must be a whole number from 1 on, written in at most {_DIGITS} digits; found {shown}")
    if highest and int(text) > highest:
        raise UsageError(f"{name}: must not be more than {highest:,}, found {int(text):,}")
    return int(text)
