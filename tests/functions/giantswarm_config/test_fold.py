"""`outputs: [fold]` (rules S17 to S19): two levels give what all layers give, and the authored App comes back."""

from __future__ import annotations

from copy import deepcopy
from random import Random

import pytest
import yaml

from krm_values._go.yaml import read
from tests.conformance.layered import BY, texts
from tests.functions.giantswarm_config.support import app, catalog, config_map, made, ref, run, secret, told

SHELF = catalog(configMap=ref("shelf"), secret=ref("shelf"))
SCALARS = [1, "x", None, [], [1], True, {}]


def tree(random, depth=2):
    """Random values: maps of few keys, scalars, lists, nulls and empty maps."""
    if depth and random.random() < 0.6:
        return {key: tree(random, depth - 1) for key in random.sample("abc", random.randint(1, 3))}
    return random.choice(SCALARS)


def stack(seed):
    """A random App with its Catalog and layers, ConfigMaps and Secrets."""
    random = Random(seed)
    entries, layers = [], []
    for kind, make in (("configMap", config_map), ("secret", secret)):
        names = ["shelf", "base", "user", *(f"extra{number}" for number in range(random.randint(0, 3)))]
        for name in names:
            values = tree(random, 3)
            layers.append(make(name, yaml.safe_dump(values if isinstance(values, dict) else {"a": values})))
        entries += [ref(name, kind=kind, priority=random.choice([1, 25, 50, 51, 100, 101, 150])) for name in names[3:]]
    random.shuffle(entries)
    fixed = {
        level: {kind: ref(name) for kind in ("configMap", "secret") if random.random() < 0.7}
        for level, name in (("config", "base"), ("userConfig", "user"))
    }
    return [app(extraConfigs=entries, **fixed), SHELF, *layers]


def as_authored(items):
    """Items without the annotations of this function: what an author could have written."""
    found = deepcopy(items)
    for item in found:
        notes = item["metadata"].pop("annotations", {})
        notes = {key: value for key, value in notes.items() if not key.startswith("krm-values.dev/")}
        item["metadata"] |= {"annotations": notes} if notes else {}
    return found


def fold_of(state):
    """(App, folded values by kind) after a run."""
    folded = [item for item in state.items if item["metadata"].get("annotations", {}).get(BY)]
    return state.items[0], {item["kind"]: read(*texts(item).values()).data for item in folded}


@pytest.mark.parametrize("seed", range(400))
def test_a_platform_of_two_levels_merges_the_fold_to_what_the_layers_give(seed):
    items = stack(seed)
    layered = run(*items)
    folded = run(*items, outputs=["fold"])
    if errors := told(folded, "error"):
        assert all("fold" in error for error in errors)
        return
    assert "extraConfigs" not in folded.items[0]["spec"] or not items[0]["spec"]["extraConfigs"]
    assert made(run(*as_authored(folded.items))) == made(layered)
    assert run(*folded.items, outputs=["fold"]).items == folded.items
    assert made(run(*folded.items)) == made(layered)


def test_the_generator_makes_folds_that_are_possible_and_others():
    states = [run(*stack(seed), outputs=["fold"]) for seed in range(60)]
    refused = [state for state in states if told(state, "error")]
    assert 5 < len(refused) < 55


def test_without_fold_the_app_is_as_authored_and_the_objects_are_removed():
    items = [
        app(extraConfigs=[ref("up", priority=60)], userConfig={"configMap": ref("mine")}),
        catalog(),
        config_map("up", "a: 1\n"),
        config_map("mine", "b: 2\n"),
    ]
    folded = run(*items, outputs=["fold"])
    assert fold_of(folded)[0]["spec"]["userConfig"] == {"configMap": ref("web-folded-values")}
    back = run(*folded.items, outputs=[])
    assert back.items == items


@pytest.mark.parametrize(
    ("user", "expected"),
    [
        (..., {"configMap": ref("web-folded-values")}),
        (None, {"configMap": ref("web-folded-values")}),
        ({}, {"configMap": ref("web-folded-values")}),
        ({"configMap": None}, {"configMap": ref("web-folded-values")}),
        ({"configMap": {"name": "", "namespace": ""}}, {"configMap": ref("web-folded-values")}),
        ({"secret": ref("login")}, {"configMap": ref("web-folded-values"), "secret": ref("login")}),
    ],
)
def test_the_user_level_refers_to_the_fold(user, expected):
    items = [app(extraConfigs=[ref("up")], userConfig=user), catalog(), config_map("up", "a: 1\n"), secret("login", "b: 2\n")]
    state = run(*items, outputs=["fold"])
    assert told(state, "error") == []
    found, values = fold_of(state)
    assert (found["spec"]["userConfig"], values) == (expected, {"ConfigMap": {"a": 1}})


def test_a_kind_without_entries_is_not_read():
    items = [app(extraConfigs=[ref("up")], config={"secret": ref("gone")}), catalog(), config_map("up", "a: 1\n")]
    assert told(run(*items, outputs=["fold"]), "error") == []


def test_other_outputs_see_the_authored_app():
    items = [
        app(extraConfigs=[ref("up")]),
        catalog(configMap=ref("base")),
        config_map("base", "b: 2\n"),
        config_map("up", "a: 1\n"),
    ]
    found = made(run(*items, outputs=["fold", "configMap"]))
    assert found == {"foldedValues": {"a": 1}, "configMap": {"a": 1, "b": 2}}


@pytest.mark.parametrize(
    ("lower", "entry", "user", "key"),
    [
        ("a: {b: 1}\n", "a: null\n", "a: {c: 2}\n", "`a`"),
        ("a: {b: 1}\n", "a: 5\n", "a: {c: 2}\n", "`a`"),
        ("a: {b: 1}\n", "a: 5\n", "a: {}\n", "`a`"),
    ],
)
def test_a_fold_that_would_change_a_value_is_an_error_with_the_key(lower, entry, user, key):
    items = [
        app(extraConfigs=[ref("up", priority=60)], userConfig={"configMap": ref("mine")}),
        catalog(configMap=ref("base")),
        config_map("base", lower),
        config_map("up", entry),
        config_map("mine", user),
    ]
    (error,) = told(run(*items, outputs=["fold"]), "error")
    assert "`fold`" in error
    assert key in error


def test_an_error_shows_nothing_of_a_secret():
    items = [
        app(extraConfigs=[ref("up", kind="secret", priority=60)], userConfig={"secret": ref("mine")}),
        catalog(secret=ref("base")),
        secret("base", "a: {b: Kx4mPz9wQf2vTn7b}\n"),
        secret("up", "a: null\n"),
        secret("mine", "a: {c: Wd8rYc3hLs6gBj5e}\n"),
    ]
    (error,) = told(run(*items, outputs=["fold"]), "error")
    assert "Kx4m" not in error
    assert "Wd8r" not in error
