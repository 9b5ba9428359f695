"""The conformance cases through the planner alone, and the laws that hold for each of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from krm_values._data.data_edits import same
from tests.functions.tekton_params.support import Resolved, data, documents, resolve

FILE = Path(__file__).parents[2] / "conformance" / "tekton.yaml"
CASES = [data(text) for text in documents(FILE.read_text("utf-8"))]
FEATURES: dict[str, dict[str, Any]] = {"reference": {"mode": "propagate", "references": True}}


def run(case: dict[str, Any], items: list[Any]) -> Resolved:
    return resolve(items, **FEATURES.get(case["feature"], {"mode": case["feature"]}))


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_case(case):
    found = run(case, case["input"])
    if "error" in case:
        param = case["error"].split(":")[0]
        assert any(param in error for error in found.errors), found.errors
        return
    assert found.errors == []
    assert same(found.items, case["expected"])


@pytest.mark.parametrize("case", [case for case in CASES if "expected" in case], ids=lambda case: case["id"])
def test_a_second_run_changes_nothing_and_explains_the_same(case):
    first = run(case, case["input"])
    second = run(case, first.items)
    assert not second.edited
    assert second.errors == []
    assert second.facts == first.facts
