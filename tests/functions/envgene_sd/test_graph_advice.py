"""What `extended-merge` advises about graphs, done as it says: it never leads to the error of the opposite situation."""

from __future__ import annotations

from typing import Any

import pytest

from tests.functions.envgene_sd.support import findings_of, item, run, sd

EXTENDED = "extended-merge"
FIRST = [{"chunkName": "first", "apps": ["a:p"]}]
BOTH = [{"chunkName": "first", "apps": ["a:p", "b:p"]}]
ROWS: dict[str, tuple[dict[str, Any], dict[str, Any], str, dict[str, Any], dict[str, Any]]] = {
    "neither has a graph, something is new": ({}, {}, "add one with the same chunks to both", {"deployGraph": FIRST}, {"deployGraph": BOTH}),
    "only the incoming one, something is new": (
        {},
        {"deployGraph": BOTH},
        "add one with the same chunks to the Full SD",
        {"deployGraph": FIRST},
        {"deployGraph": BOTH},
    ),
    "only the Full SD": (
        {"deployGraph": FIRST},
        {},
        "add one with chunks of the Full SD",
        {"deployGraph": FIRST},
        {"deployGraph": BOTH},
    ),
    "a chunk that the Full SD lacks": (
        {"deployGraph": FIRST},
        {"deployGraph": [{"chunkName": "second", "apps": ["a:p", "b:p"]}]},
        "use one of its chunks",
        {"deployGraph": FIRST},
        {"deployGraph": BOTH},
    ),
}  # fmt: skip


@pytest.mark.parametrize("row", ROWS)
def test_the_advice_about_graphs_is_enough(row):
    full, incoming, advice, better_full, better = ROWS[row]
    refused = run(item(sd("a:1@p", **full)), data=sd("a:1@p", "b:1@p", **incoming), SD_REPO_MERGE_MODE=EXTENDED)
    assert findings_of(refused, "error")
    assert all(advice in finding.message for finding in refused.outcome.findings if finding.severity == "error")
    done = run(item(sd("a:1@p", **better_full)), data=sd("a:1@p", "b:1@p", **better), SD_REPO_MERGE_MODE=EXTENDED)
    assert findings_of(done, "error") == []


def test_a_graph_of_the_incoming_sd_may_go_where_nothing_is_new():
    refused = run(item(sd("a:1@p")), data=sd("a:2@p", deployGraph=FIRST), SD_REPO_MERGE_MODE=EXTENDED)
    (message,) = (finding.message for finding in refused.outcome.findings if finding.severity == "error")
    assert "or remove it from incoming SD 0" in message
    assert findings_of(run(item(sd("a:1@p")), data=sd("a:2@p"), SD_REPO_MERGE_MODE=EXTENDED), "error") == []
