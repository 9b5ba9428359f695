"""Work that must end by itself: a copy of this process does it, and is killed if it hangs."""

from __future__ import annotations

import multiprocessing
import sys
import traceback
import warnings
from collections.abc import Callable

HANG = 120
"""Seconds that no machine needs for what these tests do, however busy it is."""


def ends(work: Callable[[], object], seconds: float = HANG) -> bool:
    """Return whether the work ended in time and raised nothing; what it raised is printed. Nothing else could interrupt a match."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # Python 3.12: other threads are not copied; the work has none
        child = multiprocessing.get_context("fork").Process(target=_told, args=(work,))
        child.start()
    child.join(seconds)
    if child.is_alive():
        child.kill()
        child.join()
    return child.exitcode == 0


def _told(work: Callable[[], object]) -> None:
    try:
        work()
    except Exception:  # noqa: BLE001 - an assertion, among others
        traceback.print_exc()
        sys.exit(1)
