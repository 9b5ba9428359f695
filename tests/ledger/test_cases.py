"""Every rule about values and their layers, as packages, commands and what they say."""

from __future__ import annotations

import pytest
from tests.ledger import cases

CASES = cases.read()["cases"]
TAKEN_BACK = (
    "a render takes all records back first, so step 1 reads what the author wrote, and not what step 2 wrote in an earlier run"
)
TOLD_AS_BEFORE = (
    "a declaration that reads as what the function itself adds is told as such, so that explain says the same before and after a render: "
    "without an undo record nothing tells the two apart"
)
FAILS = {"L1-after-second-render": TAKEN_BACK, "L8-later-step": TAKEN_BACK, "L16-type": TOLD_AS_BEFORE}
"""Cases that ask for what a render does not do, or what cannot be known."""


def _marked(case: dict) -> object:
    name = case["id"]
    marks = [pytest.mark.xfail(strict=True, reason=FAILS[name])] if name in FAILS else []
    return pytest.param(case, id=name, marks=marks)


@pytest.mark.parametrize("case", [*map(_marked, CASES)])
def test_case(case, tmp_path):
    assert cases.verdict(case, tmp_path) == ""


def test_each_case_is_known():
    names = [case["id"] for case in CASES]
    assert len(names) == len({*names}) == 111
    assert FAILS.keys() <= {*names}
    assert all(case["id"].startswith(f"{case['rule']}-") for case in CASES)
