"""Why rules of cartographer-params have neither a case nor a test that names them: all have one."""

from __future__ import annotations

WITHOUT_CASE: dict[str, str] = {}
