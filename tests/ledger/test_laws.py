"""The laws of what is said about values, on examples, cases and random packages. `python -m tests.ledger` tries more of them."""

from __future__ import annotations

import pytest
from tests.ledger.laws import LAWS, Count, tried

PACKAGES = 4
"""The packages of one test."""


@pytest.mark.parametrize("number", range(30))
@pytest.mark.parametrize("law", LAWS)
def test_a_law_holds(law, number, tmp_path):
    count = Count()
    for which in range(PACKAGES):
        tried(law, f"{number}-{which}", tmp_path / str(which), count)
    assert count.falls == []


@pytest.mark.parametrize("law", LAWS)
def test_a_law_is_tried(law, tmp_path):
    count = Count()
    for which in range(PACKAGES):
        tried(law, f"some-{which}", tmp_path / str(which), count)
    assert count.right
