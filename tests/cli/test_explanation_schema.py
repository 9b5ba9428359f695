"""What `explain --json` prints fits the schema that `krm-values schema explanation` prints, on every example."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from tests.cli.packages import command

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads((ROOT / "functions/krm_values/_explain/explanation.json").read_text())
EXAMPLES = sorted(path.parent.relative_to(ROOT) for path in ROOT.glob("examples/*/*/Kptfile"))
FORM = Draft202012Validator(SCHEMA)


@pytest.mark.parametrize("example", EXAMPLES, ids=str)
def test_the_explanation_of_an_example_fits(example):
    done = command("explain", "--json", ROOT / example)
    assert [error.message for error in FORM.iter_errors(json.loads(done.stdout))] == []


def test_what_does_not_fit_is_found():
    wrong = FORM.iter_errors({"apiVersion": "x", "kind": "Explanation", "steps": 1, "more": 2})
    assert sorted(error.validator for error in wrong) == [
        "additionalProperties",
        "const",
        "required",
        "required",
        "required",
        "type",
    ]


def test_the_schema_is_printed_and_in_the_documents():
    printed = command("schema", "explanation").stdout
    assert json.loads(printed) == SCHEMA
    assert (ROOT / "docs/schemas/Explanation.json").read_text() == printed
