"""Patches of one list, at random: the result is that of the patches applied one after the other, whatever the list looks like before and after."""

from __future__ import annotations

import json
import random

import pytest
from jsonpatch import JsonPatch

from krm_values._krm import resourcelist
from krm_values._run import invoke

VALUES = "ab"
"""So few that elements are often equal, and a list can become another one in several ways."""


def _operation(chance, size, *, of_maps):
    """A patch that is possible in a list of this size, without its value, and the size afterwards. of_maps: its elements have the key `v`."""
    op = chance.choice(["add", "add", "replace", "remove"]) if size else "add"
    if of_maps and size and chance.random() < 0.5:
        return "add", f"{chance.randrange(size)}/v", size
    if op == "add":
        return op, chance.choice(["-", str(chance.randint(0, size))]), size + 1
    return op, str(chance.randrange(size)), size - (op == "remove")


@pytest.mark.parametrize("of_maps", [False, True], ids=["scalars", "maps"])
@pytest.mark.parametrize("seed", range(300))
def test_the_list_is_that_of_the_patches(seed, of_maps):
    chance = random.Random(seed)
    before = [chance.choice(VALUES) for _ in range(chance.randint(0, 4))]
    before = [{"v": value} for value in before] if of_maps else before
    size, definitions, values, operations = len(before), {}, {}, []
    for number in range(chance.randint(1, 4)):
        op, at, size = _operation(chance, size, of_maps=of_maps)
        patch = {"op": op, "path": f"/spec/l/{at}"}
        value = chance.choice(VALUES)
        is_map = of_maps and not at.endswith("/v")
        template = {"valueTemplate": '{"v": {{ printf "%q" . }}}'} if is_map else {}
        resource = {"apiGroup": "example.org/v1", "kind": "Target", "name": "t", "namespace": "demo"}
        definitions[f"v{number}"] = {"type": "text", "targets": [{"resource": resource, "patch": patch, **template}]}
        values[f"v{number}"] = {"value": value}
        operations.append(patch if op == "remove" else patch | {"value": {"v": value} if is_map else value})
    manifest = {"name": "p", "scope": "Namespaced", "defaultNamespace": "demo", "valueDefinitions": definitions}
    package = {
        "apiVersion": "packages.glasskube.dev/v1alpha1",
        "kind": "Package",
        "metadata": {"name": "p", "namespace": "demo"},
        "spec": {"packageInfo": {"name": "p", "version": "v1.0.0"}, "values": values},
    }
    target = {
        "apiVersion": "example.org/v1",
        "kind": "Target",
        "metadata": {"name": "t", "namespace": "demo"},
        "spec": {"l": before},
    }
    config = {
        "apiVersion": "krm-values.dev/v1alpha1",
        "kind": "GlasskubeValues",
        "metadata": {"name": "c"},
        "spec": {"manifests": [manifest]},
    }
    source = resourcelist.read(_list([package, target], config))
    done = invoke.run_function("glasskube-values", config, source)[1]
    assert not done.failed, done.findings
    text = b"".join(source.apply(done, invoke.entries(done, source)))
    written = next(item.data for item in resourcelist.read(text).items if item.kind == "Target")
    expected = JsonPatch(operations).apply(target)
    assert written["spec"]["l"] == expected["spec"]["l"], operations


def _list(items, config):
    whole = {"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "items": items, "functionConfig": config}
    return json.dumps(whole).encode()
