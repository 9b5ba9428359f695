"""Where the elements of a list were before a step: computed once for all of them, and equal to what is found for each alone."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from krm_values._explain.steps import moved, undone


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
