"""Laws of all functions on the folders `cases`: `input.yaml` is exact stdin, `expected.yaml` exact stdout."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from krm_values._krm import config, resourcelist
from krm_values._run import registry, settle

HERE = Path(__file__).parent
CASES = sorted(path.parent for path in HERE.glob("*/cases/*/input.yaml"))
FUNCTIONS = sorted({case.parents[1].name for case in CASES})
DEFAULTS: dict[str, dict[str, Any]] = {
    "cartographer-params": {
        "emit": ["params", "objects"],
        "precedence": "released",
        "step_outputs": {},
        "rename": {},
        "scoped": False,
        "owner_references": False,
        "ytt": False,
        "strict": False,
    },
    "flux-values": {"output": "object", "allow_missing": [], "strict": False},
    "giantswarm-config": {
        "outputs": ["configMap", "secret"],
        "chart_namespace": "giantswarm",
        "allow_missing": [],
        "assume": [],
        "scalar_conflict": "upstream",
        "levels": None,
        "keys": "one",
        "strict": False,
    },
}
"""The defaults of fields by function, as the manuals have them."""


def answer(given, folder):
    """(stdout, outcome) of a ResourceList."""
    source, outcome = settle.answer(given, folder.replace("_", "-"))
    added = [added.data for added in outcome.added]
    return b"".join(source.write(outcome.edited, outcome.removed, added, settle.entries(outcome))), outcome


def texts(data):
    found = resourcelist.read(data)
    return [found.text(number).rstrip() for number in range(len(found.items))]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.parents[1].name}/{case.name}")
def test_the_output_is_the_expected_one_and_a_second_run_gives_it_again(case, golden):
    given, folder = (case / "input.yaml").read_bytes(), case.parents[1].name
    found, outcome = answer(given, folder)
    if b"\r\n" in given:
        assert found.count(b"\n") == found.count(b"\r\n")
    golden(found.decode().replace("\r\n", "\n"), case / "expected.yaml")
    if outcome.failed:
        assert texts(found) == texts(given)
        assert (outcome.added, outcome.edited, outcome.removed, outcome.operations) == ((), {}, frozenset(), ())
    else:
        assert texts(answer(found, folder)[0]) == texts(found)


@pytest.mark.parametrize("folder", FUNCTIONS)
def test_every_field_of_a_config_is_in_a_case(folder):
    schema: Any = registry.load(folder.replace("_", "-")).form().schema
    inputs = [(case / "input.yaml").read_text() for case in CASES if case.parents[1].name == folder]
    fields = set(schema["properties"]) - {"workloadParamNames"}  # another name of `rename`
    assert [field for field in fields if not any(f"{field}:" in text for text in inputs)] == []


@pytest.mark.parametrize("name", DEFAULTS)
def test_the_defaults_are_those_of_the_manual(name):
    function = registry.load(name)
    value = config.read(function.form(), function.name, None)
    assert {field: getattr(value, field) for field in DEFAULTS[name]} == DEFAULTS[name]


@pytest.mark.parametrize(("folder", "rules"), [("flux_values", ["94", "90"]), ("giantswarm_config", ["43", "6"])])
def test_one_wrong_resource_stops_all_and_every_error_comes_at_once(folder, rules):
    _, outcome = answer((HERE / folder / "cases/one-of-two-is-wrong/input.yaml").read_bytes(), folder)
    assert [finding.rule for finding in outcome.findings if finding.severity == "error"] == rules
