"""The traced tree of `_run/traced` against a naive tracer, on random layers. `python -m tests.ledger --law traced` tries more of them."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.ledger import trees
from tests.reference import traced


@pytest.mark.parametrize("number", range(20))
def test_the_traced_tree_tells_what_a_naive_tracer_tells(number):
    for which in range(50):
        assert trees.wrong(random.Random(f"{number}-{which}")) == ""


def test_the_naive_tracer():
    layers: dict[str, dict[str, Any]] = {
        "a": {"m": {"x": 1}, "l": [1]},
        "b": {"m": 5, "l": [1, 2]},
        "c": {"m": {"x": 2, "y": 3}},
    }
    assert traced.told([layers], {("l",): "unique"}) == {
        ("l", 0): (1, ("a", ("l", 0)), [(1, (("b", ("l", 0)),))]),
        ("l", 1): (2, ("b", ("l", 1)), []),
        ("m", "x"): (2, ("c", ("m", "x")), [(5, (("b", ("m",)),)), (1, (("a", ("m", "x")),))]),
        ("m", "y"): (3, ("c", ("m", "y")), [(5, (("b", ("m",)),)), ({"x": 1}, (("a", ("m",)),))]),
    }
