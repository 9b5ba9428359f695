"""A value that a null removes tells who removed it, and what it was (rule 42)."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from krm_values._data.pointer import ABSENT, to_field
from tests.cli.packages import command, kptfile, write
from tests.functions.layered_values.support import item, run, told

LAYERS = """
layers:
- {name: a, values: {num: 2, m: {x: 1, y: 2, keep: 0}, list: [1]}}
- {name: b, values: {num: 3, m: {x: 4}, never: null}}
- {name: c, values: {num: null, m: {x: null, y: null}, list: null}}
"""
TEXT = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: t}\ndata: {k: 'num: 1'}"
DEPLOYMENT = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d}\nspec: {replicas: 1}"


def removed(state):
    """Each removed value: who removed it, what it overrides, and whether that was so before."""
    return {
        to_field(one.path) + (f" » {to_field(one.leaf.inner)}" if one.leaf.inner else ""): (
            one.leaf.origin.layer,
            [(origin.layer, origin.value) for origin in one.leaf.overridden],
            one.kept,
        )
        for one in state.outcome.decisions
        if one.after is ABSENT
    }


@pytest.mark.parametrize("again", [False, True])
@pytest.mark.parametrize(
    ("target", "at"),
    [
        ("{configMap: out}", {"n": 'data["values.yaml"] » num', "m": 'data["values.yaml"] » m.'}),
        ("{configMap: out, key: k, value: m}", {"n": "", "m": "data.k » "}),
        ("{configMap: out, key: '*'}", {"n": "data.num", "m": "data.m » "}),
    ],
)
def test_keys_of_generated_objects(target, at, again):
    config = f"{LAYERS}nulls: remove\ntargets: [{target}]"
    state = run(config)
    state = run(config, given=state.items) if again else state
    assert not told(state)
    expected = {
        at["n"]: ("c", [("b", 3), ("a", 2)], again),
        f"{at['m']}x": ("c", [("b", 4), ("a", 1)], again),
        f"{at['m']}y": ("c", [("a", 2)], again),
        at["n"].removesuffix("num") + "list": ("c", [("a", [1])], again),
    }
    assert removed(state) == {path: found for path, found in expected.items() if at["n"] or path.startswith(at["m"])}


def test_fields_and_keys_of_their_texts():
    config = f"{LAYERS}targets: [{{kind: Deployment, fields: {{spec.replicas: num}}}}, {{kind: ConfigMap, fields: {{data.k.num: num}}}}]"
    overridden = [("b", 3), ("a", 2)]
    assert removed(run(config, DEPLOYMENT, TEXT)) == {
        "spec.replicas": ("c", overridden, False),
        "data.k » num": ("c", overridden, False),
    }


def test_a_null_of_a_secret_makes_nothing_secret():
    secret = "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {v: 'num: null'}"
    config = "layers: [{values: {num: 2, o: 1}}, {secret: s}]\nnulls: remove\ntargets: [{configMap: out, allowSecrets: true}]"
    state = run(config, secret)
    assert not told(state)
    assert not told(state, "info")
    assert removed(state) == {'data["values.yaml"] » num': ("s", [("values", 2)], False)}
    assert "krm-values.dev/from-secret" not in item(state, "out")["metadata"]["annotations"]


def test_explain_names_what_was_removed_and_values_does_not_print_it(tmp_path):
    files = {"config.yaml": f"{LAYERS}nulls: remove\ntargets: [{{configMap: out}}]", "d.yaml": DEPLOYMENT}
    head = "apiVersion: krm-values.dev/v1alpha1\nkind: LayeredValues\nmetadata: {name: lv}\nspec:\n"
    files["config.yaml"] = head + "".join(f"  {line}\n" for line in files["config.yaml"].strip().splitlines())
    write(tmp_path, {"Kptfile": kptfile("exec: krm-layered-values, configPath: config.yaml"), **files})
    shown = command("explain", tmp_path, "num").stdout
    assert "num = (removed)\n  + c  config.yaml:8\n  - b  config.yaml:7  3\n  - a  config.yaml:6  2\n" in shown
    assert command("values", tmp_path, "ConfigMap/out").stdout == "m:\n  keep: 0\n"


HELD = {"items": [f"i{number}" for number in range(25)]}
PLACES = {
    "spec.items": {"kind": "Deployment", "spec": HELD},
    "data.k.items": {"kind": "ConfigMap", "data": {"k": json.dumps(HELD)}},
    "data.k.t.items": {"kind": "ConfigMap", "data": {"k": json.dumps({"t": json.dumps(HELD)})}},
}


@pytest.mark.parametrize("place", PLACES)
@given(gone=st.sets(st.integers(0, 24), min_size=1, max_size=6))
def test_elements_that_nulls_remove_are_the_named_ones_in_a_resource_and_in_its_texts(place, gone):
    thing = {"apiVersion": "v1", "metadata": {"name": "t"}, **PLACES[place]}
    fields = ", ".join(f"'{place}[{number}]': num" for number in gone)
    config = f"{LAYERS}targets: [{{kind: {thing['kind']}, name: t, optional: true, fields: {{{fields}}}}}]"
    state = run(config, given=[thing])
    assert not told(state)
    left = re.findall(r"i\d+", str(item(state, "t").get("spec") or item(state, "t")["data"]))
    assert left == [f"i{number}" for number in range(25) if number not in gone]
    assert run(config, given=state.items).items == state.items
    back = item(run(config.replace("name: t", "name: other"), given=state.items), "t")
    assert {key: back[key] for key in PLACES[place]} == PLACES[place]
