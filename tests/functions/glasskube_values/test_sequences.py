"""A hundred random sequences; `python -m tests.functions.glasskube_values.sequences 5000` runs as many as one likes."""

from __future__ import annotations

import random

import pytest

from tests.functions.glasskube_values.sequences import sequence


@pytest.mark.parametrize("number", range(100))
def test_what_was_written_is_taken_back(number):
    assert sequence(random.Random(f"1/{number}")) == ""
