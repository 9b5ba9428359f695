"""Every rule about values and their layers, as packages, commands and what they say."""

from __future__ import annotations

import pytest
from tests.ledger import cases

CASES = cases.read()["cases"]
TAKEN_BACK = (
    "a render takes all records back first, so step 1 reads what the author wrote, and not what step 2 wrote in an earlier run"
)
FAILS = {"L1-after-second-render": TAKEN_BACK, "L8-later-step": TAKEN_BACK, "L8-finding-of-order": TAKEN_BACK}
"""Cases that ask for what a render does not do."""
LATER = {
    "L16-type": "the type of a declaration is told as derived",
    "L26-page": "the page has the earlier form",
}
"""Cases of what is not there yet."""


def _marked(case: dict) -> object:
    name = case["id"]
    marks = [pytest.mark.xfail(strict=True, reason=FAILS[name])] if name in FAILS else []
    marks += [pytest.mark.xfail(strict=False, reason=LATER[name])] if name in LATER else []
    return pytest.param(case, id=name, marks=marks)


@pytest.mark.parametrize("case", [*map(_marked, CASES)])
def test_case(case, tmp_path):
    assert cases.verdict(case, tmp_path) == ""


def test_each_case_is_known():
    names = [case["id"] for case in CASES]
    assert len(names) == len({*names}) == 109
    assert {*FAILS, *LATER} <= {*names}
    assert all(case["id"].startswith(f"{case['rule']}-") for case in CASES)
