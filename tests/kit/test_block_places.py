"""Places of documents that are found line by line are those of the parser's nodes."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from krm_values._data.errors import InputError
from krm_values._data.pointer import get
from krm_values._yaml import block_places, decode, scalar_places
from krm_values._yaml.encoding import LineStarts
from tests.kit.test_block_lines import PIECES

EXAMPLES = Path(__file__).parents[2] / "examples"
TEXTS = [
    "u: |\n",
    "- v: |-\n",
    "w: >\n",
    "x: |+\n",
    "y: |2\n",
    "z: | # said\n",
    "p: | \n",
    "- |\n",
    "a:\n- |\n",
    "k: '|\n",
    "# c: |\n",
]
LINES = ["b: 1", "# said", "- c", "", "   ", "\t", "text", "d: |", "é: é", "a\x85b: 1", "..."]


def check(text: str) -> int:
    """Compare the places of a text with those of its nodes. Returns how many there are."""
    try:
        data, root = decode.data(text), decode.parse(text)
    except InputError:
        return 0
    found, finder, starts = decode.block_places(text), decode.Finder(), LineStarts(text)
    for path, at in found.all().items():
        parent = finder.find(root, path[:-1])
        node = finder.find(root, path)
        if path and parent.kind == "map":
            node = parent.keys[finder.key_indices(parent)[path[-1]]]
        assert starts.place(node.start) == at, (text, path)
    for path in found.all():
        begin = found.text(path)
        if begin is None:
            continue
        node = finder.find(root, path)
        assert node.style == "|", (text, path)
        if places := block_places.literal(text, begin, get(data, path)):
            known = scalar_places.places(text, node)
            for line in range(1, node.value.count("\n") + 2):
                assert places.at(line, 1) == known.at(line, 1), (text, path)
                assert places.line(line) == known.line(line), (text, path)
    return len(found.all())


def test_of_random_texts():
    dice, hits = random.Random(3), 0
    for _ in range(5_000):
        lines = []
        for _ in range(dice.randint(1, 5)):
            pad = dice.choice((0, 0, 1, 2, 2, 4))
            lines.append(" " * pad + dice.choice((*PIECES, *TEXTS)).removesuffix("\n"))
            if lines[-1].endswith(("|", "-", "+", ">", "2")):
                lines += [
                    " " * dice.choice((0, pad + 2, pad + 2, pad + 4)) + dice.choice(LINES) for _ in range(dice.randint(0, 3))
                ]
        hits += bool(check("\n".join(lines) + dice.choice(("", "\n"))))
    assert hits > 300


def test_of_the_files_of_examples():
    hits = [check(text) for file in EXAMPLES.rglob("*.yaml") for text in file.read_text().split("---\n")]
    assert sum(map(bool, hits)) > len(hits) // 2


@pytest.mark.parametrize(
    ("text", "keys", "texts"),
    [
        ("a: 1\nb:\n  c: x\n", {(): (0, 0), ("a",): (0, 0), ("b",): (1, 0), ("b", "c"): (2, 2)}, {}),
        ("a:\n- b: 1\n-   c\n", {(): (0, 0), ("a",): (0, 0), ("a", 0): (1, 2), ("a", 0, "b"): (1, 2), ("a", 1): (2, 4)}, {}),
        ("-\n  a: |-\n    t\n\n    u\n  b: 1\n", {(): (0, 0), (0,): (1, 2), (0, "a"): (1, 2), (0, "b"): (5, 2)}, {(0, "a"): 10}),
    ],
)  # fmt: skip
def test_what_is_found(text, keys, texts):
    found = decode.block_places(text)
    assert {path: begin for path in keys if (begin := found.text(path)) is not None} == texts
    assert found.all() == keys


@pytest.mark.parametrize("text", ["a: &x 1\n", "a: *x\n", "{a: 1}\n", "a: b\n  c\n", "a: b\n  - c\n", "<<: {a: 1}\n", "é: 1\n", "a: 1\r\n", "---\na: 1\n", "a:\n\tb: 1\n"])  # fmt: skip
def test_of_what_is_behind_another_line_nothing_is_said(text):
    assert len(decode.block_places(text).all()) <= 2
    assert decode.block_places(text + "z: 1\n").key(("z",)) is None
