"""The limits that readers keep to. They are passed as an argument; what is read never changes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.record import record

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import IO, Any

_MIB = 1 << 20
_FIRST = 64 * _MIB
SHORT, KEPT = 200, 20_000
"""Results for strings of at most SHORT characters are cached, KEPT of them: in resources most strings repeat."""


@record
class Limits:
    """The limits of what is read or computed; beyond one there is an error with the place, the limit, the amount found and how to raise it.

    advice: how to raise a limit, with `{field}` and `{FIELD}` for its name; "" where the caller passes the limits.
    """

    input_bytes: int = 1024 * _MIB
    file_bytes: int = 512 * _MIB
    total_bytes: int = 2048 * _MIB
    files: int = 200_000
    ignore_bytes: int = _MIB
    items: int = 1_000_000
    depth: int = 200
    aliases: int = 100_000
    scalar_length: int = 64 * _MIB
    decoded_bytes: int = 64 * _MIB
    chains: int = 10_000
    patches: int = 2_000
    findings: int = 20_000
    step_seconds: int = 300
    step_memory: int = 2048 * _MIB
    advice: str = ""


DEFAULT = Limits()
DEEPEST = 1_000
"""The highest value of `depth`: readers recurse once for each level of a text."""


def fields() -> tuple[str, ...]:
    """Return the names of all limits."""
    slots: tuple[str, ...] = Limits.__slots__  # type: ignore[attr-defined]
    return tuple(name for name in slots if name != "advice")


def as_data(limits: Limits) -> dict[str, Any]:
    """Return the limits by name, of which `Limits(**data)` makes them again."""
    return {name: getattr(limits, name) for name in (*fields(), "advice")}


def beyond(limits: Limits, field: str, text: str) -> str:
    """Return the message for a limit that is exceeded. text: the limit, and what was found."""
    if not limits.advice:
        return f"{text} (limit `{field}`)"
    return f"{text}; {limits.advice.format(field=field, FIELD=field.upper())}"


def too_deep(limits: Limits) -> str:
    """Return the message for a text that nests too deeply."""
    return beyond(limits, "depth", f"must not nest deeper than {limits.depth:,} levels, found a deeper one")


def too_long(limits: Limits, length: int) -> str:
    """Return the message for a scalar that is too long."""
    text = f"must not hold a scalar of more than {limits.scalar_length:,} characters, found {length:,}"
    return beyond(limits, "scalar_length", text)


def bounded(file: IO[bytes], most: int) -> bytes:
    """Read a file up to one byte beyond the limit, in two steps, because Python allocates the requested size at once."""
    found = file.read(min(most, _FIRST) + 1)
    return found + file.read(most - _FIRST) if len(found) > _FIRST else found


class Budget:
    """A bound on work: `take` counts it, and raises `error()` beyond `most`. left: what remains, below 0 after that."""

    __slots__ = ("_error", "left", "most")

    def __init__(self, most: int, error: Callable[[], Exception] = AssertionError) -> None:
        self.left = self.most = most
        self._error = error

    def allows(self, work: int = 1) -> bool:
        """Count work; return whether it is within the bound."""
        self.left -= work
        return self.left >= 0

    def take(self, work: int = 1) -> None:
        """Count work. Raises the error beyond the bound."""
        if not self.allows(work):
            raise self._error()
