"""The function against the second reading, on random SDs."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.conformance.layered import same
from tests.functions.envgene_sd import generate, reading
from tests.functions.envgene_sd.support import item, run, spec

PER_TEST, TESTS = 150, 10


def outcome(seed):
    given = generate.run(seed)
    items = [item(given["full"])] if given["full"] is not None else []
    for number, namespace in enumerate(given["namespaces"]):
        items.append(item(namespace, f"n{number}", kind="EnvironmentNamespace"))
    return given, run(*items, data=given["sds"], SD_REPO_MERGE_MODE=given["mode"], profile=given["profile"])


def compare(seed):
    given, state = outcome(seed)
    findings = state.outcome.findings
    errors = {finding.rule for finding in findings if finding.severity == "error"}
    rules, full, delta, warnings = expected(given)
    assert errors == rules, [finding.message for finding in findings]
    if rules:
        return "rejected"
    assert same(spec(state), full)
    assert same(spec(state, "delta-sd"), delta)
    assert {finding.kind for finding in findings if finding.severity == "warning"} == warnings
    return given["mode"]


def expected(given):
    try:
        return set(), *reading.process(**given)
    except reading.Rejected as rejected:
        return rejected.rules, None, None, None


@pytest.mark.parametrize("number", range(TESTS))
def test_the_function_does_as_the_second_reading_says(number):
    seen = Counter(compare(seed) for seed in range(number * PER_TEST, (number + 1) * PER_TEST))
    assert min(seen[mode] for mode in (*generate.MODES, "rejected")) > 5
