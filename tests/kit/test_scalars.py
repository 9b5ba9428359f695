"""What plain scalars mean, and where other readers differ: PyYAML is the YAML 1.1 reader, ruamel.yaml the 1.2 one."""

from __future__ import annotations

import itertools
import pickle
from typing import Any

import pytest
import ruamel.yaml
import yaml as pyyaml

from krm_values._kit.scalars import Float, Int, is_ambiguous, is_retyped_by_11, read_plain, text_of

VALUES = [
    *((text, None) for text in ("", "~", "null", "Null", "NULL")),
    *((text, True) for text in ("true", "True", "TRUE")),
    *((text, False) for text in ("false", "False", "FALSE")),
    ("0", 0),
    ("-1", -1),
    ("+1", 1),
    ("0777", 777),
    ("089", 89),
    ("0o777", 511),
    ("0x1F", 31),
    ("12345678901234567890", 12345678901234567890),
    ("1.10", 1.1),
    ("1e3", 1000.0),
    (".5", 0.5),
    ("5.", 5.0),
    ("-.5e-1", -0.05),
    (".inf", float("inf")),
    ("-.INF", float("-inf")),
    ("1e400", float("inf")),
]
TEXTS = [
    *("yes", "no", "on", "off", "y", "n", "Yes", "tRUE", "nULL", "=", "<<", "2001-01-01", "2001-01-01T00:00:00Z", "12:30:45"),
    *(
        "1_000",
        "0b11",
        "0o8",
        "0x",
        "0xg",
        "-0x1",
        "1.2.3",
        "1e",
        "e1",
        ".",
        "-",
        "+",
        "--1",
        ".e1",
        "inf",
        "nan",
        "+.nan",
        "1 2",
        "0o",
    ),
    "9" * 5000,
]


@pytest.mark.parametrize(("text", "value"), VALUES)
def test_read_plain(text, value):
    found = read_plain(text)
    assert found == value
    assert isinstance(found, type(value))
    assert text_of(found) == (text if value is not None and not isinstance(value, bool) else text_of(value))


@pytest.mark.parametrize("text", TEXTS)
def test_texts(text):
    assert read_plain(text) == text


def test_nan():
    found: Any = read_plain(".nan")
    assert found != found
    assert found.text == ".nan"


def test_numbers_remember_how_they_were_written():
    for text in ("2.10", "0777", "+5"):
        value = read_plain(text)
        assert isinstance(value, Float | Int)
        assert text_of(pickle.loads(pickle.dumps(value))) == text
    assert type(read_plain("5")) is int


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
        for text in SHORT + LONG
        if not (isinstance(read_11(text), str) and isinstance(read_plain(text), str)) and not is_ambiguous(text)
    ]
    assert wrong == []


def test_our_reading_is_that_of_another_12_reader():
    yaml_12 = ruamel.yaml.YAML(typ="safe", pure=True)
    for text in [*(text for text, _ in VALUES if text), "yes", "on", "12:30:45", "1.2.3", "0o8"]:
        assert yaml_12.load(f"a: {text}")["a"] == read_plain(text)


RETYPED = [
    "0777",
    "-0777",
    "089",
    "0o17",
    "0b11",
    "yes",
    "y",
    "Off",
    "=",
    "<<",
    "1_000",
    "12:30:45",
    "-1:30",
    "1:20.5",
    "2001-01-01",
    "10:59",
]
SAME = [
    "5",
    "-5",
    "1.5",
    "007",
    "0",
    "0x1f",
    "a",
    "",
    "~",
    "null",
    "true",
    "80:443",
    "10:60",
    "1.2.3",
    "1.2.3.4:80",
    "0o9",
    "0b2",
    "-",
    "v1",
]


@pytest.mark.parametrize("text", RETYPED)
def test_retyped_by_11(text):
    assert is_retyped_by_11(text)


@pytest.mark.parametrize("text", SAME)
def test_not_retyped_by_11(text):
    assert not is_retyped_by_11(text)


def test_retyped_by_11_agrees_with_pyyaml():
    """But for `y`, `n`, `1e3`, `09_` and `2001-1-1`, where PyYAML and the Go readers differ among themselves."""
    for text in SHORT + LONG:
        old, new = read_11(text), read_plain(text)
        is_same = (type(old) is type(new) and old == new) or (isinstance(old, int | float) and old == new) or old != old
        if is_same and is_retyped_by_11(text):
            assert text in ("y", "n", "2001-1-1") or "_" in text
        if not is_same and not is_retyped_by_11(text):
            assert isinstance(new, Float) or isinstance(old, tuple)


@pytest.mark.parametrize("text", ["0x" + "f" * 5_000, "0o" + "7" * 5_000, "9" * 5_000])
def test_a_number_of_more_digits_than_python_converts_is_text(text):
    assert read_plain(text) == text
    assert text_of(read_plain("0x" + "f" * 2_000)) == "0x" + "f" * 2_000


def test_very_many_digits_after_a_colon_are_no_minutes():
    assert not is_retyped_by_11("1:" + "9" * 5_000)
