"""The laws of what is said about values, on examples, cases and random packages. `python -m tests.ledger` tries more of them."""

from __future__ import annotations

import pytest
from tests.ledger.laws import CASE, LAWS, Count, tried

PACKAGES = 4
"""The packages of one test."""


@pytest.mark.parametrize("number", range(30))
@pytest.mark.parametrize("law", LAWS)
def test_a_law_holds(law, number, tmp_path):
    count = Count()
    for which in range(PACKAGES):
        tried(law, f"{number}-{CASE if which % 2 else ''}{which}", tmp_path / str(which), count)
    assert count.falls == []


@pytest.mark.parametrize("law", LAWS)
def test_a_law_is_tried(law, tmp_path):
    count = Count()
    for which in range(PACKAGES):
        tried(law, f"some-{which}", tmp_path / str(which), count)
    assert count.right


FOUND = [("removal", "final-30"), ("left", "31-69"), ("left", "31-86")]
"""Seeds that fell once: a loser of which a layer had set a part, as the tag of an image, is the whole that stood there; what a step wrote that left."""


@pytest.mark.parametrize(("law", "seed"), FOUND)
def test_what_fell_once_holds(law, seed, tmp_path):
    count = Count()
    tried(law, seed, tmp_path, count)
    assert (count.falls, count.right > 0) == ([], True)
