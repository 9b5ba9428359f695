"""What scalars of resources mean, plain and tagged, and what must be quoted; PyYAML is the YAML 1.1 reader."""

from __future__ import annotations

import itertools
import pickle
from math import copysign
from typing import Any

import pytest
import yaml as pyyaml

from krm_values._data.errors import InputError
from krm_values._data.go_numbers import resolve
from krm_values._data.scalars import Float, Int, is_ambiguous, is_disputed, read_plain, source_of, text_of
from krm_values._yaml import decode, emit

BIG = 18446744073709551615
TABLE = [
    *(("0775", 509), ("-0775", -509), ("+0775", 509), ("0123", 83), ("0_7", 7), ("0777_", 511), ("1_000", 1000), ("1__0", 10)),
    *((str(BIG), BIG), (str(BIG + 1), 1.8446744073709552e19), ("0b11", 3), ("0B11", 3), ("-0b11", -3)),
    *(("0o17", 15), ("+0o17", 15), ("0O17", 15), ("-0o17", -15), ("0x1F", 31), ("0X1F", 31), ("0x_1F", 31), ("-0x1F", -31)),
    *((".5", 0.5), ("-.5", -0.5), ("1e3", 1000), ("1E3", 1000), ("12e03", 12000), ("012.5", 12.5), ("09.5", 9.5)),
    *(("08", 8), ("-08", -8), ("1_0.5", 10.5), ("+1", 1), ("-0", 0), ("00", 0), ("5.0", 5)),
]
VALUES = [
    *((text, None) for text in ("", "~", "null", "Null", "NULL")),
    *((text, True) for text in ("true", "True", "TRUE")),
    *((text, False) for text in ("false", "False", "FALSE")),
    *TABLE,
    *(("0", 0), ("-1", -1), ("089", 89), ("12345678901234567890", 12345678901234567890), ("1.10", 1.1)),
    *(("5.", 5), ("-.5e-1", -0.05), (".inf", float("inf")), ("-.INF", float("-inf")), ("+.Inf", float("inf")), ("-0.0", -0.0)),
    *(("9007199254740992.0", 1 << 53), ("9007199254740994.0", 9007199254740994.0), ("-9223372036854775808", -(1 << 63))),
    ("-9223372036854775809", -9.223372036854776e18),
]
TEXTS = [
    *("yes", "no", "on", "off", "y", "n", "Yes", "tRUE", "nULL", "=", "<<", "2024-02-29", "2001-01-01T00:00:00Z", "12:30:45"),
    *("1:30", "1:30:45", "0o8", "_1", "0b2", "0x", "0xg", "1.2.3", "1e", "e1", ".", "-", "+", "--1", ".e1", "inf", "nan"),
    *("+.nan", "1 2", "0o", "1,000", "10Gi", "5m", "-0b+11", "0o-17", "1e400", "0xfffffffffffffffff", "9" * 400, "9" * 5000),
]


@pytest.mark.parametrize(("text", "value"), VALUES)
def test_read_plain(text, value):
    found = read_plain(text)
    assert found == value
    assert isinstance(found, type(value))
    assert copysign(1, found or 0) == copysign(1, value or 0)
    assert text_of(found) == (text if value is not None and not isinstance(value, bool) else text_of(value))


@pytest.mark.parametrize("text", TEXTS)
def test_texts(text):
    assert read_plain(text) == text


def test_nan():
    found: Any = read_plain(".nan")
    assert found != found
    assert found.text == ".nan"


def test_numbers_remember_how_they_were_written():
    for text in ("2.10", "0777", "+5", "1_000", "5.0"):
        value = read_plain(text)
        assert isinstance(value, Float | Int)
        again = pickle.loads(pickle.dumps(value))
        assert (again, text_of(again), source_of(again)) == (value, text, text)
    assert type(read_plain("5")) is int


TAGGED = [
    ('!!int "0775"', 509, '!!int "0775"'),
    ("!!int 0b11", 3, "!!int 0b11"),
    ("!!float 1", 1, "!!float 1"),
    ("!!float 1.50", 1.5, "!!float 1.50"),
    ("!!str 0775", "0775", "!!str 0775"),
    ("!!str 'it is'", "it is", '!!str "it is"'),
    ("!!binary aGk=", "hi", "!!binary aGk="),
    ("!!bool yes", True, ""),
    ("!!null ''", None, ""),
    ("!x a", "a", "!x a"),
    ("!<x:y> a", "a", "!<x:y> a"),
]


@pytest.mark.parametrize(("text", "value", "source"), TAGGED)
def test_a_tag_counts_and_a_copy_keeps_it(text, value, source):
    found: Any = decode.data(f"a: {text}\n")
    assert found["a"] == value
    assert source_of(found["a"]) == source
    again = pickle.loads(pickle.dumps(found["a"]))
    assert (again, source_of(again)) == (value, source)
    if source:
        assert (emit.block(found), emit.flow(found)) == ([f"a: {source}"], f"{{a: {source}}}")


@pytest.mark.parametrize(
    "text", ["!!int abc", "!!int 1.5", "!!int ''", "!!float x", "!!bool maybe", "!!null x", "!!binary '@'"]
)
def test_a_tag_that_go_refuses_is_an_error_with_its_place(text):
    with pytest.raises(InputError, match="line 2, column 4: must be a value that fits its tag `!!"):
        decode.data(f"b: 1\na: {text}\n")


ALPHABET = "01279+-.eE_xob:~ynT"
SHORT = ["".join(letters) for length in range(1, 4) for letters in itertools.product(ALPHABET, repeat=length)]
LONG = [
    *(
        "2001-01-01",
        "2001-1-1",
        "2001-01-01T00:00:00Z",
        "2001-01-01 00:00:00",
        "12:30:45",
        "1:2",
        "190:20:30",
        "-1:30",
        "1:20.5",
    ),
    *(
        "1_000",
        "0b11",
        "0x1f",
        "0o17",
        "0777",
        "0899",
        "1.5e+3",
        ".inf",
        "-.INF",
        ".NaN",
        "yes",
        "No",
        "off",
        "=",
        "<<",
        "null",
        "TRUE",
    ),
    *("1__0", "0.1_0", "10:59", "10:60", "80:443", "1.2.3.4:80", "-07", "+0b1", "nginx:1.25", "1.25.3", "v1", "1a"),
]


def read_11(text: str) -> Any:
    """PyYAML's value of a plain scalar."""
    loader = pyyaml.SafeLoader("")
    node = pyyaml.ScalarNode(loader.resolve(pyyaml.ScalarNode, text, (True, False)), text)
    try:
        return loader.construct_object(node)  # type: ignore[no-untyped-call]
    except (ValueError, pyyaml.YAMLError):
        return ("no value", node.tag)


def test_what_a_reader_may_retype_is_ambiguous():
    """Nothing that PyYAML or we take for something else than text is called unambiguous."""
    wrong = [
        text
        for text in [*SHORT, *LONG, *TEXTS, *(text for text, value in VALUES if value is not None)]
        if not (isinstance(read_11(text), str) and isinstance(read_plain(text), str)) and not is_ambiguous(text)
    ]
    assert wrong == []


WORDS = [word for base in ("y", "n", "yes", "no", "on", "off") for word in (base, base.capitalize(), base.upper())]


def test_words_are_texts_that_readers_disagree_about():
    assert [text for text in (*WORDS, *SHORT, *LONG, *TEXTS, *(text for text, _ in VALUES)) if is_disputed(text)][:18] == WORDS
    assert all(read_plain(word) == word and resolve(word) in (True, False) for word in WORDS)


def test_but_for_words_our_reading_is_that_of_texts_inside_configmaps():
    """The two readers share what a number is; only the words of YAML 1.1 are texts in a resource."""
    for text in [*SHORT, *LONG, *TEXTS, *(text for text, _ in VALUES)]:
        if not is_disputed(text):
            ours, gos = read_plain(text), resolve(text)
            assert ours == gos or ours != ours, text
            assert isinstance(ours, str | bool | None) == isinstance(gos, str | bool | None), text
