"""Every conformance case by its id: whether each of its states is what the case expects."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conformance import cases
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
    reason = judged(system, case, () if system.unmet(case) else cases.run(system, case))
    if case["id"] in XFAIL:
        assert reason, "passes: take it out of XFAIL"
        pytest.xfail(XFAIL[case["id"]])
    assert reason == ""
