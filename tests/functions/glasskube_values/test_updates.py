"""What a target removed from a list comes back, whatever an update or a hand changed beside it, and nothing else goes."""

from __future__ import annotations

from copy import deepcopy

import pytest

from tests.functions.glasskube_values.packages import cluster, manifest, target, value
from tests.functions.glasskube_values.resources import THING, thing
from tests.functions.glasskube_values.runs import found, run, told

ARGS = "/spec/containers/0/args"
DROPS = [target(f"{ARGS}/0", "remove", **THING)]
REPLACES = [target(ARGS, "replace", template='["{{.}}"]', **THING)]
BOTH = [*DROPS, target(f"{ARGS}/-", **THING)]


def of(*args, image="old"):
    return thing({"containers": [{"name": "web", "image": image, "args": list(args)}]})


def image(containers):
    containers[0]["image"] = "new"


def append(containers):
    containers[0]["args"].append("hand")


def checkout(containers):
    containers[0].update(of("p", "q", "r")["spec"]["containers"][0])


def container(state):
    return found(state, "thing", "Thing")["spec"]["containers"][0]


@pytest.mark.parametrize(
    ("targets", "edit", "runs", "goes"),
    [
        (DROPS, image, ["q", "r"], ["p", "q", "r"]),
        (DROPS, append, ["q", "r", "hand"], ["p", "q", "r", "hand"]),
        (DROPS, checkout, ["q", "r"], ["p", "q", "r"]),
        (REPLACES, image, ["x"], ["p", "q", "r"]),
        (REPLACES, checkout, ["x"], ["p", "q", "r"]),
        (BOTH, image, ["q", "r", "x"], ["p", "q", "r"]),
        (BOTH, append, ["q", "r", "hand", "x"], ["p", "q", "r", "hand"]),
    ],
)
def test_the_list_is_as_after_the_first_run_and_comes_back(targets, edit, runs, goes):
    config = {"manifests": [manifest(value("level", *targets), scope="Cluster")]}
    items = run(cluster(values={"level": "x"}), of("p", "q", "r"), **config).items
    for _ in range(2):
        items = deepcopy(items)
        if edit is not append or "hand" not in items[1]["spec"]["containers"][0]["args"]:
            edit(items[1]["spec"]["containers"])
        state = run(*items, **config)
        assert told(state) == told(state, "warning") == []
        assert container(state)["args"] == runs
        items = state.items
    gone = run(cluster(), items[1], **config)
    assert told(gone, "warning") == []
    assert container(gone) == {"name": "web", "image": "new" if edit is image else "old", "args": goes}


TOP = "/spec/args"


@pytest.mark.parametrize("args", [["p", "q"], ["p", "p"], ["p"]])
def test_a_checkout_of_a_list_that_lost_an_element_is_silent(args):
    config = {"manifests": [manifest(value("level", target(f"{TOP}/0", "remove", **THING)), scope="Cluster")]}
    first = run(cluster(values={"level": "x"}), thing({"args": args}), **config)
    back = deepcopy(first.items)
    back[1]["spec"]["args"] = list(args)
    again = run(*back, **config)
    assert told(again) == told(again, "warning") == []
    assert again.items == first.items
    gone = run(cluster(), back[1], **config)
    assert told(gone, "warning") == []
    assert found(gone, "thing", "Thing")["spec"] == {"args": args}


def test_a_removed_key_comes_back_after_a_change_beside_it():
    config = {"manifests": [manifest(value("level", target(ARGS, "remove", **THING)), scope="Cluster")]}
    items = deepcopy(run(cluster(values={"level": "x"}), of("p", "q"), **config).items)
    image(items[1]["spec"]["containers"])
    again = run(*items, **config)
    assert told(again) == told(again, "warning") == []
    gone = run(cluster(), again.items[1], **config)
    assert container(gone) == {"name": "web", "image": "new", "args": ["p", "q"]}
