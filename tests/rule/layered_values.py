"""Why a rule of layered-values has neither a case nor a test that names it."""

from __future__ import annotations

WITHOUT_CASE: dict[str, str] = {}
