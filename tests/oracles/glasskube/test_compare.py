"""What we do with one value against the modules that the operator uses."""

from __future__ import annotations

import pytest

from tests.oracles import go
from tests.oracles.glasskube.compare import SORTS, compare

COUNT = 2_000


@pytest.mark.parametrize("sort", SORTS)
def test_the_operators_own_modules_give_the_same(sort):
    go.needed("glasskube")
    found = compare(sort, COUNT, seed=6)
    assert found.differences == []
    assert found.taken >= 0.4 * COUNT
    if sort != "template":
        assert found.refused.total() < 0.01 * COUNT
