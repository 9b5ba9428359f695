"""How much a run takes in and goes through, in one place. A library takes the limits as an argument; nothing a package says raises one."""

from __future__ import annotations

from krm_values._data.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO

_KIB, _MIB = 1 << 10, 1 << 20
_FIRST = 64 * _MIB
PREFIX = "KRM_VALUES_MAX_"
"""What the names of the variables begin with that the command line reads; the field's name in capitals follows."""


@record
class Limits:
    """What a run stops at: an error says where, what was found, and which variable raises the limit. `docs/limits.md` tells of each."""

    input_bytes: int = 1024 * _MIB
    file_bytes: int = 512 * _MIB
    total_bytes: int = 2048 * _MIB
    files: int = 200_000
    ignore_bytes: int = 64 * _KIB
    items: int = 1_000_000
    depth: int = 200
    aliases: int = 100_000
    scalar_length: int = 64 * _MIB
    decoded_bytes: int = 64 * _MIB
    chains: int = 10_000
    patches: int = 2_000
    findings: int = 20_000


DEFAULT = Limits()
DEEPEST = 1_000
"""What no variable raises `depth` above: Python calls itself for each level of a text."""


def fields() -> tuple[str, ...]:
    """The names of all limits."""
    return Limits.__slots__  # type: ignore[attr-defined,no-any-return]


def variable(field: str) -> str:
    """The variable that raises a limit."""
    return PREFIX + field.upper()


def beyond(field: str, text: str) -> str:
    """A message where a limit is reached. text: the limit, and what was found."""
    return f"{text}; {variable(field)} raises the limit"


def too_deep(limits: Limits) -> str:
    """That a text nests too deeply."""
    return beyond("depth", f"must not nest deeper than {limits.depth:,} levels, found a deeper one")


def too_long(limits: Limits, length: int) -> str:
    """That a scalar is too long."""
    return beyond("scalar_length", f"must not hold a scalar of more than {limits.scalar_length:,} characters, found {length:,}")


def bounded(file: IO[bytes], most: int) -> bytes:
    """What a file holds, up to one byte more than the limit. Python sets the room aside for all that it is asked to read."""
    found = file.read(min(most, _FIRST) + 1)
    return found + file.read(most - _FIRST) if len(found) > _FIRST else found
