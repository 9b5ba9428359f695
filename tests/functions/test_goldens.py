"""Laws of all functions on the folders `cases`: `input.yaml` is exact stdin, `expected.yaml` exact stdout."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from krm_values._krm import names, resourcelist
from krm_values._run import invoke, registry
from krm_values._yaml import decode

HERE, ROOT = Path(__file__).parent, Path(__file__).parents[2]
CASES = sorted(path.parent for path in HERE.glob("*/cases/*/input.yaml"))
FUNCTIONS = sorted({case.parents[1].name for case in CASES})


def answer(given, folder):
    """(stdout, outcome) of a ResourceList."""
    source, outcome = invoke.answer(given, folder.replace("_", "-"))
    added = [added.data for added in outcome.added]
    return b"".join(source.write(outcome.edited, outcome.removed, added, invoke.entries(outcome))), outcome


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
    missing = [field for field in fields if not any(f"{field}:" in text for text in inputs)]
    assert missing == [], f"each field needs a folder of tests/functions/{folder}/cases; a function may do without such folders"


def rows_of(name):
    """The rows of a manual's table of fields: the default by field."""
    manual = (ROOT / "functions" / "krm_values" / names.module(name) / "README.md").read_text()
    table = manual.partition("\n| field | ")[2].partition("\n\n")[0]
    rows = re.findall(r"^\| (.+?) \|(.*?)\|", table, re.MULTILINE)
    return {field: default.strip() for fields, default in rows for field in re.findall(r"`(\w+)(?:\[\])?`", fields)}


@pytest.mark.parametrize("name", registry.functions())
def test_every_field_of_a_config_is_in_the_manual_with_its_default(name):
    properties: Any = registry.load(name).form().schema["properties"]
    rows = rows_of(name)
    assert [field for field in properties if field not in rows] == []
    for field, form in properties.items():
        told = re.fullmatch("`([^`]+)`", rows[field]) or re.search(r"`([^`]+)` \(default\)", rows[field])
        if told and form.get("default") not in (None, ""):  # "" is not given
            assert decode.to_data(decode.parse(told[1])) == form["default"], field


@pytest.mark.parametrize(("folder", "rules"), [("flux_values", ["94", "90"]), ("giantswarm_config", ["43", "6"])])
def test_one_wrong_resource_stops_all_and_every_error_comes_at_once(folder, rules):
    _, outcome = answer((HERE / folder / "cases/one-of-two-is-wrong/input.yaml").read_bytes(), folder)
    assert [finding.rule for finding in outcome.findings if finding.severity == "error"] == rules
