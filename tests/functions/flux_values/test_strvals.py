"""Helm's `--set` syntax, as rules 98 to 105 have it; the oracle compares it with Helm's own."""

from __future__ import annotations

import pytest

from krm_values._krm.plan import Origin
from krm_values._krm.taint import HIDDEN
from krm_values._run import traced
from krm_values._run.traced import merge
from krm_values.flux_values import strvals

VALUES = [
    *(
        ("true", True),
        ("FALSE", False),
        ("nUlL", None),
        ("fal\u017fe", False),
        ("0", 0),
        ("42", 42),
        ("-3", -3),
        ("+1", 1),
        ("-0", 0),
    ),
    *(
        ("+007", 7),
        ("007", "007"),
        ("00", "00"),
        ("1.5", "1.5"),
        ("0x10", "0x10"),
        (" 5", " 5"),
        ("8080\n", "8080\n"),
        ("1_000", "1_000"),
    ),
    *(("9223372036854775807", 2**63 - 1), ("-9223372036854775808", -(2**63)), ("9223372036854775808", "9223372036854775808")),
    *(
        ("", ""),
        ('"42"', "42"),
        ("'true'", "true"),
        ("\"'x'\"", "x"),
        ("'", ""),
        ("'a", "'a"),
        ('"42', '"42'),
        ("'5\"", "'5\""),
        ("x=y", "x=y"),
        ("C:\\dir", "C:dir"),
        ("a\\,b", "a,b"),
    ),
    *(
        ("{}", [""]),
        ("{a,1,true,null}", ["a", 1, True, None]),
        ("{a\\,b,c\\}d}", ["a,b", "c}d"]),
        ('"{p}"', ["p"]),
        ("{,}", ["", ""]),
    ),
    *(("9" * 5000, "9" * 5000), ("+" + "0" * 5000 + "1", 1), ("\u0661", "\u0661")),
]
PATHS = [
    ("a.b.c", {"a": {"b": {"c": "x"}}}),
    ("a[2]", {"a": [None, None, "x"]}),
    ("a[0].b", {"a": [{"b": "x"}]}),
    ("a[1][0]", {"a": [None, ["x"]]}),
    ("a\\.b/c", {"a.b/c": "x"}),
    ("a\\\\b", {"a\\b": "x"}),
    (".a", {}),
    ("[0]", {}),
    ("[0].a", {}),
]
BEHIND = [
    ("x,b=2", {"a": "x", "b": 2}),
    ("x,b.c[1]={1,2}", {"a": "x", "b": {"c": [None, [1, 2]]}}),
    ("{1},b=2", {"a": [1], "b": 2}),
    ("x,b[0]", {"a": "x", "b": []}),
    ("x,b[0", {"a": "x"}),
    ("x,b[0].c=", {"a": "x", "b": []}),
    ("x,b.c=", {"a": "x", "b": {"c": ""}}),
    ("x,", {"a": "x"}),
    ("x\\", {"a": "x"}),
]
INTO = [
    ({"a": {"b": 1}}, "a", {"a": "x"}),
    ({"a": {"b": 1}}, "a.c", {"a": {"b": 1, "c": "x"}}),
    ({"a": [1, 2]}, "a[1]", {"a": [1, "x"]}),
    ({"a": [1]}, "a[2]", {"a": [1, None, "x"]}),
    ({"a": [None]}, "a[0][0]", {"a": [["x"]]}),
    ({"a": ["s"]}, "a[0].b", {"a": [{"b": "x"}]}),
    ({"a": {"b": 1}}, "a..c", {"a": {"b": 1}}),
    ({"": {}}, ".a", {"": {"a": "x"}}),
]


def say(path, value):
    return Origin("somebody", value)


def written(path, value, values=None, **how):
    found = traced.tree(values or {}, say, lists=True)
    strvals.write(found, path, value, say, **how)
    return traced.plain(found)


@pytest.mark.parametrize(("text", "expected"), VALUES)
def test_a_value_becomes(text, expected):
    found = written("a", text)["a"]
    assert found == expected
    assert type(found) is type(expected)


def test_an_empty_map_over_an_empty_one_is_not_a_conflict():
    for lower, conflicts in (({"a": {"b": 1}}, 1), ({"a": {}}, 0)):
        clashes: list = []
        merge(traced.tree(lower, say, lists=True), traced.tree({"a": {}}, say, lists=True), clashes)
        assert len(clashes) == conflicts


@pytest.mark.parametrize(("path", "expected"), PATHS)
def test_a_path_goes(path, expected):
    assert written(path, "x") == expected


def test_the_highest_index_is_written():
    found = written(f"a[{strvals.HIGHEST}]", "x")["a"]
    assert (len(found), found[-1]) == (strvals.HIGHEST + 1, "x")


@pytest.mark.parametrize(("text", "expected"), BEHIND)
def test_behind_a_comma_comes(text, expected):
    assert written("a", text) == expected


@pytest.mark.parametrize(("values", "path", "expected"), INTO)
def test_a_value_goes_into_what_is_there(values, path, expected):
    assert written(path, "x", values) == expected


@pytest.mark.parametrize("text", ["{x,y", "a,b=2", "true", "\\", "[1]=", '"q"', ""])
def test_a_literal_is_taken_as_it_is(text):
    assert written("a\\.b", text, literal=True) == {"a.b": text}


@pytest.mark.parametrize(("path", "place"), [("a.b", ("a", "b")), ("a[2].c", ("a", 2, "c")), ("a\\.b", ("a.b",)), (".a", None), ("[0]", None), ("a.", None), ("a\\", None)])  # fmt: skip
def test_the_place_of_a_path(path, place):
    assert strvals.path_of(path) == place


@pytest.mark.parametrize(("path", "text"), [("a", "x,hush=1"), ("a", "x,b.hush=1"), ("a\\", "hush=1"), ("a", "x,c[0].hush=1")])
def test_keys_that_a_secrets_value_brings_are_not_shown(path, text):
    found = traced.Map(say)
    strvals.write(found, path, text, say, secret=True)
    assert "hush" in str(traced.plain(found))
    assert not any("hush" in str(leaf.inner) for leaf in traced.leaves(found, ("data",)))
    assert HIDDEN in str([leaf.inner for leaf in traced.leaves(found, ("data",))])


@pytest.mark.parametrize(("path", "text"), [("a", "x,hush"), ("a", "x,hush.b,"), ("a\\", "hush"), ("a", "x,a.hush=1"), ("a", "{hush"), ("a", "x,b[hush]=1")])  # fmt: skip
def test_no_error_quotes_the_value(path, text):
    with pytest.raises(strvals.StrvalsError) as error:
        written(path, text)
    assert "hush" not in error.value.message
