"""What changes between two runs, each run twice: the second of every pair changes nothing."""

from __future__ import annotations

from copy import deepcopy

import pytest

from tests.functions.giantswarm_config.support import app, catalog, config_map, made, ref, run, secret, told

BEFORE = [
    app(config={"configMap": ref("base")}, extraConfigs=[ref("top", priority=60)]),
    catalog(),
    config_map("base", "a: 1\nb: 1\n"),
    config_map("top", "b: 2\n"),
]
PATH = "config.kubernetes.io/path"


def value_changed(items):
    items[3]["data"]["values"] = "b: 3\n"


def layer_removed(items):
    del items[0]["spec"]["extraConfigs"]
    del items[3]


def first_secret_added(items):
    items[0]["spec"]["config"]["secret"] = ref("login")
    items.append(secret("login", "c: 4\n"))


def app_removed(items):
    del items[0]


def file_moved(items):
    items[0]["metadata"]["annotations"] = {PATH: "elsewhere/app.yaml"}


def ours_moved(items):
    items[-1]["metadata"]["annotations"][PATH] = "made/all.yaml"


def edited_by_hand(items):
    items[-1]["data"]["values"] = "a: 99\n"


CHANGES = [
    (value_changed, {"configMap": {"a": 1, "b": 3}}),
    (layer_removed, {"configMap": {"a": 1, "b": 1}}),
    (first_secret_added, {"configMap": {"a": 1, "b": 2}, "secret": {"c": 4}}),
    (app_removed, {}),
    (file_moved, {"configMap": {"a": 1, "b": 2}}),
    (ours_moved, {"configMap": {"a": 1, "b": 2}}),
    (edited_by_hand, {"configMap": {"a": 1, "b": 2}}),
]


@pytest.mark.parametrize(("change", "expected"), CHANGES)
def test_a_change_comes_through_and_a_second_run_changes_nothing(change, expected):
    items = deepcopy(run(*deepcopy(BEFORE)).items)
    change(items)
    state = run(*items)
    assert made(state) == expected
    again = run(*state.items)
    assert again.items == state.items
    assert again.outcome.operations == ()


def test_outputs_narrowed_the_others_are_removed_with_an_info():
    items = deepcopy(BEFORE)
    first_secret_added(items)
    whole = run(*items, outputs=["configMap", "secret", "combined"])
    narrow = run(*whole.items, outputs=["configMap"])
    assert set(made(narrow)) == {"configMap"}
    assert [text for text in told(narrow, "info") if "is removed" in text] == [
        "web-chart-secrets.yaml: Secret giantswarm/web-chart-secrets: is removed: nothing generates it any more",
        "web-helm-values.yaml: Secret giantswarm/web-helm-values: is removed: nothing generates it any more",
    ]
    assert run(*narrow.items, outputs=["configMap"]).items == narrow.items


def test_an_unmarked_object_of_that_name_is_an_error_and_stays():
    theirs = config_map("web-chart-values", "a: 7\n", namespace="giantswarm")
    state = run(*deepcopy(BEFORE), theirs)
    assert state.items == state.inputs
    (text,) = told(state, "error")
    assert "ConfigMap giantswarm/web-chart-values" in text
    assert "not generated" in text


def test_a_failed_run_removes_nothing_and_does_not_say_so():
    items = deepcopy(run(*deepcopy(BEFORE)).items)
    items[0]["spec"]["config"]["configMap"]["name"] = "gone"
    state = run(*items)
    assert state.items == items
    assert told(state, "info") == []


def test_a_taken_path_gets_the_next_index():
    other = config_map("other", "x: 1\n")
    other["metadata"]["annotations"] = {PATH: "web-chart-values.yaml"}
    state = run(*deepcopy(BEFORE), other)
    annotations = state.items[-1]["metadata"]["annotations"]
    assert (annotations[PATH], annotations["config.kubernetes.io/index"]) == ("web-chart-values.yaml", "1")
