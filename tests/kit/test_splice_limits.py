"""Edits of anchors, aliases and shared values, and edits that are refused."""

from __future__ import annotations

from typing import Any

import pytest

from krm_values._data.data_edits import Move, Put, Remove
from krm_values._data.errors import EditError, InputError
from krm_values._yaml.edit.editor import Editor
from tests.kit.reference import read_11
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
    ("text", "edits", "after", "note"),
    [
        (
            ALIASED,
            [put("selector/app", "yes")],
            ALIASED.replace("selector: *labels", "selector:\n  app: 'yes'\n  tier: back"),
            '`selector.app`: its value is that of the anchor "labels"; the item was reprinted so that this place alone changes',
        ),
        (
            "base: &base # b\n  cpu: 1\n\na:\n  <<: *base # m\n  mem: 0777 # n\nlist:\n  - on\nrun: |\n  # no comment\n",
            [put("a/cpu", "0777")],
            "base: &base # b\n  cpu: 1\n\na:\n  <<: *base # m\n  mem: 0777 # n\n  cpu: '0777'\nlist:\n  - on\nrun: |\n  # no comment\n",
            '`a.cpu`: its value is that of the anchor "base"; the item was reprinted so that this place alone changes',
        ),
        (
            "a: &t back # x\nb: *t\n",
            [put("a", "front")],
            "a: front   # x\nb: back\n",
            '`a`: the anchor "t" is used elsewhere; the item was reprinted so that this place alone changes',
        ),
    ],
)
def test_where_one_text_stands_for_several_places_the_item_is_reprinted(text, edits, after, note):
    editor = Editor(text)
    for edit in edits:
        editor.make(edit)
    result = editor.text()
    assert result.replace("&t ", "") == after
    assert editor.notes == [note]
    before, now = read_11(text), read_11(result)
    assert {key: now[key] for key in now if key not in str(edits)} == {
        key: before[key] for key in before if key not in str(edits)
    }


@pytest.mark.parametrize(
    ("text", "edit", "message", "line"),
    [
        (
            ALIASED,
            Remove(("labels",)),
            'cannot edit `labels`: the anchor "labels" is used elsewhere; write the block out',
            1,
        ),
        (
            "x: 1\na:\n- &n {k: v}\n- *n\n",
            Move(("a", 0), 1),
            'cannot edit `a[0]`: the anchor "n" is used elsewhere; write the block out',
            3,
        ),
        (
            "base: &base\n  cpu: 1\n  mem: 2\na:\n  <<: *base\n",
            Remove(("a", "cpu")),
            'cannot edit `a.cpu`: its value is that of the anchor "base"; write the block out',
            1,
        ),
        (
            "a: &x {k: v}\nb: *x\nc: !!int '0775' # the library would lose the tag\n",
            put("b/k", "w"),
            'cannot edit `b.k`: its value is that of the anchor "x"; write the block out',
            1,
        ),
        (
            "a: &x [1, # the library would lose it\n  2]\nb: *x\n",
            put("b/0", 9),
            'cannot edit `b[0]`: its value is that of the anchor "x"; write the block out',
            1,
        ),
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


@pytest.mark.parametrize("text", ["a: [1\n", "", "a: 1\na: 2\n", "a: *x\n", "? [a]\n: 1\n"])
def test_what_cannot_be_read_is_an_input_error(text):
    with pytest.raises(InputError):
        Editor(text)


def test_shared_values_are_written_out():
    shared: Any = {"k": "v"}
    assert edited("a: 1\n", Put(("b",), [shared, shared])) == "a: 1\nb:\n- k: v\n- k: v\n"
