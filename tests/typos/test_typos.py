"""Documents with one typo each: every typo is named, and the same document without it is left in peace.

`FUNCTION.yaml` is a list of maps for the function of that name:

    id        a name of its own, `tekton-001`
    title     what is misspelt, and where
    input     the items of a ResourceList, with the typo
    corrected the same items without it
    config    the functionConfig's `spec`; empty if it is left out
    names     words of which each is in the message of ONE finding (which begins with the resource and the field): the wrong one first,
              then the nearest right one. A word is matched whole, with upper and lower case: `param.m` is not in `params.m`
    severity  that finding's: `warning` or `error`

The corrected items must give no finding of the kind that named the typo, and no error.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from krm_values._krm import findings as results
from krm_values._krm.findings import MISSPELT_KINDS
from krm_values._krm.plan import Finding
from krm_values._run import invoke
from krm_values._yaml import decode
from tests.conformance.cases import resource_list

FEWEST = {
    "tekton-params": 40,
    "cartographer-params": 40,
    "glasskube-values": 30,
    "flux-values": 25,
    "giantswarm-config": 25,
    "envgene-sd": 25,
    "layered-values": 25,
}
GONE = {
    **dict.fromkeys(
        ("sd-version", "sd-type", "sd-mode", "sd-graph", "sd-user-data", "sd-graphs", "marker-text", "user-data-list"),
        "basic-merge has dropped the header of the Full SD, and the typo with it",
    ),
    "env-names": "the run has created the environment",
}
"""The typos that are gone after a run, each with the reason."""
KEYS = {"id", "title", "input", "corrected", "config", "names", "severity"}


def documents(path: Path) -> list[dict[str, Any]]:
    found: Any = decode.to_data(decode.parse(path.read_text("utf-8")))
    return found


FILES = {path.stem: documents(path) for path in sorted(Path(__file__).parent.glob("*.yaml"))}
ALL = [pytest.param(function, one, id=one["id"]) for function, found in FILES.items() for one in found]


def findings(function: str, items: list[Any], config: dict[str, Any]) -> tuple[Finding, ...]:
    return invoke.answer(resource_list(items, function, config), function)[1].findings


def names_all(finding: Finding, words: list[str]) -> bool:
    text = results.message(finding)
    return all(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) for word in words)


@pytest.mark.parametrize(("function", "case"), ALL)
def test_a_typo_is_named_first_and_again_and_its_correction_is_not(function, case):
    config = case.get("config", {})
    source, outcome = invoke.answer(resource_list(case["input"], function, config), function)
    said = outcome.findings
    naming = [one for one in said if one.severity == case["severity"] and names_all(one, case["names"])]
    assert naming, [results.line(one) for one in said]
    kinds = {one.kind for one in naming}
    after = findings(function, case["corrected"], config)
    assert [results.line(one) for one in after if one.kind in kinds or one.severity == "error"] == []
    is_first(said, after)
    if not outcome.failed and case["id"] not in GONE:
        out = b"".join(source.apply(outcome, invoke.entries(outcome)))
        again = [one for one in invoke.answer(out, function)[1].findings if one.severity == case["severity"]]
        assert any(names_all(one, case["names"]) for one in again), [results.line(one) for one in again]


def is_first(said: tuple[Finding, ...], of_corrected: tuple[Finding, ...]) -> None:
    """What follows from a misspelt key does not stand before it."""
    known = {results.line(one) for one in of_corrected}
    new = [one for one in said if one.severity != "info" and results.line(one) not in known]
    for item in {id(one.item): one.item for one in new}.values():
        of_item = [one.kind in MISSPELT_KINDS for one in new if one.item is item]
        assert of_item == sorted(of_item, reverse=True), [results.line(one) for one in new]


@pytest.mark.parametrize("function", FILES)
def test_a_file_has_enough_documents_of_the_right_form(function):
    found = FILES[function]
    assert len(found) >= FEWEST[function]
    assert len({one["id"] for one in found}) == len(found)
    assert len({repr(one["input"]) for one in found}) == len(found)
    for one in found:
        assert KEYS >= set(one) >= KEYS - {"config"}, one["id"]
        assert one["input"] != one["corrected"]
        assert one["names"]
