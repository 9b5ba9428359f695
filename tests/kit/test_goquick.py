"""The quick reader of ordinary texts against the whole one: it reads the same, or leaves the text to it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from krm_values._go import yaml_parser
from krm_values._go.yaml import Lines
from krm_values._go.yaml_decode import decode
from krm_values._go.yaml_parser import first_document
from tests.oracles.goyaml.texts import Texts


def paths(value, path=()):
    """The path of every value, the root's first."""
    yield path
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in entries:
        yield from paths(item, (*path, key))


def assert_reads_as_the_whole_reader(text, *, floats):
    read = yaml_parser.read(text, floats=floats)
    if read is None:
        return False
    data, numbers = read
    document = first_document(text)
    lines = Lines(text, document.root)
    whole, facts = decode(document.root, floats=floats)
    assert (repr(data), []) == (repr(whole), facts)
    assert document.further == 0
    assert [numbers.of(path) for path in paths(data)] == [lines.of(path) for path in paths(data)]
    assert [yaml_parser.Starts(text, data).of(path) for path in paths(data)] == [lines.of(path) for path in paths(data)]
    return True


@pytest.mark.parametrize(
    "text",
    [
        "a:\n  b:\n    x: 1\n  # x: 0\n  x: 2\nx: 3\n",
        "a: [x, yes!]\nb:\n    a: 'it'\n    c: 1\n",
        "k: x\rb: 'c'",
        "a: 1\nb:\n  c: [x, {y1: 2.5}]\n  'on': null\nd: |\n  text\n  more\n",
        "---\n# a comment\na: yes!\nb: http://x/?y&z\n...\n",
        "- 1e3\n- '8'\n- \"\\t\"\n-\n- {}\n",
        "a:\r\n  b: 0644\r\n",
        "a: 1e+3\rc: a\rb: '+'",
        "scalar",
    ],
)
def test_ordinary_texts(text):
    assert assert_reads_as_the_whole_reader(text, floats=True)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a: &x 1",
        "a: !!str 1",
        "<<: {a: 1}",
        "? [a]\n: b",
        "1: a",
        "on: a",
        "a: on",
        "a: 1\na: 2",
        "a: 1.10",
        "a: 2024-02-29",
        "a: .inf",
        "a: [b?c]",
        'a: "\\/"',
        "a: 'b",
        "a: 1\n---\nb: 1\n",
        "%YAML 1.1\n---\na: 1",
        "\ufeffa: 1",
        "{}: a",
        "[" * 201,
    ],
)
def test_what_is_left_to_the_whole_reader(text):
    assert yaml_parser.read(text, floats=True) is None


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 1 << 32), st.booleans())
def test_on_odd_texts(seed, floats):
    source = Texts(seed)
    for _ in range(20):
        assert_reads_as_the_whole_reader(source.next(), floats=floats)
