"""`compare` and `impact` of random stacks of layers give what renders before and after a change give."""

from __future__ import annotations

import json
import random
import shutil

import pytest
from tests.cli.packages import command
from tests.cli.stacks import STACKS, composed, layer, really, some, stack, state, told

from krm_values._explain import differences


@pytest.mark.parametrize("seed", range(STACKS))
def test_of_a_random_stack_without_a_layer_or_with_another(seed, tmp_path):
    picked = random.Random(seed)
    one, other = tmp_path / "one", tmp_path / "other"
    names = stack(one, picked)
    shutil.copytree(one, other)
    changed = picked.choice(names)
    if picked.random() < 0.5:
        (other / f"{changed}.yaml").unlink()
    else:
        (other / f"{changed}.yaml").write_text(layer(changed, some(picked)))
    found = differences.between(state(one), state(other))
    assert told(found) == really(composed(one, tmp_path), composed(other, tmp_path))
    assert all(entry.at.startswith(f"{changed}.yaml:") for entry in found)


@pytest.mark.parametrize("seed", range(STACKS))
def test_impact_is_what_compare_says_of_the_package_without_the_layer(seed, tmp_path):
    picked = random.Random(seed)
    one, other = tmp_path / "one", tmp_path / "other"
    name = picked.choice(stack(one, picked))
    shutil.copytree(one, other)
    (other / f"{name}.yaml").unlink()
    impact = command("impact", one / f"{name}.yaml", one, "--json")
    compared = command("compare", one, other, "--json")
    assert impact.returncode == compared.returncode == int(bool(json.loads(compared.stdout)["differences"]))
    assert impact.stdout == compared.stdout
