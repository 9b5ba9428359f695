"""What new text looks like, and that every reader reads it back."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml as pyyaml
from hypothesis import assume, given
from hypothesis import strategies as st

from krm_values._data.errors import EditError
from krm_values._data.go_numbers import LEAST, MOST
from krm_values._data.scalars import Float, Int
from krm_values._yaml import decode, emit

SCALARS = [
    ("web", "web"),
    ("$(params.image)", "$(params.image)"),
    ("nginx:1.25", "nginx:1.25"),
    ("http://a.b/c?d=e#f", "http://a.b/c?d=e#f"),
    ("--flag=x", "--flag=x"),
    ("-v", "-v"),
    (":80", ":80"),
    ("1.2.3", "1.2.3"),
    ("10.0.0.1:80", "10.0.0.1:80"),
    ("10Gi", "10Gi"),
    ("123abc", "123abc"),
    ("2024-01", "2024-01"),
    ("2024-01-01-rc1", "2024-01-01-rc1"),
    ("it's", "it's"),
    ("", "''"),
    ("y", "'y'"),
    ("N", "'N'"),
    ("on", "'on'"),
    ("Yes", "'Yes'"),
    ("true", "'true'"),
    ("~", "'~'"),
    ("null", "'null'"),
    ("=", "'='"),
    ("<<", "'<<'"),
    ("7", "'7'"),
    ("-7", "'-7'"),
    ("+7", "'+7'"),
    ("0777", "'0777'"),
    ("0o17", "'0o17'"),
    ("0x1F", "'0x1F'"),
    ("0b11", "'0b11'"),
    ("1_000", "'1_000'"),
    ("1,000", "'1,000'"),
    ("1.10", "'1.10'"),
    (".5", "'.5'"),
    ("5.", "'5.'"),
    ("1e3", "'1e3'"),
    (".inf", "'.inf'"),
    ("-.INF", "'-.INF'"),
    (".nan", "'.nan'"),
    ("12:30", "'12:30'"),
    ("12:30:45.5", "'12:30:45.5'"),
    ("2024-01-01", "'2024-01-01'"),
    ("2024-1-1 10:00:00", "'2024-1-1 10:00:00'"),
    ("2024-01-01T10:00:00Z", "'2024-01-01T10:00:00Z'"),
    ("a: b", "'a: b'"),
    ("a:", "'a:'"),
    ("a #b", "'a #b'"),
    ("# c", "'# c'"),
    ("- a", "'- a'"),
    ("-", "'-'"),
    ("? a", "'? a'"),
    ("---", "'---'"),
    ("*x", "'*x'"),
    ("&x", "'&x'"),
    ("!t", "'!t'"),
    ("%d", "'%d'"),
    ("@a", "'@a'"),
    ("`", "'`'"),
    ("{a}", "'{a}'"),
    ("[", "'['"),
    ("'q", "'''q'"),
    (" lead", "' lead'"),
    ("trail ", "'trail '"),
    ("é✓😀", "é✓😀"),
    ("a\tb", '"a\\tb"'),
    ("a\nb", '"a\\nb"'),
    ("\x07", '"\\x07"'),
    ("a\x85b", '"a\\x85b"'),
    ("a\u2028b", '"a\\u2028b"'),
    ('a"\n\\', '"a\\"\\n\\\\"'),
    (None, "null"),
    (True, "true"),
    (False, "false"),
    (12345678901234567890, "12345678901234567890"),
    (Float("2.10"), "2.10"),
    (Int(511, "0o777"), "0o777"),
    (1e16, "1.0e+16"),
    (1.5, "1.5"),
    (float("-inf"), "-.inf"),
]


@pytest.mark.parametrize(("value", "text"), SCALARS)
def test_scalar(value, text):
    assert emit.scalar(value) == text


@pytest.mark.parametrize(
    ("value", "style", "text"),
    [
        ("a", "'", "'a'"),
        ("it's", "'", "'it''s'"),
        ("a\nb", "'", '"a\\nb"'),
        ("a", '"', '"a"'),
        ("é", '"', '"é"'),
        ("a", "|", "a"),
        (7, "'", "7"),
    ],
)
def test_the_quote_style_of_an_edited_scalar_is_kept_where_it_can_be(value, style, text):
    assert emit.scalar(value, style=style) == text


@pytest.mark.parametrize(
    ("value", "text"), [("a,b", "'a,b'"), ("a:b", "'a:b'"), ("a]", "'a]'"), ("$(x)", "$(x)"), ("-v", "-v")]
)
def test_flow_context_quotes_more(value, text):
    assert emit.scalar(value, flow=True) == text


VALUE: Any = {"a": [1, {"b": "x", "c": []}, ["p", "q"]], "run": "one\ntwo\n", "e": {}, "on": {"k": None}, "args": ["a\nb", ""]}


COMPACT = """\
a:
- 1
- b: x
  c: []
- - p
  - q
run: |
  one
  two
e: {}
'on':
  k: null
args:
- |-
  a
  b
- ''
"""
WIDE = """\
a:
    - 1
    - b: x
      c: []
    - - p
      - q
run: |
    one
    two
e: {}
'on':
    k: null
args:
    - |-
        a
        b
    - ''
"""


def test_block():
    assert emit.block(VALUE) == COMPACT.splitlines()
    assert emit.block(VALUE, step=4, wide=True) == WIDE.splitlines()


def test_flow():
    assert emit.flow(VALUE) == (
        "{a: [1, {b: x, c: []}, [p, q]], run: \"one\\ntwo\\n\", e: {}, 'on': {k: null}, args: [\"a\\nb\", '']}"
    )


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("a\n", ["|", "  a"]),
        ("a\nb", ["|-", "  a", "  b"]),
        ("a\n\n\n", ["|+", "  a", "", ""]),
        ("\na\n", ["|", "", "  a"]),
        ("a\n\tb\n", ["|", "  a", "  \tb"]),
        (" a\nb\n", ['" a\\nb\\n"']),
        ("\n", ['"\\n"']),
        ("a\r\nb", ['"a\\r\\nb"']),
    ],
)
def test_strings_of_several_lines(text, lines):
    assert emit.block(text) == lines


@pytest.mark.parametrize(
    ("indent", "text"),
    [(None, '{"a":[1,{}],"b":"x\\"\\n"}'), (2, '{\n  "a": [\n    1,\n    {}\n  ],\n  "b": "x\\"\\n"\n}')],
)
def test_json(indent, text):
    assert emit.as_json({"a": [1, {}], "b": 'x"\n'}, indent=indent) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Float("2.10"), "2.10"),
        (Float(".5"), "0.5"),
        (Float("5."), "5.0"),
        (Float("1e3"), "1e3"),
        (Int(31, "0x1F"), "31"),
        (1e16, "1.0e+16"),
    ],
)
def test_json_numbers(value, text):
    assert emit.as_json(value) == text


def test_json_knows_no_nan():
    with pytest.raises(EditError, match=r'the number "\.nan"'):
        emit.as_json([float("nan")])


TEXTS = st.one_of(
    st.text(alphabet=st.characters(exclude_categories=["Cs"])),
    st.text(alphabet="ab \n\t:#-'\"{}[],&*!|>%@`?=0123456789.eExo_+yn~\x85\u2028\ufeff\r\\é😀"),
)
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(LEAST, MOST), st.floats(allow_nan=False, allow_infinity=False), TEXTS),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(TEXTS, inner, max_size=3)),
    max_leaves=8,
)


@given(VALUES, st.sampled_from([1, 2, 3, 4]), st.booleans())
def test_block_text_reads_back_under_both_versions(value, step, wide):
    text = "\n".join(emit.block({"k": value}, step=step, wide=wide)) + "\n"
    assert decode.to_data(decode.parse(text)) == {"k": value}
    assert pyyaml.load(text, pyyaml.CSafeLoader) == {"k": value}


@given(VALUES)
def test_flow_text_reads_back_under_both_versions(value):
    text = emit.flow([value]) + "\n"
    assert decode.to_data(decode.parse(text)) == [value]
    assert pyyaml.load(text, pyyaml.SafeLoader) == [value]


@given(VALUES, st.sampled_from([None, 0, 2]))
def test_json_text_reads_back(value, indent):
    assume(_finite(value))
    assert json.loads(emit.as_json(value, indent=indent)) == value


def _finite(value: Any) -> bool:
    if isinstance(value, dict | list):
        return all(map(_finite, value.values() if isinstance(value, dict) else value))
    return not isinstance(value, float) or value - value == 0
