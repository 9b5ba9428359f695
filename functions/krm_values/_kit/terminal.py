"""What is printed for people: names and texts of others, with every character escaped that a terminal or a log would act on.

All that goes to stderr goes through `say`; tables, diffs and summaries on stdout through `printable`. Data is not changed.
"""

from __future__ import annotations

import re
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from krm_values._kit.errors import KrmError

_SHORT = {"\n": "\\n", "\t": "\\t", "\r": "\\r"}


def printable(text: str) -> str:
    r"""A text on one line, with `\x1b`, `\u202e` and the like for controls, direction marks and whatever else nobody sees."""
    return text if text.isprintable() else "".join(c if c.isprintable() else _escaped(c) for c in text)


def lines(text: str) -> str:
    """Several lines: line feeds and tabs stay, and nothing else that is not seen."""
    if text.replace("\n", "").replace("\t", "").isprintable():
        return text
    return "".join(c if c.isprintable() or c in "\n\t" else _escaped(c) for c in text)


def json_text(text: str) -> str:
    """A JSON text with the escapes of JSON for what is not seen; it says the same."""
    return re.sub(r"[^\n\x20-\x7e]", lambda found: found[0] if found[0].isprintable() else _in_json(found[0]), text)


def say(*texts: str) -> None:
    """Print on stderr, each text on a line of its own. Nothing where stderr is closed."""
    if sys.stderr is not None:
        print(*map(printable, texts), sep="\n", file=sys.stderr)


def say_error(error: KrmError) -> None:
    """Print what went wrong, a line for each error."""
    say(*(f"error: {line}" for line in error.lines))


def send(pieces: Iterable[bytes | memoryview]) -> None:
    """Write data on stdout, once and whole, as they are; a terminal gets them without what it would act on."""
    out, is_seen = sys.stdout.buffer, sys.stdout.isatty()
    for piece in pieces:
        out.write(lines(bytes(piece).decode(errors="surrogateescape")).encode() if is_seen else piece)
    out.flush()


def _escaped(c: str) -> str:
    code = ord(c)
    return _SHORT.get(c) or (f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}")


def _in_json(c: str) -> str:
    units = c.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))
