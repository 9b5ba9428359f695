"""Undo records of Secrets and of values out of them: no value is in a record."""

from __future__ import annotations

from krm_values._krm.findings import HIDDEN
from krm_values._krm.plan import Origin, put
from krm_values._krm.taint import concealed
from tests.kit.recording import TARGET, items, kept, listed, run, said, source, targets

SECRET = """- apiVersion: v1
  kind: Secret
  metadata:
    name: s
  data:
    a: bWFya2Vy
    e: ""
"""


def test_a_secrets_earlier_values_are_in_no_record():
    first = source("data.a=bmV3", "data.n=bQ==", "data.e=eA==")
    outcome, output = run(listed(first, SECRET))
    assert said(outcome) == []
    record = kept(output, "Secret")
    assert "bWFya2Vy" not in output
    assert record["undo"] == [
        {"op": "remove", "path": "/data/n", "secret": True},
        {"op": "replace", "path": "/data/a", "secret": True},
        {"op": "replace", "path": "/data/e", "secret": True, "value": ""},
    ]
    assert run(output)[1] == output
    outcome, left = run(output.replace(first, source("data.n=bQ==")))
    assert said(outcome)[0][0] == "warning"
    assert "the last value stays" in said(outcome)[0][1]
    assert items(left)[1]["data"] == {"a": "bmV3", "e": "", "n": "bQ=="}
    assert run(left)[0].findings == ()


def test_a_secrets_key_that_was_dropped_stays_away():
    output = run(listed(source("data.a-"), SECRET))[1]
    assert run(output)[1] == output
    outcome, left = run(output.replace("data.a-", "data.n=bQ=="))
    assert "the key stays removed" in said(outcome)[0][1]
    assert items(left)[1]["data"] == {"e": "", "n": "bQ=="}


def test_a_secrets_value_must_not_be_read_and_overwritten():
    def copy(config, resources, tools):
        secret, target = targets(resources)
        read = Origin("secret", secret.data["data"]["a"], secret, ("data", "a"))
        yield put(target, ("spec", "copy"), read.value, Origin("copy", read.value, target, via=(read,)))
        yield put(secret, ("data", "a"), "bmV3", Origin("x", "bmV3"))

    outcome, output = run(listed(SECRET, TARGET), copy)
    assert outcome.failed
    assert "is read and also overwritten" in said(outcome)[0][1]
    assert "bWFya2Vy" in output


def test_another_key_of_a_secret_may_be_read():
    def copy(config, resources, tools):
        secret, target = targets(resources)
        read = Origin("secret", secret.data["data"]["a"], secret, ("data", "a"))
        yield put(target, ("spec", "copy"), read.value, Origin("copy", read.value, target, via=(read,)))
        yield put(secret, ("data", "e"), "bmV3", Origin("x", "bmV3"))

    outcome, output = run(listed(SECRET, TARGET), copy)
    assert not outcome.failed
    assert items(output)[0]["data"]["e"] == "bmV3"


def test_of_a_secret_in_a_list_only_names_are_shown():
    whole = {"kind": "Secret", "metadata": {"name": "s"}, "data": {"a": "bWFya2Vy"}, "stringData": {"b": "x"}, "more": ["y"]}
    assert concealed({"items": [whole, {"kind": "Other", "data": {"a": "z"}}]}, (), ()) == {
        "items": [
            {"kind": "Secret", "metadata": {"name": "s"}, "data": {"a": HIDDEN}, "stringData": {"b": HIDDEN}, "more": HIDDEN},
            {"kind": "Other", "data": {"a": "z"}},
        ]
    }


def copy_of_secret(config, resources, tools):
    """A Secret's value and a number of nobody's go into each Deployment."""
    secret, *others = targets(resources)
    for target in others:
        value = secret.data["data"]["a"]
        yield put(target, ("spec", "copy"), value, Origin("secret", value, secret, ("data", "a")))
        yield put(target, ("spec", "map"), {"host": "h", "pw": value}, Origin("x", "h", target))
        yield put(target, ("spec", "map", "pw"), value, Origin("secret", value, secret, ("data", "a")))
        yield put(target, ("spec", "replicas"), 3, Origin("x", 3, target))


def test_a_value_out_of_a_secret_leaves_no_hash_in_the_record():
    output = run(listed(SECRET, TARGET), copy_of_secret)[1]
    undo = {entry["path"]: entry for entry in kept(output)["undo"]}
    assert undo["/spec/copy"] == {"op": "remove", "path": "/spec/copy", "secret": True}
    assert undo["/spec/map"]["blank"] == ["/spec/map/pw"]
    assert len(undo["/spec/replicas"]["sha"]) == 12
    assert run(output, copy_of_secret)[1] == output
    other = run(listed(SECRET.replace("bWFya2Vy", "b3RoZXI="), TARGET), copy_of_secret)[1]
    assert other == output.replace("bWFya2Vy", "b3RoZXI=")


def test_an_item_tells_where_another_function_put_a_value_out_of_a_secret():
    seen = {}

    def look(config, resources, tools):
        for item in targets(resources):
            seen[item.kind] = item.withheld
        yield from ()

    output = run(listed(SECRET, TARGET), copy_of_secret)[1]
    run(output, look, name="other_values")
    assert set(seen["Deployment"]) == {("spec", "copy"), ("spec", "map", "pw")}
    assert seen["Secret"] == ()
    run(output, look)  # the function itself sees what was there before
    assert seen["Deployment"] == ()


def test_without_a_record_a_mark_says_where_a_value_out_of_a_secret_stands():
    output = run(listed(SECRET, TARGET), copy_of_secret, record=lambda _: False)[1]
    annotations = items(output)[1]["metadata"]["annotations"]
    assert annotations == {"krm-values.dev/from-secret": '["/spec/copy","/spec/map/pw"]'}
    assert run(output, copy_of_secret, record=lambda _: False)[1] == output


def test_a_secret_value_of_another_function_is_not_recorded():
    def overwrite(config, resources, tools):
        yield put(targets(resources)[1], ("spec", "copy"), "x", Origin("x", "x", targets(resources)[1]))

    output = run(listed(SECRET, TARGET), copy_of_secret)[1]
    outcome, same = run(output, overwrite, name="other_values")
    assert same == output
    assert "holds a value from a Secret and would be overwritten" in said(outcome)[0][1]
