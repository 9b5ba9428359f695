"""What we do with one value against the modules that the operator uses."""

from __future__ import annotations

import pytest

from tests.oracles import go
from tests.oracles.glasskube import differences, patches, values
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


@pytest.mark.parametrize("row", differences.PATCHES, ids=lambda row: row.rule)
def test_the_operators_json_patch_gives_what_is_recorded(row):
    go.needed("glasskube")
    for document, op, path, value, upstream, _ in row.recorded:
        asked = patches.Patches(document, [{"op": op, "path": path, "value": value}])
        (answer,) = go.ask("glasskube", [{"ask": "patch", "patch": patches.question(asked)}])
        theirs = answer["value"][0] if answer["value"] else differences.REFUSED
        assert theirs == upstream or values.same(values.held(theirs), values.held(upstream))
