"""Text to nodes to data: places, anchors, limits."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from krm_values._data.errors import InputError
from krm_values._data.limits import Limits
from krm_values._yaml import decode, parser
from krm_values._yaml.nodes import leaf_end
from tests.oracles.goyaml.texts import Texts


def data(text: str) -> Any:
    return decode.to_data(decode.parse(text))


DATA = [
    ("a: 1\nb: [x, 'y']\n", {"a": 1, "b": ["x", "y"]}),
    ("on: yes\n1: one\n~: none\n", {"on": "yes", "1": "one", "~": "none"}),
    ("a: 0777\nb: 1.10\nc: 2001-01-01\nd: 12:30\n", {"a": 511, "b": 1.1, "c": "2001-01-01", "d": "12:30"}),
    ("a: !!str 1\nb: !!int '2'\nc: !!float 3\nd: !x 4\ne: ! 5\n", {"a": "1", "b": 2, "c": 3.0, "d": "4", "e": "5"}),
    (
        "a: !!float 0x1F\nb: !!int '0775'\nc: !!null ''\nd: !!bool true\ne: !!binary aGk=\n",
        {"a": 31, "b": 509, "c": None, "d": True, "e": "hi"},
    ),
    ("a: &x {p: 1}\nb: *x\nc: [*x]\n", {"a": {"p": 1}, "b": {"p": 1}, "c": [{"p": 1}]}),
    ("a: &x 1\nb: &x 2\nc: *x\n", {"a": 1, "b": 2, "c": 2}),
    ("a: &x k\n*x : 1\n", {"a": "k", "k": 1}),
    ("a: &x {p: 1, q: 2}\nb: {<<: *x, q: 3}\n", {"a": {"p": 1, "q": 2}, "b": {"p": 1, "q": 3}}),
    ("b: {<<: [{p: 1}, {p: 2, q: 3}]}\n", {"b": {"p": 1, "q": 3}}),
    ("b: {'<<': 1}\n", {"b": {"<<": 1}}),
    ("b: {!!merge <<: {p: 1}}\nc: {! <<: {p: 1}}\nd: {!!str <<: 1}\n", {"b": {"p": 1}, "c": {"p": 1}, "d": {"<<": 1}}),
    ("a: |\n  x\n\nb: >-\n  y\n  z\n", {"a": "x\n", "b": "y z"}),
    ('a: "x\\ty\\u00e9\\U0001f600"\n', {"a": "x\tyé😀"}),
    ("a: x\u2028 y\nb: z\n", {"a": "x\u2028y", "b": "z"}),
    ("a: x\x85  y\nb: z\n", {"a": "x y", "b": "z"}),
    ('{"a":"\\/", "b":[1,2.50,true,null]}', {"a": "/", "b": [1, 2.5, True, None]}),
    ('{\n\t"a": 1\n}', {"a": 1}),
    ('{"a": "\\ud83d\\ude00x", "\\\\ud83d\\\\ude00": "\\\\\\ud83d\\ude00"}', {"a": "😀x", "\\ud83d\\ude00": "\\😀"}),
    ("\ufeffa: 1\n", {"a": 1}),
    ("---\na: 1\n...\n", {"a": 1}),
    ("text\n", "text"),
]


@pytest.mark.parametrize(("text", "expected"), DATA)
def test_data(text, expected):
    assert data(text) == expected


BAD = [
    ("", "line 1, column 1: must hold a document, found nothing"),
    ("a: 1\n---\nb: 1\n", "line 2, column 1: must be one document, found another"),
    ("a: 1\nb: 2\na: 3\n", "line 3, column 1: must not repeat the key `a`"),
    ("a: {1: x, '1': y}\n", "line 1, column 11: must not repeat the key `1`"),
    ("a: {<<: {b: 1}, <<: {c: 1}}\n", "line 1, column 17: must not repeat the key `<<`"),
    ("[a]: 1\n", "line 1, column 1: must have scalar keys, found array as a key"),
    ("a: 1\nb: !!int abc\n", "line 2, column 4: must be a value that fits its tag `!!int`"),
    ("a: [!!int 1.5]\n", "line 1, column 5: must be a value that fits its tag `!!int`"),
    ("a: !!binary '@'\n", "line 1, column 4: must be a value that fits its tag `!!binary`"),
    ("a: {<<: 1}\n", "line 1, column 9: must merge maps only with `<<`"),
    ("a: *x\n", "line 1, column 4: must define the alias's anchor before it"),
    ("a: &x [*x]\n", "line 1, column 8: must not use an alias inside its own anchor"),
    ("a: &x 1\nb: &x [*x]\n", "line 2, column 8: must not use an alias inside its own anchor"),
    ("a:\n\tb: 1\n", "line 2, column 1: must be indented by spaces, found a tab"),
    ("- a: 1\n\t- b\n", "line 2, column 1: must be indented by spaces, found a tab"),
    ("a: x\n\x01b: y\n", "line 2, column 1: must not hold the control character U+0001"),
    ("a: x\r\nb\x85c\u2028d: \x07\r\n", "line 4, column 4: must not hold the control character U+0007"),
    ("a: \ufffe\n", "line 1, column 4: must not hold the control character U+FFFE"),
    (
        "a: " + "[" * 300,
        "line 1, column 203: must not nest deeper than 200 levels, found a deeper one (limit `depth`)",
    ),
    (
        "a: " + "[" * 1_000_000,
        "line 1, column 203: must not nest deeper than 200 levels, found a deeper one (limit `depth`)",
    ),
]


@pytest.mark.parametrize(("text", "message"), BAD, ids=range(len(BAD)))
def test_bad(text, message):
    with pytest.raises(InputError) as caught:
        data(text)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    "text", ['"\\ud83d"', '{"a": "\\ud83d"}', '{"a": "\\ude00\\ud83d"}', '"\\UFFFFFFFF"', '"\\ud83d\\ude00" # c']
)
def test_escapes_that_are_no_character(text):
    with pytest.raises(InputError, match="is not YAML"):
        data(text)


def test_bombs_are_refused():
    """Aliases of aliases may neither multiply nor nest without an end."""
    bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
    bomb += "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 12))
    with pytest.raises(InputError, match="must not repeat more than 100,000 values by aliases"):
        data(bomb)
    tower = "".join(f"a{n}: &a{n} {'[' * 150}{f'*a{n - 1}' if n else 1}{']' * 150}\n" for n in range(100))
    with pytest.raises(InputError, match="must not nest deeper than 200 levels"):
        data(tower)
    merged = "a0: &a0 {x: 1}\n" + "".join(f"a{n}: &a{n} {{<<: [*a{n - 1}, *a{n - 1}], y{n}: 1}}\n" for n in range(1, 40))
    with pytest.raises(InputError, match="by aliases"):
        data(merged)


def test_many_small_aliases_are_fine():
    assert len(data("- &a {b: [c, d]}\n" + "- *a\n" * 5000)) == 5001


def spot(text: str, *path: str | int) -> str:
    node = decode.find(decode.parse(text), path)
    assert node is not None
    return text[node.start : node.end]


PLACES = [
    ("a: b # c\n", ("a",), "b"),
    ("a: 'b'  \n", ("a",), "'b'"),
    ("a:\n  b: 1\n  c: 2 # d\n\n# e\n", ("a",), "b: 1\n  c: 2"),
    ("a:\n- b\n- c: d\n", ("a", 1), "c: d"),
    ("a: [b, {c: d}] # e\n", ("a",), "[b, {c: d}]"),
    ("a: |\n  b\n\nc: d\n", ("a",), "|\n  b\n\n"),
    ("a: &x !t b\n", ("a",), "&x !t b"),
    ("é: ✓😀\n", ("é",), "✓😀"),
    ("a:\nb: 1\n", ("a",), ""),
    ('{"x": "\\ud83d\\ude00", "b": "c"}', ("x",), '"\\ud83d\\ude00"'),
    ('{"x": "\\ud83d\\ude00", "b": "c"}', ("b",), '"c"'),
    ("\ufeffa: b\n", ("a",), "b"),
    ('{"x": ["\\ud83d\\ude00"], "b": "c"}', ("x",), '["\\ud83d\\ude00"]'),
]


@pytest.mark.parametrize(("text", "path", "expected"), PLACES)
def test_places(text, path, expected):
    assert spot(text, *path) == expected


def test_find():
    root = decode.parse("a:\n- b: *x\n".replace("*x", "1") + "c: &y {d: 1}\ne: *y\n")
    assert decode.find(root, ("a", 0, "b")) is not None
    assert decode.find(root, ("a", 1)) is None
    assert decode.find(root, ("a", "b")) is None
    assert decode.find(root, ("e", "d")) is None
    assert decode.find(root, ()) is root


def test_leaf_end():
    """A value that is not written does not count: libyaml gives that of `? x` the place of the next token."""
    text = "a: 1\nb:\n  ? x\n\n# c\n"
    assert text[: leaf_end(decode.parse(text))] == "a: 1\nb:\n  ? x"


def test_accepts_bounds_its_time():
    assert parser.accepts(b"- a: [b]\n")
    assert not parser.accepts(b"- a: [b\n")
    assert not parser.accepts(b"- " + b"[" * 1_000_000)


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 1 << 32))
def test_data_without_nodes_is_data_of_the_nodes(seed):
    source = Texts(seed)
    for _ in range(20):
        text = source.next()
        try:
            expected = repr(decode.to_data(decode.parse(text)))
        except InputError as error:
            with pytest.raises(InputError, match=re.escape(str(error))):
                decode.data(text)
        else:
            assert repr(decode.data(text)) == expected


@pytest.mark.parametrize(
    ("written", "name"),
    [
        *(("1.20", "1.2"), ("0775", "509"), ("0x1F", "31"), ("1_000", "1000"), ("+1", "1"), ("-0", "0"), ("1e3", "1000")),
        *(("True", "true"), ("FALSE", "false"), ("!!binary aGk=", "hi"), ('!!int "0644"', "420"), ("!!str 0775", "0775")),
        *(("on", "on"), ("~", "~"), ('"0775"', "0775"), ("'1.20'", "1.20"), ("1.2.3", "1.2.3"), ("a", "a"), ("-", "-")),
    ],
)
def test_a_key_is_what_the_api_server_makes_of_it(written, name):
    """Recorded from `kubectl annotate --local -o json`."""
    text = f"{written}: x\n" if written != "-" else '"-": x\n'
    root = decode.parse(text)
    assert decode.data(text) == decode.to_data(root) == {name: "x"}
    assert decode.find(root, (name,)) is root.items[0]
    assert decode.Finder().find(root, (name,)) is root.items[0]


def test_keys_that_differ_in_writing_only_are_one_key_twice():
    with pytest.raises(InputError, match=r"1\.2"):
        decode.data("1.20: a\n1.2: b\n")


@pytest.mark.parametrize("written", [".inf", "-.INF", ".NaN", "!!float .inf"])
def test_a_number_that_json_cannot_hold_is_an_error_with_its_place(written):
    with pytest.raises(InputError) as found:
        decode.data(f"a:\n  b: {written}\n")
    assert (found.value.line, found.value.column) == (2, 6)
    assert "must be a number that JSON can hold" in found.value.message


def test_a_key_behind_an_alias_or_a_merge_key_has_its_place():
    root = decode.parse("base: &b\n  x: {y: 1}\n  l: [1, 2]\none:\n  <<: [*b, {z: 2}]\n  own: 1\ntwo: *b\n")
    places = {
        path: decode.inherited(root, path).line for path in (("one", "x", "y"), ("one", "z"), ("one", "own"), ("two", "l", 1))
    }
    assert places == {("one", "x", "y"): 1, ("one", "z"): 4, ("one", "own"): 5, ("two", "l", 1): 2}
    assert [decode.inherited(root, path) for path in (("one", "q"), ("two", "l", 7), ("base", "x", "y", "z"))] == [None] * 3


def test_what_is_behind_an_alias_of_another_text_has_no_place_in_this_one():
    other = decode.parse("a: &a {k: 1}\n").items[0]
    assert decode.inherited(decode.parse("x: *a\n", lambda _: other), ("x", "k")) is None


@pytest.mark.parametrize(
    ("text", "limit", "needed"),
    [
        ("a: {b: [1]}\n", "depth", 3),
        ("a:\n  b:\n  - 1\n", "depth", 3),
        ("a: &x [1]\nb: {c: *x}\n", "depth", 3),
        ("a: seven77\n", "scalar_length", 7),
        ("a: 'seven77'\n", "scalar_length", 7),
        ("a: &x [1, 2]\nb: *x\n", "aliases", 3),
    ],
)
def test_as_much_as_a_limit_says_is_read_and_no_more(text, limit, needed):
    exact, below = Limits(**{limit: needed}), Limits(**{limit: needed - 1})
    assert decode.to_data(decode.parse(text, None, exact), limits=exact) == decode.data(text, None, exact) == data(text)
    with pytest.raises(InputError, match=limit):
        decode.data(text, None, below)
    with pytest.raises(InputError, match=limit):
        decode.to_data(decode.parse(text, None, below), limits=below)
