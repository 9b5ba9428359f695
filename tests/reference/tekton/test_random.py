"""The function and the independent implementation agree on random packages; and the packages are worth it."""

from __future__ import annotations

import pytest

from tests.reference.tekton import compare
from tests.reference.tekton import resolve as tekton
from tests.reference.tekton.differences import report
from tests.reference.tekton.generate import packages as generate

COUNT = 100


@pytest.mark.parametrize("mode", generate.MODES)
def test_function_and_reference_agree(mode):
    for seed in range(COUNT):
        assert report(seed, mode) == ""


@pytest.mark.parametrize("mode", generate.MODES)
def test_two_fifths_of_the_packages_are_valid_and_a_quarter_is_rejected(mode):
    rejected = sum(bool(tekton.resolve(generate.package(seed), generate.MODES[mode]).errors) for seed in range(COUNT))
    assert COUNT / 4 <= rejected <= COUNT * 3 / 5


def test_a_difference_is_found_and_shrunk(monkeypatch):
    """An implementation that forgets an object's keys differs from the function, and the smallest such package shows it."""
    items = [
        {
            "apiVersion": "tekton.dev/v1",
            "kind": "PipelineRun",
            "metadata": {"name": "r"},
            "spec": {
                "params": [{"name": "a", "value": "x"}, {"name": "o", "value": {"k": "v"}}],
                "pipelineSpec": {"tasks": [{"name": "t", "taskSpec": {"steps": [{"script": "$(params.o.k)"}]}}]},
            },
        }
    ]
    config = {"mode": "propagate"}
    assert compare.difference(items, config) is None
    monkeypatch.setattr("tests.reference.tekton.context.carried", lambda *_: {})
    found = compare.difference(items, config)
    assert found is not None
    small = compare.shrunk(items, config, found.what)
    assert small[0]["spec"]["params"] == [{"name": "o", "value": {"k": "v"}}]
