"""Random scalars against both Go readers."""

from __future__ import annotations

from tests.oracles import go
from tests.oracles.scalars import compare

COUNT = 4_000


def test_numbers_are_what_both_go_readers_read_and_read_back():
    go.needed("scalars")
    found = compare.run(COUNT, seed=2)
    assert found.differences == []
    assert found.exceptions.keys() == compare.EXCEPTIONS.keys(), "each disagreement of the two readers is met"
