"""Undo records: what leads back, what an edit by hand leaves alone, and that nothing is ever lost."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from krm_values._data import data_edits
from krm_values._data.errors import EditError
from krm_values._data.pointer import ABSENT, get
from krm_values._krm import undo_record as undo
from krm_values._krm.revert import undo as undone
from krm_values._krm.undo_record import UNKEPT, Record, UndoEntry, sha
from tests.kit.undoing import KEYS, LEAVES, MAPS, back, everything, kept, paths, record


@settings(max_examples=150, deadline=None)
@given(MAPS, MAPS)
def test_what_was_done_is_undone(pristine, result):
    found = kept(pristine, result)
    done = undone(found, result)
    assert data_edits.same(done.data, pristine)
    assert (done.edited, done.lists) == ((), ())


@settings(max_examples=150, deadline=None)
@given(MAPS, MAPS)
def test_undoing_what_is_pristine_already_adds_nothing_to_maps(pristine, result):
    found = kept(pristine, result)
    if not any(isinstance(value, list) for value in everything(pristine)):
        assert data_edits.same(back(found, pristine), pristine)


@settings(max_examples=150, deadline=None)
@given(MAPS, MAPS, MAPS)
def test_any_other_state_is_undone_without_a_crash(pristine, result, other):
    undone(kept(pristine, result), other)


@settings(max_examples=150, deadline=None)
@given(MAPS, MAPS, KEYS, st.text("pqr", min_size=3, max_size=5))
def test_a_key_written_by_hand_stays(pristine, result, key, value):
    edited = {**result, key: value}
    assert back(kept(pristine, result), edited)[key] == value


@settings(max_examples=150, deadline=None)
@given(MAPS, MAPS, st.data())
def test_a_leaf_edited_by_hand_anywhere_stays(pristine, result, data):
    leaves = [path for path in paths(result) if not isinstance(get(result, path), dict | list)]
    if not leaves:
        return
    edited = data_edits.copy(result)
    data_edits.put(edited, data.draw(st.sampled_from(leaves)), "by hand")
    done = undone(kept(pristine, result), edited)
    assert "by hand" in everything(done.data)


def test_the_order_of_keys_does_not_matter():
    pristine, result = {"a": 1, "m": {"x": 1, "y": {"p": 1, "q": 2}}}, {"m": {"z": 2, "w": 1}, "b": 2}
    turned = {"m": {"y": {"q": 2, "p": 1}, "x": 1}, "a": 1}, {"b": 2, "m": {"w": 1, "z": 2}}
    assert undo.to_text(record(pristine, result)) == undo.to_text(record(*turned))


@pytest.mark.parametrize(
    ("pristine", "result", "now", "expected", "edited"),
    [
        # (a) as it was left
        ({"l": ["x"]}, {"l": ["x", "ours"]}, {"l": ["x", "ours"]}, {"l": ["x"]}, ()),
        # (b) elsewhere in its list; the last of several
        ({"l": ["x"]}, {"l": ["x", "ours"]}, {"l": ["ours", "x", "hand"]}, {"l": ["x", "hand"]}, ()),
        ({"l": ["x"]}, {"l": ["x", "ours"]}, {"l": ["ours", "new", "ours"]}, {"l": ["ours", "new"]}, ()),
        ({"l": [{"n": 1, "v": 1}]}, {"l": [{"n": 1, "v": 2}]}, {"l": [{"n": 0}, {"n": 1, "v": 2}]}, {"l": [{"n": 0}, {"n": 1, "v": 1}]}, ()),
        # (c) pristine already
        ({"a": 1}, {"a": 2}, {"a": 1}, {"a": 1}, ()),
        ({}, {"a": 2}, {}, {}, ()),
        ({"a": 1}, {}, {"a": 1}, {"a": 1}, ()),
        # (d) by hand
        ({"a": 1}, {"a": 2}, {"a": 3}, {"a": 3}, (("a",),)),
        ({"a": 1}, {"a": 2}, {}, {}, (("a",),)),
        ({}, {"a": 2}, {"a": 3}, {"a": 3}, (("a",),)),
        ({"a": 1}, {}, {"a": 3}, {"a": 3}, (("a",),)),
        ({"m": {"a": 1}}, {"m": {"a": 2}}, {"m": 7}, {"m": 7}, (("m", "a"),)),
        ({"l": ["x"]}, {"l": ["x", "ours"]}, {"l": ["x", "changed"]}, {"l": ["x", "changed"]}, (("l", 1),)),
        # an element that was deleted by hand is gone
        ({"l": ["x"]}, {"l": ["x", "ours"]}, {"l": ["x"]}, {"l": ["x"]}, ()),
        # put back at its index or at the end
        ({"l": ["x", "y", "z"]}, {"l": ["x", "z"]}, {"l": []}, {"l": ["y"]}, ()),
    ],
)  # fmt: skip
def test_cases_a_to_d(pristine, result, now, expected, edited):
    done = undone(kept(pristine, result), now)
    assert done.data == expected
    assert done.edited == edited


def out_of_secret(*values):
    return lambda _, value: value in values


def test_a_scalar_out_of_a_secret_has_no_hash_and_is_undone_unchecked():
    found = kept({"a": 1}, {"a": "s3cret", "b": "s3cret"}, secret=out_of_secret("s3cret"))
    assert undo.to_text(found) == (
        '{"by":["Package//p"],"n":1,"undo":[{"op":"remove","path":"/b","secret":true},{"op":"replace","path":"/a","secret":true,"value":1}],"v":3}'
    )
    assert undone(found, {"a": "by hand", "b": "by hand"}) == undone(found, {"a": "s3cret", "b": "s3cret"})
    assert back(found, {"a": "s3cret", "b": "s3cret"}) == {"a": 1}


def test_secret_scalars_are_blanked_before_their_parent_is_hashed():
    first, second = (
        undo.to_text(record({}, {"m": {"pw": secret, "host": "h"}}, secret=out_of_secret(secret)))
        for secret in ("one", "other")
    )
    assert first == second
    assert '"blank":["/m/pw"]' in first
    found = undo.from_text(first)
    assert back(found, {"m": {"pw": "a third", "host": "h"}}) == {}
    assert undone(found, {"m": {"pw": "one", "host": "by hand"}}).edited == (("m",),)


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        (["x", "s3cret"], ["x"]),
        (["x", "another"], ["x"]),
        (["x"], ["x"]),
        (["hand", "x", "s3cret"], None),  # which of them is ours cannot be told: nothing is taken away
        (["x", "s3cret", "hand"], None),
        (["y", "s3cret"], None),
    ],
)
def test_a_secret_element_is_removed_only_from_an_untouched_list(now, expected):
    found = kept({"l": ["x"]}, {"l": ["x", "s3cret"]}, secret=out_of_secret("s3cret"))
    done = undone(found, {"l": now})
    assert done.data == {"l": now if expected is None else expected}
    assert bool(done.lists) is (expected is None)


ENV: Any = {"name": "PW", "value": "s3cret"}


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        ([{"name": "A", "value": "1"}, ENV], [{"name": "A", "value": "1"}]),
        (
            [{"name": "B"}, {"name": "A", "value": "1"}, {"name": "PW", "value": "new"}],
            [{"name": "B"}, {"name": "A", "value": "1"}],
        ),
    ],
)
def test_an_element_with_a_secret_scalar_is_known_by_the_rest_of_it(now, expected):
    before = [{"name": "A", "value": "1"}]
    found = kept({"l": before}, {"l": [*before, ENV]}, secret=out_of_secret("s3cret"))
    assert back(found, {"l": now}) == {"l": expected}


def test_an_element_that_is_all_out_of_a_secret_is_not_taken_for_another():
    before: Any = {"name": "A", "value": "1"}
    other: Any = {"name": "B", "value": "2"}
    found = kept({"l": [before]}, {"l": [before, ENV]}, secret=out_of_secret("s3cret", "PW"))
    assert back(found, {"l": [before, ENV]}) == {"l": [before]}
    done = undone(found, {"l": [before, other, ENV]})
    assert (done.data, done.lists) == ({"l": [before, other, ENV]}, (("l",),))


@settings(max_examples=150, deadline=None)
@given(MAPS, MAPS, LEAVES)
def test_with_secrets_all_is_undone_and_no_value_is_in_the_record(pristine, result, secret):
    found = kept(pristine, result, secret=out_of_secret(secret))
    assert data_edits.same(back(found, result), pristine)


def test_a_secrets_values_are_not_kept():
    pristine, result = {"data": {"a": "QQ==", "b": "", "c": "Qw=="}}, {"data": {"a": "eA==", "b": "eQ==", "d": "eg=="}}
    found = kept(pristine, result, in_secret=True)
    assert {entry.path: entry.value for entry in found.entries} == {
        "/data/a": ABSENT,
        "/data/b": "",
        "/data/c": ABSENT,
        "/data/d": ABSENT,
    }
    assert {(entry.sha, entry.secret) for entry in found.entries} == {("", True), ("", False)}
    assert back(found, result) == {"data": {"a": UNKEPT, "b": "", "c": UNKEPT}}
    whole = kept({"data": {"a": "QQ=="}}, {"kind": "Secret"}, in_secret=True)
    assert "QQ==" not in undo.to_text(whole)
    assert back(whole, {}) == {"data": {"a": UNKEPT}}


@pytest.mark.parametrize("held", ["text", ["x"], {"a": {"b": "x"}}, {"a": ["x"]}])
def test_a_secret_that_holds_no_map_of_texts_cannot_be_written_to(held):
    """What it holds is not kept, and only the values of a map can be left as they stand."""
    with pytest.raises(EditError, match="has `data` that is not a map of strings"):
        kept({"data": held}, {"data": {"c": "x"}}, in_secret=True)
    assert kept({"data": held}, {"data": held, "kind": "Secret"}, in_secret=True).entries


def test_a_map_in_a_secret_is_refused_whatever_the_value_equals():
    """A later run could not tell the same value from its earlier one, so the first one must not go on."""
    held = {"data": {"K": {"k": "red"}}}
    with pytest.raises(EditError, match="has `data` that is not a map of strings"):
        undo.compute(held, held, in_secret=True, secret=lambda path, _: path[:2] == ("data", "K"))


def test_an_element_edited_by_hand_between_ours_keeps_its_place():
    pristine, result = {"l": [{"a": 1}, {"b": 1}]}, {"l": ["x", {"a": 1}, {"b": 1}, "y"]}
    assert back(kept(pristine, result), {"l": ["x", {"a": 2}, {"b": 1}, "y"]}) == {"l": [{"a": 2}, {"b": 1}]}


def test_numbers_are_hashed_by_value_and_kept_as_written():
    from krm_values._data.scalars import Float  # noqa: PLC0415

    assert sha(Float("2.10"), 12) == sha(2.1, 12)
    assert '"value":2.10' in undo.to_text(record({"a": Float("2.10")}, {"a": "x"}))


def test_an_entry_of_a_list_whose_pointer_is_no_index_is_by_hand():
    assert undone(Record((), (UndoEntry("replace", "/l/x", "1234", 1),)), {"l": [1]}).edited == (("l", "x"),)
