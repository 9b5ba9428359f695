"""Differences, applied, give the other value."""

from __future__ import annotations

from copy import deepcopy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from krm_values._data.data_edits import Put, Remove, put, same
from krm_values._data.diff import diff

scalars = st.none() | st.booleans() | st.integers(0, 3) | st.sampled_from(["a", "b"]) | st.floats(0, 1)
values = st.recursive(
    scalars, lambda c: st.dictionaries(st.sampled_from("abcd"), c, max_size=4) | st.lists(c, max_size=4), max_leaves=12
)


@given(values, values)
def test_the_edits_lead_from_one_to_the_other(before, after):
    holder = {"v": deepcopy(before)}
    for edit in diff(before, after, ("v",)):
        edit.apply(holder)
    assert same(holder["v"], after)


def test_one_element_taken_from_the_front_of_a_list_is_one_edit():
    assert list(diff([{"a": 1}, {"a": 2}, {"a": 3}], [{"a": 2}, {"a": 3}])) == [Remove((0,))]


def test_shared_elements_stay_where_others_come_before_and_behind_them():
    """Positions alone would change every element between the two."""
    before, after = ["x", {"a": 1}, {"a": 2}, "y"], [{"a": 1}, {"a": 2}]
    assert list(diff(before, after)) == [Remove((3,)), Remove((0,))]
    assert list(diff(after, before)) == [Put((2,), "y", insert=True), Put((0,), "x", insert=True)]


def test_very_long_lists_are_compared_by_position():
    before, after = [0, *range(1, 300), 0], [-1, *range(1, 301), -1]
    holder = {"v": before}
    for edit in diff(list(before), after, ("v",)):
        edit.apply(holder)
    assert holder["v"] == after


def test_a_boolean_is_no_number_and_numbers_are_what_json_has():
    before, after = {"a": 1, "b": 1.0, "c": 0, "d": 1 << 64}, {"a": True, "b": 1, "c": 0, "d": float(1 << 64)}
    assert [e.value for e in diff(before, after)] == [True]


@pytest.mark.parametrize(
    ("after", "keys"), [(None, "abcn"), ("a", "anbc"), ("", "nabc"), ("c", "abcn"), ("unknown", "abcn"), ("b", "abnc")]
)
def test_a_new_key_comes_behind_the_one_that_is_named(after, keys):
    holder = dict.fromkeys("abc")
    put(holder, ("n",), 0, after=after)
    assert "".join(holder) == keys
