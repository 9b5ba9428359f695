"""What holds for every function, on every state of every conformance case that runs as a list."""

from __future__ import annotations

import pytest

from tests.conformance import cases, laws
from tests.conformance.systems import XFAIL
from tests.conformance.test_cases import ALL

AS_LISTS = [each for each in ALL if not each.values[0].unmet(each.values[1]) and each.id not in XFAIL]


@pytest.mark.parametrize(("system", "case"), AS_LISTS)
def test_laws(system, case):
    states = [state for _, state in cases.run(system, case)]
    for state in states:
        if laws.holds_for(state):
            for law in laws.STATE_LAWS:
                law(state)
    for case_law in laws.CASE_LAWS:
        case_law(system, case, states[0])
