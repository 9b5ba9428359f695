"""Random runs of which Tekton's own answers are recorded, before and after the function: equal, reported, or explained by a row."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from tests.oracles.tekton import differences

PARTS = 30
ANSWERS = Path(differences.__file__).with_name("answers.jsonl.gz")


@cache
def recorded():
    return [json.loads(line) for line in gzip.decompress(ANSWERS.read_bytes()).splitlines()]


@pytest.mark.parametrize("part", range(PARTS))
def test_no_silent_failure_and_no_other_value(part):
    counts = Counter(row for answer in recorded()[part::PARTS] for row in differences.difference(answer) or ["equal"])
    assert counts.keys() <= {"equal", *differences.ROWS}
    assert counts["equal"] > 40


def test_two_thousand_of_every_kind():
    states = Counter(differences.state(answer["answer"]) for answer in recorded())
    assert states.total() == 2_000
    assert min(states[state] for state in ("ran", "left", "failed", "refused")) > 200
    assert {answer["given"][0]["kind"] for answer in recorded()} == {"PipelineRun", "TaskRun"}
