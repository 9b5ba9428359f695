"""The line of a terminal that says how far long work is, what it is a part of, and for how many seconds it has run.

A thread writes it, so that it also moves while a program is waited for.
"""

from __future__ import annotations

import contextlib
import threading
import time
from typing import TYPE_CHECKING

from krm_values._data.shown import inert, printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TextIO

_ERASE = "\r\x1b[K"
_TICK = 0.1  # seconds
_SIGNS = "|/-\\"


class _Work:
    """A work, and how many pieces of it are done. unit: of these, if their rate is told."""

    __slots__ = ("_began", "_done", "_title", "_total", "_unit")

    def __init__(self, title: str, total: int | None, unit: str) -> None:
        self._title, self._total, self._unit, self._done = title, total, unit, 0
        self._began = time.monotonic()

    def advance(self) -> None:
        self._done += 1

    def __str__(self) -> str:
        done = f" {self._done}/{self._total}" if self._total else f" {self._done}" if self._done else ""
        return f"{self._title}{done}{self._rate()}"

    def _rate(self) -> str:
        seconds = time.monotonic() - self._began
        if not self._unit or not self._done or not seconds:
            return ""
        left = f", {(self._total - self._done) * seconds / self._done:.0f} s left" if self._total else ""
        return f", {self._done / seconds:,.0f} {self._unit}/s{left}"


class Line:
    """Shows the works that are under way, each within the one before it."""

    def __init__(self, stream: TextIO, width: Callable[[], int], patience: float) -> None:
        """Show on a stream. width: returns the columns of the terminal. patience: seconds of work before the line is shown."""
        self._stream, self._width, self._patience = stream, width, patience
        self._lock = threading.RLock()
        self._works: list[_Work] = []
        self._ended = threading.Event()
        self._is_shown = False
        self._began = 0.0

    @contextlib.contextmanager
    def of(self, title: str, total: int | None, unit: str) -> Iterator[Callable[[], None]]:
        """Give a `with` block the function that counts a piece of work. unit: of the pieces."""
        work = _Work(title, total, unit)
        self._begin(work)
        try:
            yield work.advance
        finally:
            self._end(work)

    def _begin(self, work: _Work) -> None:
        with self._lock:
            self._works.append(work)
            if len(self._works) == 1:
                self._began, self._ended = time.monotonic(), threading.Event()
                threading.Thread(target=self._run, args=(self._ended,), daemon=True).start()

    def _end(self, work: _Work) -> None:
        with self._lock:
            self._works.remove(work)
            self._hide()
            if not self._works:
                self._ended.set()

    @contextlib.contextmanager
    def hidden(self) -> Iterator[None]:
        """Give a `with` block that prints a terminal without the line."""
        with self._lock:
            self._hide()
            yield

    def _run(self, ended: threading.Event) -> None:
        wait = self._patience
        while not ended.wait(wait):
            wait = _TICK
            with self._lock:
                if self._works and not ended.is_set():
                    self._show()

    def _show(self) -> None:
        seconds = time.monotonic() - self._began
        sign = _SIGNS[int(seconds / _TICK) % len(_SIGNS)]
        text = f"{sign} {', '.join(map(str, self._works))}  {seconds:.0f} s"
        self._stream.write(f"{_ERASE}{inert(printable(text))[: self._width() - 1]}")
        self._stream.flush()
        self._is_shown = True

    def _hide(self) -> None:
        if self._is_shown:
            self._stream.write(_ERASE)
            self._stream.flush()
            self._is_shown = False
