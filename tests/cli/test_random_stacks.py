"""`compare` and `impact` of random stacks of layers give what renders before and after a change give."""

from __future__ import annotations

import json
import random
import shutil

import pytest
from tests.cli.packages import command
from tests.cli.stacks import STACKS, composed, layer, really, side, some, stack, told

from krm_values._explain import differences

MOST = 10


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
    found = differences.between(side(one), side(other))
    assert told(found) == really(composed(one, tmp_path), composed(other, tmp_path))
    told_of = json.loads(command("compare", one, other, "--json").stdout)
    assert told_of["renders"] <= MOST
    assert {cause["file"] for entry in told_of["differences"] for cause in entry["causes"]} <= {f"{changed}.yaml"}
    assert all(entry["causes"] for entry in told_of["differences"])


@pytest.mark.parametrize("seed", range(STACKS))
def test_impact_is_what_compare_says_of_the_package_without_the_layer(seed, tmp_path):
    picked = random.Random(seed)
    one, other = tmp_path / "one", tmp_path / "other"
    name = picked.choice(stack(one, picked))
    shutil.copytree(one, other)
    (other / f"{name}.yaml").unlink()
    impact = command("impact", one / f"{name}.yaml", one, "--json")
    compared = command("compare", one, other, "--json")
    found, told_of = (json.loads(done.stdout) for done in (impact, compared))
    assert impact.returncode == int(any(entry["change"] != "winner" for entry in found["differences"]))
    others = [entry for entry in told_of["differences"] if entry["resource"]["name"] != name]
    assert [{**entry, "causes": [], "proof": "only"} for entry in others] == found["differences"]
