"""A progress bar on stderr, only on a terminal, and only if the work takes more than a second."""

from __future__ import annotations

import contextlib
import sys
import time
from typing import TYPE_CHECKING

from krm_values._kit.process.terminal import is_quiet, is_read

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rich.progress import Progress


@contextlib.contextmanager
def progress(title: str, total: int | None = None, *, patience: float = 1.0) -> Iterator[Callable[[], None]]:
    """Give the `with` block a function to call after each piece of work. patience: seconds before anything is shown."""
    if is_quiet() or not is_read():
        yield lambda: None
        return
    bar = _Bar(title, total, time.monotonic() + patience)
    try:
        yield bar.advance
    finally:
        bar.close()


class _Bar:
    __slots__ = ("_done", "_from", "_shown", "_title", "_total")

    def __init__(self, title: str, total: int | None, start: float) -> None:
        self._title, self._total = title, total
        self._from, self._done = start, 0
        self._shown: Progress | None = None

    def advance(self) -> None:
        self._done += 1
        if self._shown is None and time.monotonic() >= self._from:
            self._shown = self._start()
        if self._shown is not None:
            self._shown.update(self._shown.task_ids[0], completed=self._done)

    def close(self) -> None:
        if self._shown is not None:
            self._shown.stop()

    def _start(self) -> Progress:
        from rich.console import Console  # noqa: PLC0415 - only for people who wait
        from rich.progress import Progress  # noqa: PLC0415

        shown = Progress(console=Console(file=sys.stderr), transient=True)
        shown.add_task(self._title, total=self._total)
        shown.start()
        return shown
