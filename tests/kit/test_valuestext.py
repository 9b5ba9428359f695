"""The one form of values texts, read back by PyYAML (YAML 1.1), by our own reader (YAML 1.2 core) and by Go."""

from __future__ import annotations

import math

import pytest
import yaml as pyyaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from krm_values._go import yaml
from krm_values._run import texts
from krm_values._yaml import decode
from tests.oracles.go import ask, needed
from tests.oracles.goyaml.compare import alike, as_floats
from tests.oracles.goyaml.texts import PHRASES, SCALARS

ODD = [
    *SCALARS,
    *PHRASES,
    "---",
    "...",
    "- ",
    "? a",
    "a\n",
    "a\nb",
    "a\n\nb\n",
    "a\n\n",
    "\n",
    "\na",
    " a\nb",
    "a \nb",
    "a\n\tb",
    "😀\n",
    "\r\n",
    "\x00",
    "\x85",
    "\u2028x",
]
STRINGS = st.one_of(st.sampled_from(ODD), st.text(max_size=20), st.lists(st.sampled_from(ODD), max_size=3).map("\n".join))
NUMBERS = st.one_of(
    st.integers(-(2**63), 2**64 - 1),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from([1e21, 1e20, 1e-7, -0.0]),
)
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), NUMBERS, STRINGS),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(STRINGS, inner, max_size=4)),
    max_leaves=12,
)
MAPS = st.dictionaries(STRINGS, VALUES, max_size=4)


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ({}, "{}\n"),
        ({"b": 1, "a": {"d": [], "c": {}}, "B": None}, "B: null\na:\n  c: {}\n  d: []\nb: 1\n"),
        ({"l": [1, [2, 3], {"x": 1, "y": [4]}, []]}, 'l:\n- 1\n- - 2\n  - 3\n- x: 1\n  "y":\n  - 4\n- []\n'),
        ({"f": [1.0, 1.5, 1e20, 1e21, 1e-7, -0.0, 1.8446744073709552e19]},
         "f:\n- 1\n- 1.5\n- 100000000000000000000\n- 1.0e+21\n- 1.0e-07\n- -0.0\n- 18446744073709552000\n"),
        ({"s": ["y", "08", "0o17", "1_000", "1e3", "12:30", "2024-02-29", "=", "<<", "~", "", " a", "a ", "plain", "a: b"]},
         's:\n- "y"\n- "08"\n- "0o17"\n- "1_000"\n- "1e3"\n- "12:30"\n- "2024-02-29"\n- "="\n- "<<"\n- "~"\n- ""\n- " a"\n- "a "\n- plain\n- "a: b"\n'),
        ({"m": "a\nb\n", "n": "a\nb", "o": ["x\n y\n"], "p": "a \nb", "q": "a\n\n"},
         'm: |\n  a\n  b\n"n": |-\n  a\n  b\no:\n- |\n  x\n   y\np: "a \\nb"\nq: "a\\n\\n"\n'),
        ({"on": {"1": "\x7f"}}, '"on":\n  "1": "\\x7f"\n'),
    ],
)  # fmt: skip
def test_the_form(data, text):
    assert texts.write(data) == text


def test_one_character_that_needs_two_in_utf_16_has_one_escape():
    assert texts.write({"a": "\U0001f600\x07"}) == 'a: "\U0001f600\\x07"\n'
    assert pyyaml.safe_load(texts.write({"a": "\U0001f600 "})) == {"a": "\U0001f600 "}


@settings(max_examples=300, deadline=None)
@given(MAPS)
@example({"k" * 2000: [{"\n": 1}]})
@example({"a": {"": [[], {}, [{"b": "x\n"}]]}})
def test_every_reader_takes_it_for_what_was_meant(data):
    text = texts.write(data)
    assert text.endswith("\n")
    assert not text.endswith("\n\n")
    assert alike(as_floats(pyyaml.safe_load(text)), as_floats(data))
    assert alike(as_floats(decode.to_data(decode.parse(text))), as_floats(data))
    assert alike(as_floats(yaml.read(text).data), as_floats(data))
    assert yaml.read(text, floats=False).lints == ()


@settings(max_examples=100, deadline=None)
@given(MAPS)
def test_what_go_read_is_written_as_it_was(data):
    text = texts.write(data)
    again = texts.write(yaml.read(text, floats=False).data)
    assert again == text


@pytest.mark.hosts
@settings(max_examples=20, deadline=None)
@given(st.lists(MAPS, min_size=20, max_size=40))
def test_go_takes_it_for_what_was_meant(values):
    needed("goyaml")
    answers = ask("goyaml", [texts.write(data) for data in values])
    assert [
        data for data, answer in zip(values, answers, strict=True) if not alike(as_floats(answer.get("json")), as_floats(data))
    ] == []


def test_a_negative_zero_comes_back():
    assert math.copysign(1, yaml.read(texts.write({"a": -0.0})).data["a"]) == -1  # type: ignore[index, call-overload]
