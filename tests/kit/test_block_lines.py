"""Texts that are read line by line against the parser's reading: the same data, or the text is left to the parser."""

from __future__ import annotations

import random

import pytest

from krm_values._data.limits import DEFAULT, Limits
from krm_values._go import yaml_parser
from krm_values._yaml import decode, fast
from tests.oracles.goyaml.texts import Texts

READERS = [yaml_parser._NUMBERS, yaml_parser._FLOATS, decode._ORDINARY]
PIECES = """\
a
b:
c: 1
- x
- \n-
- a: 1
d: [x, y]
e: []
# c

f: 'q'
g: "h i"
h: a # b
i:  j  \nk: a b: c
- - x
l: http://a:80/x?y=1
m: -1
n: ~
o: 1.10
p: 0644
y: 1
true: 1
q: yes
- b:
r: a #b
s: a#b
- [a, b]
- 'x'
t: [a,b]
---
...
u: |
v: {}
w: - x
x: ? y
z: -
aa: a\tb
bb: é
cc: &a b
dd: *a
ee: !t b
ff: a !t
gg: [a, ]
hh: %x
- # c
ii: # c
<<: a
- 1: b
jj: ...
--- a
kk: 2024-02-29
""".splitlines()


def by_lines(text, reader, limits=DEFAULT):
    return fast.read_lines(text, reader.lines, reader.value, reader.key, limits)


def by_parser(text, reader, monkeypatch):
    """What the parser reads; None for a text that is not ordinary."""
    with monkeypatch.context() as patched:
        patched.setattr(fast, "LONG", len(text) + 1)
        try:
            return fast.read(text, reader)
        except fast.UnusualError:
            return None


def agree(text, monkeypatch):
    """How many of the readings by lines gave data, each of which is the parser's."""
    found = [(by_lines(text, reader), reader) for reader in READERS]
    for data, reader in found:
        assert data is None or repr(data) == repr(by_parser(text, reader, monkeypatch)), text
    return sum(data is not None for data, _ in found)


def test_random_lines(monkeypatch):
    dice, hits = random.Random(7), 0
    for _ in range(60_000):
        lines = [" " * dice.choice((0, 0, 1, 2, 2, 4, 4, 6)) + dice.choice(PIECES) for _ in range(dice.randint(1, 7))]
        hits += agree("\n".join(lines) + dice.choice(("", "\n")), monkeypatch)
    assert hits > 5_000


def test_odd_texts(monkeypatch):
    source = Texts(5)
    assert sum(agree(source.next(), monkeypatch) for _ in range(10_000)) > 500


@pytest.mark.parametrize(
    "text",
    [
        "a:\n  b: x\n  c:\n  - 1\n  - d: z\n    e: [p, q]\n  -\nf:\n",
        "- a\n-\n  b: 'x: y'\n  c: \"#\"\n- last\n",
        "  # indented\n  a: 1\n\n  b:\n    - c: 2\n      d:\n      - e\n    - f\n",
    ],
)
def test_what_is_read_by_lines(text, monkeypatch):
    assert agree(text, monkeypatch) == len(READERS)


def test_lists_of_equal_lines_are_not_one_list():
    data = by_lines("a: [x]\n", READERS[2]), by_lines("a: [x]\n", READERS[2])
    data[0]["a"].append("y")
    assert data[1] == {"a": ["x"]}


def test_limits():
    deep = "\n".join("  " * level + "a:" for level in range(5))
    assert by_lines(deep, READERS[2], Limits(depth=4)) is None
    assert by_lines(deep, READERS[2], Limits(depth=5)) is not None
    assert by_lines("a: " + "x" * 50, READERS[2], Limits(scalar_length=50)) is None


def test_a_long_text_is_read_by_lines():
    text = "".join(f"key{number}: value\n" for number in range(200))
    assert len(text) > fast.LONG
    assert decode.data(text) == {f"key{number}": "value" for number in range(200)}
