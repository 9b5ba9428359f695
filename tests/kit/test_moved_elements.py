"""Where the elements of a list were before a step: computed once for all of them, and equal to what is found for each alone."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from krm_values._explain import steps
from krm_values._explain.steps import Explained, ExplainedStep, by_shape, met, moved, redone, undone
from krm_values._krm import documents
from krm_values._krm.item import Item
from krm_values._run.resolve import Outcome


def operations(random: Random, size: int) -> tuple[list[Any], int]:
    """Random operations on a list of this size, and its size after them."""
    found: list[Any] = []
    for _ in range(random.randint(0, 6)):
        at = str(random.randrange(size)) if size else ""
        match random.choice(["add", "remove", "move", "replace", "deep"]):
            case "add":
                found.append(("add", ("s", str(random.randint(0, size))), (), 1))
                size += 1
            case "remove" if size:
                found.append(("remove", ("s", at), (), None))
                size -= 1
            case "move" if size:
                found.append(("move", ("s", str(random.randrange(size))), ("s", at), None))
            case "replace" if size:
                found.append(("replace", ("s", at), (), 2))
            case "deep" if size:
                found.append(("add", ("s", at, "x"), (), 2))
    return found, size


@pytest.mark.parametrize("seed", range(300))
def test_all_at_once_and_each_alone(seed):
    random = Random(seed)
    size = random.randint(0, 5)
    done, after = operations(random, size)
    found = moved(done, ("s",), size)
    assert found is not None
    for at in range(after):
        origin = at if at >= len(found) else found[at]
        assert undone(done, ("s", at, "v"), replaced=True) == (None if origin is None else ("s", origin, "v"))


def test_what_moves_within_an_element_is_found_for_each_alone():
    deep = ("add", ("s", "0", "t", "1"), (), 1)
    assert moved([deep], ("s",), 2) == []
    assert moved([deep], ("s", 0, "t"), 2) == [0, None, 1]
    assert moved([deep, ("remove", ("s", "0"), (), None)], ("s",), 2) is None


def path(random: Random) -> tuple[str | int, ...]:
    return tuple(random.choice(["s", "t", "1", 0, 1, 2]) for _ in range(random.randint(1, 4)))


@pytest.mark.parametrize("seed", range(300))
def test_those_that_may_meet_a_path_do_what_all_do(seed):
    random = Random(seed)
    done: list[Any] = []
    for _ in range(random.randint(0, 12)):
        at = tuple(map(str, path(random)))
        op = random.choice(["add", "remove", "replace", "move"] if at[-1].isdigit() else ["add", "remove", "replace"])
        done.append((op, at, (*at[:-1], str(random.randrange(3))) if op == "move" else (), 1))
    known = by_shape(done)
    for _ in range(20):
        asked = path(random)
        few = met(known, asked)
        assert undone(few, asked) == undone(done, asked)
        assert undone(few, asked, replaced=True) == undone(done, asked, replaced=True)
        assert redone(few, asked) == redone(done, asked)


def step(random: Random, size: int) -> tuple[ExplainedStep, Item, int]:
    """A step that only inserts, removes and moves elements of a list of this size, the object that it gets, and the size of the list after it."""
    (item,) = documents.read(
        f"apiVersion: x/v1\nkind: A\nmetadata: {{name: a}}\ns: {[*range(size)]}\n".encode(), "a.yaml"
    ).items
    found: list[dict[str, Any]] = []
    for _ in range(random.randint(9, 20)):
        match random.choice(["add", "remove", "move"]) if size else "add":
            case "add":
                found.append({"op": "add", "path": f"/items/0/s/{random.randint(0, size)}", "value": 1})
                size += 1
            case "remove":
                found.append({"op": "remove", "path": f"/items/0/s/{random.randrange(size)}"})
                size -= 1
            case _:
                at, to = random.randrange(size), random.randrange(size)
                found.append({"op": "move", "path": f"/items/0/s/{to}", "from": f"/items/0/s/{at}"})
    outcome = Outcome((), {}, frozenset(), (), tuple(found), (), ())
    return ExplainedStep(Explained("layered-values", outcome, items=(item,))), item, size


@pytest.mark.parametrize("seed", range(200))
def test_indices_that_are_computed_once_are_those_of_each_path(seed, monkeypatch):
    random = Random(seed)
    size = random.randint(0, 12)
    made, item, after = step(random, size)
    paths = [("s", at, "v") for at in range(max(size, after))]
    later = [made.later(item, path) for path in paths[:size]]
    earlier = [made.earlier(item, path) for path in paths[:after]]
    monkeypatch.setattr(steps, "_FEW", 1_000)
    slow = ExplainedStep(made.entry)
    assert later == [slow.later(item, path) for path in paths[:size]]
    assert later == [slow.later(item, path, unwritten=True) for path in paths[:size]]
    assert earlier == [slow.earlier(item, path) for path in paths[:after]]
