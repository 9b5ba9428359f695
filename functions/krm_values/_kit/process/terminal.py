"""What is printed: everything on stderr, and data on stdout, with every character escaped that a terminal would act on."""

from __future__ import annotations

import sys

from krm_values._data.printable import lines, printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from krm_values._data.errors import UserError


def say(*texts: str) -> None:
    """Print on stderr, each text on a line of its own. Nothing where stderr is closed."""
    if sys.stderr is not None:
        print(*map(printable, texts), sep="\n", file=sys.stderr)


def is_read() -> bool:
    """Return whether a person reads stderr."""
    return sys.stderr is not None and sys.stderr.isatty()


def say_error(error: UserError) -> None:
    """Print what went wrong, a line for each error."""
    say(*(f"error: {line}" for line in error.lines))


def send(pieces: Iterable[bytes | memoryview]) -> None:
    """Write data on stdout, once and whole, as they are; a terminal gets them without what it would act on."""
    out, is_seen = sys.stdout.buffer, sys.stdout.isatty()
    for piece in pieces:
        out.write(lines(bytes(piece).decode(errors="surrogateescape")).encode() if is_seen else piece)
    out.flush()
