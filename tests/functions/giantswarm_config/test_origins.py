"""The origin that explain names is the place to change a value: what is changed there changes exactly that leaf."""

from __future__ import annotations

import random
from collections import Counter
from copy import deepcopy
from typing import Any

import pytest

from krm_values._data import data_edits
from krm_values._krm.plan import New
from tests.functions import origins
from tests.functions.giantswarm_config.support import made, run
from tests.oracles.flux.compare import same
from tests.oracles.giantswarm import apps

COUNT = 20
CONFLICTS = ["upstream", "override"]


@pytest.mark.parametrize("conflict", CONFLICTS)
@pytest.mark.parametrize("part", ["configMap", "secret", "combined"])
def test_a_change_at_the_origin_of_a_leaf_changes_exactly_that_leaf(part, conflict):
    dice = random.Random(23)
    sorts: Counter[str] = Counter()
    for _ in range(COUNT):
        items = apps.make(dice).items
        state = run(*deepcopy(items), outputs=[part], scalarConflict=conflict)
        if state.outcome.failed:
            continue
        for leaf in leaves(state):
            changed = deepcopy(items)
            wanted = origins.change_text(origins.owner(changed, leaf.origin), leaf.origin)
            if wanted is ...:
                continue
            after = run(*changed, outputs=[part], scalarConflict=conflict)
            assert not after.outcome.failed
            expected = deepcopy(made(state)[part])
            data_edits.put(expected, leaf.inner, wanted)
            assert same(made(after)[part], expected), (leaf, items)
            sorts[leaf.origin.item.kind] += 1
    assert sorts.keys() == {"configMap": {"ConfigMap"}, "secret": {"Secret"}, "combined": {"ConfigMap", "Secret"}}[part]


def leaves(state: Any) -> list[Any]:
    return [one.leaf for one in state.outcome.decisions if isinstance(one.item, New) and one.leaf and one.leaf.inner]
