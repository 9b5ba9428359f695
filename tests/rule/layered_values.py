"""Why a rule of layered-values has neither a case nor a test that names it."""

from __future__ import annotations

WITHOUT_CASE: dict[str, str] = {
    "3": "by the imports: tests/test_floors.py lists the only rooms that reach files, programs or the network",
}
