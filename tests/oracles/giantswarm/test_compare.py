"""Random Apps against upstream's own merge."""

from __future__ import annotations

import os

import pytest

from tests.oracles import go
from tests.oracles.giantswarm.compare import differences

COUNT = 2_000 if os.environ.get("CI") else 200


def test_upstreams_own_merge_gives_the_same_values():
    if go.MISSING:
        assert os.environ.get("KRM_HOSTS") != "required", go.MISSING
        pytest.skip(go.MISSING)
    found, sorts = differences(COUNT, seed=4)
    assert found == []
    assert sorts["merged"] > COUNT // 2
    assert sorts["refused"] > COUNT // 50
