"""The editor: what changes, what must not, where comments go, and what it refuses."""

from __future__ import annotations

import difflib
from pathlib import Path
from random import Random
from textwrap import dedent
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from krm_values._data.data_edits import Move, Put, Remove
from krm_values._data.errors import EditError, InputError
from krm_values._data.scalars.text import Float, Int, Text
from krm_values._yaml import decode
from krm_values._yaml.edit.editor import Editor
from tests import EXAMPLES
from tests.fuzz.edits import check
from tests.kit.manifests import MANIFESTS
from tests.kit.reference import read_11


def edited(text: str, *edits: Any, is_json: bool = False) -> str:
    editor = Editor(text, is_json=is_json)
    for edit in edits:
        editor.make(edit)
    result = editor.text()
    assert decode.to_data(decode.parse(result)) == editor.data
    return result


def put(path: str, value: Any, **how: Any) -> Put:
    return Put(at(path), value, **how)


def at(path: str) -> Any:
    return tuple(int(part) if part.isdigit() else part for part in path.split("/")) if path else ()


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


SCALARS = [
    ("a: 1 # c", 2, "a: 2 # c"),
    ("a: x", "on", "a: 'on'"),
    ("a: x", "7", "a: '7'"),
    ("a: 7", "8", "a: '8'"),
    ("a: '7'", 8, "a: 8"),
    ("a: '7'", "8", "a: '8'"),
    ('a: "x"', "y", 'a: "y"'),
    ("a: 'x'", "it's", "a: 'it''s'"),
    ("a: 'x'", "a\tb", 'a: "a\\tb"'),
    ("a: x", "$(params.x)", "a: $(params.x)"),
    ("a: x", "- y", "a: '- y'"),
    ("a: &n x # c", "z", "a: &n z # c"),
    ("a: !!str 12", "13", "a: !!str '13'"),
    ("a: !!str 12", 13, "a: 13"),
    ("a: &n !!str 12", 13, "a: &n 13"),
    ("a: !t x", "z", "a: !t z"),
    ("a: x", None, "a: null"),
    ("a: 1", True, "a: true"),
    ("a: 1", Float("2.10"), "a: 2.10"),
    ("a: 31 # c", Int(31, "0x1F"), "a: 0x1F # c"),
    ("a: {b: 31}", {"b": Int(31, "0x1F", "!!int '0x1F'")}, "a: {b: 31}"),
    ("a: 1", Int(509, "0775", '!!int "0775"'), 'a: !!int "0775"'),
    ("a: !!int '1' # c", Int(509, "0775"), "a: 0775 # c"),
    ("a: !!binary aGk=", "there", "a: there"),
    ("a: hi", Text("hi", "aGk=", "!!binary aGk="), "a: !!binary aGk="),
    ("a:", "x", "a: x"),
    ("a: # c", "x", "a: x # c"),
    ("a:   # c", "x", "a: x   # c"),
    ("a: &n", "x", "a: &n x"),
    ("a :  x", "z", "a :  z"),
    ("a: x\n  y # c", "z", "a: z # c"),
    ('a: "x\n  y"', "z", 'a: "z"'),
    ("a:\n  x # c", "z", "a:\n  z # c"),
    ("a: |\n  x\n  y\n\nb: 1", "z", "a: z\n\nb: 1"),
    ("a: | # c\n  x", "z", "a: z # c"),
    ("a: |\n    x\n    y", "x\nz\n", "a: |\n    x\n    z"),
    ("a: >-\n  x\n  y\nb: 1", "x\nz", "a: |-\n  x\n  z\nb: 1"),
    ("a: x # c", "y\nz\n", "a: | # c\n  y\n  z"),
    ("a: {b: x}", "y\nz\n", "a: |\n  y\n  z"),
    ('a: "x\\ny"', "x\nz", 'a: "x\\nz"'),
    ('a: ""', "x\nz", "a: |-\n  x\n  z"),
    ("- x # c", "y\nz\n", "- | # c\n  y\n  z"),
    ("-   x # c", "y\nz\n", "-   | # c\n  y\n  z"),
    ("[x, y]", "a\nb", '["a\\nb", y]'),
    ("[x, y]", "a, b", "['a, b', y]"),
    ("a: {b: c}", "d", "a: d"),
    ("a: {b: c} # x", "d", "a: d # x"),
    ("a: # x\n  b: c # gone\nd: 1", "e", "a: e # x\nd: 1"),
    ("a: [\n  x, # gone\n] # y", "e", "a: e # y"),
    ("a: |\n  x\n    \nb: 1", "z", "a: z\nb: 1"),
]


@pytest.mark.parametrize(("before", "value", "after"), SCALARS)
def test_a_scalar_takes_the_place_of_a_value(before, value, after):
    path = (0,) if before[0] in "-[" else ("a",)
    assert edited(before + "\n", Put(path, value)) == after + "\n"
    assert edited(before.replace("\n", "\r\n") + "\r\n", Put(path, value)) == after.replace("\n", "\r\n") + "\r\n"


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


LIST = """\
list: # the list

# about a
- a # on a
  # inside a

# stands apart

# about b, first
# about b, second
- name: b # on b
  # about b's key
  key: 1
# about c
- c
# at the foot
"""
A, B, C = (
    "# about a\n- a # on a\n  # inside a\n",
    LIST[LIST.index("# about b, f") : LIST.index("# about c")],
    "# about c\n- c\n",
)
HEAD, GAP, FOOT = "list: # the list\n\n", "\n# stands apart\n\n", "# at the foot\n"


@pytest.mark.parametrize(
    ("edit", "after"),
    [
        (put("list/0", "new", insert=True), HEAD + "- new\n" + A + GAP + B + C + FOOT),
        (put("list/1", "new", insert=True), HEAD + A + GAP + "- new\n" + B + C + FOOT),
        (put("list/2", "new", insert=True), HEAD + A + GAP + B + "- new\n" + C + FOOT),
        (put("list/3", "new"), HEAD + A + GAP + B + C + "- new\n" + FOOT),
        (Remove(("list", 0)), HEAD + GAP + B + C + FOOT),
        (Remove(("list", 1)), HEAD + A + GAP + C + FOOT),
        (Remove(("list", 2)), HEAD + A + GAP + B + FOOT),
        (Move(("list", 2), 0), HEAD + C + GAP + A + B + FOOT),
        (Move(("list", 0), 2), HEAD + B + GAP + C + A + FOOT),
        (Move(("list", 1), 0), HEAD + B + GAP + A + C + FOOT),
    ],
)
def test_comments_stay_with_their_list_element(edit, after):
    """Lines directly above an element, on its lines and indented deeper below it are its own; what stands apart stays in its place."""
    assert edited(LIST, edit) == after


MAP = """\
map:
  # about a
  a: 1 # on a
    # inside a
  # about b
  b:
    c: 2
    # foot of b

  # foot of map
next: 3
"""


@pytest.mark.parametrize(
    ("edit", "removed", "added"),
    [
        (put("map/new", 0, after=""), "", "@2  new: 0\n"),
        (put("map/new", 0, after="a"), "", "@5  new: 0\n"),
        (put("map/new", 0, after="b"), "", "@9  new: 0\n"),
        (put("map/new", 0), "", "@9  new: 0\n"),
        (put("map/new", 0, after="unknown"), "", "@9  new: 0\n"),
        (put("map/b/new", 0), "", "@8    new: 0\n"),
        (put("new", 0, after="map"), "", "@11new: 0\n"),
        (Remove(("map", "a")), "  # about a\n  a: 1 # on a\n    # inside a\n", ""),
        (Remove(("map", "b")), "  # about b\n  b:\n    c: 2\n    # foot of b\n", ""),
        (Remove(("map",)), MAP[: MAP.index("next")].replace("\n\n", "\n"), ""),
    ],
)
def test_comments_stay_with_their_key(edit, removed, added):
    """The foot comment of a list or map stays below what is added at its end."""
    result = edited(MAP, edit)
    changes = list(difflib.ndiff(MAP.splitlines(keepends=True), result.splitlines(keepends=True)))
    assert "".join(line[2:] for line in changes if line[:2] == "- ").replace("\n\n", "\n") == removed
    at_line = next((f"@{number}" for number, line in enumerate(changes, 1) if line[:2] == "+ "), "")
    assert at_line + "".join(line[2:] for line in changes if line[:2] == "+ ") == added


DASH = """\
- name: a # on a
  # about image
  image: x

  tag: y
- # first
  name: b
-
  name: c
- &n
  name: d
"""


@pytest.mark.parametrize(
    ("edit", "old", "new"),
    [
        (put("0/new", 1, after=""), "- name: a # on a\n", "- new: 1\n  name: a # on a\n"),
        (put("0/new", 1, after="name"), "on a\n", "on a\n  new: 1\n"),
        (Remove((0, "name")), "- name: a # on a\n  # about image\n  image: x\n", "- # about image\n  image: x\n"),
        (put("1/new", 1, after=""), "- # first\n", "- # first\n  new: 1\n"),
        (put("2/new", 1, after=""), "-\n", "-\n  new: 1\n"),
        (put("3/new", 1, after=""), "- &n\n", "- &n\n  new: 1\n"),
        (Remove((2, "name")), "-\n  name: c\n", "- {}\n"),
        (Remove((1, "name")), "- # first\n  name: b\n", "- {} # first\n"),
        (put("0", "s"), DASH[: DASH.index("- # first")], "- s\n"),
        (put("2", ["x", "z"]), "-\n  name: c\n", "- - x\n  - z\n"),
    ],
)
def test_the_first_key_of_a_list_element_stands_behind_the_dash(edit, old, new):
    assert edited(DASH, edit) == DASH.replace(old, new, 1)


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
        (put("l/0/k", [2]), False),
        (put("l/0", {"k": [3]}), False),
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


def test_shared_values_are_written_out():
    shared: Any = {"k": "v"}
    assert edited("a: 1\n", Put(("b",), [shared, shared])) == "a: 1\nb:\n- k: v\n- k: v\n"


LINES = (Path(__file__).parent / "scalars.in.yaml").read_text().splitlines()
DATA = LINES.index("  data:") + 1


@pytest.mark.parametrize("number", range(DATA, LINES.index("functionConfig:")))
def test_setting_one_of_many_scalars_leaves_all_others(number):
    text = "\n".join(LINES) + "\n"
    key = LINES[number].strip().partition(":")[0].strip('"')
    if key.startswith("#"):
        key = "k2"
        number += 1
    result = edited(text, Put(("items", 0, "data", key), "set")).splitlines()
    assert result[:number] + result[number + 1 :] == LINES[:number] + LINES[number + 1 :]
    assert result[number].startswith(LINES[number].partition(": ")[0])


@settings(max_examples=EXAMPLES, deadline=None)
@given(st.integers(min_value=0))
def test_random_edits_mean_what_the_same_edits_of_plain_data_mean(seed):
    """Under YAML 1.2 and 1.1; a single edit touches no line that it does not concern."""
    assert check(Random(seed)) in ("", "refused")
