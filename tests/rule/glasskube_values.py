"""Why rules of glasskube-values have neither a case nor a test that names them."""

from __future__ import annotations

_OPERATOR = "concerns the operator, its webhook or its clients only: the function does not do it, which the manual says"

WITHOUT_CASE: dict[str, str] = {
    "16": "the function refuses such a configuration before its precedence could matter: rules 13 and 14",
    **dict.fromkeys(("43", "89", "90", "91", "92", "94", "95", "97", "98"), _OPERATOR),
    "D9": "overruled by rule S28",
    "D16": "overruled by rule S32",
    "S7": "the kit makes this check for all functions: tests/kit/test_fields.py",
}
