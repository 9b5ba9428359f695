"""What each mode changes beside the conformance cases, and what it must not."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from krm_values.envgene_sd import merge
from tests.conformance.layered import same
from tests.functions.envgene_sd.support import findings_of, item, map_of, run, sd, spec

A, B, C = "a:1@p", "b:1@p", "c:1@q"
BASIC, EXCLUSION, EXTENDED, REPLACE = "basic-merge", "basic-exclusion-merge", "extended-merge", "replace"


def app(text, **more):
    return {**map_of(text), **more}


def graph(**chunks):
    return {"deployGraph": [{"chunkName": name, "apps": apps} for name, apps in chunks.items()]}


HELD = sd(A, B, **graph(one=["a:p"], two=["b:p"]))
CHANGES = [
    # mode, Full SD, incoming, result
    (BASIC, sd(), sd(app(A, alias="x", owner="me")), sd(app(A, alias="x", owner="me"))),
    (EXTENDED, sd(A, B, owner="me"), sd("a:2@p", owner="you"), sd("a:2@p", B, owner="me")),
    (
        EXTENDED,
        HELD,
        sd(C, **graph(two=["c:q"], one=["b:p", "c:q"])),
        sd(A, B, C, **graph(one=["a:p", "c:q"], two=["b:p", "c:q"])),
    ),
    (EXTENDED, sd("a:1", "b:1"), sd("b:2"), sd("a:1", "b:2")),
    (EXTENDED, sd({"version": "a:1"}), sd({"version": "a:2", "deployPostfix": ""}), sd({"version": "a:2"})),
    (EXTENDED, {"applications": ["a:1", "b:1"]}, {"applications": ["b:2"]}, {"applications": ["a:1", "b:2"]}),
    (REPLACE, sd(app(A, alias="x")), sd(A), sd(A)),
    (REPLACE, {"applications": [5, A, {"version": "a"}], "x": 1}, sd(A), sd(A)),
    (REPLACE, [1, 2], sd(A), sd(A)),
    (REPLACE, "text", sd(A), sd(A)),
    (REPLACE, {"applications": {"a": 1}}, sd(A), sd(A)),
    (REPLACE, sd(A, A, "a:2@p"), sd("a:2@p"), sd("a:2@p")),
]
STAYS = [
    (BASIC, sd(A, B), sd(A)),
    (BASIC, sd(app(A, alias="x")), sd(A)),
    (BASIC, sd(A), sd()),
    (EXCLUSION, sd(A), sd(C)),
    (EXCLUSION, sd(A), sd()),
    (EXTENDED, HELD, sd(A, **graph(two=["a:p", "b:p"]))),
    (EXTENDED, sd(A, version=2.1, owner="me"), sd(A, version="2.1")),
    (REPLACE, sd(A, B), sd(A, B)),
]


@pytest.mark.parametrize(("mode", "full", "incoming", "result"), CHANGES)
def test_what_a_merge_leads_to(mode, full, incoming, result):
    state = run(item(full), data=incoming, SD_REPO_MERGE_MODE=mode)
    assert not state.outcome.failed
    assert same(spec(state), result)


@pytest.mark.parametrize(("mode", "full", "incoming"), STAYS)
def test_what_a_merge_leaves_as_it_is(mode, full, incoming):
    state = run(item(full), data=incoming, SD_REPO_MERGE_MODE=mode)
    text = state.out.partition(b"  spec:\n")[2].partition(b"\n- ")[0].partition(b"\nfunctionConfig")[0]
    assert text == state.given.partition(b"  spec:\n")[2].partition(b"\nfunctionConfig")[0]


REFUSED = [
    (BASIC, sd(A), sd("a:1"), "24"),
    (BASIC, sd("a:1"), sd(A), "24"),
    (BASIC, sd(A, A), sd(B), "30"),
    (BASIC, sd(A, "a:2@p"), sd("a:2@p"), "30"),
    (BASIC, sd(A), sd(app(A, deployPostfix=["p"])), "24"),
    (BASIC, {"x": 1}, sd(A), "15"),
    (BASIC, [1], sd(A), "15"),
    (EXTENDED, sd(A), sd(app(A, alias={"a": 1})), "26"),
    (EXTENDED, sd(A, "a:2@p"), sd(B), "27"),
    (EXTENDED, sd(app(A, alias="x")), sd(app(B, alias="x"), **graph()), "27"),
    (EXTENDED, sd(A), {"applications": [A.partition("@")[0]]}, "28"),
    (EXTENDED, sd(A), {"applications": ["a:1", {"version": "b:1"}]}, "28"),
    (EXTENDED, sd(A, deployGraph=5), sd(A, **graph(one=[])), "52"),
    (EXTENDED, sd(A, **graph(one=[])), sd(A, deployGraph=[{"apps": []}]), "52"),
    (REPLACE, sd(), sd(A, app(A, alias="x")), "29"),
    (REPLACE, sd(), sd(A, "a:2@p"), "31"),
]


@pytest.mark.parametrize(("mode", "full", "incoming", "rule"), REFUSED)
def test_what_is_refused(mode, full, incoming, rule):
    state = run(item(full), data=incoming, SD_REPO_MERGE_MODE=mode)
    assert rule in [found for _, found in findings_of(state, "error")]
    assert same(spec(state), full)


@pytest.mark.parametrize(
    ("mode", "full", "incoming", "told_of"),
    [
        (BASIC, sd(A, version=2.1), sd(A), 1),
        (BASIC, sd(A), sd(A, version=2.1), 0),
        (BASIC, None, sd(A, version=2.1), 1),
        (REPLACE, sd(A, version=2.1), sd(A), 0),
        (EXTENDED, None, sd(A, version=2.1), 0),
    ],
)
def test_a_header_that_is_lost_is_told(mode, full, incoming, told_of):
    items = [item(full)] if full else []
    state = run(*items, data=incoming, SD_REPO_MERGE_MODE=mode)
    assert findings_of(state, "info") == [("header-dropped", "42")] * told_of


@pytest.mark.parametrize("empty", [None, {}])
@pytest.mark.parametrize("mode", [BASIC, EXCLUSION, EXTENDED, REPLACE])
def test_an_empty_full_sd_is_one_without_applications(empty, mode):
    state = run(item(empty), data=sd(), SD_REPO_MERGE_MODE=mode)
    assert spec(state) == sd()
    assert spec(state, "delta-sd") == (None if mode == REPLACE else sd())


def test_replace_matches_the_same_alias_or_else_the_first_application():
    first, second = (SimpleNamespace(effective_alias=alias) for alias in ("x", "y"))
    for alias, found in (("y", second), ("x", first), ("z", first)):
        left = {"y": [second], "x": [first]}  # the last application first
        assert merge._same(SimpleNamespace(effective_alias=alias), left) is found
        assert found not in [one for several in left.values() for one in several]
