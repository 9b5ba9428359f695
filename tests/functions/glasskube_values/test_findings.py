"""Every finding of the planner, over all cases: a rule, a kind, one line, and an address where there is one."""

from __future__ import annotations

from pathlib import Path

import pytest

from krm_values._krm import findings as results
from tests.conformance import cases
from tests.conformance.systems import SYSTEMS

FILE = Path(__file__).parents[2] / "conformance" / "glasskube.yaml"
OF_THE_KIT = ("record", "generated", "generated-removed", "rewritten")


@pytest.fixture(scope="module")
def findings():
    system = SYSTEMS["glasskube"]
    states = (state for case in cases.of(SYSTEMS["glasskube"], FILE) for _, state in cases.run(system, case))
    return [finding for state in states for finding in state.outcome.findings]


def test_each_has_a_rule_and_a_kind(findings):
    assert len(findings) > 100
    for finding in findings:
        assert finding.kind
        assert finding.rule or finding.kind in OF_THE_KIT, finding.message


def test_each_is_one_line_with_a_place(findings):
    for finding in findings:
        text = results.message(finding)
        assert "\n" not in text
        assert "{" + "found}" not in text
        assert finding.item is not None or finding.path or finding.rule == "93", text


def test_no_finding_is_told_twice():
    for case in cases.of(SYSTEMS["glasskube"], FILE):
        for _, state in cases.run(SYSTEMS["glasskube"], case):
            told = [results.message(finding) for finding in state.outcome.findings]
            assert len(told) == len(set(told))
