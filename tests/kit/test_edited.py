"""A document under edit at random: its edits make its data, and each says who wrote what it puts, and who removed what it removes."""

from __future__ import annotations

import copy
import random
from typing import Any

import pytest

from krm_values._data import data_edits
from krm_values._data.pointer import ABSENT, get
from krm_values._krm.plan import RESOURCE, Drop, New, Origin, Put
from krm_values._run.edited import Edited

ITEM: Any = None


class Dice(random.Random):
    """Values: each one of its own, or few of which many are equal."""

    def __init__(self, seed: int, *, unique: bool) -> None:
        super().__init__(seed)
        self.unique, self.made = unique, 0

    def scalar(self) -> Any:
        self.made += 1
        return self.made if self.unique else self.choice((1, 2))

    def value(self, depth: int) -> Any:
        shape = self.random() if depth else 1
        if shape < 0.4:
            return [self.value(depth - 1) for _ in range(self.randint(0, 4))]
        return {key: self.value(depth - 1) for key in self.sample("abc", 2)} if shape < 0.7 else self.scalar()


def containers(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    below = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else None
    return [] if below is None else [path, *(one for key, value in below for one in containers(value, (*path, key)))]


def leaves(data: Any) -> list[Any]:
    below = data.values() if isinstance(data, dict) else data if isinstance(data, list) else None
    return [data] if below is None else [one for value in below for one in leaves(value)]


def edited(dice: Dice) -> tuple[Edited, dict[Any, str], set[Any]]:
    """A document after some writes, who wrote or removed each scalar that it had at any time, and the scalars that were replaced."""
    document = Edited({"a": dice.value(3), "l": [dice.value(2) for _ in range(3)]}, _before)
    by: dict[Any, str] = {}
    replaced: set[Any] = set()
    for number in range(dice.randint(1, 8)):
        data, name = copy.deepcopy(document.data), f"write {number}"
        path = dice.choice(containers(data))
        holder = get(data, path)
        if isinstance(holder, dict):
            key: Any = dice.choice("abcd")
            op = dice.choice(["put", "remove"]) if key in holder else "put"
        else:
            op = dice.choice(["insert", "put", "remove"]) if holder else "insert"
            key = dice.randint(0, len(holder) - (op != "insert"))
        place = (*path, key)
        old = [] if op == "insert" else leaves(get(data, place))
        by |= dict.fromkeys(old, name)
        replaced |= {*old} if op == "put" else set()
        if op == "remove":
            data_edits.remove(data, place)
        else:
            value = dice.value(2)
            by |= dict.fromkeys(leaves(value), name)
            data_edits.put(data, place, value, insert=op == "insert")
        document.note(
            data, place, Origin(name, None), ITEM, removes=op == "remove", inserts=op == "insert" and key < len(holder)
        )
    return document, by, replaced


def _before(path: Any, value: Any) -> Origin:
    return Origin(RESOURCE, value, path=path)


@pytest.mark.parametrize("unique", [True, False], ids=["own values", "equal values"])
@pytest.mark.parametrize("seed", range(300))
def test_the_edits_make_the_data_and_name_who_did_it(seed, unique):
    document, by, replaced = edited(Dice(seed, unique=unique))
    pristine = copy.deepcopy(document.pristine)
    data, named = copy.deepcopy(pristine), set()
    for one in document.decisions(ITEM):
        if isinstance(one, Drop):
            gone = get(data, one.path)
            last = max((by[value] for value in leaves(gone)), default="")
            had_other = isinstance(gone, dict | list) or gone in replaced  # before it was removed
            assert not unique or last == one.origin.layer or (last < one.origin.layer and had_other)
            data_edits.remove(data, one.path)
            continue
        assert isinstance(one, Put)
        data_edits.put(data, one.path, copy.deepcopy(one.value), insert=one.insert)
        for leaf in one.leaves:
            named.add((leaf.path, leaf.origin.layer))
            assert leaf.value == get(document.data, leaf.path), "a path stays that of its value"
            for lost in leaf.overridden:
                assert lost.layer != RESOURCE or lost.via or lost.value == get(pristine, lost.path)
    assert data == document.data
    assert {path for path, _ in named} == {leaf.path for leaf in document.leaves() if leaf.value is not ABSENT}
    for path, layer in named if unique else ():
        assert (
            layer in {by[value] for value in leaves(get(data, path))} or not leaves(get(data, path)) or _is_covered(path, named)
        )


def _is_covered(path: Any, named: set[Any]) -> bool:
    """Whether all of a written value was written again, part by part."""
    return any(other[: len(path)] == path for other, _ in named if other != path)


@pytest.mark.parametrize("seed", range(300))
def test_what_nobody_wrote_is_where_it_was_before(seed):
    document, by, _ = edited(Dice(seed, unique=True))
    for leaf in document.untouched():
        assert leaf.value not in by
        assert leaf.value == get(document.data, leaf.path) == get(document.pristine, leaf.origin.path)


def test_a_member_that_came_back_with_its_map_is_removed_by_the_last_write():
    document = Edited({"m": {"a": 1, "b": 2}}, _before)
    for data, path, name in (
        ({}, ("m",), "map"),
        ({"m": {"a": 3}}, ("m", "a"), "again"),
        ({"m": {}}, ("m", "a"), "member"),
    ):
        document.note(data, path, Origin(name, None), None, removes=name != "again")
    assert {one.path: one.origin.layer for one in document.decisions(ITEM)} == {("m", "a"): "member", ("m", "b"): "map"}


def test_the_edits_do_not_tell_what_a_value_from_a_secret_equals():
    secret = Origin("secret", None, New({"apiVersion": "v1", "kind": "Secret"}, None))
    found = []
    for before in ("one", "other"):
        document = Edited({"m": {"p": before, "u": 1}, "z": 1}, _before)
        document.note({"m": {"p": "one", "u": 1}, "z": 1}, ("m",), secret, None)
        document.note({"m": {"p": "one", "u": 1}, "z": 2}, ("z",), Origin("plain", 2), None)
        found.append([(type(one), one.path) for one in document.decisions(ITEM)])
    assert found[0] == found[1]
