"""Paths and their spellings."""

from __future__ import annotations

import jsonpointer
import pytest
from hypothesis import given
from hypothesis import strategies as st

from krm_values._data import pointer

DATA = {"a": [{"b": 1}, 2], "x/y": {"~": None}, "": 0}


@pytest.mark.parametrize(
    ("path", "text", "field"),
    [
        ((), "", ""),
        (("a", 0, "b"), "/a/0/b", "a[0].b"),
        (("x/y", "~"), "/x~1y/~0", '["x/y"]["~"]'),
        (
            ("metadata", "labels", "app.kubernetes.io/name"),
            "/metadata/labels/app.kubernetes.io~1name",
            'metadata.labels["app.kubernetes.io/name"]',
        ),
        (('q"\\',), '/q"\\', '["q\\"\\\\"]'),
        (("",), "/", '[""]'),
        (("a\nb", "\u2028\x7f"), "/a\nb/\u2028\x7f", '["a\\nb"]["\\u2028\\u007f"]'),
    ],
)
def test_spellings(path, text, field):
    assert pointer.to_pointer(path) == text
    assert pointer.to_field(path) == field


@given(
    st.recursive(st.integers(), lambda c: st.dictionaries(st.text(max_size=3), c, max_size=3) | st.lists(c, max_size=3)),
    st.data(),
)
def test_get_agrees_with_the_jsonpointer_library(data, draw):
    path: tuple[str | int, ...] = ()
    value = data
    while isinstance(value, dict | list) and value and draw.draw(st.booleans()):
        part = draw.draw(st.sampled_from(list(value) if isinstance(value, dict) else range(len(value))))
        path, value = (*path, part), value[part]
    assert pointer.get(data, path) == jsonpointer.resolve_pointer(data, pointer.to_pointer(path))


@pytest.mark.parametrize("path", [("b",), ("a", 2), ("a", -1), ("a", "0"), ("a", 0, "b", "c"), ("x/y", "~", 0)])
def test_what_is_not_there_is_the_default(path):
    assert pointer.get(DATA, path, pointer.ABSENT) is pointer.ABSENT
    assert pointer.get(DATA, ("x/y", "~"), pointer.ABSENT) is None


@pytest.mark.parametrize(
    ("data", "path", "found"),
    [
        (DATA, (), [(("a", 0, "b"), 1), (("a", 1), 2), (("x/y", "~"), None), (("",), 0)]),
        ([[], {}, [True]], ("at",), [(("at", 2, 0), True)]),
        ("alone", ("at",), [(("at",), "alone")]),
    ],
)
def test_scalars_are_found_at_any_depth_and_empty_collections_are_not(data, path, found):
    assert list(pointer.scalars(data, path)) == found
