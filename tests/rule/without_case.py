"""Why a rule has neither a case nor a test that names it, by the file of docs/rules that has it."""

from __future__ import annotations

_OPERATOR = "concerns the operator, its webhook or its clients only: the function does not do it, which the manual says"
_CHART = "the chart is not read"

WITHOUT_CASE: dict[str, dict[str, str]] = {
    "all": {"S4": "the reader of all functions refuses them: tests/kit/test_scalars.py"},
    "envgene": {
        "98": "nothing is implemented: these registries are refused like any other unknown form of login",
        "99": "never reached: rule 18 refuses every version that would need maven-metadata.xml",
    },
    "flux": {"109": "a condition of the release in the cluster; every error is its counterpart"},
    "giantswarm": {
        "17": "admission's checks outside of the merge are not made",
        "68": "the writer of all values does it: tests/kit/test_valuestext.py",
        "69": _CHART,
        "70": _CHART,
        "78": "Chart resources are neither read nor written",
    },
    "glasskube": {
        "16": "the function refuses such a configuration before its precedence could matter: rules 13 and 14",
        **dict.fromkeys(("43", "89", "90", "91", "92", "94", "95", "97", "98"), _OPERATOR),
    },
    "layers": {"3": "by the imports: tests/test_floors.py lists the only rooms that reach files, programs or the network"},
    "tekton": {"51": "the function has no feature gates"},
}
