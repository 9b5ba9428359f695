"""Fields and elements that are written and removed at random: each path counts the elements as they were before, also where equal ones stand side by side."""

from __future__ import annotations

import json
import random
from copy import deepcopy
from typing import Any

import pytest

from krm_values._data.pointer import get
from krm_values._krm import resourcelist
from krm_values._run import invoke
from krm_values._yaml import decode

VALUES = "ab"


def _some(chance, most):
    return [chance.choice(VALUES) for _ in range(chance.randint(0, most))]


def _place(chance, before):
    """A random place in `{e: [{name, v, l: []}], l: []}`."""
    element = ("e", chance.randrange(len(before["e"])))
    above = chance.choice([(), element])
    numbers = range(len(get(before, (*above, "l"))))
    return chance.choice(
        [element, (*element, "v"), (*above, "l"), *([(*above, "l", chance.choice(numbers))] * 2 if numbers else [])]
    )


def _value(chance, path):
    if chance.random() < 0.35:
        return None
    if path[-1] == "l":
        return _some(chance, 3)
    return {"name": "n", "v": chance.choice(VALUES)} if len(path) == 2 and path[0] == "e" else chance.choice(VALUES)


def _expected(before, written):
    """The fields after all writes, of which the removals come last and from the end."""
    found = deepcopy(before)
    for path, value in written.items():
        if value is not None:
            get(found, path[:-1])[path[-1]] = value
    gone = (path for path, value in written.items() if value is None)
    for path in sorted(gone, key=lambda path: [(isinstance(part, int), part) for part in path], reverse=True):
        del get(found, path[:-1])[path[-1]]
    return found


@pytest.mark.parametrize("in_text", [False, True], ids=["fields", "in a text"])
@pytest.mark.parametrize("seed", range(300))
def test_each_path_is_one_of_the_resource_as_it_was(seed, in_text):
    chance = random.Random(seed)
    named = chance.sample("xyz", chance.randint(1, 3))
    elements = [{"name": name, "v": chance.choice(VALUES), "l": _some(chance, 3)} for name in named]
    before = {"e": elements, "l": _some(chance, 4)}
    written: dict[tuple[str | int, ...], Any] = {}
    for _ in range(chance.randint(1, 4)):
        path = _place(chance, before)
        if not any(path[: len(one)] == one or one[: len(path)] == path for one in written):
            written[path] = _value(chance, path)
    holder = 'data["v.yaml"]' if in_text else "spec"
    fields = {f"{holder}{_text(path)}": {"value": f"k{number}"} for number, path in enumerate(written)}
    values = {f"k{number}": value for number, value in enumerate(written.values())}
    holds = {"data": {"v.yaml": json.dumps(before)}} if in_text else {"spec": before}
    target = {"apiVersion": "example.org/v1", "kind": "Target", "metadata": {"name": "t"}, **holds}
    spec = {
        "layers": [{"name": "own", "values": values}],
        "targets": [{"kind": "Target", "name": "t", "fields": fields}],
    }
    config = {"apiVersion": "krm-values.dev/v1alpha1", "kind": "LayeredValues", "metadata": {"name": "c"}, "spec": spec}
    whole = {"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "items": [target], "functionConfig": config}
    source = resourcelist.read(json.dumps(whole).encode())
    done = invoke.run_function("layered-values", config, source)[1]
    assert not done.failed, done.findings
    (item,) = resourcelist.read(b"".join(source.apply(done, invoke.entries(done, source)))).items
    found = decode.data(item.data["data"]["v.yaml"]) if in_text else item.data["spec"]
    assert found == _expected(before, written), written


def _text(path):
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
