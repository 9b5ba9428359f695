"""What holds for every input: a second run changes nothing, what is written out means what it meant, nothing makes it fail."""

from __future__ import annotations

from copy import deepcopy
from random import Random
from typing import Any

import pytest

from krm_values._data.data_edits import same
from tests.functions.tekton_params.support import resolve
from tests.reference.tekton_controller.differences import report
from tests.reference.tekton_controller.generate import Generator

SEEDS = range(600)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("damaged", [False, True], ids=["sound", "damaged"])
def test_a_second_run_changes_nothing_and_says_the_same(damaged, seed):
    """Hold rule 47, with the same findings."""
    generator = Generator(seed)
    items = generator.damaged() if damaged else generator.items()
    first = resolve(items, **generator.config)
    if first.errors:
        return
    second = resolve(first.items, **generator.config)
    assert second.edits == []
    assert second.errors == []
    assert second.facts == first.facts


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_written_out_means_what_it_meant(seed):
    assert report(seed) == ""


def test_the_generator_makes_enough_that_is_accepted():
    generators = [Generator(seed) for seed in SEEDS]
    accepted = [1 for generator in generators if not resolve(generator.items(), **generator.config).errors]
    assert len(accepted) > len(SEEDS) / 3


@pytest.mark.parametrize("seed", SEEDS[::10])
def test_the_order_of_keys_does_not_matter(seed):
    generator = Generator(seed)
    items = generator.items()
    found = resolve(items, **generator.config)
    other = resolve([shuffled(item, Random(seed)) for item in items], **generator.config)
    assert sorted(other.errors) == sorted(found.errors)
    assert same(other.items, found.items) or found.errors


def shuffled(value: Any, random: Random) -> Any:
    if isinstance(value, dict):
        keys = list(value)
        random.shuffle(keys)
        return {key: shuffled(value[key], random) for key in keys}
    return [shuffled(member, random) for member in value] if isinstance(value, list) else deepcopy(value)
