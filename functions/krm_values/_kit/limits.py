"""How much a run takes in and goes through, in one place. A library takes a limit as an argument; nothing a package says raises one."""

from __future__ import annotations

from krm_values._kit.record import record

_MIB = 1 << 20


@record
class Limits:
    """What a command stops at. The command line reads `KRM_VALUES_MAX_<FIELD>` over these defaults."""

    file_bytes: int = 512 * _MIB
    total_bytes: int = 2048 * _MIB
    files: int = 200_000
    ignore_bytes: int = _MIB


DEFAULT = Limits()
