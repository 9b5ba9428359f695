"""Edits of places that share their text: the text is copied, written out or moved, and nothing else changes."""

from __future__ import annotations

import pytest

from krm_values._data.data_edits import Move, Remove
from krm_values._data.errors import EditError
from tests.kit.splices import edited, put

LABELS = """\
labels: &labels
  app: web # the app
  # which tier
  tier:   'back'
selector: *labels # as above
list:
    - *labels
"""
RULES = """\
base: &base
  cpu: 1 # cores
  mem:  2Gi
a:
  <<: *base # merged
  disk: 1
b: {<<: *base, x: 1}
"""


def test_the_text_of_an_anchor_stands_in_place_of_the_alias():
    copied = "selector: # as above\n  app: api # the app\n  # which tier\n  tier:   'back'\n"
    assert edited(LABELS, put("selector/app", "api")) == LABELS.replace("selector: *labels # as above\n", copied)
    copied = "    - app: api # the app\n      # which tier\n      tier:   'back'\n"
    assert edited(LABELS, put("list/0/app", "api")) == LABELS.replace("    - *labels\n", copied)


def test_an_edit_where_the_anchor_is_leaves_the_old_text_at_the_first_alias():
    moved = "selector: &labels # as above\n  app: web # the app\n  # which tier\n  tier:   'back'\n"
    after = LABELS.replace("labels: &labels", "labels:").replace("selector: *labels # as above\n", moved)
    assert edited(LABELS, put("labels/app", "api")) == after.replace("app: web", "app: api", 1)
    assert edited(LABELS, Remove(("labels",))) == after.partition("tier:   'back'\n")[2]


@pytest.mark.parametrize(
    ("text", "edit", "after"),
    [
        (
            "api: {resources: &res {cpu: 1}}\nworker: {resources: *res}\n",
            put("api/resources/cpu", 5),
            "api: {resources: &res {cpu: 5}}\nworker: {resources: {cpu: 1}}\n",
        ),
        ("a: &t back # x\nb: *t # kpt-set: ${b}\n", put("a", "front"), "a: &t front # x\nb: back # kpt-set: ${b}\n"),
        ("a: &t back # x\nb: *t # kpt-set: ${b}\n", put("b", "front"), "a: &t back # x\nb: front # kpt-set: ${b}\n"),
        ("a: &t back\nb: *t\nc:   *t\n", put("a", "x"), "a: x\nb: &t back\nc:   *t\n"),
        ("a: &t back\nb: *t\nc:   *t\n", Remove(("a",)), "b: &t back\nc:   *t\n"),
        ("x: 1\na:\n- &n {k: v}\n- *n\n", Move(("a", 0), 1), "x: 1\na:\n- {k: v}\n- &n {k: v}\n"),
        ("a: &x [1, # one\n  2]\nb: *x\n", put("b/0", 9), "a: &x [1, # one\n  2]\nb: [9, # one\n  2]\n"),
        (
            "a: &x {k: v}\nb: *x\nc: !!int '0775' # stays\n",
            put("b/k", "w"),
            "a: &x {k: v}\nb: {k: w}\nc: !!int '0775' # stays\n",
        ),
        ("a: &x\n  p: 1\nb: [*x]\n", put("b/0/p", 3), "a: &x\n  p: 1\nb: [{p: 3}]\n"),
        (
            "a: &x |-\n    one\n    two\nb:\n  - *x\nc: *x\n",
            put("a", "z"),
            "a: z\nb:\n  - &x |-\n      one\n      two\nc: *x\n",
        ),
        ("a: &x 1\nb: &y [*x]\nc: &x 2\nd: *y\n", put("d/0", 3), "a: &x 1\nb: &y [*x]\nc: &x 2\nd: [3]\n"),
        ("a: &y [&x 1, *x]\nb: *y\nc: *x\n", put("b/1", 3), "a: &y [&x 1, *x]\nb: [1, 3]\nc: *x\n"),
        ("a: &x 1\nb: *x\nc: &x 2\nd: *x\n", Remove(("c",)), "a: &x 1\nb: *x\nd: 2\n"),
        ("a: &x\n  p: 1\nb: *x", put("b/p", 3), "a: &x\n  p: 1\nb:\n  p: 3"),
        ("a: &x {p: 1}\nb: {<<: *x, p: 2}\n", put("a/p", 3), "a: &x {p: 3}\nb: {<<: *x, p: 2}\n"),
        ("a: &x {p: 1}\nb: {<<: *x, p: 2}\n", Remove(("b", "p")), "a: &x {p: 1}\nb: {}\n"),
        ("a: &x {p: 1}\nb: {p: 2, <<: *x}\n", Remove(("b", "p")), "a: &x {p: 1}\nb: {}\n"),
        ("a: &x {p: 1}\nb:\n- <<: *x\n  p: 2\n  q: 3\n", Remove(("b", 0, "p")), "a: &x {p: 1}\nb:\n- q: 3\n"),
        ("a: &x\r\n  p: 1 # c\r\nb: *x\r\n", put("b/p", 3), "a: &x\r\n  p: 1 # c\r\nb:\r\n  p: 3 # c\r\n"),
    ],
)
def test_one_place_of_several_is_edited(text, edit, after):
    assert edited(text, edit) == after


@pytest.mark.parametrize(
    ("edit", "old", "new"),
    [
        (put("a/cpu", 3), "  <<: *base # merged\n", "  <<: *base # merged\n  cpu: 3 # cores\n"),
        (Remove(("a", "cpu")), "  <<: *base # merged\n", "  # merged\n  mem:  2Gi\n"),
        (put("b/cpu", 3), "{<<: *base, x", "{<<: *base, cpu: 3, x"),
        (Remove(("b", "cpu")), "{<<: *base, x", "{mem: 2Gi, x"),
    ],
)
def test_a_merged_key_is_written_out(edit, old, new):
    assert edited(RULES, edit) == RULES.replace(old, new)


def test_an_edit_where_the_anchor_is_leaves_the_old_text_at_the_first_merge_key():
    text = "- &web\n  image: x # the image\n- <<: *web\n  name: a\n"
    assert edited(text, put("0/image", "z")) == "- &web\n  image: z # the image\n- image: x # the image\n  name: a\n"
    more = text + "- <<: *web\n"
    moved = "- image: z # the image\n- <<: &web\n    image: x # the image\n  name: a\n- <<: *web\n"
    assert edited(more, put("0/image", "z")) == "-\n  " + moved[2:]


def test_a_block_with_comments_does_not_fit_into_a_flow_collection():
    with pytest.raises(EditError) as caught:
        edited("a: &x\n  p: 1 # why\nb: [*x]\n", put("b/0/p", 3))
    assert caught.value.line == 3
    assert caught.value.message.startswith("cannot edit `b[0].p`: the block of the anchor that it shares has comments")


def test_a_new_key_stands_below_the_merge_key_that_has_it():
    """Above it, Go's reader would take the merged one."""
    text = "base: &base {cpu: 1}\na:\n  x: 1\n  <<: *base\n  y: 2\n"
    for after in ("", "x"):
        assert edited(text, put("a/cpu", 3, after=after)) == text.replace("  y: 2", "  cpu: 3\n  y: 2")
        assert edited(text, put("a/new", 3, after=after)) == text.replace("  y: 2", "  new: 3\n  y: 2")


@pytest.mark.parametrize("key", ["!!merge <<", "! <<", "<<"])
def test_a_merge_key_with_a_tag(key):
    """yq and kustomize write `!!merge <<`."""
    text = f"base: &base\n  {key}: {{cpu: 1}}\n  x: 1\na:\n  {key}: *base\n  y: 2\n"
    assert edited(text, put("a/cpu", 3)) == text.replace(f"{key}: *base\n", f"{key}: *base\n  cpu: 3\n")
    assert edited(text, Remove(("a", "x"))) == text.replace(f"{key}: *base\n", "cpu: 1\n")


@pytest.mark.parametrize("key", ["!!str cpu", "&k cpu", "&k !!str cpu"])
def test_the_tag_of_a_first_key_is_not_the_tag_of_its_map(key):
    text = f"base: &base\n  {key}: {{p: 1}}\na:\n  b: *base\n"
    written = key.removeprefix("&k ")
    assert edited(text, put("a/b/cpu/p", 3)) == text.replace("*base\n", f"\n    {written}: {{p: 3}}\n").replace("b: \n", "b:\n")
