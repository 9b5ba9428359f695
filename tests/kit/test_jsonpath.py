"""Paths whose names must be there, as `kubectl` and operators follow them: what they find, where, and what is an error."""

from __future__ import annotations

from typing import Any

import pytest

from krm_values._data.pointer import get
from krm_values._go import jsonpath
from krm_values._go.jsonpath_parser import PathError

DATA = {
    "a": {"b.c": 1, "d/e": "slash", "list": [{"n": "x"}, {"n": "y"}, {"m": None}], "it's": True},
    "kind": "Thing",
    "empty": [],
    "ports": [{"name": "web", "port": 80}, {"name": "tls", "port": 443}],
}


@pytest.mark.parametrize(
    ("path", "pieces"),
    [
        ("{ $.kind }", [["Thing"]]),
        ("{.kind}", [["Thing"]]),
        ("{ @.kind }", [["Thing"]]),
        ("{$.a.b\\.c}", [[1]]),
        ("{ $.a['b\\.c'] }", [[1]]),
        ("{ $['a']['d/e'] }", [["slash"]]),
        ("{ $.a.d/e }", [["slash"]]),
        ("{ .a.list[0].n }", [["x"]]),
        ("{ .a.list[-1].m }", [[None]]),
        ("{ .a.list[0:2].n }", [["x", "y"]]),
        ("{ .a.list[0,1].n }", [["x", "y"]]),
        ("{ .a.list[::2].n }", [["x"]]),
        ("{ .a.list[*].n }", [["x", "y"]]),
        ("{ ..n }", [["x", "y"]]),
        ("{ .a['b\\.c','d/e'] }", [[1, "slash"]]),
        ("{ .a.* }", [[1, "slash", DATA["a"]["list"], True]]),
        ("{ .a.list[?(@.n)].n }", [["x", "y"]]),
        ("{ .a.list[?(@.m)].m }", [[None]]),
        ("{ .ports[?(@.port>80)].name }", [["tls"]]),
        ('{ .ports[?(@.name=="web")].port }', [[80]]),
        ("{ .ports[?(@.name!='web')].port }", [[443]]),
        ("{ .ports[?(@.name=='none')] }", [[]]),
        ("{ .ports[?(@.name=='none')].port }", [[]]),
        ("{ .empty[*] }", [[]]),
        ("{ .empty[?(@.n=='x')] }", [[]]),
        ("{ .empty[0:0] }", [[]]),
        ("{ $ }", [[DATA]]),
        ("plain text", [["plain text"]]),
        ("{ 'text' }", [["text"]]),
        ("{ 5 }", [[5]]),
        ("{ true }", [[True]]),
        ("{.kind}-{.a.d/e}", [["Thing"], ["-"], ["slash"]]),
        ("", []),
    ],
)
def test_paths_find_what_client_go_finds(path, pieces):
    found = jsonpath.find(DATA, path, allow_missing=False)
    assert [[value for value, _ in piece] for piece in found] == pieces
    for value, place in (entry for piece in found for entry in piece if entry[1] is not None):
        assert get(DATA, place) is value


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("{ .ports[?(@.port>80)].name }", ("ports", 1, "name")),
        ("{ .a.list[-2:-1].n }", ("a", "list", 1, "n")),
        ("{ ..d/e }", ("a", "d/e")),
        ("{ $ }", ()),
        ("{ 'text' }", None),
        ("text", None),
    ],
)
def test_the_place_of_a_value_is_known_but_of_what_stands_in_the_path(path, place):
    assert [at for piece in jsonpath.find(DATA, path, allow_missing=False) for _, at in piece] == [place]


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("{ .a", "ends too early: a quote, bracket or brace is not closed"),
        ("{ range .a }", "uses `range`, which is not supported here"),
        ("{range .a.list[*]}{.n}{end}", "uses `range`, which is not supported here"),
        ("{end}", "has `end` without a `range`"),
        ("{ .a[x] }", "has [x], which is not an index"),
        ('{ $["a"] }', 'has ["a"], which is not an index; a name in brackets takes single quotes'),
        ("{ .a.list[7] }", "has the index 7, but the list has 3 entries"),
        ("{ .empty[0] }", "has the index 0, but the list has 0 entries"),
        ("{ .a[?(@.n=='x')] }", "has a filter where no list is"),
        ("{ .ports[?(@.port=='80')].name }", "compares a whole number with a string"),
        ("{ .ports[?(@.port>80.0)].name }", "compares a whole number with a float; write 80 for 80.0"),
    ],
)
def test_paths_that_are_errors(path, why):
    with pytest.raises(PathError) as error:
        jsonpath.find(DATA, path, allow_missing=False)
    assert (error.value.fact, error.value.missing) == (why, False)


@pytest.mark.parametrize(
    ("path", "name", "otherwise"),
    [
        ("{ .nothing.below }", "nothing", []),
        ("{ .kind.below }", "below", []),
        ("{ .a.list[0].ghost }", "ghost", []),
        ("{ .a.list[*].ghost }", "ghost", []),
        ("{ ..ghost }", "ghost", []),
        ("{ .ports['name'] }", "name", []),
        ("{ .a['d/e','ghost'] }", "ghost", ["slash"]),
        ("{ .a.list[0].n }{ .ghost }", "ghost", ["x"]),
        ("{ .a.list[2].m.below }", "below", []),
    ],
)
def test_an_unknown_name_is_an_error_unless_missing_keys_are_allowed(path, name, otherwise):
    with pytest.raises(PathError, match=f"leads to `{name}`, which does not exist") as error:
        jsonpath.find(DATA, path, allow_missing=False)
    assert error.value.missing
    found = jsonpath.find(DATA, path, allow_missing=True)
    assert [value for piece in found for value, _ in piece] == otherwise


def test_a_comparison_needs_its_name_in_every_entry_and_a_test_in_none():
    with pytest.raises(PathError, match="has a filter that leads to `n`, which does not exist") as error:
        jsonpath.find(DATA, "{ .a.list[?(@.n=='x')].n }", allow_missing=False)
    assert not error.value.missing
    assert jsonpath.find(DATA, "{ .a.list[?(@.ghost)] }", allow_missing=False) == [[]]


LONG_LIST = {
    "list": list(range(50_000)),
    "rows": [{"n": n, "parts": [{"x": 1}] * 50} for n in range(5_000)],
    "text": "x" * 1_000_000,
}


@pytest.mark.parametrize(
    "path",
    [
        "{ .rows[*].parts[*].x }",
        "{ $['rows','rows'][*].parts[*].x }",
        "{ ..parts..x }",
        "{ .rows[?(@..x)].n }",
        "{ .rows[*].parts[?(@.x==1)].x }",
        "{ .text.* }",
        "{ .list[*] }" * 5,
        "{ .list[*] 1 2 3 4 }",
    ],
)
@pytest.mark.parametrize("allow_missing", [True, False])
def test_a_path_that_visits_and_makes_too_much_is_an_error(path, allow_missing):
    with pytest.raises(PathError, match="takes more than 200,000 steps; say which members are meant"):
        jsonpath.find(LONG_LIST, path, allow_missing=allow_missing)


def test_what_doubles_at_each_step_is_an_error():
    data: dict[str, Any] = {"a": {}}
    data["a"]["a"] = data["a"]
    with pytest.raises(PathError, match="takes more than 200,000 steps"):
        jsonpath.find(data, "{ $" + "['a','a']" * 40 + " }", allow_missing=False)


def test_an_index_costs_one_step_however_long_the_list_is():
    (found,) = jsonpath.find(LONG_LIST, "{ .list[" + "0," * 4_000 + "-1] }", allow_missing=False)
    assert found == [(0, ("list", 0))] * 4_000 + [(49_999, ("list", 49_999))]


def test_the_longest_paths_and_lists_that_are_followed():
    assert len(jsonpath.find(LONG_LIST, "{ .list[*] }", allow_missing=False)[0]) == 50_000
    assert jsonpath.find({"a": 1}, "{ .a" + " " * 9_994 + "}", allow_missing=False) == [[(1, ("a",))]]
    with pytest.raises(PathError, match="has more than 10,000 characters"):
        jsonpath.find({"a": 1}, "{ .a" + " " * 9_996 + "}", allow_missing=False)


def test_leading_zeros_of_an_index_do_not_count():
    assert jsonpath.find(LONG_LIST, "{ .list[" + "0" * 9_000 + "7] }", allow_missing=False) == [[(7, ("list", 7))]]
    assert jsonpath.find(LONG_LIST, "{ .list[-00001] }", allow_missing=False) == [[(49_999, ("list", 49_999))]]
