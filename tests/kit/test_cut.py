"""The cut: hand-made traps, mutants, generated lists; libyaml's parse of the whole text is the truth."""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings

from krm_values._krm import events
from krm_values._krm.scan import UnprovedError, scan
from tests import EXAMPLES
from tests.fuzz.cut import fuzz
from tests.fuzz.lists import listed
from tests.fuzz.truth import check
from tests.kit.adversarial import CASES, HEAD


@pytest.mark.parametrize(("text", "level", "count"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_adversarial(text, level, count):
    """Each is cut as libyaml reads it, by the level that can prove it, or refused."""
    assert check(text.encode()) == level
    if count is not None:
        texts, _ = events.cut(text.encode())
        assert texts is not None
        assert len(texts) == count


def test_there_are_at_least_63_adversarial_inputs():
    assert len(CASES) >= 63


def test_mutants():
    """No wrong cut; and the mutants reach both levels, so that the test can fail."""
    counts, wrong = fuzz(2000, 11)
    assert wrong == []
    assert counts["scan"] > 50
    assert counts["events"] > 50


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(listed())
def test_generated_lists(case):
    """What PyYAML, ruamel.yaml and json write, in many styles, is cut into the items that were written."""
    text, items = case
    if check(text) in ("scan", "events"):
        texts, _ = events.cut(text)
        assert texts is not None
        assert len(texts) == len(items)


def test_json_with_a_surrogate_pair_and_an_escaped_line_break_is_judged_as_json():
    text = json.dumps({"kind": "ResourceList", "items": [{"a": "x\x85\u2028y"}, {"a": "\U000579e1"}]}).encode()
    assert check(text) == "events"


MUST_SCAN = [
    ("what kpt sends", HEAD + "items:\n- apiVersion: v1\n  kind: A\nfunctionConfig:\n  a: b\nresults:\n- message: m\n"),
    ("items last", HEAD + "functionConfig: {a: b}\nitems:\n- a: 1\n"),
    ("wide", HEAD + "items:\n  - a: 1\n  - b: 2\n"),
    ("other fields", HEAD + "x-y.z: [1]\nitems:\n- a: 1\nmore: 2\n"),
    ("a quote in a block scalar", HEAD + 'items:\n- a: |\n    if [ "$1" = x\n    it\'s "open\n- b: 1\n'),
    ("a quote in a comment", HEAD + 'items:\n- a: 1 # "open\n- b: 1\n'),
    ("a quoted value over two lines", HEAD + 'items:\n- a: "x\n    y"\n- b: 1\n'),
    ("anchors inside items", HEAD + "items:\n- a: &x 1\n  b: *x\n- c: 1\n"),
    ("a broken item", HEAD + "items:\n- a: b: c\n- b: 1\n"),
]


@pytest.mark.parametrize("text", [case[1] for case in MUST_SCAN], ids=[case[0] for case in MUST_SCAN])
def test_the_scan_takes_the_usual_forms(text):
    texts, _ = scan(text.encode())
    assert len(texts) == text.count("\n- ", text.index("items:"), text.find("results:")) + text.count("\n  - ")


def test_the_scan_refuses_what_it_cannot_prove():
    with pytest.raises(UnprovedError):
        scan((HEAD + 'items:\n- a: "x\n- b: y"\n- c: 1\n').encode())
