"""Very much of something: each gives the upstream result or a finding, and none takes the square of its number (or the test would not end)."""

from __future__ import annotations

import json

import pytest

from tests.functions.glasskube_values.support import (
    cluster,
    config_map,
    found,
    manifest,
    package,
    run,
    target,
    told,
    value,
)


def refer(name, key="level"):
    return {"valueFrom": {"packageRef": {"name": name, "value": key}}}


def chain(length, last):
    """ClusterPackages p0 to p<length>, each of which refers to the next."""
    values = [refer(f"p{number + 1}") for number in range(length)]
    return [cluster(f"p{number}", values={"level": each}) for number, each in enumerate([*values, last])]


CLUSTER = manifest(value("level", target(namespace="aviary")), scope="Cluster")


def test_a_chain_of_references_ends_in_its_literal():
    items = chain(100, "calm")
    items[1:] = [{**item, "spec": {**item["spec"], "packageInfo": {"name": "other", "version": "v1"}}} for item in items[1:]]
    state = run(*items, config_map(), manifests=[CLUSTER])
    assert told(state) == []
    assert found(state)["data"]["LEVEL"] == "calm"


@pytest.mark.parametrize("last", ["calm", refer("p0")], ids=["chain", "ring"])
def test_a_chain_or_ring_of_3000_is_told(last):
    messages = told(run(*chain(3_000, last), manifests=[CLUSTER]))
    if last == "calm":
        assert len(messages) == 3_000 - 100
        assert messages[0].endswith('cannot resolve "level": leads through more than 100 references, from package to package')
    else:
        assert len(messages) == 3_001
        assert "cycle p0.level -> p1.level -> " in messages[0]
        assert messages[0].endswith("-> p49.level -> 2,951 more -> p0.level")


def test_a_chain_of_3000_into_nothing_is_told():
    messages = told(run(*chain(3_000, refer("ghost")), manifests=[CLUSTER]))
    assert len(messages) == 3_001
    assert all('ClusterPackage "ghost" is not in the list' in message for message in messages)


def test_every_member_of_a_ring_and_what_leads_into_it():
    items = [*chain(2, refer("p0")), cluster("q", values={"level": refer("p1")})]
    assert [message.partition("cycle ")[2] for message in told(run(*items, manifests=[CLUSTER]))] == [
        "p0.level -> p1.level -> p2.level -> p0.level",
        "p1.level -> p2.level -> p0.level -> p1.level",
        "p2.level -> p0.level -> p1.level -> p2.level",
        "p1.level -> p2.level -> p0.level -> p1.level",
    ]


def test_very_many_values_without_a_definition_are_told():
    messages = told(run(package(values={f"v{number}": "x" for number in range(20_000)}), manifests=[manifest()]))
    assert len(messages) == 20_000
    assert 'value "v19999" has no value definition' in messages[-1] or 'value "v9999" has no value definition' in messages[-1]


def test_a_missing_key_names_a_few_of_very_many():
    keys = config_map(**{f"key-{number}": "x" for number in range(5_000)})
    given = {"valueFrom": {"configMapRef": {"name": "env", "namespace": "aviary", "key": "ghost"}}}
    (message,) = told(run(package(values={"level": given}), keys, manifests=[manifest(value("level"))]))
    assert message.endswith(
        'has no key "ghost"; it has `key-0`, `key-1`, `key-10`, `key-100`, `key-1000`, `key-1001`, '
        "`key-1002`, `key-1003`, `key-1004` and 4991 more"
    )


RECORD = "krm-values.dev/undo.glasskube-values"


@pytest.mark.parametrize(
    "undo",
    [
        [{"op": "add", "path": "/metadata/annotations", "value": "x"}],
        [{"op": "add", "path": "/metadata/annotations", "value": ["x"]}],
    ],
)
def test_a_record_that_leads_to_no_object_is_none(undo):
    item = config_map(LEVEL="loud")
    item["metadata"]["annotations"] = {RECORD: json.dumps({"by": ["Package/aviary/lumen"], "undo": undo})}
    state = run(package(values={"level": "calm"}), item, manifests=[manifest(value("level", target()))])
    (message,) = told(state)
    assert "is no undo record: restore it" in message
