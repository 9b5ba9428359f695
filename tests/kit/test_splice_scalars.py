"""Edits of single values: what is written in the place of a scalar, in every style."""

from __future__ import annotations

from pathlib import Path

import pytest

from krm_values._data.data_edits import Put
from krm_values._data.scalars import Float, Int, Text
from tests.kit.splices import edited

SCALARS = [
    ("a: 1 # c", 2, "a: 2 # c"),
    ("a: x", "on", "a: 'on'"),
    ("a: x", "7", "a: '7'"),
    ("a: 7", "8", "a: '8'"),
    ("a: '7'", 8, "a: 8"),
    ("a: '7'", "8", "a: '8'"),
    ('a: "x"', "y", 'a: "y"'),
    ("a: 'x'", "it's", "a: 'it''s'"),
    ("a: 'x'", "a\tb", 'a: "a\\tb"'),
    ("a: x", "$(params.x)", "a: $(params.x)"),
    ("a: x", "- y", "a: '- y'"),
    ("a: &n x # c", "z", "a: &n z # c"),
    ("a: !!str 12", "13", "a: !!str '13'"),
    ("a: !!str 12", 13, "a: 13"),
    ("a: &n !!str 12", 13, "a: &n 13"),
    ("a: !t x", "z", "a: !t z"),
    ("a: x", None, "a: null"),
    ("a: 1", True, "a: true"),
    ("a: 1", Float("2.10"), "a: 2.10"),
    ("a: 31 # c", Int(31, "0x1F"), "a: 0x1F # c"),
    ("a: {b: 31}", {"b": Int(31, "0x1F", "!!int '0x1F'")}, "a: {b: 31}"),
    ("a: 1", Int(509, "0775", '!!int "0775"'), 'a: !!int "0775"'),
    ("a: !!int '1' # c", Int(509, "0775"), "a: 0775 # c"),
    ("a: !!binary aGk=", "there", "a: there"),
    ("a: hi", Text("hi", "aGk=", "!!binary aGk="), "a: !!binary aGk="),
    ("a:", "x", "a: x"),
    ("a: # c", "x", "a: x # c"),
    ("a:   # c", "x", "a: x   # c"),
    ("a: &n", "x", "a: &n x"),
    ("a :  x", "z", "a :  z"),
    ("a: x\n  y # c", "z", "a: z # c"),
    ('a: "x\n  y"', "z", 'a: "z"'),
    ("a:\n  x # c", "z", "a:\n  z # c"),
    ("a: |\n  x\n  y\n\nb: 1", "z", "a: z\n\nb: 1"),
    ("a: | # c\n  x", "z", "a: z # c"),
    ("a: |\n    x\n    y", "x\nz\n", "a: |\n    x\n    z"),
    ("a: >-\n  x\n  y\nb: 1", "x\nz", "a: |-\n  x\n  z\nb: 1"),
    ("a: x # c", "y\nz\n", "a: | # c\n  y\n  z"),
    ("a: {b: x}", "y\nz\n", "a: |\n  y\n  z"),
    ('a: "x\\ny"', "x\nz", 'a: "x\\nz"'),
    ('a: ""', "x\nz", "a: |-\n  x\n  z"),
    ("- x # c", "y\nz\n", "- | # c\n  y\n  z"),
    ("-   x # c", "y\nz\n", "-   | # c\n  y\n  z"),
    ("[x, y]", "a\nb", '["a\\nb", y]'),
    ("[x, y]", "a, b", "['a, b', y]"),
    ("a: {b: c}", "d", "a: d"),
    ("a: {b: c} # x", "d", "a: d # x"),
    ("a: # x\n  b: c # gone\nd: 1", "e", "a: e # x\nd: 1"),
    ("a: [\n  x, # gone\n] # y", "e", "a: e # y"),
    ("a: |\n  x\n    \nb: 1", "z", "a: z\nb: 1"),
]


@pytest.mark.parametrize(("before", "value", "after"), SCALARS)
def test_a_scalar_takes_the_place_of_a_value(before, value, after):
    path = (0,) if before[0] in "-[" else ("a",)
    assert edited(before + "\n", Put(path, value)) == after + "\n"
    assert edited(before.replace("\n", "\r\n") + "\r\n", Put(path, value)) == after.replace("\n", "\r\n") + "\r\n"


LINES = (Path(__file__).parent / "scalars.in.yaml").read_text().splitlines()
DATA = LINES.index("  data:") + 1


@pytest.mark.parametrize("number", range(DATA, LINES.index("functionConfig:")))
def test_setting_one_of_many_scalars_leaves_all_others(number):
    text = "\n".join(LINES) + "\n"
    key = LINES[number].strip().partition(":")[0].strip('"')
    if key.startswith("#"):
        key = "k2"
        number += 1
    result = edited(text, Put(("items", 0, "data", key), "set")).splitlines()
    assert result[:number] + result[number + 1 :] == LINES[:number] + LINES[number + 1 :]
    assert result[number].startswith(LINES[number].partition(": ")[0])
