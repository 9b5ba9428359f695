"""Random templates and paths against client-go and fasttemplate."""

from __future__ import annotations

from tests.oracles import go
from tests.oracles.cartographer.compare import EVALUATES, differences, rare

COUNT = 500


def test_upstreams_own_code_finds_the_same():
    go.needed("cartographer")
    found, counts, features = differences(COUNT, seed=7)
    print(counts, features)
    assert found == []
    assert counts[EVALUATES] * 100 >= 40 * COUNT
    assert rare(COUNT // 4, features) == []
