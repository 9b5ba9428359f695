"""Random documents with anchors, aliases and merge keys: `python -m tests.fuzz.anchors --count 5000` tries more of them."""

from __future__ import annotations

import pytest

from tests.fuzz.anchors import REFUSED, one


@pytest.mark.parametrize("seed", range(30))
def test_an_edit_of_a_shared_place_changes_that_place_alone(seed):
    for number in range(60):
        text, edit, problem = one(f"{seed}/{number}")
        assert not problem or problem.startswith(REFUSED), f"{edit}\n{text}\n{problem}"
