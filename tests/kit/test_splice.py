"""The editor: what changes, what must not, where comments go, and what it refuses."""

from __future__ import annotations

from random import Random
from textwrap import dedent
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from krm_values._data.data_edits import Move, Put, Remove
from krm_values._data.errors import EditError
from krm_values._data.scalars import Int
from krm_values._yaml import decode
from krm_values._yaml.edit.editor import Editor
from tests import EXAMPLES
from tests.fuzz.edits import check
from tests.kit.manifests import MANIFESTS
from tests.kit.splices import at, edited, put


@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize("manifest", MANIFESTS, ids=lambda manifest: manifest.name)
def test_the_text_a_careful_person_would_have_written(manifest, end):
    editor = Editor(manifest.text.replace("\n", end))
    for edit in manifest.edits:
        path = tuple(edit["path"])
        if edit["op"] == "delete":
            editor.remove(path)
        else:
            here: Any = editor.data
            for part in path:
                here = here.get(part, ()) if isinstance(here, dict) else here[part]
            editor.put((*path, len(here)) if edit["op"] == "append" else path, edit["value"])
    assert editor.text() == manifest.expected.replace("\n", end)


@pytest.mark.parametrize(
    ("text", "path", "value"),
    [
        ("a: 3 # c\n", "a", 3),
        ("a: 1.10\n", "a", 1.1),
        ("a: 0775\n", "a", 509),
        ("a: 0775\n", "a", Int(509, "0775")),
        ('a: !!int "0775"\n', "a", 509),
        ("a: 0x1F\n", "a", 31),
        ("a: ~\n", "a", None),
        ("a:\n", "a", None),
        ("a: yes\n", "a", "yes"),
        ("a: True\n", "a", True),
        ("a: 'x'\n", "a", "x"),
        ('a: "x\\u263a"\n', "a", "x☺"),
        ("a: x\n   y\n", "a", "x y"),
        ("a: >-\n  x\n  y\n", "a", "x y"),
        ("a: |+\n  x\n\nb: 1\n", "a", "x\n\n"),
        ("a: !!str 12\n", "a", "12"),
        ("a: &x {k: v}\nb: *x\n", "b", {"k": "v"}),
        ("a: &x {k: v}\nb: *x\n", "b/k", "v"),
        ("a: &x {k: v}\nb: {<<: *x}\n", "b/k", "v"),
        ("a: {b: [ ]}\n", "a/b", []),
        ("- a\n-\n  b: 1\n", "1", {"b": 1}),
    ],
)
def test_a_value_that_stands_there_is_not_written(text, path, value):
    editor = Editor(text)
    assert not editor.put(at(path), value)
    assert (editor.text(), editor.resized, editor.notes) == (text, False, [])


@pytest.mark.parametrize(
    "text",
    [
        "a: 1.10 # c\nb: 2\n",
        "a: |+\n  x\n\n\nb: 2\n",
        "a: &x y\nb: 2\n",
        "a: {k:   [v]} # c\nb: 2\n",
        "a: # c\n  k: v\n\n  # l\n  l: w\nb: 2\n",
    ],
)
def test_a_value_that_is_put_back_leaves_no_trace(text):
    editor = Editor(text)
    old = Editor(text).data["a"]  # type: ignore[call-overload,index]
    assert editor.put(("a",), "other")
    assert editor.put(("a",), {"some": ["thing"]})
    assert editor.put(("a",), old)
    assert editor.text() == text


def test_nothing_to_remove_or_move_is_no_edit():
    text = "a: [1, 2] # c\n"
    editor = Editor(text)
    assert not editor.remove(("b",))
    assert not editor.remove(("a", 2))
    assert not editor.remove(("b", "c"))
    assert not editor.move(("a", 1), 1)
    assert (editor.text(), editor.resized) == (text, False)


COLLECTIONS = [
    ("a: 1 # c\nb: 2", put("a", {"k": "v"}), "a: # c\n  k: v\nb: 2"),
    ("a: 1 # c\nb: 2", put("a", ["x"]), "a: # c\n- x\nb: 2"),
    ("a: 1 # c", put("a", {"k": "v"}, flow=True), "a: {k: v} # c"),
    ("a: 1 # c", put("a", []), "a: [] # c"),
    ("a: null  # c", put("a", {"k": "v"}), "a:  # c\n  k: v"),
    ("a:  # c\nb: 1", put("a", {"k": "v"}), "a:  # c\n  k: v\nb: 1"),
    ("a: {} # c", put("a/k", "v"), "a: # c\n  k: v"),
    ("a: {} # c", put("a/k", "v", flow=True), "a: {k: v} # c"),
    ("a: &n {}", put("a/k", "v"), "a: &n\n  k: v"),
    ("a: []", put("a/0", {"k": "v", "l": "w"}), "a:\n- k: v\n  l: w"),
    ("a: []\nb:\n  - 1", put("a/0", "x"), "a:\n  - x\nb:\n  - 1"),
    ("- []", put("0/0", "x"), "- - x"),
    ("- {} # c", put("0/k", {"l": 1}), "- k: # c\n    l: 1"),
    ("- x # c", put("0", {"k": 1, "l": 2}), "- k: 1 # c\n  l: 2"),
    ("-\n- y", put("0", {"k": 1, "l": 2}), "- k: 1\n  l: 2\n- y"),
    ("-   k: 1", put("1", {"k": 2, "l": 3}), "-   k: 1\n-   k: 2\n    l: 3"),
    ("a: # c\n  k: v # gone\nb: 1", Remove(("a", "k")), "a: {} # c\nb: 1"),
    ("a: # c\n- x # gone\nb: 1", Remove(("a", 0)), "a: [] # c\nb: 1"),
    ("- k: v\n- 1", Remove((0, "k")), "- {}\n- 1"),
    ("- - v # gone\n- 1", Remove((0, 0)), "- []\n- 1"),
    ("a: {k: v}", Remove(("a", "k")), "a: {}"),
    ("a: [ x ] # c", Remove(("a", 0)), "a: [] # c"),
    ("a: # c\n  k: v\n\n\nb: 1", Remove(("a", "k")), "a: {} # c\n\n\nb: 1"),
    ("a: {x: 1}", put("a/b", {"z": [1]}), "a: {x: 1, b: {z: [1]}}"),
    ("a: [x,y]", put("a/2", "z"), "a: [x,y,z]"),
    ("a: [x, y]", put("a/0", "w", insert=True), "a: [w, x, y]"),
    ("a: [x, y]", put("a/1", "w", insert=True), "a: [x, w, y]"),
    ("a: [ x, y ]", put("a/0", "w", insert=True), "a: [ w, x, y ]"),
    ("a: [x, y]", Remove(("a", 1)), "a: [x]"),
    ("a: [x, y, ]", Remove(("a", 1)), "a: [x, ]"),
    ("a: [x: 1]", put("a/0/b", 2), "a: [{x: 1, b: 2}]"),
    ("a: [x, v # on v\n  ]", put("a/2", "z"), "a: [x, v, # on v\n    z\n  ]"),
    ("a: [x, # on x\n    v]", Move(("a", 0), 1), "a: [\n    v,\n    x # on x\n   ]"),
    ("a:\n  - 1\nb:\n- 2\nc:\n- 3", put("d", [4]), "a:\n  - 1\nb:\n- 2\nc:\n- 3\nd:\n- 4"),
    ("{a, b: 1}", put("a", 2), "{a: 2, b: 1}"),
    ("a: [x, y, z]", Move(("a", 2), 0), "a: [z, x, y]"),
    ("a:\n  - {k: 1}\n", put("a/1", {"k": 2}), "a:\n  - {k: 1}\n  - k: 2\n"),
]


@pytest.mark.parametrize(("before", "edit", "after"), COLLECTIONS)
def test_collections_come_fill_empty_and_go(before, edit, after):
    assert edited(before.strip("\n") + "\n", edit) == after.strip("\n") + "\n"


NESTED = "m:\n- - a # a\n  - b\n  # about c\n  - c\n- d\n"


@pytest.mark.parametrize(
    ("edit", "after"),
    [
        (put("m/0/0", "new", insert=True), "m:\n- - new\n  - a # a\n  - b\n  # about c\n  - c\n- d\n"),
        (Remove(("m", 0, 0)), "m:\n- - b\n  # about c\n  - c\n- d\n"),
        (Move(("m", 0, 0), 2), "m:\n- - b\n  # about c\n  - c\n  - a # a\n- d\n"),
        (Move(("m", 0, 2), 0), "m:\n- # about c\n  - c\n  - a # a\n  - b\n- d\n"),
        (Move(("m", 1), 0), "m:\n- d\n- - a # a\n  - b\n  # about c\n  - c\n"),
    ],
)
def test_lists_in_lists(edit, after):
    assert edited(NESTED, edit) == after


@pytest.mark.parametrize(
    ("text", "edit", "after"),
    [
        ("a: 1", put("b", 2), "a: 1\nb: 2"),
        ("a: 1", put("a", "x\ny"), "a: |-\n  x\n  y"),
        ("a: 1", put("a", "x\n"), "a: |\n  x\n"),
        ("a:\n- 1", Remove(("a", 0)), "a: []"),
        ("a: |\n  x", put("b", 1), "a: |-\n  x\nb: 1"),
        ("b: |+\n  x\n\n\nc: 1\n\nd: 2\n", Remove(("c",)), "b: |+\n  x\n\n\nd: 2\n"),
        ("a: |+\n  x\n# on\n\nc: 1\n", put("n1", 2, after="a"), "a: |+\n  x\nn1: 2\n# on\n\nc: 1\n"),
        ("a:\n  b: |+\n    x\n  # in\n\nc: 1\n", put("d", 2, after="a"), "a:\n  b: |+\n    x\n  # in\nd: 2\n\nc: 1\n"),
        ("b: |\n  x\n\n\nc: 1\n", Remove(("b",)), "\n\nc: 1\n"),
        ("b: |\n  x\n\n\nc: 1\n", put("b", "x\ny\n"), "b: |\n  x\n  y\n\n\nc: 1\n"),
        ("b: 1\n\nc: 1\n", put("b", "x\n\n"), 'b: "x\\n\\n"\n\nc: 1\n'),
        ("  a: 1\n  b:\n    c: 2\n", put("b/d", 3), "  a: 1\n  b:\n    c: 2\n    d: 3\n"),
        ("  a: 1 # c\n", put("b", ["x"]), "  a: 1 # c\n  b:\n  - x\n"),
        ("---\na: 1\n...\n", put("b", 2), "---\na: 1\nb: 2\n...\n"),
        ("%YAML 1.2\n---\n# c\na: 1\n", put("b", 2, after=""), "%YAML 1.2\n---\nb: 2\n# c\na: 1\n"),
        ("\ufeffa: 1\nb:\n- x\n", put("b/1", "z"), "\ufeffa: 1\nb:\n- x\n- z\n"),
        ("a: 1\t# tab\n", put("a", 2), "a: 2\t# tab\n"),
        ("? a\n: 1 # c\n? b\n", put("a", 2), "? a\n: 2 # c\n? b\n"),
        ("a: x\n  # deep\n", put("a", "b\nc\n"), 'a: "b\\nc\\n"\n  # deep\n'),
        ("a:\n  ? b\n  :: x\n", put("a/:", 2), "a:\n  ? b\n  :: 2\n"),
        ("a:\n  ?\n  ::\n", put("a/:", 2), "a:\n  ?\n  :: 2\n"),
        ("a:\n  ? b\n:: x\n", put(":", 2), "a:\n  ? b\n:: 2\n"),
    ],
)
def test_ends_margins_and_frames(text, edit, after):
    assert edited(text, edit) == after


@pytest.mark.parametrize(
    ("text", "edit", "after"),
    [
        ("e: |\n a\nk: 1\n   \n", Remove(at("k")), "e: |\n a\n\n"),
        ("e: |\n a\nk: 1\n  ", Remove(at("k")), "e: |\n a\n\n"),
        ("e: |\n a\n  b\n\nk: 1\n   \n# c\nb: 2\n  \n", Remove(at("k")), "e: |\n a\n  b\n\n\n# c\nb: 2\n  \n"),
        ("- |\r\n a\r\n- 1\r\n   \r\n- 2\r\n", Remove(at("1")), "- |\r\n a\r\n\r\n- 2\r\n"),
        (
            "x:\n  e: >\n   a\n     \n   b\n  k: 1\n      \n  b: 2\n",
            Remove(at("x/k")),
            "x:\n  e: >\n   a\n     \n   b\n\n  b: 2\n",
        ),
        ("e: a\nk: 1\n    \nb: 2\n", Remove(at("k")), "e: a\n    \nb: 2\n"),
    ],
)
def test_blank_lines_of_spaces_do_not_become_content(text, edit, after):
    assert edited(text, edit) == after


@pytest.mark.parametrize(
    ("text", "edit", "after"),
    [
        ("a: {b: }\n", put("a/k", 1), "a: {b: , k: 1 }\n"),
        ("a: {b: , c: 2}\n", Remove(at("a/c")), "a: {b: }\n"),
        ("a: {c: 2, b: }\n", Remove(at("a/c")), "a: {b: }\n"),
        ("a: {b: , c: 2}\n", put("a/k", 1), "a: {b: , c: 2, k: 1}\n"),
        ("a: [b: ]\n", put("a/1", 1), "a: [b: , 1 ]\n"),
        ("a:\n  {b:\n  }\n", put("a/k", 1), "a:\n  {b: , k: 1\n  }\n"),
    ],
)
def test_an_empty_value_in_braces_keeps_a_space_behind_its_colon(text, edit, after):
    assert edited(text, edit) == after


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("a: {b}\n", "a: {b: {k: '1'}}\n"),
        ("a: {b: , c}\n", "a: {b: {k: '1'} , c}\n"),
        ("a: {b\n  c}\n", "a: {? b\n  c: {k: '1'}}\n"),
        ("a: {x, &k 'b\n  c', y}\n", "a: {x, ? &k 'b\n  c': {k: '1'}, y}\n"),
        ("a: {? b\n  c}\n", "a: {? b\n  c: {k: '1'}}\n"),
    ],
)
def test_a_key_in_braces_without_a_value_takes_one(text, after):
    key = next(key for key in decode.data(text)["a"] if key.startswith("b"))
    assert edited(text, Put(("a", key), {"k": "1"})) == after


def test_a_key_without_colon_takes_no_value():
    for text in ("? a\n: 1\n? b\n", "? a\n: 1\n? b\n:: 2\n"):
        with pytest.raises(EditError, match=r"cannot write behind the key `b`: it has no colon"):
            edited(text, Put(("b",), 2))


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ('{"a":1,"l":[]}\n', '{"a":"y\\n","l":[{"k":["v"]}],"n":null}\n'),
        ('{"a": 1, "l": [ ]}\n', '{"a": "y\\n", "l": [{"k": ["v"]}], "n": null}\n'),
        (
            '{\n  "a": 1,\n  "l": []\n}\n',
            '{\n  "a": "y\\n",\n  "l": [\n    {\n      "k": [\n        "v"\n      ]\n    }\n  ],\n  "n": null\n}\n',
        ),
        (
            '{\r\n "a": 1,\r\n "l": [\r\n ]\r\n}',
            '{\r\n "a": "y\\n",\r\n "l": [\r\n  {\r\n   "k": [\r\n    "v"\r\n   ]\r\n  }\r\n ],\r\n "n": null\r\n}',
        ),
    ],
)
def test_json_stays_json(text, after):
    assert edited(text, put("a", "y\n"), put("l/0", {"k": ["v"]}), put("n", None), is_json=True) == after


def test_later_paths_count_with_the_edits_before_them():
    editor = Editor("l:\n- a # a\n- b # b\n")
    editor.put(("l", 0), {"new": []}, insert=True)
    editor.put(("l", 0, "new", 0), "x")
    editor.put(("l", 0, "more"), {"k": 1}, after="")
    editor.put(("l", 2), "B")
    editor.move(("l", 2), 0)
    editor.remove(("l", 0 + 2))
    assert editor.data == {"l": ["B", {"more": {"k": 1}, "new": ["x"]}]}
    assert editor.text() == "l:\n- B # b\n- more:\n    k: 1\n  new:\n  - x\n"


def test_a_whole_map_or_list_is_changed_where_it_differs():
    text = dedent("""\
        m: # m
          a: 1 # a
          # gone
          b: 2
          l:
          # about x
          - x
          - y # y
    """)
    result = edited(text, Put(("m",), {"a": 1, "l": ["w", "x", "y"], "new": True}))
    assert result == text.replace("  # gone\n  b: 2\n", "").replace("  # about", "  - w\n  # about") + "  new: true\n"


def test_a_list_in_another_order_is_moved_with_its_comments():
    text = "l:\n# about a\n- a\n- b # on b\n\n- c\n"
    assert edited(text, Put(("l",), ["c", "a", "b"])) == "l:\n- c\n# about a\n- a\n\n- b # on b\n"


@pytest.mark.parametrize(
    ("edit", "resized"),
    [
        (put("a", 2), False),
        (put("l/0/k/0", 2), False),
        (put("l/0/k", [2]), True),
        (put("b", 1), True),
        (put("l/1", 1), True),
        (put("l/0", {"k": []}), True),
        (put("a", ["x"]), True),
        (Remove(("a",)), True),
    ],
)
def test_resized_says_whether_a_key_or_element_came_or_went(edit, resized):
    editor = Editor("a: 1\nl:\n- k: [1]\n")
    editor.make(edit)
    assert editor.resized is resized


def test_what_was_put_can_be_changed_by_its_owner_afterwards():
    value: Any = {"k": ["v"]}
    editor = Editor("a: 1\n")
    editor.put(("b",), value)
    value["k"].append("later")
    assert editor.text() == "a: 1\nb:\n  k:\n  - v\n"
    assert editor.data == {"a": 1, "b": {"k": ["v"]}}


@settings(max_examples=EXAMPLES, deadline=None)
@given(st.integers(min_value=0))
def test_random_edits_mean_what_the_same_edits_of_plain_data_mean(seed):
    """Under YAML 1.2 and 1.1; a single edit touches no line that it does not concern."""
    assert check(Random(seed)) in ("", "refused")
