"""Where the characters of a scalar stand in its source: of what PyYAML's emitter writes in any style, and by hand."""

from __future__ import annotations

import random
import time

import pytest
import yaml as pyyaml

from krm_values._kit import names, reading
from krm_values._kit.nodes import parse
from krm_values._kit.scalarplaces import places

ALPHABET = "abc: #{}[]&*!|>'\"%@,\n\n\té\u00a0\U0001f600\\-"


@pytest.mark.parametrize("style", ["", "'", '"', "|", ">"])
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_every_character_is_found_or_nothing_is_told(style, ending):
    """A character that is written as itself is found where it is; never is a place told that holds another."""
    rng = random.Random(f"{style}{ending}")
    told = 0
    for _ in range(400):
        value = "".join(rng.choices(ALPHABET, k=rng.randint(1, 60)))
        source = pyyaml.safe_dump({"x": [value]}, default_style=style, allow_unicode=True, width=20, indent=rng.randint(2, 5))
        source = source.replace("\n", ending)
        node = parse(source).items[0].items[0]
        value = node.value  # PyYAML folds some texts into others
        found = places(source, node)
        if found is None:
            continue
        told += 1
        for number, line in enumerate(value.split("\n"), 1):
            for column, character in enumerate(line, 1):
                at = found.at(number, column)
                assert at is not None
                shown = source[at]
                assert shown == character or shown in "\\\r\n \t'", (source, character, shown)
    assert told == 400


@pytest.mark.parametrize(
    ("source", "line", "column", "expected"),
    [
        ("x: |\n  a\n\n  b\n", 3, 1, (3, 2)),
        ("x: |2\n   a\n  b\n", 1, 2, (1, 3)),
        ("x: >-\n  a\n  b\n\n  c\n", 1, 3, (2, 2)),
        ("x: >-\n  a\n  b\n\n  c\n", 2, 1, (4, 2)),
        ("x: 'it''s'\n", 1, 4, (0, 8)),
        ('x: "a\\tb"\n', 1, 3, (0, 7)),
        ('{"x": "\\ud83d\\ude00b"}', 1, 2, (0, 19)),
        ("x: &a !!str |\n  a\n", 1, 1, (1, 2)),
    ],
)
def test_places_by_hand(source, line, column, expected):
    found = reading.read(source)
    assert isinstance(found.data, dict)
    assert found.inside(("x",), str(found.data["x"]), line, column) == expected


def test_of_another_text_nothing_is_told():
    assert reading.read("x: |\n  a\n").inside(("x",), "b\n", 1, 1) is None
    assert reading.read("x: [a]\n").inside(("x",), "a", 1, 1) is None
    assert reading.read("x: |\n  a\n").inside(("x",), "a\n", 7, 1) is None


def test_a_line_that_is_folded_has_no_line_of_its_own():
    text = reading.read("x: >\n  a\n  b\n\n  c\n")
    assert text.inside(("x",), "a b\nc\n", 1, 0) is None
    assert text.inside(("x",), "a b\nc\n", 2, 0) == (4, 2)


def test_nearest_names_take_time_by_the_number_of_words_only():
    """Ten times the known names cost no more once they are many."""
    few, many = ([f"parameter-{number:06}" for number in range(size)] for size in (2_000, 200_000))
    names.nearest("parameter-xxxxxx", few)
    times = []
    for known in (few, many):
        begin = time.perf_counter()
        for number in range(20):
            names.nearest(f"parameter-x{number:03}xx", known)
        times.append(time.perf_counter() - begin)
    assert times[1] < 5 * times[0] + 0.1
