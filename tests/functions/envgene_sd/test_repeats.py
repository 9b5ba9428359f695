"""Running again: what the mark keeps from happening twice, and what happens in spite of it."""

from __future__ import annotations

import copy
from random import Random

import pytest

from tests.conformance import laws
from tests.conformance.cases import execute
from tests.functions.envgene_sd.support import SYSTEM, findings_of, item, run, sd, spec
from tests.oracles.envgene import made

A, B = "a:1@p", "b:1@p"
EXCLUSION = {"data": sd("a:2@p"), "SD_REPO_MERGE_MODE": "basic-exclusion-merge"}
SEEDS = range(20_000, 20_120)


def outcome(seed):
    """The SDs of a seed, and what the function makes of them."""
    given = made.run(seed)
    items = [item(given["full"])] if given["full"] is not None else []
    for number, namespace in enumerate(given["namespaces"]):
        items.append(item(namespace, f"n{number}", kind="EnvironmentNamespace"))
    return given, run(*items, data=given["sds"], SD_REPO_MERGE_MODE=given["mode"])


def mark(state, name="sd"):
    metadata = next(one["metadata"] for one in state.items if one["metadata"]["name"] == name)
    return metadata.get("annotations", {}).get("krm-values.dev/applied", "")


def again(state, **config):
    return run(*state.items, **{**EXCLUSION, **config})


def test_the_same_run_does_nothing_and_says_so():
    first = run(item(sd(A, B)), **EXCLUSION)
    assert mark(first).startswith("sha256:")
    second = again(first)
    assert second.outcome.operations == ()
    assert findings_of(second, "info") == [("already-applied", "75")]


@pytest.mark.parametrize(
    "change",
    [
        {"data": sd("a:3@p")},
        {"SD_REPO_MERGE_MODE": "basic-merge"},
    ],
    ids=["incoming", "mode"],
)
def test_another_run_merges(change):
    second = again(run(item(sd(A, B)), **EXCLUSION), **change)
    assert findings_of(second, "info") == []
    assert second.outcome.operations


@pytest.mark.parametrize("change", [{"strict": True}, {"ENV_NAMES": "east/prod-7"}, {"data": [sd("a:2@p")]}], ids=str)
def test_what_is_no_part_of_the_digest_does_not_matter(change):
    first = run(item(sd(A, B), "sd", "east/prod-7"), **EXCLUSION)
    assert again(first, **change).outcome.operations == ()


def test_a_comment_or_another_order_of_keys_is_no_change():
    first = run(item(sd(A, B)), **EXCLUSION)
    items = copy.deepcopy(first.items)
    items[0]["spec"]["applications"] = [dict(reversed(one.items())) for one in items[0]["spec"]["applications"]]
    assert run(*items, **EXCLUSION).outcome.operations == ()


def test_a_delta_sd_that_is_gone_stays_gone():
    first = run(item(sd(A, B)), **EXCLUSION)
    assert spec(first, "delta-sd") == sd("a:2@p")
    assert again(first, data=EXCLUSION["data"]).items == first.items
    assert spec(run(first.items[0], **EXCLUSION), "delta-sd") is None


@pytest.mark.parametrize("law", laws.STATE_LAWS, ids=lambda law: law.__name__)
def test_laws_on_random_sds(law):
    for seed in SEEDS:
        law(outcome(seed)[1])


@pytest.mark.parametrize("law", laws.CASE_LAWS, ids=lambda law: law.__name__)
def test_laws_of_order_and_unknown_fields_on_random_sds(law):
    for seed in SEEDS:
        given, state = outcome(seed)
        config = {"SD_SOURCE_TYPE": "json", "SD_DATA": given["sds"], "SD_REPO_MERGE_MODE": given["mode"]}
        case = {"id": str(seed), "input": state.inputs, "config": config}
        law(SYSTEM, case, execute(SYSTEM, case, copy.deepcopy(state.inputs), case["config"]))


def test_whatever_an_sd_holds_findings_have_rules_and_the_laws_hold():
    outcomes = set()
    for seed in SEEDS:
        dice, given = Random(seed), made.run(seed)
        full, data = made.junk(given["full"] or sd(A), dice), made.junk(given["sds"], dice)
        names = made.junk([{"name": "n-p", "folder": "p"}], dice)
        items = [item(full), *(item(one, f"n{at}", kind="EnvironmentNamespace") for at, one in enumerate(names))]
        state = run(*items, data=data, SD_REPO_MERGE_MODE=given["mode"])
        assert all(finding.rule for finding in state.outcome.findings)
        outcomes.add(state.outcome.failed)
        for law in laws.STATE_LAWS:
            law(state)
    assert outcomes == {True, False}


def test_the_random_sds_meet_every_mode():
    assert {made.run(seed)["mode"] for seed in SEEDS} == set(made.MODES)
