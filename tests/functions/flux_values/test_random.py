"""The laws on random releases: what is inlined is found again, explained the same, and taken back whole."""

from __future__ import annotations

import random

import pytest

from tests.conformance import laws
from tests.functions.flux_values.support import run
from tests.oracles.flux import releases

COUNT = 60


@pytest.mark.parametrize("output", ["object", "inline"])
def test_every_law_on_random_releases(output):
    dice = random.Random(11)
    for _ in range(COUNT):
        state = run(*releases.make(dice).items, output=output)
        for law in laws.STATE_LAWS:
            law(state)


def test_what_was_inlined_is_taken_back_whole():
    dice = random.Random(12)
    changed = 0
    for _ in range(COUNT):
        items = releases.make(dice).items
        first = run(*items, output="inline")
        if first.outcome.failed:
            continue
        back = run(*first.items, output="object")
        assert not back.outcome.failed
        assert back.items[: len(items)] == items
        changed += bool(first.outcome.edited)
    assert changed > COUNT // 10
