"""The judge of Solution Descriptor cases: what a repository may hold is judged, whatever it is."""

from __future__ import annotations

import pytest

from tests.conformance.__main__ import verdict
from tests.conformance.systems import SYSTEMS

PARAMS = {
    "SD_SOURCE_TYPE": "json",
    "SD_DATA": [{"applications": [{"version": "a:2", "deployPostfix": "n"}]}],
    "SD_REPO_MERGE_MODE": "basic-merge",
}
ONE, TWO = "applications:\n- {version: 'a:1', deployPostfix: n}\n", "applications: []\n"
RAW = {
    "both endings": {"sd.yaml": ONE, "sd.yml": TWO},
    "two documents": {"sd.yaml": f"{ONE}---\n{TWO}"},
    "not YAML": {"sd.yaml": "applications: [\n"},
}


def case(raw, **expected):
    made = {"id": "x", "title": "x", "source": "x", "rule": [70], "feature": "basic", "params": PARAMS, "raw": raw, **expected}
    return SYSTEMS["envgene"].prepare(made)


@pytest.mark.parametrize("raw", RAW.values(), ids=RAW)
def test_what_is_no_single_sd_is_judged(raw):
    assert verdict(SYSTEMS["envgene"], case(raw, error="two SDs")) == ""
    wrong = verdict(SYSTEMS["envgene"], case(raw, expected={"full": {"applications": []}}))
    assert wrong.startswith("process: state 0: exit 1")


def test_a_list_with_two_full_sds_is_judged():
    path = "environments/east/prod-7/Inventory/solution-descriptor/sd.yaml"
    sd = {"apiVersion": "krm-values.dev/v1alpha1", "kind": "SolutionDescriptor", "spec": {"applications": []}}
    items = [{**sd, "metadata": {"name": name, "annotations": {"config.kubernetes.io/path": path}}} for name in ("sd", "b.sd")]
    made = {"id": "x", "title": "x", "source": "x", "rule": [70], "feature": "basic", "params": PARAMS, "items": items}
    assert verdict(SYSTEMS["envgene"], SYSTEMS["envgene"].prepare({**made, "error": "second SD"})) == ""
    wrong = verdict(SYSTEMS["envgene"], SYSTEMS["envgene"].prepare({**made, "expected": {"full": {"applications": []}}}))
    assert wrong.startswith("error: ")
