"""Every conformance case, by its id."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conformance import cases
from tests.conformance.__main__ import verdict
from tests.conformance.systems import SYSTEMS, XFAIL

FOLDER = Path(__file__).parent


def _marks(name):
    return [pytest.mark.xfail(reason=XFAIL[name], strict=True)] if name in XFAIL else []


ALL = [
    pytest.param(SYSTEMS[file.stem], case, id=case["id"], marks=_marks(case["id"]))
    for file in sorted(FOLDER.glob("*.yaml"))
    for case in cases.of(SYSTEMS[file.stem], file)
]


@pytest.mark.parametrize(("system", "case"), ALL)
def test_case(system, case):
    if (unmet := system.unmet(case)) and not system.elsewhere:
        pytest.skip(unmet)
    assert verdict(system, case) == ""
