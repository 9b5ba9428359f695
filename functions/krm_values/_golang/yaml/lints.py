"""Notices about values that Go reads differently from how they look."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.record import record
from krm_values._data.scalars.go import OLD_WORDS, is_date
from krm_values._data.scalars.text import EXACT

if TYPE_CHECKING:
    from typing import Literal, TypeAlias

    from krm_values._data.pointer import Path
    from krm_values._data.scalars.go import GoScalar

    Kind: TypeAlias = Literal["document", "duplicate", "boolean", "digits", "date", "sops"]

ORDINARY = frozenset(("", "true", "false", "null", "~"))
SUSPECT = frozenset("0123456789+-.yYnNoO")
"""What a plain scalar begins with that is a number, a date or one of YAML 1.1's booleans."""


@record
class Lint:
    """One notice with its place: `path` in the data; `line` and `column` of the text from 1, of a value those of its key; `text` as written.

    document: a further document is not read. duplicate: a key occurs twice in its map. boolean: a plain `y n yes no on off`, as a value or
    a key. digits: a number that does not keep its digits. date: a plain date, which stays a string. sops: there is a `sops` mapping.
    """

    kind: Kind
    path: Path
    line: int
    column: int
    text: str


def kind_of(text: str, value: GoScalar, *, floats: bool) -> Kind | None:
    """Return the kind of lint for a plain scalar or key, None for no lint."""
    if isinstance(value, bool):
        return "boolean" if text in OLD_WORDS else None
    if isinstance(value, str):
        return "date" if is_date(text) else None
    if isinstance(value, int):
        return "digits" if floats and abs(value) > EXACT and int(float(value)) != value else None
    return "digits" if isinstance(value, float) and _loses(text, value) else None


def _loses(text: str, value: float) -> bool:
    """Return whether a number with a fraction and no exponent ends in a zero, or has more digits than a 64-bit float keeps."""
    if value - value != 0:
        return False
    mantissa, exponent, _ = text.lower().replace("_", "").lstrip("+-").partition("e")
    ends_in_zero = "." in mantissa and mantissa.endswith("0") and value != 0 and not exponent
    return ends_in_zero or _digits(mantissa) != _digits(repr(value).lstrip("-").partition("e")[0])


def _digits(mantissa: str) -> str:
    return mantissa.replace(".", "").strip("0")
