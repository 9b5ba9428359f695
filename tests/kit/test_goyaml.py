"""Texts inside ConfigMaps and Secrets as Go reads them; rule numbers are those of the layered configuration's specification."""

from __future__ import annotations

import math

import pytest

from krm_values._data.errors import InputError
from krm_values._go import yaml
from krm_values._go.yaml_decode import Lint
from tests.oracles.go import needed


def data(text, **options):
    return yaml.read(text, **options).data


def refusal(text, **options):
    with pytest.raises(InputError) as caught:
        yaml.read(text, **options)
    return str(caught.value)


@pytest.mark.parametrize("word", ["y", "Y", "yes", "Yes", "YES", "on", "On", "ON", "true", "True", "TRUE"])
def test_rule_39_words_that_are_true(word):
    assert data(f"a: {word}") == {"a": True}


@pytest.mark.parametrize("word", ["n", "N", "no", "No", "NO", "off", "Off", "OFF", "false", "False", "FALSE"])
def test_rule_39_words_that_are_false(word):
    assert data(f"a: {word}") == {"a": False}


@pytest.mark.parametrize("word", ["yEs", "oN", "tRue", "'y'", '"on"', "!!str y", "! no"])
def test_rule_39_words_that_are_texts(word):
    assert isinstance(data(f"a: {word}")["a"], str)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("9007199254740993", 9007199254740992),
        ("18446744073709551616", 18446744073709552000),
        ("3.0", 3),
        ("1.10", 1.1),
        ("0644", 420),
        ("0o17", 15),
        ("0x1F", 31),
        ("0b101", 5),
        ("1_000", 1000),
        ("1e3", 1000),
        ("08", 8),
        ("+.5", 0.5),
        ("1E400", "1E400"),
        ("1e21", 1e21),
        ("12:30:45", "12:30:45"),
        ("2024-02-29", "2024-02-29"),
        ("=", "="),
        ("!!binary aGk=", "hi"),
        ("!!float 1", 1),
        ("!!unknown 1", "1"),
        ("~", None),
        ("", None),
    ],
)
def test_rules_40_and_42_values(text, value):
    found = data(f"a: {text}")["a"]
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize("text", ["1900-02-29", "2023-02-29", "2023-04-31", "2000-13-01"])
def test_a_day_that_no_calendar_has_is_not_a_date(text):
    assert yaml.read("a: 2000-02-29").lints == (Lint("date", ("a",), 1, 1, "2000-02-29"),)
    assert yaml.read(f"a: {text}").lints == ()


def test_rule_40_without_floats_whole_numbers_keep_their_digits():
    assert data("a: 9007199254740993\nb: 18446744073709551615", floats=False) == {
        "a": 9007199254740993,
        "b": 18446744073709551615,
    }


def test_a_negative_zero_stays_one():
    assert math.copysign(1, data("a: -0.0")["a"]) == -1


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("on: 1", ["true"]),
        ("n: 1", ["false"]),
        ("80: 1", ["80"]),
        ("1e6: 1", ["1e+06"]),
        ("1.10: 1", ["1.1"]),
        ("9007199254740993: 1", ["9007199254740993"]),
        ("1e40: 1", [".inf"]),
        ("123456.5: 1", ["123456.5"]),
        ("? a\n: 1", ["a"]),
    ],
)
def test_rule_41_keys_become_texts(text, keys):
    assert list(data(text)) == keys


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("~: 1", "line 1, column 1: must have keys that JSON knows, found null or a whole number from 2^63"),
        ("[a]: 1", "line 1, column 1: must have scalar keys, found array as a key"),
        ("a:\n  b: .inf", "line 2, column 6: must hold numbers that JSON knows, found an infinite one or `.nan`"),
        ("1: a\n'1': b", "line 1, column 1: must not have two keys that become the same text: Go takes either"),
        (
            "1: a\nb:\n  1: a\n  '1': b\nc: {1: a}",
            "line 3, column 3: must not have two keys that become the same text: Go takes either",
        ),
        ("1: a\nb:\n  ~: a", "line 3, column 3: must have keys that JSON knows, found null or a whole number from 2^63"),
        (".nan: a\n.nan: b", "line 2, column 1: must not have two keys that become the same text: Go takes either"),
        ("%YAML 1.2\n---\na: 1", "line 1, column 1: must be YAML 1.1 to Go, found another `%YAML` directive"),
        ('a: "\\/"', "line 1, column 4: must write `/` without a backslash"),
        ("a: [b?c]", "line 1, column 5: must quote a string with `?` inside `[]` or `{}`"),
        ("a: !!int b", "line 1, column 4: must have a value that fits its tag"),
        ("a: b\n<<: [c]", "line 2, column 6: must merge maps only with `<<`"),
        ("a: *b", "line 1, column 4: must define the alias's anchor before it"),
        ("a: 'b", "line 1, column 4: is not YAML: found unexpected end of stream"),
    ],
)
def test_what_go_refuses_has_its_place(text, message):
    assert refusal(text) == message


def test_an_error_about_a_secret_quotes_nothing():
    assert refusal("a: *marker", secret=True) == "line 1, column 4: is not YAML that Go reads"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: 1\nb: &x {c: 1, d: 2}\ne: {<<: *x, c: 3}", {"c": 3, "d": 2}),
        ("b: &x {c: 1}\ne: {c: 3, <<: *x}", {"c": 1}),
        ("b: [&x {c: 1}, &y {c: 2, d: 2}]\ne: {<<: [*x, *y]}", {"c": 1, "d": 2}),
        ("b: &x {c: 1}\ne: {'<<': *x}", {"<<": {"c": 1}}),
        ("b: &x 1\ne: *x", 1),
    ],
)
def test_rule_36_anchors_and_merge_keys(text, expected):
    assert data(text)["e"] == expected


@pytest.mark.parametrize("text", ["", "# only\n", "null", "---\n", "---\n---\na: 1\n"])
def test_rule_31_no_values(text):
    assert yaml.read(text).mapping() == {}


@pytest.mark.parametrize(("text", "found"), [("- a", "array"), ("a", "string")])
def test_rule_36_the_top_is_a_map(text, found):
    with pytest.raises(InputError, match=f"must be a map, found {found}"):
        yaml.read(text).mapping()


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("a: 1\n---\nb: 2", [Lint("document", (), 3, 1, "")]),
        ("a: 1\n---\n@", [Lint("document", (), 3, 1, "")]),
        ("a: 1\n---\n# nothing\n", []),
        ("a: 1\nb: 2\na: 3", [Lint("duplicate", ("a",), 3, 1, "a")]),
        ("on: [y]", [Lint("boolean", ("true",), 1, 1, "on"), Lint("boolean", ("true", 0), 1, 6, "y")]),
        ("a: 1.10\nb: 3.0\nc: 1.1", [Lint("digits", ("a",), 1, 1, "1.10"), Lint("digits", ("b",), 2, 1, "3.0")]),
        ("a: 9007199254740993\nb: 9007199254740992", [Lint("digits", ("a",), 1, 1, "9007199254740993")]),
        ("a: 0.12345678901234567890", [Lint("digits", ("a",), 1, 1, "0.12345678901234567890")]),
        ("a: 2024-02-29\nb: '2024-02-29'", [Lint("date", ("a",), 1, 1, "2024-02-29")]),
        ("a: 1\nsops:\n  mac: x", [Lint("sops", ("sops",), 2, 1, "sops")]),
        ("a: 'y'\nb: !!str on\nc: true\nsops: x", []),
    ],
)
def test_facts(text, facts):
    assert list(yaml.read(text).lints) == facts


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("a:\n  bc: 1.10", 2, 3),
        ("a:\n  b:\n    1.10", 2, 3),
        ("a:\n- x\n-  1.10", 3, 4),
        ("{x: 1,  x: 2}", 1, 9),
        ("1.10", 1, 1),
        ("\ufeffa: 1.10", 1, 1),
    ],
)
def test_a_fact_stands_at_its_key_or_list_element(text, line, column):
    assert [(fact.line, fact.column) for fact in yaml.read(text).lints] == [(line, column)]


def test_digits_are_not_lost_where_whole_numbers_keep_them():
    assert yaml.read("a: 9007199254740993", floats=False).lints == ()


def test_facts_about_a_secret_quote_nothing():
    assert yaml.read("a: 1.10\na: y", secret=True).lints == (
        Lint("digits", ("a",), 1, 1, ""),
        Lint("duplicate", ("a",), 2, 1, ""),
        Lint("boolean", ("a",), 2, 1, ""),
    )


def test_a_long_alias_expansion_is_refused_as_go_does():
    bomb = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
        f"{name}: &{name} [{', '.join(['*' + before] * 9)}]\n" for before, name in zip("abcdef", "bcdefg", strict=True)
    )
    assert refusal(bomb).endswith("must not hold so many values behind aliases")


def test_lines_go_through_merges_and_aliases():
    found = yaml.read("# c\na: &x\n  b: 1\n  c:\n  - 1\n  - d: 2\ne:\n  <<: *x\n  f: *x\na: 3\non: 1\n")
    expected = {
        ("e", "b"): 3,
        ("e", "c", 1, "d"): 6,
        ("e", "c", 1): 6,
        ("e", "f"): 9,
        ("e", "f", "b"): 3,
        ("a",): 10,
        ("true",): 11,
    }
    assert {path: found.line(path) for path in expected} == expected
    assert found.place(("e", "c", 1, "d")) == (6, 5)
    assert found.line(("e", "nothing")) is None
    assert found.line(("e", "c", 2)) is None


@pytest.mark.hosts
def test_go_reads_random_odd_texts_as_we_do():
    needed("goyaml")
    from tests.oracles.goyaml.compare import differences  # noqa: PLC0415
    from tests.oracles.goyaml.texts import Texts  # noqa: PLC0415

    source = Texts(20)
    assert differences([source.next() for _ in range(2000)]) == []
