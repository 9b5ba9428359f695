"""Every conformance case by its id: what it expects, and every law on each of its states."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conformance import cases, laws
from tests.conformance.__main__ import judged, named, not_run
from tests.conformance.systems import SYSTEMS, XFAIL

FOLDER = Path(__file__).parent
ALL = [
    pytest.param(SYSTEMS[named(file)], case, id=case["id"])
    for file in sorted(FOLDER.glob("*.yaml"))
    for case in cases.of(SYSTEMS[named(file)], file)
]


@pytest.mark.parametrize(("system", "case"), ALL)
def test_case(system, case):
    if unmet := not_run(system, case):
        pytest.skip(f"not run: {unmet}")
    states = [] if system.unmet(case) else list(cases.run(system, case))
    reason = judged(system, case, states)
    if case["id"] in XFAIL:
        assert reason, "passes: take it out of XFAIL"
        pytest.xfail(XFAIL[case["id"]])
    assert reason == ""
    for _, state in states:
        if laws.holds_for(state):
            for law in laws.STATE_LAWS:
                law(state)
    for case_law in laws.CASE_LAWS if states else ():
        case_law(system, case, states[0][1])
