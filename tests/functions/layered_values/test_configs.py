"""Several configs in one pipeline: each has its own objects and records, and rule 2 keeps them apart."""

from __future__ import annotations

import json

from tests.functions.layered_values.support import item, kinds, run, told

DEPLOYMENT = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec: {replicas: 1, paused: false}
"""
UNDO = "krm-values.dev/undo.layered-values."


def config(value: int, field: str, generated: str = "") -> str:
    made = f", {{configMap: {generated}}}" if generated else ""
    return f"layers: [{{values: {{n: {value}}}}}]\ntargets: [{{kind: Deployment, fields: {{{field}: n}}}}{made}]"


def test_records_and_marks_carry_the_name_of_the_config():
    state = run(config(3, "spec.replicas", "out"), DEPLOYMENT, name="one")
    annotations = item(state, "web")["metadata"]["annotations"]
    assert json.loads(annotations[f"{UNDO}one"])["by"] == ["LayeredValues//one"]
    marks = item(state, "out")["metadata"]["annotations"]
    assert marks["krm-values.dev/generated-from"] == "LayeredValues.krm-values.dev//one/ConfigMap..out"
    assert marks["krm-values.dev/generated-by"] == "layered-values"


def test_each_config_undoes_only_what_it_wrote():
    first = run(config(3, "spec.replicas", "one"), DEPLOYMENT, name="one")
    second = run(
        "layers: [{values: {b: true}}]\ntargets: [{kind: Deployment, fields: {spec.paused: b}}]", name="two", given=first.items
    )
    assert item(second, "web")["spec"] == {"replicas": 3, "paused": True}
    again = run("layers: [{values: {n: 1}}]\ntargets: [{configMap: two}]", name="one", given=second.items)
    assert item(again, "web")["spec"] == {"replicas": 1, "paused": True}
    assert [one["metadata"]["name"] for one in again.items] == ["web", "two"]
    assert set(item(again, "web")["metadata"]["annotations"]) == {f"{UNDO}two"}


def test_a_name_that_begins_another_one_is_another_config():
    first = run("layers: [{values: {n: 1}}]\ntargets: [{configMap: a}]", name="web")
    second = run("layers: [{values: {n: 1}}]\ntargets: [{configMap: b}]", name="we", given=first.items)
    assert sorted(one["metadata"]["name"] for one in second.items) == ["a", "b"]


def test_what_another_config_generated_can_be_a_layer():
    first = run("layers: [{values: {n: 5}}]\ntargets: [{configMap: a}]", name="one")
    second = run("layers: [{configMap: a}]\ntargets: [{configMap: b}]", name="two", given=first.items)
    assert item(second, "b")["data"] == {"values.yaml": '"n": 5\n'}


def test_a_later_config_overrides_an_earlier_one_and_may_write_into_what_it_made():
    made = "layers: [{values: {z: eu}}]\ntargets: [{kind: Deployment, fields: {metadata.labels.zone: z}, missing: create}]"
    first = run(made, DEPLOYMENT, name="one")
    second = run(made.replace("zone", "area"), name="two", given=first.items)
    assert (kinds(second), item(second, "web")["metadata"]["labels"]) == ([], {"zone": "eu", "area": "eu"})
    third = run(made.replace("eu", "us"), name="three", given=second.items)
    assert (kinds(third, "info"), item(third, "web")["metadata"]["labels"]["zone"]) == (["override"], "us")
    assert "LayeredValues//three overrides what LayeredValues//one wrote" in told(third, "info")[0]


def test_check_names_each_object_that_would_change_come_or_go():
    done = run(config(3, "spec.replicas", "out"), DEPLOYMENT)
    clean = run(config(3, "spec.replicas", "out") + "\ncheck: true", given=done.items)
    assert told(clean) == []
    changed = run(config(4, "spec.replicas", "new") + "\ncheck: true", given=done.items)
    assert kinds(changed) == ["differs"] * 3
    assert changed.items == done.items


def test_the_name_of_a_config_is_checked():
    for name in ("Web", "a_b", "", "x" * 41):
        assert kinds(run("layers: [{values: {n: 1}}]\ntargets: [{configMap: a}]", name=name)) == ["config"]
    assert told(run("layers: [{values: {n: 1}}]\ntargets: [{configMap: a}]", name="x" * 40)) == []
