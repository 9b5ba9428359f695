"""Whatever stands in a manifest, a Package or a resource: findings or a result that keeps every law, never a fault of ours."""

from __future__ import annotations

import random
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from tests.conformance import cases, laws
from tests.conformance.systems import SYSTEMS

SYSTEM = SYSTEMS["glasskube"]
CASES = cases.of(SYSTEM, Path(__file__).parents[2] / "conformance" / "glasskube.yaml")
VALUES = [
    *(None, True, 0, -1, 3.5, "", "x", "-", "/", "a/b/c", "{{ . }}", "{ $ }", "{ $.metadata }"),
    *([], {}, [None], {"a": None}, {"value": "x"}, {"name": None}, ["x"]),
]
KEPT = ("apiVersion", "kind", "annotations")


@pytest.mark.parametrize("seed", range(8))
def test_no_fault_of_ours(seed):
    dice = random.Random(seed)
    for _ in range(50):
        case = mutated(dice)
        state = cases.execute(SYSTEM, case, case["input"], case.get("config"))
        if not state.outcome.failed and laws.holds_for(state):
            for law in laws.STATE_LAWS:
                law(state)


def mutated(dice: random.Random) -> dict[str, Any]:
    """A case in which up to three values were replaced or taken out."""
    case = deepcopy(dice.choice(CASES))
    root = {key: case[key] for key in ("input", "manifest") if key in case}
    for _ in range(dice.randint(1, 3)):
        *above, last = dice.choice([path for path in paths(root) if len(path) > 2 and not set(KEPT) & {*path}])
        holder = root
        for key in above:
            holder = holder[key]
        if dice.random() < 0.2 and isinstance(holder, dict):
            del holder[last]
        else:
            holder[last] = deepcopy(dice.choice(VALUES))
    return case


def paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [found for key, entry in entries for found in ((*path, key), *paths(entry, (*path, key)))]
