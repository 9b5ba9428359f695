"""Random HelmReleases against Flux's own code."""

from __future__ import annotations

from tests.oracles import go
from tests.oracles.flux import compare

COUNT = 300


def test_flux_composes_the_same_values_and_refuses_the_same_releases():
    go.needed("flux")
    found = compare.run(COUNT, seed=4)
    assert found.differences == []
    assert found.sorts["composed"] > COUNT // 2
    assert found.sorts["inlined"] > COUNT // 10
    assert found.sorts["inline refused"] > COUNT // 100
    assert found.causes.keys() == {name for name, _ in compare.CAUSES}, "every refusal has a known cause"
    assert COUNT < 2_000 or min(found.causes.values()) > 0
