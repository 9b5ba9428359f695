"""Edits of maps and lists with comments: a comment moves and goes with the element or key that it is about."""

from __future__ import annotations

import difflib

import pytest

from krm_values._data.data_edits import Move, Remove
from tests.kit.splices import edited, put

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
