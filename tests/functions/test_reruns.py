"""Laws of the functions that write merged values into an object: a change between two runs comes through, and another run changes nothing."""

from __future__ import annotations

from copy import deepcopy

import pytest

from tests.functions.flux_values import support as flux
from tests.functions.giantswarm_config import support as giantswarm

PATH = "config.kubernetes.io/path"
FLUX = [
    flux.release(flux.entry(), flux.entry("site"), values={"own": {"x": 1}}),
    flux.config_map("base", "a: 1\nb: 1\nl: [1, 2]\n"),
    flux.config_map("site", "b: 2\nown: {z: 2}\n"),
]
GIANTSWARM = [
    giantswarm.app(config={"configMap": giantswarm.ref("base")}, extraConfigs=[giantswarm.ref("top", priority=60)]),
    giantswarm.catalog(),
    giantswarm.config_map("base", "a: 1\nb: 1\n"),
    giantswarm.config_map("top", "b: 2\n"),
]
WHOLE = {"a": 1, "b": 2, "l": [1, 2], "own": {"x": 1, "z": 2}}
LOGIN = {"secret": giantswarm.ref("login")}


def owner_removed(items):
    del items[0]


def owner_moved(items):
    items[0]["metadata"].setdefault("annotations", {})[PATH] = "elsewhere/owner.yaml"


def ours_moved(items):
    items[-1]["metadata"]["annotations"][PATH] = "made/all.yaml"


def edited_by_hand(items):
    items[-1]["data"] = dict.fromkeys(items[-1]["data"], "a: 99\n")


def flux_value_changed(items):
    items[2]["data"]["values.yaml"] = "b: 3\nown: {z: 2}\n"


def flux_layer_removed(items):
    items[0]["spec"]["valuesFrom"] = [flux.entry()]
    del items[2]


def flux_first_secret_added(items):
    items[0]["spec"]["valuesFrom"].append(flux.entry("login", "Secret"))
    items.append(flux.secret("login", "c: 4\n"))


def giantswarm_value_changed(items):
    items[3]["data"]["values"] = "b: 3\n"


def giantswarm_layer_removed(items):
    del items[0]["spec"]["extraConfigs"]
    del items[3]


def giantswarm_first_secret_added(items):
    items[0]["spec"]["config"] |= LOGIN
    items.append(giantswarm.secret("login", "c: 4\n"))


OBJECT = "ConfigMap web-flux-values"
SAME = [owner_moved, ours_moved, edited_by_hand]
CHANGES = [
    (flux, FLUX, flux_value_changed, {OBJECT: {**WHOLE, "b": 3}}),
    (flux, FLUX, flux_layer_removed, {OBJECT: {**WHOLE, "b": 1, "own": {"x": 1}}}),
    (flux, FLUX, flux_first_secret_added, {"Secret web-flux-values": {**WHOLE, "c": 4}}),
    (giantswarm, GIANTSWARM, giantswarm_value_changed, {"configMap": {"a": 1, "b": 3}}),
    (giantswarm, GIANTSWARM, giantswarm_layer_removed, {"configMap": {"a": 1, "b": 1}}),
    (giantswarm, GIANTSWARM, giantswarm_first_secret_added, {"configMap": {"a": 1, "b": 2}, "secret": {"c": 4}}),
    *((flux, FLUX, change, {OBJECT: WHOLE}) for change in SAME),
    *((giantswarm, GIANTSWARM, change, {"configMap": {"a": 1, "b": 2}}) for change in SAME),
    (flux, FLUX, owner_removed, {}),
    (giantswarm, GIANTSWARM, owner_removed, {}),
]


@pytest.mark.parametrize(("function", "before", "change", "expected"), CHANGES)
def test_a_change_comes_through_and_a_second_run_changes_nothing(function, before, change, expected):
    items = deepcopy(function.run(*deepcopy(before)).items)
    change(items)
    state = function.run(*items)
    assert function.told(state, "error") == []
    assert function.made(state) == expected
    again = function.run(*state.items)
    assert again.items == state.items
    assert again.outcome.operations == ()


@pytest.mark.parametrize(
    ("function", "before", "theirs", "title"),
    [
        (flux, FLUX, flux.config_map("web-flux-values", "a: 7\n"), "ConfigMap team/web-flux-values"),
        (
            giantswarm,
            GIANTSWARM,
            giantswarm.config_map("web-chart-values", "a: 7\n", namespace="giantswarm"),
            "ConfigMap giantswarm/web-chart-values",
        ),
    ],
)
def test_an_unmarked_object_of_that_name_is_an_error_and_stays(function, before, theirs, title):
    state = function.run(*deepcopy(before), theirs)
    assert state.items == state.inputs
    (text,) = function.told(state, "error")
    assert title in text
    assert "has no mark of that" in text


@pytest.mark.parametrize(
    ("function", "before", "path"),
    [(flux, FLUX, ("valuesFrom", 0)), (giantswarm, GIANTSWARM, ("config", "configMap"))],
)
def test_a_failed_run_removes_nothing_and_does_not_say_so(function, before, path):
    items = deepcopy(function.run(*deepcopy(before)).items)
    items[0]["spec"][path[0]][path[1]]["name"] = "gone"
    state = function.run(*items)
    assert state.items == items
    assert function.told(state, "info") == []


def test_outputs_narrowed_the_others_are_removed_with_an_info():
    items = deepcopy(GIANTSWARM)
    giantswarm_first_secret_added(items)
    whole = giantswarm.run(*items, outputs=["configMap", "secret", "combined"])
    narrow = giantswarm.run(*whole.items, outputs=["configMap"])
    assert set(giantswarm.made(narrow)) == {"configMap"}
    assert [text for text in giantswarm.told(narrow, "info") if "is removed" in text] == [
        "web-chart-secrets.yaml (stdin:61:3): Secret giantswarm/web-chart-secrets: is removed: nothing generates it any more",
        "web-helm-values.yaml (stdin:92:3): Secret giantswarm/web-helm-values: is removed: nothing generates it any more",
    ]
    assert giantswarm.run(*narrow.items, outputs=["configMap"]).items == narrow.items


@pytest.mark.parametrize(
    ("marks", "path", "index"),
    [
        ({}, "web-chart-values-giantswarm.yaml", None),
        ({"krm-values.dev/generated-by": "flux-values"}, "web-chart-values.yaml", "1"),
    ],
    ids=["somebody else's", "generated"],
)
def test_a_generated_object_shares_a_file_with_generated_objects_only(marks, path, index):
    other = giantswarm.config_map("other", "x: 1\n")
    other["metadata"]["annotations"] = {PATH: "web-chart-values.yaml", **marks}
    state = giantswarm.run(*deepcopy(GIANTSWARM), other)
    annotations = state.items[-1]["metadata"]["annotations"]
    assert (annotations[PATH], annotations.get("config.kubernetes.io/index")) == (path, index)
