"""Layers to one value: each rule of the merge, who won and whom it beat, and the laws on random layers."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from krm_values._data.data_edits import copy, same
from krm_values._data.pointer import ABSENT, get
from krm_values._krm.plan import Origin
from krm_values._run import objects
from krm_values._run.traced import Clash, Map, leaves, merge, plain, tree
from tests.functions.cartographer_params.support import items


def layer(name):
    return lambda path, value: Origin(name, value, inner=path)


def merged(*datas, keeps=None):
    clashes: list[Clash] = []
    found = Map()
    for number, data in enumerate(datas):
        found = merge(found, tree(data, layer(f"L{number}")), clashes, keeps)
    return found, clashes


def told(found):
    """Per leaf: its path, who won, and whom it beat with what."""
    return {
        ".".join(map(str, leaf.inner)): (leaf.origin.layer, [(origin.layer, origin.value) for origin in leaf.overridden])
        for leaf in leaves(found, ("data", "values"))
    }


MERGES = [
    ("rule 50: map onto map", [{"a": {"b": 1}}, {"a": {"c": 2}}], {"a": {"b": 1, "c": 2}}),
    ("rule 51: false", [{"a": True}, {"a": False}], {"a": False}),
    ("rule 51: zero", [{"a": 1}, {"a": 0}], {"a": 0}),
    ("rule 51: an empty text", [{"a": "x"}, {"a": ""}], {"a": ""}),
    ("rule 52: lists replace", [{"a": [1, 2]}, {"a": [3]}], {"a": [3]}),
    ("rule 52: an empty list too", [{"a": [1, 2]}, {"a": []}], {"a": []}),
    ("rule 53: null stays", [{"a": {"b": 1}}, {"a": None}], {"a": None}),
    ("rule 53: null of a new key", [{}, {"a": None}], {"a": None}),
    ("rule 54: a map after null", [{"a": {"b": 1}}, {"a": None}, {"a": {"c": 2}}], {"a": {"c": 2}}),
    ("rule 55: an empty map clears nothing", [{"a": {"b": 1}}, {"a": {}}], {"a": {"b": 1}}),
    ("rule 55: nor deep down", [{"a": {"b": {"c": 1}}}, {"a": {"b": {}}}], {"a": {"b": {"c": 1}}}),
    ("rule 55: it replaces a scalar", [{"a": 1}, {"a": {}}], {"a": {}}),
    ("rule 55: and null", [{"a": None}, {"a": {}}], {"a": {}}),
    ("rule 55: and stays for a new key", [{}, {"a": {}}], {"a": {}}),
    ("rule 55: a filled one over it", [{"a": {}}, {"a": {"b": 1}}], {"a": {"b": 1}}),
    ("rule 56: a map over a list", [{"a": [1]}, {"a": {"b": 1}}, {"a": {"c": 1}}], {"a": {"b": 1, "c": 1}}),
    ("rule 56: a list over a map", [{"a": {"b": 1}}, {"a": [1]}], {"a": [1]}),
    ("rule 57: what nobody mentions", [{"a": 1, "b": 2}, {"a": 3}], {"a": 3, "b": 2}),
]  # fmt: skip


@pytest.mark.parametrize(("datas", "expected"), [pytest.param(*row[1:], id=row[0]) for row in MERGES])
def test_merge(datas, expected):
    assert same(plain(merged(*datas)[0]), expected)


DROPPED = [
    (1, True),
    ("x", True),
    ([1], True),
    (True, True),
    (0, False),
    ("", False),
    ([], False),
    (False, False),
    (None, False),
]


@pytest.mark.parametrize(("value", "stays"), DROPPED)
@pytest.mark.parametrize("upper", [{"b": 1}, {}])
def test_rule_66_what_a_map_may_not_replace_is_the_callers_say(value, stays, upper):
    found, clashes = merged({"a": value}, {"a": upper}, keeps=bool)
    assert plain(found) == {"a": value if stays else upper}
    assert [clash.outcome for clash in clashes] == ["kept" if stays else "replaced"]


def test_each_leaf_names_its_winner_and_everyone_it_beat_nearest_first():
    found, _ = merged({"a": 1, "b": {"c": 1}}, {"a": 2, "b": {"d": 5}}, {"a": 3, "b": {"c": 4}})
    assert told(found) == {
        "a": ("L2", [("L1", 2), ("L0", 1)]),
        "b.c": ("L2", [("L0", 1)]),
        "b.d": ("L1", []),
    }


def test_a_leaf_over_a_map_overrides_it_as_a_whole_and_each_leaf_of_a_map_the_leaf_below():
    found, clashes = merged({"a": {"x": 1, "y": 2}}, {"a": 3}, {"a": {"z": 4, "w": 5}})
    below = [("L1", 3), ("L0", {"x": 1, "y": 2})]
    assert told(found) == {"a.w": ("L2", below), "a.z": ("L2", below)}
    assert [(clash.path, clash.outcome, clash.kinds) for clash in clashes] == [
        (("a",), "replaced", ("map", "scalar")),
        (("a",), "replaced", ("scalar", "map")),
    ]


def test_a_map_that_is_dropped_is_beaten_by_what_stays():
    found, _ = merged({"a": 1}, {"a": {"b": 2}}, keeps=bool)
    assert told(found) == {"a": ("L0", [("L1", {"b": 2})])}


def test_two_merged_trees_lie_over_each_other_with_all_that_each_beat():
    clashes: list[Clash] = []
    lower, upper = merged({"a": 1}, {"a": 2})[0], merged({"a": 3}, {"a": 4})[0]
    assert told(merge(lower, upper, clashes)) == {"a": ("L1", [("L0", 3), ("L1", 2), ("L0", 1)])}
    assert told(lower) == {"a": ("L1", [("L0", 1)])}


def test_lists_null_and_empty_maps_are_leaves():
    assert set(told(merged({"a": [{"b": 1}], "c": None, "d": {}, "e": {"f": {}}})[0])) == {"a", "c", "d", "e.f"}


def maps(inner):
    return st.dictionaries(st.sampled_from("abc"), inner, max_size=3)


SCALARS = st.none() | st.booleans() | st.integers(0, 3) | st.sampled_from(["", "x"])
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=2) | maps(inner), max_leaves=8)


def reference(lower, upper):
    """The merge on plain data."""
    found = dict(lower)
    for key, value in upper.items():
        both = isinstance(value, dict) and isinstance(found.get(key), dict)
        found[key] = reference(found[key], value) if both else value
    return found


@given(st.lists(maps(VALUES), max_size=5))
@settings(max_examples=500)
def test_the_values_are_those_of_a_merge_of_plain_data(datas):
    expected: dict = {}
    for data in datas:
        expected = reference(expected, data)
    assert same(plain(merged(*datas)[0]), expected)


@given(st.lists(maps(VALUES), max_size=5))
@settings(max_examples=300)
def test_every_winner_and_loser_says_what_stands_in_its_layer(datas):
    found, _ = merged(*datas)
    for leaf in leaves(found, ()):
        assert same(leaf.origin.value, leaf.value)
        for origin in (leaf.origin, *leaf.overridden):
            for one in origin.via or (origin,):
                assert same(get(datas[int(one.layer[1:])], one.inner), one.value)


@given(st.lists(maps(VALUES), max_size=5))
@settings(max_examples=300)
def test_without_the_winner_there_is_what_it_overrides_first(datas):
    for leaf in leaves(merged(*datas)[0], ()):
        left = copy(datas)
        parent = get(left[int(leaf.origin.layer[1:])], leaf.inner[:-1])
        del parent[leaf.inner[-1]]
        if not parent and len(leaf.inner) > 1:
            continue  # an empty map is a value of its own
        there = get(plain(merged(*left)[0]), leaf.inner, ABSENT)
        first = leaf.overridden[0] if leaf.overridden else None
        is_above = first is None or (first.inner is not None and len(first.inner) < len(leaf.inner))
        assert there is ABSENT if is_above or (first.via and there is ABSENT) else same(there, first.value)


def test_any_number_of_layers():
    found, _ = merged(*({"a": number} for number in range(3000)))
    (leaf,) = leaves(found, ("data", "values"))
    assert leaf.value == 2999
    assert [origin.value for origin in leaf.overridden] == [*range(2998, -1, -1)]


def test_leaves_come_in_the_order_of_their_keys():
    found, _ = merged({"b": 1, "a": {"d": 1}}, {"a": {"c": 2}})
    assert [".".join(leaf.inner) for leaf in leaves(found, ("data", "values"))] == ["a.c", "a.d", "b"]


def test_a_conflict_that_is_found_twice_is_reported_once():
    (item,) = items({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "up"}})

    def above(path, value):
        return Origin("up", value, item, ("data", "values"), inner=path)

    clashes: list[Clash] = []
    merge(tree({"a": 1}, layer("base")), tree({"a": {"b": 1}}, above), clashes)
    (finding,) = objects.findings_of([("56", clash) for clash in clashes * 2], {"56": "fix it"}, "clears nothing")
    assert finding.message.count("is a map over") == 1
