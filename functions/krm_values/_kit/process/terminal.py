"""Prints to stderr, and data to stdout, with escapes for every character that a terminal would interpret."""

from __future__ import annotations

import sys

from krm_values._data.printable import lines, printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from krm_values._data.errors import UserError


def say(*texts: str) -> None:
    """Print each text on a line of its own on stderr. Nothing if stderr is closed."""
    if sys.stderr is not None:
        print(*map(printable, texts), sep="\n", file=sys.stderr)


def is_read() -> bool:
    """Return whether stderr is a terminal."""
    return sys.stderr is not None and sys.stderr.isatty()


def say_error(error: UserError) -> None:
    """Print an error, one line for each message."""
    say(*(f"error: {line}" for line in error.lines))


def send(pieces: Iterable[bytes | memoryview]) -> None:
    """Write data to stdout unchanged, in one go; on a terminal control characters are escaped."""
    out, is_seen = sys.stdout.buffer, sys.stdout.isatty()
    for piece in pieces:
        out.write(lines(bytes(piece).decode(errors="surrogateescape")).encode() if is_seen else piece)
    out.flush()
