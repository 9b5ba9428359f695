"""Prints to stderr, and data to stdout, with escapes for every character that a terminal would interpret."""

from __future__ import annotations

import contextlib
import sys
import time
from typing import TYPE_CHECKING

from krm_values._data.shown import inert, lines, printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Self

    from rich.progress import Progress

    from krm_values._data.errors import UserError


class _Manner:
    """How this command prints to stderr. heading: a line that comes before the next one on stderr. quiet: whether only errors are printed there.

    brief: whether it is about one of several packages, of which a person does not want to read everything.
    """

    heading = ""
    quiet = brief = False


def say(*texts: str, commands: bool = False) -> None:
    """Print each text on a line of its own on stderr, below the heading. Nothing if there is no text, or stderr is closed.

    commands: the texts are meant for a pipeline's host, which is otherwise kept from taking any for a command.
    """
    if texts and sys.stderr is not None:
        heading, _Manner.heading = _Manner.heading, ""
        shown = map(printable if commands else plain, texts)
        print(*[plain(heading)] * bool(heading), *shown, sep="\n", file=sys.stderr)


def plain(text: str) -> str:
    """Return a string on one line, on which neither a terminal nor a host of a pipeline acts."""
    return inert(printable(text))


def tell(*texts: str) -> None:
    """Print other lines than errors, as `say` does; nothing if only errors are wanted."""
    if not _Manner.quiet:
        say(*texts)


def announce() -> None:
    """Print the heading, if there is one that has not been printed."""
    heading, _Manner.heading = _Manner.heading, ""
    tell(*filter(None, [heading]))


def is_quiet() -> bool:
    """Return whether only errors are printed on stderr."""
    return _Manner.quiet


class OnlyErrors:
    """A `with` block in which only errors are printed on stderr, if that is wanted."""

    __slots__ = ("_wanted",)

    def __init__(self, *, wanted: bool) -> None:
        self._wanted = wanted

    def __enter__(self) -> None:
        _Manner.quiet = self._wanted

    def __exit__(self, *_: object) -> None:
        _Manner.quiet = False


class Under:
    """A `with` block about one of several packages, with a heading before the first line that is printed in it, if there is one."""

    __slots__ = ("_heading",)

    def __init__(self, heading: str) -> None:
        self._heading = heading

    def __enter__(self) -> Self:
        _Manner.heading, _Manner.brief = self._heading, True
        return self

    def __exit__(self, *_: object) -> None:
        _Manner.heading, _Manner.brief = "", False

    @property
    def is_printed(self) -> bool:
        return not _Manner.heading


def is_on_terminal() -> bool:
    """Return whether stderr is a terminal."""
    return sys.stderr is not None and sys.stderr.isatty()


def shows_details() -> bool:
    """Return whether stderr is a terminal, and everything is worth printing there."""
    return is_on_terminal() and not (_Manner.quiet or _Manner.brief)


def say_error(error: UserError) -> None:
    """Print an error, one line for each message."""
    say(*(f"error: {line}" for line in error.lines))


def send(pieces: Iterable[bytes | memoryview]) -> None:
    """Write data to stdout unchanged, in one go; on a terminal control characters are escaped."""
    out, is_seen = sys.stdout.buffer, sys.stdout.isatty()
    for piece in pieces:
        out.write(lines(bytes(piece).decode(errors="surrogateescape")).encode() if is_seen else piece)
    out.flush()


# A progress bar on stderr, only on a terminal, and only if the work takes more than a second.


@contextlib.contextmanager
def progress(title: str, total: int | None = None, *, patience: float = 1.0, unit: str = "") -> Iterator[Callable[[], None]]:
    """Give the `with` block a function to call after each piece of work. patience: seconds before anything is shown.

    unit: of the pieces, if it is shown how many are done in a second.
    """
    if is_quiet() or not is_on_terminal():
        yield lambda: None
        return
    bar = _Bar(title, total, time.monotonic() + patience, unit)
    try:
        yield bar.advance
    finally:
        bar.close()


class _Bar:
    __slots__ = ("_begun", "_done", "_from", "_shown", "_title", "_total", "_unit")

    def __init__(self, title: str, total: int | None, start: float, unit: str) -> None:
        self._title, self._total, self._unit = title, total, unit
        self._begun = time.monotonic()
        self._from, self._done = start, 0
        self._shown: Progress | None = None

    def advance(self) -> None:
        self._done += 1
        if self._shown is None and time.monotonic() >= self._from:
            self._shown = self._start()
        if self._shown is not None:
            self._shown.update(self._shown.task_ids[0], completed=self._done, rate=self._rate())

    def _rate(self) -> str:
        seconds = time.monotonic() - self._begun
        return f"{self._done / seconds:,.0f} {self._unit}/s" if self._unit and seconds else ""

    def close(self) -> None:
        if self._shown is not None:
            self._shown.stop()

    def _start(self) -> Progress:
        from rich.console import Console  # noqa: PLC0415 - only for people who wait
        from rich.progress import Progress, TextColumn  # noqa: PLC0415

        columns = (*Progress.get_default_columns(), TextColumn("{task.fields[rate]}"))
        shown = Progress(*columns, console=Console(file=sys.stderr), transient=True)
        shown.add_task(self._title, total=self._total, rate="")
        shown.start()
        return shown
