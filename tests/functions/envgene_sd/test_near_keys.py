"""Keys of an SD that look like a misspelt field: reported where they are, and stored as they are."""

from __future__ import annotations

import pytest

from krm_values._krm import findings
from krm_values.envgene_sd import descriptors
from tests.functions.envgene_sd.support import item, run, sd, spec

FIELDS = {"": descriptors.DESCRIPTOR, "applications": descriptors.APPLICATION, "deployGraph": descriptors.CHUNK}


def slips(field):
    """A letter dropped, doubled, swapped, and another case."""
    middle = len(field) // 2
    swapped = field[: middle - 1] + field[middle] + field[middle - 1] + field[middle + 1 :]
    made = {field[:middle] + field[middle + 1 :], field[:middle] + field[middle] + field[middle:], swapped, field.swapcase()}
    return sorted(made - {field})


def holding(where, key):
    return {key: "x"} if not where else {where: [{key: "x"}]}


@pytest.mark.parametrize(
    ("where", "field", "slip"),
    [(where, field, slip) for where, fields in FIELDS.items() for field in fields for slip in slips(field)],
)
def test_a_slip_is_near_to_its_field(where, field, slip):
    assert [(one.key, one.field) for one in descriptors.near_keys(holding(where, slip))] == [(slip, field)]


def test_a_field_is_never_a_slip():
    whole = {**dict.fromkeys(descriptors.DESCRIPTOR), "userData": dict.fromkeys(descriptors.USER_DATA)}
    whole |= {"applications": [dict.fromkeys(descriptors.APPLICATION)], "deployGraph": [dict.fromkeys(descriptors.CHUNK)]}
    assert list(descriptors.near_keys(whole)) == []


@pytest.mark.parametrize(
    "data", [None, "a:1", [], {"applications": None}, {"applications": [None, "a:1"]}, {"deployGraph": [1]}]
)
def test_anything_else_has_no_near_keys(data):
    assert list(descriptors.near_keys(data)) == []


def test_a_near_key_of_the_full_sd_is_reported_and_stays():
    full = {"deployMod": "x", "applications": [{"version": "a:1", "deployPostfix": "n", "alais": "z"}]}
    state = run(item(full), data=sd("a:1@n"), SD_REPO_MERGE_MODE="basic-merge")
    found = [(finding.path, findings.message(finding)) for finding in state.outcome.findings if finding.kind == "unknown-key"]
    assert [path for path, _ in found] == [("spec", "deployMod"), ("spec", "applications", 0, "alais")]
    assert "did you mean `deployMode`?" in found[0][1]
    assert "`alais` of a in the Full SD" in found[1][1]
    assert spec(state)["applications"][0]["alais"] == "z"


def test_replace_does_not_look_at_the_full_sd():
    state = run(item({"deployMod": "x", "applications": []}), data=sd("a:1@n"), SD_REPO_MERGE_MODE="replace")
    assert state.outcome.findings == ()
