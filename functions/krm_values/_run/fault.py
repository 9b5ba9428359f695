"""The report of a defect of krm-values: which exception, and where in the code. Never its message, which may quote a Secret's value."""

from __future__ import annotations

import traceback
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_REPORT = "error: a defect of krm-values; please report it with the output of --debug"


def line(error: BaseException) -> str:
    """Format an exception in one line: `KeyError in krm_values/_run/engine.py:88`."""
    return f"{_REPORT}: {type(error).__name__}{_place(error)}"


def trace(error: BaseException) -> str:
    """Return the traceback of an exception and its causes, first cause first, without messages."""
    return "".join(_parts(error, set()))


def _parts(error: BaseException, seen: set[int]) -> Iterator[str]:
    seen.add(id(error))
    earlier = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if earlier is not None and id(earlier) not in seen:
        yield from _parts(earlier, seen)
        yield "\nled to:\n\n"
    yield "Traceback (most recent call last):\n"
    yield from traceback.extract_tb(error.__traceback__).format()
    yield f"{type(error).__name__} (its message is not shown: it may hold values of Secrets)\n"


def _place(error: BaseException) -> str:
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        _, package, rest = frame.filename.rpartition("krm_values/")
        if package:
            return f" in {package}{rest}:{frame.lineno}"
    return ""
