"""Why a rule of flux-values has neither a case nor a test that names it."""

from __future__ import annotations

WITHOUT_CASE: dict[str, str] = {
    "69": "the chart is not read",
    "108": "the conversion is giantswarm-config's",
    "109": "a condition of the release in the cluster; every error is its counterpart",
    "S4": "the reader of all functions refuses them: tests/kit/test_scalars.py",
}
