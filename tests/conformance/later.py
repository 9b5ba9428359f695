"""Which cases pin down rules of `second.md` that the functions do not have yet: they are printed, not judged."""

from __future__ import annotations

from typing import Any

BUILT = frozenset(f"S{n}" for n in range(1, 40))
"""The numbers with S whose rules are built."""


def waits(case: dict[str, Any]) -> str:
    """Why a case is not run yet, or ""."""
    cited = {rule for rule in map(str, case.get("rule", ())) if rule.startswith("S")}
    return "later" if cited - BUILT else ""
