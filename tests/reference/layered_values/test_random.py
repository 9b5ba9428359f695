"""Random stacks of layers and targets: the function and the reference agree, and the laws hold."""

from __future__ import annotations

import pytest

from tests.reference.layered_values import compare, laws

SEEDS = range(1, 301)


@pytest.mark.parametrize("first", SEEDS[::50])
def test_the_function_and_the_reference_agree(first):
    assert {seed: reasons for seed in range(first, first + 50) if (reasons := compare.difference(seed))} == {}


@pytest.mark.parametrize("first", SEEDS[::50])
def test_a_second_run_undo_and_the_order_of_items(first):
    assert {seed: reasons for seed in range(first, first + 50) if (reasons := laws.broken(seed))} == {}


def test_most_stacks_are_without_a_mistake():
    accepted = sum(map(compare.accepted, SEEDS))
    assert len(SEEDS) * 0.4 < accepted < len(SEEDS) * 0.9


def test_a_difference_is_found(monkeypatch):
    monkeypatch.setattr(compare, "answer", lambda given: compare.Answer(given, [], {"made-up"}, set(), set(), []))
    assert compare.difference(1)
