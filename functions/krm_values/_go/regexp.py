"""Go's regular expressions by google-re2; no other module imports `re2`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


LONGEST = 2_000
"""Characters of a pattern; longer ones are refused."""
_MEMORY = 64 << 20
_PROGRAM = 4 << 20  # bytes of a compiled pattern: one of 64 MiB takes seconds to compile
_STEPS = 100_000_000  # instructions times bytes of text: under half a second even where the automaton does not fit into memory
_EACH = 80  # the cost of a byte of text beside its instructions
_SHOWN = 200
_CONTINUATION = frozenset(bytes([byte]) for byte in range(0x80, 0xC0))
_LITERAL = re.compile(r"(?s)\\Q.*?(?:\\E|\Z)|\\[^Q]")


class PatternError(Exception):
    """A pattern that Go does not compile, or that is refused here. tells_size: whether `message` gives the length of the text."""

    def __init__(self, message: str, *, tells_size: bool = False) -> None:
        super().__init__(message)
        self.message, self.tells_size = message, tells_size


def check(pattern: str) -> None:
    """Raise PatternError if the pattern cannot be used."""
    compiled(pattern)


def matches(pattern: str, text: str) -> bool:
    """Return whether the pattern matches anywhere in the text, as `MatchString` does.

    PatternError if the pattern cannot be used, or not on a text of this length: the time of a search is limited by the product of both.
    """
    expression, data = compiled(pattern), text.encode("utf-8", "surrogatepass")
    at = steps = 0
    while True:
        steps += (len(data) - at) * (expression.programsize + _EACH)
        if steps > _STEPS:
            text = f"it takes too many steps on a text of {len(data):,} bytes; simplify it, or shorten the value"
            raise PatternError(text, tells_size=True)
        found = expression.search(data, at)
        if not found:
            return False
        start: int = found.start()
        if start < found.end() or data[start : start + 1] not in _CONTINUATION:
            return True
        at = start + 1  # `\\B` is found between the bytes of a character, too


def size(pattern: str) -> int:
    """Return the work of a pattern per byte of text, at most: the instructions of its program. PatternError if it cannot be used."""
    return int(compiled(pattern).programsize) + _EACH


def compiled(pattern: str, longest: int = LONGEST) -> Any:
    """Compile a pattern with RE2. longest: the limit of its length in characters. PatternError if it cannot be used."""
    if any(found[0] == r"\C" for found in _LITERAL.finditer(pattern)):
        raise PatternError(r"`\C` is not known: a pattern matches characters, not bytes")
    if len(pattern) > longest:
        raise PatternError(f"it has more than {longest:,} characters")
    import re2  # noqa: PLC0415 - rarely needed

    options = re2.Options()
    options.log_errors, options.never_capture, options.max_mem = False, True, _PROGRAM
    try:
        re2.compile(pattern, options)
        options.max_mem = _MEMORY
        return re2.compile(pattern, options)
    except re2.error as error:
        raise PatternError(_reason(error.args[0] if error.args else "")) from None


def _reason(reason: object) -> str:
    """Return RE2's own message, which ends with the part of the pattern that it is about."""
    text = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
