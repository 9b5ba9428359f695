"""The independent implementation of the Tekton rules against the conformance cases."""

from __future__ import annotations

from pathlib import Path

import pytest

from krm_values._data.data_edits import same
from krm_values._yaml import decode
from tests.reference.tekton import resolve as tekton

FILE = Path(__file__).parents[2] / "conformance" / "tekton.yaml"
TEXTS = ("\n" + FILE.read_text(encoding="utf-8")).split("\n---\n")
CASES = [decode.to_data(decode.parse(text + "\n")) for text in TEXTS[1:]]


def config(case):
    if case["feature"] == "reference":
        return {"mode": "propagate", "references": True}
    return {"mode": case["feature"]}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_case(case):
    """It gives the expected items, or names the params that begin the error's text."""
    answer = tekton.resolve(case["input"], config(case) | case.get("config", {}))
    if "error" in case:
        params = {param.split(".")[0].split("[")[0] for param in case["error"].split(":")[0].split(", ")}
        assert params <= {param for _, param in answer.errors}
        return
    assert not answer.errors
    assert same(answer.items, case["expected"]), answer.items
