"""Random merges of which EnvGene's own answer is recorded: equal to ours, or explained by a row of the manual."""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from krm_values import envgene_sd
from tests.oracles.envgene import differences, made

PARTS = 10
ANSWERS = Path(differences.__file__).with_name("answers.jsonl.gz")
UNRECORDED = ("the Delta SD", "a run that fails")
"""Rows on the files of a repository, of which no answer is recorded."""


@cache
def recorded(mode):
    answers = map(json.loads, gzip.decompress(ANSWERS.read_bytes()).splitlines())
    return [answer for answer in answers if answer["given"]["mode"] == mode]


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("mode", made.MODES)
def test_equal_to_upstream_or_a_row(mode, part):
    counts = Counter(row for answer in recorded(mode)[part::PARTS] for row in differences.difference(answer) or ["equal"])
    assert counts.keys() <= {"equal", *differences.ROWS}
    assert counts["equal"] >= 70


def test_two_thousand_of_each_mode():
    assert [len(recorded(mode)) for mode in made.MODES] == [2000] * 4


def test_rows_are_those_of_the_manual():
    manual = Path(envgene_sd.__file__).with_name("README.md").read_text().partition("\n## Differences from EnvGene\n")[2]
    rows = re.findall(r"^\| (.*?) \|", manual.partition("\n## ")[0], re.MULTILINE)
    assert rows[2:] == [*differences.ROWS, *UNRECORDED]
