"""Types of command-line arguments, for the commands of functions, too."""

from __future__ import annotations

import argparse
import math

from krm_values._data.shown import described

LOCK_TIMEOUT = 60.0


def filled(text: str) -> str:
    """An argument that must not be empty, as an unset variable of a shell would leave it."""
    if not text:
        raise argparse.ArgumentTypeError("must not be empty")
    return text


def seconds(text: str) -> float:
    """A number of seconds."""
    try:
        found = float(text)
    except ValueError:
        found = math.nan
    if not 0 <= found < math.inf:
        raise argparse.ArgumentTypeError(f"must be a number of seconds, found {described(text)}")
    return found
