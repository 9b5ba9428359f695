"""Each config field: `input.yaml` is exact stdin, `expected.yaml` exact stdout."""

from __future__ import annotations

from pathlib import Path

import pytest

from krm_values._cli import pipe
from krm_values._kit.config import read
from krm_values._kit.process import registry

CASES = sorted((Path(__file__).parent / "cases").iterdir())
FIELDS = ["emit", "precedence", "stepOutputs", "rename", "scoped", "ownerReferences", "ytt", "strict"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_golden(case, golden):
    source, outcome = pipe.answer((case / "input.yaml").read_bytes(), "")
    added = [added.data for added in outcome.added]
    out = b"".join(source.write(outcome.edited, outcome.removed, added, pipe.entries(outcome)))
    golden(out.decode(), case / "expected.yaml")


@pytest.mark.parametrize("field", FIELDS)
def test_every_field_has_a_golden(field):
    assert any(f"{field}:" in (case / "input.yaml").read_text() for case in CASES)


def test_the_defaults_are_those_of_the_manual():
    function = registry.load("cartographer-params")
    value = read.read(function.form(), function.name, None)
    found = (
        value.emit,
        value.precedence,
        value.step_outputs,
        value.rename,
        value.scoped,
        value.owner_references,
        value.ytt,
        value.strict,
    )
    assert found == (["params", "objects"], "released", {}, {}, False, False, False, False)
