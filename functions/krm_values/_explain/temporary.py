"""A temporary folder that is removed even if the process is terminated, so that files of an old revision do not remain."""

from __future__ import annotations

import contextlib
import signal
import sys
import tempfile
import threading
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_ENDS = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
_BY_SIGNAL = 128


@contextlib.contextmanager
def folder() -> Iterator[Path]:
    """Create a folder that only its owner may enter; it is removed at the end of the `with` block."""
    before = {number: signal.signal(number, _stop) for number in _ENDS} if _is_main() else {}
    try:
        with tempfile.TemporaryDirectory(prefix="krm-values-") as name:
            yield Path(name)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _is_main() -> bool:
    """Return whether this is the main thread, the only one in which Python handles signals."""
    return threading.current_thread() is threading.main_thread()


def _stop(number: int, _: object) -> None:
    """Exit with the status of a process that the signal has terminated, after cleaning up."""
    sys.exit(_BY_SIGNAL + number)
