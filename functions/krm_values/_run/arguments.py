"""Types of command-line arguments, also for the commands of functions."""

from __future__ import annotations

import argparse
import math

from krm_values._data.shown import described

LOCK_TIMEOUT = 60.0


def filled(text: str) -> str:
    """Return an argument; ArgumentTypeError if it is empty, as an unset shell variable leaves it."""
    if not text:
        raise argparse.ArgumentTypeError("must not be empty")
    return text


def seconds(text: str) -> float:
    """Return a number of seconds."""
    try:
        found = float(text)
    except ValueError:
        found = math.nan
    if not 0 <= found < math.inf:
        raise argparse.ArgumentTypeError(f"must be a number of seconds, found {described(text)}")
    return found
