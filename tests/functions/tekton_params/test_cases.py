"""The tables of `cases`: what is added and what must not change, what is rejected and what is worth a warning."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from krm_values._data.data_edits import same
from krm_values._data.pointer import to_field
from tests.functions.tekton_params.support import data, documents, resolve

CASES = Path(__file__).parent / "cases"
WITHOUT_BEHAVIOUR = {51}  # which feature gate Tekton asks for
MODES: list[dict[str, Any]] = [
    {},
    {"mode": "propagate"},
    {"mode": "propagate", "references": True},
    {"references": True, "referenceDefaults": True},
]


def table(name: str) -> list[Any]:
    cases = [data(text) for text in documents((CASES / f"{name}.yaml").read_text("utf-8"))]
    return [pytest.param(case, id=case["id"]) for case in cases]


@pytest.mark.parametrize("case", table("changes"))
def test_change(case):
    found = resolve(case["input"], **case.get("config", {}))
    assert found.errors == []
    edits = {to_field(edit.path): edit.value for _, edit in found.edits}
    assert list(edits) == list(case["edits"])
    assert same(edits, case["edits"])


@pytest.mark.parametrize("case", table("changes"))
def test_after_a_change_nothing_is_left_to_do(case):
    first = resolve(case["input"], **case.get("config", {}))
    second = resolve(first.items, **case.get("config", {}))
    assert second.edits == []
    assert second.errors == []
    assert second.facts == first.facts


@pytest.mark.parametrize("case", table("unchanged"))
@pytest.mark.parametrize("config", MODES, ids=str)
def test_unchanged(config, case):
    found = resolve(case["input"], **config)
    assert found.edits == []
    assert found.findings == []


@pytest.mark.parametrize("case", table("errors"))
def test_errors(case):
    assert resolve(case["input"], **case.get("config", {})).errors == case["errors"]


@pytest.mark.parametrize("case", table("warnings"))
def test_warnings(case):
    found = resolve(case["input"], **case.get("config", {}))
    assert found.warnings == case["warnings"]
    assert found.errors == []
    again = resolve(found.items, **case.get("config", {})).warnings
    assert [
        text for text in found.warnings if text not in again and not text.startswith("21 ")
    ] == []  # data has no plain words


def test_every_rule_is_cited_by_a_test():
    tests = [*CASES.glob("*.yaml"), *Path(__file__).parent.glob("test_*.py")]
    text = "\n".join(path.read_text("utf-8") for path in tests)
    listed = re.findall(r"\brules? (\d+(?:, \d+)*)", text) + re.findall(r"test_rules?_(\d+)", text)
    cited = {int(number) for numbers in listed for number in numbers.split(", ")}
    assert set(range(1, 58)) - cited == WITHOUT_BEHAVIOUR
