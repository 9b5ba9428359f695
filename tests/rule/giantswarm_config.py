"""Why a rule of giantswarm-config has neither a case nor a test that names it."""

from __future__ import annotations

WITHOUT_CASE: dict[str, str] = {
    "17": "admission's checks outside of the merge are not made",
    "68": "the writer of all values does it: tests/kit/test_valuestext.py",
    "69": "the chart is not read",
    "78": "Chart resources are neither read nor written",
    "S2": "only layers have such words, and rule 39 is about these",
    "S4": "the reader of all functions refuses them: tests/kit/test_scalars.py",
    "70": "the chart is not read",
    "S7": "the kit makes this check for all functions: tests/kit/test_fields.py",
}
