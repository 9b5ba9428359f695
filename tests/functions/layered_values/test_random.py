"""Random stacks and targets: a second run changes nothing, what was written is undone, the order of items does not matter."""

from __future__ import annotations

import json
import random
from copy import deepcopy
from typing import Any

import pytest

from krm_values._data.data_edits import same
from tests.conformance.cases import State, execute
from tests.conformance.systems import SYSTEMS

PATHS = (
    *("spec.a", "spec.b.c", "spec.m", "spec.l", "spec.l[*]", "spec.list[name=x].value", "spec.list[name=z].value", "spec.img"),
    *("metadata.labels.q", "metadata.annotations.z", "data.k", 'data["t.yaml"].a', 'data["t.yaml"].n.p', 'data["j.json"].b'),
)
SCALARS = (1, 2, True, False, None, "x", "3", "true", "1.5", "", 0, "a: 1")
NOTHING = {"layers": [{"values": {}}], "targets": [{"kind": "None", "optional": True, "fields": {"a.b": {"value": "x"}}}]}


def value(dice: random.Random, depth: int = 0) -> Any:
    kind = dice.random()
    if depth < 3 and kind < 0.35:
        return {dice.choice("abcdef"): value(dice, depth + 1) for _ in range(dice.randint(0, 3))}
    if depth < 3 and kind < 0.5:
        return [value(dice, depth + 1) for _ in range(dice.randint(0, 3))]
    return {"$value": dice.choice(("a", "b.c", "d"))} if kind < 0.505 else dice.choice(SCALARS)


def resources(dice: random.Random) -> list[Any]:
    listed = [{"name": "x", "value": "1"}, {"name": "y", "value": "2"}]
    spec = {
        "a": dice.choice((1, "s", True, None, [1])),
        "b": {"c": 1},
        "m": {"a": 1, "b": {"c": 2}},
        "l": [1, 2],
        "list": listed,
    }
    thing = {"apiVersion": "x.test/v1", "kind": "Thing", "metadata": {"name": "t"}, "spec": {**spec, "img": "reg:5000/a/b:1"}}
    if dice.random() < 0.5:
        thing["metadata"]["labels"] = {"q": "1"}
    texts = {"k": "v", "t.yaml": "# c\na: 1 # one\nn:\n  p: x\n", "j.json": '{"a": 1, "b": "x"}'}
    base = {"v": json.dumps({key: value(dice) for key in "abcd"})}
    maps = {"cm": texts, "base": base}
    head = {"apiVersion": "v1", "kind": "ConfigMap"}
    return [thing, *({**head, "metadata": {"name": name}, "data": data} for name, data in maps.items())]


def field(dice: random.Random) -> Any:
    path = dice.choice(("a", "b", "c", "d", ".", "b.c"))
    more = dice.choice(({}, {"missing": "create"}, {"as": "yaml"}, {"as": "text"}, {"part": "tag"}))
    return {"value": path, "optional": True, **more}


def config(dice: random.Random) -> dict[str, Any]:
    layers: list[Any] = [{"configMap": "base"}]
    layers += [
        {"name": f"l{number}", "values": {dice.choice("abcde"): value(dice, 1) for _ in range(3)}} for number in range(2)
    ]
    layers += [{"from": {"kind": "Thing"}, "path": "spec.m", "name": "own"}] * dice.randint(0, 1)
    dice.shuffle(layers)
    targets: list[Any] = [{"configMap": "out", "key": dice.choice(("values.yaml", "a.json"))}]
    for _ in range(dice.randint(0, 2)):
        fields = {dice.choice(PATHS): field(dice) for _ in range(dice.randint(1, 3))}
        selector = dice.choice(({"kind": "Thing"}, {"kind": "ConfigMap", "name": "cm"}))
        targets.append({**selector, "fields": fields, "missing": dice.choice(("create", "skip"))})
    return {"layers": layers, "targets": targets, "nulls": dice.choice(("keep", "remove"))}


def run(items: list[Any], spec: dict[str, Any]) -> State:
    return execute(SYSTEMS["layers"], {"id": "random"}, deepcopy(items), spec)


@pytest.mark.parametrize("seed", range(300))
def test_laws(seed):
    dice = random.Random(seed)
    items, spec = resources(dice), config(dice)
    state = run(items, spec)
    if state.outcome.failed:
        assert same(state.items, items)
        return
    again = run(state.items, spec)
    assert (again.outcome.failed, again.outcome.operations) == (False, ())
    assert same(run(state.items, NOTHING).items, items)
    other = run(items[::-1], spec)
    assert len(other.items) == len(state.items)
    assert all(any(same(one, found) for found in other.items) for one in state.items)


def test_some_of_them_are_written():
    found = [run(resources(dice), config(dice)).outcome for dice in map(random.Random, range(300))]
    assert sum(not one.failed and bool(one.edited) for one in found) > 20
