"""A smaller input that fails in the same way: lines are left out, then bytes, as long as it still does."""

from __future__ import annotations

import time
from collections.abc import Callable

BUDGET = 60.0


def shrunk(data: bytes, fails: Callable[[bytes], bool], budget: float = BUDGET) -> bytes:
    """The smallest input found within the budget of seconds. fails: whether an input fails in the same way."""
    until = time.monotonic() + budget
    lines = _fewer(data.splitlines(keepends=True), lambda parts: fails(b"".join(parts)), until)
    single = [bytes([byte]) for byte in b"".join(lines)]
    return b"".join(_fewer(single, lambda parts: fails(b"".join(parts)), until))


def _fewer(parts: list[bytes], fails: Callable[[list[bytes]], bool], until: float) -> list[bytes]:
    """Delta debugging: leave out ever smaller runs of parts."""
    size = len(parts) // 2
    while size and time.monotonic() < until:
        at, before = 0, len(parts)
        while at < len(parts) and time.monotonic() < until:
            fewer = parts[:at] + parts[at + size :]
            if fails(fewer):
                parts = fewer
            else:
                at += size
        size = size // 2 if len(parts) == before or size > 1 else size
    return parts
