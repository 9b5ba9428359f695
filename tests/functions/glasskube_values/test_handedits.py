"""Lists that people edit where values have written, as data: what is theirs stays in its place, what is ours stands once."""

from __future__ import annotations

import copy

import pytest

from tests.functions.glasskube_values.packages import manifest, package, target, value
from tests.functions.glasskube_values.resources import thing
from tests.functions.glasskube_values.runs import found, run

PLACE = {"kind": "Thing", "name": "thing", "apiGroup": "aviary.example/v1"}
MANIFEST = manifest(
    value("first", target("/spec/list/0", **PLACE)),
    value("last", target("/spec/list/-", **PLACE)),
)


@pytest.mark.parametrize(
    ("edited", "own"),
    [
        (["ours", {"a": 2}, {"b": 1}, "ours too"], [{"a": 2}, {"b": 1}]),
        (["ours", {"b": 1}, "ours too"], [{"b": 1}]),
        (["ours", {"b": 1}, {"a": 1}, "ours too"], [{"b": 1}, {"a": 1}]),
        (["new", "ours", {"a": 1}, {"b": 1}, "ours too", "new too"], ["new", {"a": 1}, {"b": 1}, "new too"]),
        (["ours", {"a": 1}, "between", {"b": 2}, "ours too"], [{"a": 1}, "between", {"b": 2}]),
        (["ours", {"a": 1}, {"b": 1}], [{"a": 1}, {"b": 1}]),
    ],
)
def test_what_people_edit_between_elements_of_ours_stays_as_they_left_it(edited, own):
    configured = package(values={"first": "ours", "last": "ours too"})
    state = run(configured, thing({"list": [{"a": 1}, {"b": 1}]}), manifests=[MANIFEST])
    items = copy.deepcopy(state.items)
    items[1]["spec"]["list"] = edited
    again = run(*items, manifests=[MANIFEST])
    assert found(again, "thing", "Thing")["spec"]["list"] == ["ours", *own, "ours too"]
    gone = run(*again.items[1:], manifests=[MANIFEST])
    assert found(gone, "thing", "Thing")["spec"]["list"] == own
