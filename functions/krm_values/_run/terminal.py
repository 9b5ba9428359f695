"""Prints to stderr, and data to stdout, with escapes for every character that a terminal would interpret."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections import Counter
from typing import TYPE_CHECKING, ClassVar

from krm_values._data.shown import inert, lines, printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import IO, Self

    from krm_values._data.errors import UserError
    from krm_values._run.progress_line import Line

_COLOURS = {"error": "\x1b[31m", "warning": "\x1b[33m", "info": "\x1b[2m"}
_OFF = "\x1b[0m"
_WIDTH = 80  # of a terminal that does not say how many columns it has
_LONG = 1.0  # seconds of work after which a terminal shows how far it is, and how long it took in the end


class _Manner:
    """How this command prints to stderr. heading: a line that comes before the next one on stderr. quiet: whether only errors are printed there.

    brief: whether it is about one of several packages, of which a person does not want to read everything. said: errors and warnings so far.
    began: when the command did. total: what it says at its end.
    line: says how far long work is.
    """

    heading = ""
    quiet = brief = False
    said: ClassVar[Counter[str]] = Counter()
    began = 0.0
    total = ""
    line: Line | None = None


def say(*texts: str, commands: bool = False) -> None:
    """Print each text on a line of its own on stderr, below the heading. Nothing if there is no text, or stderr is closed.

    commands: the texts are meant for a pipeline's host, which is otherwise kept from taking any for a command.
    """
    if texts and sys.stderr is not None:
        heading, _Manner.heading = _Manner.heading, ""
        shown = [*map(printable if commands else plain, texts)]
        _Manner.said.update(text.partition(": ")[0] for text in shown)
        if not commands and coloured(sys.stderr):
            shown = [*map(_in_colour, shown)]
        with _Manner.line.hidden() if _Manner.line else contextlib.nullcontext():
            print(*[plain(heading)] * bool(heading), *shown, sep="\n", file=sys.stderr)


def _in_colour(text: str) -> str:
    """Return a line with its severity in colour."""
    word, colon, rest = text.partition(": ")
    return f"{_COLOURS[word]}{word}{_OFF}{colon}{rest}" if word in _COLOURS else text


def coloured(stream: IO[str]) -> bool:
    """Return whether a stream is a terminal, and its owner has not refused colours."""
    return stream.isatty() and not os.environ.get("NO_COLOR")


def plain(text: str) -> str:
    """Return a string on one line, on which neither a terminal nor a host of a pipeline acts."""
    return inert(printable(text))


def tell(*texts: str) -> None:
    """Print other lines than errors, as `say` does; nothing if only errors are wanted."""
    if not _Manner.quiet:
        say(*texts)


def tell_at_once(text: str) -> None:
    """Print a line on a terminal from a handler of a signal, by the system alone: it may have interrupted any other write."""
    if is_on_terminal():
        os.write(sys.stderr.fileno(), f"\r\x1b[K{text}\n".encode())


def announce() -> None:
    """Print the heading, if there is one that has not been printed."""
    heading, _Manner.heading = _Manner.heading, ""
    tell(*filter(None, [heading]))


def is_quiet() -> bool:
    """Return whether only errors are printed on stderr."""
    return _Manner.quiet


class Called:
    """A `with` block of one command. quiet: only errors are printed on stderr. On a terminal it ends with the number of findings, and after long work with a total."""

    __slots__ = ("_counts", "_quiet")

    def __init__(self, *, quiet: bool, counts: bool = True) -> None:
        self._quiet, self._counts = quiet, counts

    def __enter__(self) -> None:
        _Manner.quiet, _Manner.said, _Manner.began, _Manner.total = self._quiet, Counter(), time.monotonic(), ""

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None and is_on_terminal():
            if self._counts and sum(_Manner.said[one] for one in ("error", "warning")) > 1:
                tell(counted(_Manner.said))
            if not _Manner.total and time.monotonic() - _Manner.began > _LONG:
                total("done")
        _Manner.quiet = False


def counted(said: Counter[str]) -> str:
    """Return `2 errors, 1 warning`, "" if there is neither."""
    return ", ".join(f"{said[one]} {one}{'' if said[one] == 1 else 's'}" for one in ("error", "warning") if said[one])


def total(text: str, *, timed: bool = False) -> None:
    """Print what a command has done. On a terminal with the seconds that it took, after long work or if `timed`."""
    _Manner.total = text
    took = time.monotonic() - _Manner.began
    tell(f"{text}, {took:.1f} s" if is_on_terminal() and (timed or took > _LONG) else text)


def total_of_long_work(text: str) -> None:
    """Print what a command has done as `total` does, only on a terminal and after long work."""
    if is_on_terminal() and time.monotonic() - _Manner.began > _LONG:
        total(text)


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


def _columns() -> int:
    """Return the columns of the terminal on stderr."""
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or _WIDTH
    except OSError:
        return _WIDTH


# How far long work is: a line on stderr, only on a terminal, and only if the work takes more than a second.


@contextlib.contextmanager
def progress(title: str, total: int | None = None, *, unit: str = "") -> Iterator[Callable[[], None]]:
    """Give the `with` block a function to call after each piece of work.

    unit: of the pieces, if it is shown how many are done in a second, and how long the others will take.
    """
    if is_quiet() or not is_on_terminal():
        yield lambda: None
        return
    if _Manner.line is None:
        from krm_values._run.progress_line import Line  # noqa: PLC0415 - only for people who wait

        _Manner.line = Line(sys.stderr, _columns, _LONG)
    with _Manner.line.of(title, total, unit) as advance:
        yield advance
