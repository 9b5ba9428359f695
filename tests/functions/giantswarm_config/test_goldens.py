"""Each value of each config field: `input.yaml` is exact stdin, `expected.yaml` exact stdout."""

from __future__ import annotations

from pathlib import Path

import pytest

from krm_values._cli import pipe
from krm_values._kit.config import read
from krm_values._kit.kio import resourcelist
from krm_values._kit.process import registry

CASES = sorted((Path(__file__).parent / "cases").iterdir())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_golden(case, golden):
    source, outcome = pipe.answer((case / "input.yaml").read_bytes(), "")
    added = [added.data for added in outcome.added]
    out = b"".join(source.write(outcome.edited, outcome.removed, added, pipe.entries(outcome)))
    golden(out.decode(), case / "expected.yaml")


@pytest.mark.parametrize(
    "field", ["outputs", "chartNamespace", "allowMissing", "assume", "scalarConflict", "levels", "keys", "strict"]
)
def test_every_field_has_a_golden(field):
    assert any(f"{field}:" in (case / "input.yaml").read_text() for case in CASES)


def test_the_defaults_are_those_of_the_manual():
    function = registry.load("giantswarm-config")
    value = read.read(function.form(), function.name, None)
    found = (value.outputs, value.chart_namespace, value.allow_missing, value.assume, value.scalar_conflict)
    assert found == (["configMap", "secret"], "giantswarm", [], [], "upstream")
    assert (value.levels, value.keys, value.strict) == (None, "one", False)


def test_one_wrong_app_stops_all_and_every_error_comes_at_once():
    text = (CASES[0].parent / "one-of-two-is-wrong/input.yaml").read_bytes()
    source, outcome = pipe.answer(text, "")
    assert (outcome.added, outcome.edited, outcome.removed) == ((), {}, frozenset())
    assert [finding.rule for finding in outcome.findings if finding.severity == "error"] == ["43", "6"]
    assert resourcelist.read(text).text(0) == source.text(0)
