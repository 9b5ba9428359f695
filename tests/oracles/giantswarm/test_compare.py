"""Random Apps against upstream's own merge."""

from __future__ import annotations

from tests.oracles import go
from tests.oracles.giantswarm.compare import differences

COUNT = 300


def test_upstreams_own_merge_gives_the_same_values():
    go.needed("giantswarm/chain", "giantswarm/combined")
    found, sorts = differences(COUNT, seed=4)
    assert found == []
    assert sorts["merged"] > COUNT // 2
    assert sorts["refused"] > COUNT // 50
