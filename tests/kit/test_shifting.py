"""Where places are after an edit: the same as where a marked value is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from krm_values._data import data_edits, shifting
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
    assert shifting.after(path, edit) == expected


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
    found = shifting.after(("a", at), edit)
    if found is None:
        assert elements[at] not in holder["a"]
    else:
        assert data_edits.same(get(holder, found), elements[at])
        assert shifting.before(found, edit) == ("a", at)


@pytest.mark.parametrize(
    ("path", "edit", "expected"),
    [
        (("a", 1), Put(("a", 1), "new"), None),
        (("a", 1, "b"), Put(("a", 1), "new", insert=True), None),
        (("a",), Remove(("a",)), ("a",)),
        (("a", 1), Remove(("a", 1)), ("a", 2)),
        (("a", "b"), Put(("a", "b"), "new"), None),
    ],
)
def test_a_place_before_an_edit(path, edit, expected):
    assert shifting.before(path, edit) == expected
