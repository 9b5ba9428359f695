"""Where the function and its reference implementation once differed."""

from __future__ import annotations

import pytest

from tests.functions.layered_values.support import item, kinds, run

THING = """
apiVersion: x.test/v1
kind: Thing
metadata: {name: t}
spec: {text: "a: {b: 1}\\n", list: [a], part: web:1}
"""
REFERENCE = """
apiVersion: v1
kind: ConfigMap
metadata: {name: base}
data: {values.yaml: "resources: {$value: spare}\\n"}
"""


def thing(values: str, *fields: str) -> str:
    targets = "".join(
        f"- {{kind: Thing, missing: {missing}, fields: {{{text}}}}}\n"
        for missing, _, text in (one.partition(" ") for one in fields)
    )
    return f"layers: [{{values: {values}}}]\ntargets:\n{targets}"


@pytest.mark.parametrize("strategy", ["", "merge: {hosts: append}\n"])
def test_a_layer_that_is_only_a_reference_needs_a_place(strategy):
    config = f"layers: [{{values: {{a: 1}}}}, {{configMap: base, path: resources}}]\n{strategy}targets: [{{configMap: out}}]"
    assert kinds(run(config, REFERENCE)) == ["not-a-map"]


def test_a_map_without_keys_still_makes_its_object():
    state = run("layers: [{values: {a: {}}}]\ntargets: [{configMap: out, value: a, key: '*'}]")
    assert item(state, "out")["data"] == {}
    assert kinds(run("layers: [{values: {a: {}}}]\ntargets: [{configMap: out, value: a, key: '*'}]", given=state.items)) == []


def test_a_field_inside_a_text_that_another_target_replaces_is_an_overlap():
    config = thing("{a: 'x: 1', b: 2}", "error spec.text: a", "error spec.text.a.b: b")
    assert kinds(run(config, THING)) == ["overlap"]


def test_a_field_that_another_target_creates_is_absent_for_all_of_them():
    config = thing("{list: [x], one: z}", "create spec.new: list", "skip 'spec.new[0]': one")
    state = run(config, THING)
    assert kinds(state) == []
    assert item(state, "t")["spec"]["new"] == ["x"]


def test_fields_in_the_same_created_parents():
    config = thing(
        "{a: 1, b: 2}",
        "create spec.new.deep.a: a",
        "create spec.new.deep.b: b",
        "create 'spec.env[name=x].value': a",
        "create 'spec.env[name=x].more': b",
    )
    spec = item(run(config, THING), "t")["spec"]
    assert spec["new"] == {"deep": {"a": 1, "b": 2}}
    assert spec["env"] == [{"name": "x", "value": "1", "more": 2}]


@pytest.mark.parametrize("value", ["null", "x"])
def test_what_cannot_be_created_is_an_error_whatever_the_value(value):
    assert kinds(run(thing(f"{{a: {value}}}", "create 'spec.deep.*': a"), THING)) == ["no-field"]


def test_a_null_for_an_absent_field_that_could_be_created_changes_nothing():
    state = run(thing("{a: null}", "create spec.deep.x: a"), THING)
    assert kinds(state) == []
    assert item(state, "t") == item(run("layers: [{values: {a: 1}}]\ntargets: []", THING), "t")


def test_nothing_is_written_into_metadata_that_is_null():
    """The record of what was written would be in the map that it restores to null."""
    config = "layers: [{values: {a: 1}}]\ntargets: [{kind: Thing, missing: create, fields: {metadata.x: a}}]"
    assert kinds(run(config, given=[{"apiVersion": "x.test/v1", "kind": "Thing", "metadata": None}])) == ["identity"]
    assert item(run(config, THING), "t")["metadata"]["x"] == 1
