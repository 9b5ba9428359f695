"""Why a rule of tekton-params has neither a case nor a test that names it."""

from __future__ import annotations

WITHOUT_CASE: dict[str, str] = {
    "S2": "the warning is that of rule 21; the reader of all functions keeps the word: tests/kit/test_scalars.py",
    "S3": "the editor of all functions keeps source text: tests/kit/test_splice.py",
    "S4": "the reader of all functions refuses them: tests/kit/test_scalars.py",
    "51": "the function has no feature gates",
}
