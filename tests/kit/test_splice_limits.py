"""Edits of anchors, aliases and shared values, and edits that are refused."""

from __future__ import annotations

from typing import Any

import pytest

from krm_values._data import data_edits
from krm_values._data.data_edits import Move, Put, Remove
from krm_values._data.errors import EditError, InputError
from krm_values._yaml import decode
from krm_values._yaml.edit import reprint
from krm_values._yaml.edit.editor import Editor
from tests.kit.splices import edited, put

ALIASED = """\
labels: &labels
  app: web # the app
  tier: back
selector: *labels
other:
  match: *labels
"""


def test_the_same_edit_at_an_anchor_and_all_its_aliases_is_written_once():
    edits = [put(f"{place}/app", "api") for place in ("labels", "selector", "other/match")]
    for order in (edits, edits[::-1]):
        assert edited(ALIASED, *order) == ALIASED.replace("app: web", "app: api")


def test_one_edit_of_an_anchored_scalar_and_its_aliases_is_written_once():
    edits = [put(place, "front") for place in "abc"]
    for order in (edits, edits[::-1]):
        assert edited("a: &t back # x\nb: *t\nc: *t\n", *order) == "a: &t front # x\nb: *t\nc: *t\n"


def test_an_alias_is_replaced_and_removed_like_any_value():
    assert edited(ALIASED, put("selector", {"x": "y"})) == ALIASED.replace("selector: *labels", "selector:\n  x: 'y'")
    assert edited(ALIASED, Remove(("selector",))) == ALIASED.replace("selector: *labels\n", "")


def test_beside_a_merge_key_edits_are_ordinary():
    text = "base: &base\n  cpu: 1\na:\n  <<: *base # merged\n  mem: 2\n"
    assert edited(text, put("a/mem", 3), put("a/new", 4)) == text.replace("mem: 2", "mem: 3\n  new: 4")
    assert edited(text, put("base/cpu", 3), put("a/cpu", 3)) == text.replace("cpu: 1", "cpu: 3")


@pytest.mark.parametrize(
    ("text", "edit", "message", "line"),
    [
        (
            "a: 1\nb:\u2028n: x\n",
            put("a", {}),
            "cannot edit `a`: the line break U+2028 ends a line here; write LF",
            2,
        ),
        (
            "a: 1\nb:" + " [" * 198 + "]" * 198,
            put("b" + "/0" * 197, [[["x"]]]),
            f"cannot write `b{'[0]' * 197}` so that it reads back as meant: must not nest deeper than 200 levels, found a deeper one (limit `depth`)",
            0,
        ),
        ("a: 1\n", put("b/c", 1), "cannot write `b.c`: `b` does not exist; write it first", 0),
        ("a: 1\n", put("a/c", 1), "cannot write `a.c`: `a` is not a map or list", 0),
        ("a: [1]\n", put("a/3", 1), "cannot write `a[3]`: the list has 1 elements", 0),
        ("a: {}\n", put("a/3", 1), "cannot write `a[3]`: `a` is a map and has no index", 0),
        ("a: [1]\n", Move(("a", 0), 1), "cannot move `a[0]` to index 1: there is no such element", 0),
    ],
)
def test_what_would_be_a_guess_is_refused(text, edit, message, line):
    with pytest.raises(EditError) as caught:
        edited(text, edit)
    assert (caught.value.message, caught.value.line) == (message, line)


@pytest.mark.parametrize(
    ("text", "edit"),
    [
        ("a: &x {k: v}\nb: *x\nc: !!int '0775' # the library would lose the tag\n", put("b/k", "w")),
        ("a: &x [1, # the library would lose it\n  2]\nb: *x\n", put("b/0", 9)),
    ],
)
def test_a_reprint_that_loses_a_comment_or_a_tag_is_none(text, edit):
    after: Any = decode.data(text)
    edit.apply(after := data_edits.copy(after))
    assert reprint.rewrite(text, after, [edit], step=2, dash=0) is None


@pytest.mark.parametrize("text", ["a: [1\n", "", "a: 1\na: 2\n", "a: *x\n", "? [a]\n: 1\n"])
def test_what_cannot_be_read_is_an_input_error(text):
    with pytest.raises(InputError):
        Editor(text)


def test_shared_values_are_written_out():
    shared: Any = {"k": "v"}
    assert edited("a: 1\n", Put(("b",), [shared, shared])) == "a: 1\nb:\n- k: v\n- k: v\n"
