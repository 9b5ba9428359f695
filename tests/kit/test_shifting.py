"""Where places are after edits, and where they were: the same as where marked values are."""

from __future__ import annotations

from copy import deepcopy
from itertools import count
from random import Random
from typing import Any

import pytest

from krm_values._data.pointer import scalars
from krm_values._data.shifting import Shifts


class Made:
    """A random document of which each scalar is another number, and random operations on it.

    after: the document after them. stands_for: of a scalar that was replaced by a scalar, that one, by the new one.
    """

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.number = count()
        self.before = {key: self.value(3) for key in "abc"}
        self.after: Any = deepcopy(self.before)
        self.stands_for: dict[int, int] = {}
        self.operations: list[Any] = []
        for _ in range(self.random.randint(0, 15)):
            self.operate()

    def value(self, depth: int) -> Any:
        kind = self.random.choice(["map", "list", "list", "scalar"]) if depth else "scalar"
        if kind == "map":
            return {key: self.value(depth - 1) for key in self.random.sample(["a", "b", "0", "1"], self.random.randint(1, 3))}
        if kind == "list":
            return [self.value(depth - 1) for _ in range(self.random.randint(0, 5))]
        return next(self.number)

    def operate(self) -> None:
        holder = self.after
        path: tuple[str, ...] = ()
        while isinstance(holder, dict | list) and holder and (not path or self.random.random() < 0.6):
            key = self.random.choice([*holder]) if isinstance(holder, dict) else self.random.randrange(len(holder))
            if not isinstance(holder[key], dict | list):
                break
            holder, path = holder[key], (*path, str(key))
        if isinstance(holder, list):
            self.in_list(holder, path)
        else:
            self.in_map(holder, path)

    def in_list(self, holder: list[Any], path: tuple[str, ...]) -> None:
        op = self.random.choice(["add", "add", "remove", "move", "replace"]) if holder else "add"
        at = self.random.randrange(len(holder) + (op == "add"))
        source: tuple[str, ...] = ()
        value: Any = None
        if op == "add":
            holder.insert(at, value := self.value(1))
        elif op == "remove":
            del holder[at]
        elif op == "replace":
            value = self.replaced(holder, at)
        else:
            source = (*path, str(at))
            moved = holder.pop(at)
            at = self.random.randrange(len(holder) + 1)
            holder.insert(at, moved)
        self.operations.append((op, (*path, str(at)), source, deepcopy(value)))

    def in_map(self, holder: dict[str, Any], path: tuple[str, ...]) -> None:
        op = self.random.choice(["add", "remove", "replace"]) if holder else "add"
        key = (
            self.random.choice([*holder])
            if op != "add"
            else self.random.choice([one for one in "defghijk01" if one not in holder])
        )
        value: Any = None
        if op == "add":
            holder[key] = value = self.value(2)
        elif op == "remove":
            del holder[key]
        else:
            value = self.replaced(holder, key)
        self.operations.append((op, (*path, key), (), deepcopy(value)))

    def replaced(self, holder: Any, at: Any) -> Any:
        old, holder[at] = holder[at], self.value(1)
        if isinstance(old, int) and isinstance(holder[at], int):
            self.stands_for[holder[at]] = old
        return holder[at]


@pytest.mark.parametrize("seed", range(500))
def test_a_place_is_where_its_value_is(seed):
    made = Made(seed)
    shifts = Shifts(made.before, made.operations)
    first = {value: path for path, value in scalars(made.before) if isinstance(value, int)}
    last = {value: path for path, value in scalars(made.after) if isinstance(value, int)}
    for value, path in first.items():
        assert shifts.later(path, unwritten=True) == last.get(value)
        assert shifts.later(path) == last.get(value) or value not in last
    for value, path in last.items():
        assert shifts.earlier(path) == first.get(value)
        assert shifts.replaced(path) == shifts.earlier(path) or value not in first
        replaced = value
        while replaced in made.stands_for:
            replaced = made.stands_for[replaced]
        if replaced in first:
            assert shifts.replaced(path) == first[replaced]
            assert shifts.later(first[replaced]) == path


@pytest.mark.parametrize(
    ("operations", "path", "earlier", "replaced"),
    [
        ([("add", ("a", "1"), (), "new")], ("a", 1, "b"), None, None),
        ([("add", ("a", "1"), (), "new")], ("a", 2), ("a", 1), ("a", 1)),
        ([("replace", ("a", "1"), (), "new")], ("a", 1), None, ("a", 1)),
        ([("replace", ("a", "1"), (), "new"), ("remove", ("a", "0"), (), None)], ("a", 0), None, ("a", 1)),
        ([("add", ("b",), (), {})], ("b", "c"), None, ("b", "c")),
        ([("remove", ("a",), (), None)], ("a",), ("a",), ("a",)),
        ([("move", ("a", "0"), ("a", "2"), None)], ("a", 0), ("a", 2), ("a", 2)),
        (
            [("add", ("a", "0", "t", "0"), (), 1), ("add", ("a", "0"), (), 2)],
            ("a", 1, "t", 1),
            ("a", 0, "t", 0),
            ("a", 0, "t", 0),
        ),
    ],
)
def test_a_place_before_operations(operations, path, earlier, replaced):
    shifts = Shifts({"a": [{"t": [0]}, {}, {}]}, operations)
    assert (shifts.earlier(path), shifts.replaced(path)) == (earlier, replaced)


def test_what_is_written_stays_where_it_is_and_what_is_removed_does_not():
    shifts = Shifts(
        {"a": [1, 2], "b": 1, "c": 1}, [("replace", ("a", "1"), (), 3), ("remove", ("b",), (), None), ("add", ("b",), (), 4)]
    )
    assert (shifts.later(("a", 1)), shifts.later(("a", 1), unwritten=True)) == (("a", 1), None)
    assert shifts.later(("b",)) is None
    assert shifts.later(("c",), unwritten=True) == ("c",)


@pytest.mark.parametrize("index", ["99999999999", "999999999", "7", "²", "-1", "01", ""])
def test_an_index_that_no_list_has_is_a_key(index):
    shifts = Shifts(
        {"a": [1, 2]}, [("add", ("a", index), (), 3), ("remove", ("a", index), (), None), ("add", ("a", index, "0"), (), 3)]
    )
    assert (shifts.earlier(("a", 1)), shifts.later(("a", 1))) == (("a", 1), ("a", 1))
