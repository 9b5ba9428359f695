"""Where places are after an edit: the same as where a marked value is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from krm_values._data import data_edits
from krm_values._data.data_edits import Move, Put, Remove
from krm_values._data.pointer import get

CASES = [
    (("a", 1), Put(("a", 0), "new", insert=True), ("a", 2)),
    (("a", 1), Put(("a", 1), "new"), None),
    (("a", 1), Put(("a", 2), "new", insert=True), ("a", 1)),
    (("a", 1, "b"), Remove(("a", 0)), ("a", 0, "b")),
    (("a", 1, "b"), Remove(("a", 1)), None),
    (("a", 2), Move(("a", 0), 2), ("a", 1)),
    (("a", 0), Move(("a", 0), 2), ("a", 2)),
    (("a", 0), Move(("a", 2), 0), ("a", 1)),
    (("a", 0), Remove(("a",)), None),
    (("ab", 0), Remove(("a",)), ("ab", 0)),
    (("a",), Put(("a", 0), "new", insert=True), ("a",)),
]


@pytest.mark.parametrize(("path", "edit", "expected"), CASES)
def test_a_place_after_an_edit(path, edit, expected):
    in_list = isinstance(edit.path[-1], int)
    assert [*data_edits.shifted([path], edit, in_list=in_list)] == ([expected] if expected else [])


@given(st.integers(1, 6), st.data())
def test_it_is_where_the_value_is(size, data):
    elements = [f"e{number}" for number in range(size)]
    at, place, to = (data.draw(st.integers(0, size - 1)) for _ in range(3))
    edit = data.draw(
        st.sampled_from(
            [Put(("a", place), "new"), Put(("a", place), "new", insert=True), Remove(("a", place)), Move(("a", place), to)]
        )
    )
    holder = {"a": list(elements)}
    edit.apply(holder)
    (found, *_) = [*data_edits.shifted([("a", at)], edit, in_list=True), None]
    if found is None:
        assert elements[at] not in holder["a"]
    else:
        assert data_edits.same(get(holder, found), elements[at])
