"""Each value of each config field: `input.yaml` is exact stdin, `expected.yaml` exact stdout."""

from __future__ import annotations

from pathlib import Path

import pytest

from krm_values._cli import pipe
from krm_values._kit.config import read
from krm_values._kit.kio import resourcelist
from krm_values._kit.process import registry

CASES = sorted((Path(__file__).parent / "cases").iterdir())


def answer(given: bytes) -> str:
    source, outcome = pipe.answer(given, "")
    added = [added.data for added in outcome.added]
    return b"".join(source.write(outcome.edited, outcome.removed, added, pipe.entries(outcome))).decode()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_golden(case, golden):
    golden(answer((case / "input.yaml").read_bytes()), case / "expected.yaml")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_second_run_gives_the_same_text(case):
    once = answer((case / "input.yaml").read_bytes())
    assert answer(once.encode()).split("\nresults:")[0] == once.split("\nresults:")[0]


@pytest.mark.parametrize("field", ["output", "allowMissing", "strict"])
def test_every_field_has_a_golden(field):
    assert any(f"{field}:" in (case / "input.yaml").read_text() for case in CASES)


def test_the_defaults_are_those_of_the_manual():
    function = registry.load("flux-values")
    value = read.read(function.form(), function.name, None)
    assert (value.output, value.allow_missing, value.strict) == ("object", [], False)


def test_one_wrong_release_stops_all_and_every_error_comes_at_once():
    text = (CASES[0].parent / "one-of-two-is-wrong/input.yaml").read_bytes()
    source, outcome = pipe.answer(text, "")
    assert (outcome.added, outcome.edited, outcome.removed) == ((), {}, frozenset())
    assert [finding.rule for finding in outcome.findings if finding.severity == "error"] == ["94", "90"]
    assert [resourcelist.read(text).text(n) for n in range(6)] == [source.text(n) for n in range(6)]
