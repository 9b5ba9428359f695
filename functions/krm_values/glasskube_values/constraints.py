"""Validation of one value by its definition: its type, options and constraints.

Source: glasskube `internal/manifestvalues/validate.go`. All violations are returned; no message quotes the value, which may be a secret.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.record import record
from krm_values._go import regexp

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from krm_values._data.values import JSON

_TRUE = ("true", "True", "TRUE", "t", "T", "1")
_FALSE = ("false", "False", "FALSE", "f", "F", "0")
APPLICABLE = {"text": ("minLength", "maxLength", "pattern"), "number": ("min", "max", "pattern"), "options": (), "boolean": ()}
"""The constraints that are checked, by type; `required` is checked elsewhere."""
BOOLEANS = tuple(text for pair in zip(_TRUE, _FALSE, strict=True) for text in pair)
TYPES = ("boolean", "text", "number", "options")
LEAST, MOST = -(1 << 63), (1 << 63) - 1
_NUMBER = re.compile("[+-]?[0-9]+")
_DIGITS = 19  # of the largest number of 64 bits
_NO_LIMITS: Mapping[str, JSON] = {}


@record
class Violation:
    """A violation.

    constraint: `type`, `number`, `range` (beyond 64 bits), `boolean`, `options`, `min`, `max`, `minLength`, `maxLength`, `pattern`, or
    `bad-pattern` where the definition's pattern cannot be used. rule: its number. message: what the value must be. size: the end
    of the message, if it reveals the length of the value.
    """

    constraint: str
    rule: str
    message: str
    size: str = ""

    def text(self, *, hidden: bool = False) -> str:
        """Return the message. hidden: the value comes from a Secret, so that its length must not be shown."""
        return self.message if hidden else self.message + self.size


def violations(
    kind: str, text: str, options: Sequence[str] = (), limits: Mapping[str, JSON] = _NO_LIMITS
) -> tuple[Violation, ...]:
    """Return all violations by a text of a definition: of its type, options and constraints. Constraints that do not apply to the type are ignored."""
    match kind:
        case "text":
            return (*_lengths(limits, text), *_pattern(limits, text))
        case "number":
            return (*_number(limits, text), *_pattern(limits, text))
        case "options":
            return tuple(_option(options, text))
        case "boolean":
            if boolean(text) is not None:
                return ()
            return (Violation("boolean", "40", f"must be a boolean: one of {suggest.listed(BOOLEANS)}"),)
    return (
        Violation(
            "type", "4", f'has the unknown type "{kind}": it must be one of {suggest.listed(TYPES)}{suggest.hint(kind, TYPES)}'
        ),
    )


def whole_number(text: str) -> int | None:
    """Return the number that Go's `Atoi` reads: an optional sign and ASCII digits within signed 64 bits; None for anything else."""
    if not _NUMBER.fullmatch(text):
        return None
    digits = text.lstrip("+-").lstrip("0")
    if len(digits) > _DIGITS:
        return None
    value = int(digits or "0")
    value = -value if text[0] == "-" else value
    return value if LEAST <= value <= MOST else None


def boolean(text: str) -> bool | None:
    """Return the boolean that Go's `ParseBool` reads; None for anything else."""
    return True if text in _TRUE else False if text in _FALSE else None


def limit(limits: Mapping[str, JSON], name: str) -> int | None:
    """Return a bound of a definition's constraints; None if it has none."""
    value = limits.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _lengths(limits: Mapping[str, JSON], text: str) -> Iterator[Violation]:
    size = len(text.encode("utf-8", "surrogatepass"))
    least, most = limit(limits, "minLength"), limit(limits, "maxLength")
    if most is not None and size > most:
        yield Violation("maxLength", "34", f"violates maxLength {most}", _size(size))
    if least is not None and size < least:
        yield Violation("minLength", "34", f"violates minLength {least}", _size(size))


def _size(size: int) -> str:
    return f": it has {size} bytes in UTF-8"


def _number(limits: Mapping[str, JSON], text: str) -> Iterator[Violation]:
    value = whole_number(text)
    if value is None and _NUMBER.fullmatch(text):
        yield Violation("range", "37", "is out of the range of a 64-bit integer")
    elif value is None:
        yield Violation("number", "37", "must be a whole number: a sign, if any, and the digits 0 to 9")
    else:
        yield from _bounds(limits, value)


def _bounds(limits: Mapping[str, JSON], value: int) -> Iterator[Violation]:
    least, most = limit(limits, "min"), limit(limits, "max")
    if least is not None and value < least:
        yield Violation("min", "38", f"violates min {least}: it must not be less")
    if most is not None and value > most:
        yield Violation("max", "38", f"violates max {most}: it must not be more")


def _pattern(limits: Mapping[str, JSON], text: str) -> Iterator[Violation]:
    pattern = limits.get("pattern")
    if not isinstance(pattern, str):
        return
    try:
        if not regexp.matches(pattern, text):
            yield Violation("pattern", "36", f"does not match {pattern}")
    except regexp.PatternError as error:
        text = f"cannot be checked by the pattern {_brief(pattern)} of its definition"
        fact = f": {error.message}"
        yield Violation("bad-pattern", "36", text, fact) if error.tells_size else Violation("bad-pattern", "36", text + fact)


def _option(options: Sequence[str], text: str) -> Iterator[Violation]:
    if not options:
        yield Violation("options", "39", "has no options to be one of: its definition must list them")
    elif text not in options:
        yield Violation("options", "39", f"must be one of: {suggest.listed(options)}")


def _brief(pattern: str) -> str:
    return pattern if len(pattern) <= regexp.LONGEST else f"of {len(pattern):,} characters"
