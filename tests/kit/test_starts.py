"""Offsets of keys and elements that are found line by line are those that the parser says."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from krm_values._yaml import fast

EXAMPLES = Path(__file__).parents[2] / "examples"
WORDS = (
    "x",
    "1.5",
    "true",
    "",
    "'a: b'",
    '"q"',
    "'it''s'",
    '"a\\"b"',
    "[a, b]",
    "[a,  b.c]",
    "[a: b]",
    "[]",
    "{}",
    "{a: 1}",
    "-5",
    "- 5",
)
TAILS = ("", " # said", "  ", "\n\n", "\n# a: b", "\n    more", "\n    more: 1")


def both(text):
    """What the parser says, None where the text is not ordinary; what is found line by line."""
    try:
        fast.read(text, fast.Scalars(str, str))
        slow = [*fast.starts_of_events(text)]
    except fast.UnusualError:
        return None, None
    return slow, fast.starts_of_lines(text)


def layer(dice):
    lines = []
    for number in range(dice.randrange(1, 5)):
        lines.append(f"key{number}: {dice.choice(WORDS)}{dice.choice(TAILS)}")
        if dice.random() < 0.3:
            lines.append(f"map{number}:\n  inner: {dice.choice(WORDS)}\n  a.b: x\n  under_score: [é, b]")
    return "\n".join(lines) + dice.choice(("", "\n"))


@pytest.mark.parametrize("seed", range(50))
def test_of_random_layers(seed):
    dice = random.Random(seed)
    fast = 0
    for _ in range(100):
        slow, found = both(layer(dice))
        if found:
            fast += 1
            assert [found[0], *found] == slow
    assert fast


@pytest.mark.parametrize("text", ["a: 1\nb:\n  c: [x, y]\n", "# only\na: x # said\n", "a: 'b'\n\n  \nc: ./d\n"])
def test_what_is_found_line_by_line(text):
    slow, found = both(text)
    assert found
    assert [found[0], *found] == slow


@pytest.mark.parametrize(
    "text", ["a: |\n  b: 1\n", "a:\n- b: 1\n", "a: &x 1\n", '"a": 1\n', "a b: 1\n", "{a: 1}\n", "a: b\n  c\n", ""]
)
def test_any_other_text_is_left_to_the_parser(text):
    assert fast.starts_of_lines(text) == []


def test_of_the_files_of_examples():
    fast = 0
    for file in EXAMPLES.rglob("*.yaml"):
        for text in file.read_text().split("---\n"):
            slow, found = both(text)
            if found:
                fast += 1
                assert [found[0], *found] == slow, file
    assert fast
