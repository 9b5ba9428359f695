"""The function against the independent implementation, on random SDs."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.reference.envgene import differences, generate

PER_TEST, TESTS = 150, 10


@pytest.mark.parametrize("number", range(TESTS))
def test_the_function_does_as_the_reference_says(number):
    seen: Counter[str] = Counter()
    for seed in range(number * PER_TEST, (number + 1) * PER_TEST):
        assert differences.report(seed) == ""
        given, state = differences.outcome(seed)
        seen["rejected" if state.outcome.failed else given["mode"]] += 1
    assert min(seen[mode] for mode in (*generate.MODES, "rejected")) > 5
