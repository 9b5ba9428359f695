"""A temporary folder that is removed also where the process is asked to end: the files of an old revision do not stay behind."""

from __future__ import annotations

import contextlib
import signal
import sys
import tempfile
import threading
from pathlib import Path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_ENDS = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
_BY_SIGNAL = 128


@contextlib.contextmanager
def folder() -> Iterator[Path]:
    """Make a folder that only its owner may enter, and remove it at the end of the `with`."""
    before = {number: signal.signal(number, _stop) for number in _ENDS} if _is_main() else {}
    try:
        with tempfile.TemporaryDirectory(prefix="krm-values-") as name:
            yield Path(name)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _is_main() -> bool:
    """Whether signals come here: Python hands them to the first thread alone."""
    return threading.current_thread() is threading.main_thread()


def _stop(number: int, _: object) -> None:
    """End as a program that has no handler does, but for the folder."""
    sys.exit(_BY_SIGNAL + number)
