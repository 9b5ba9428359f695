"""The collector of cycles, which costs more than it frees in a command that passes once over much data."""

from __future__ import annotations

import atexit
import gc


def off() -> None:
    """Turn it off for the rest of the process, and for the end of the interpreter."""
    gc.disable()
    atexit.register(gc.freeze)
