"""Names, files and metadata of what is written."""

from __future__ import annotations

import hashlib

import pytest

from krm_values._krm.plan import New
from tests.functions.cartographer_params.support import (
    PATH,
    body,
    chain,
    findings,
    plan,
    run,
    stamped,
    step,
    template,
    thing,
    told,
    workload,
)


def files(state):
    return {
        item["metadata"]["annotations"][PATH]: item["kind"]
        for item in state.items
        if PATH in item["metadata"].get("annotations", {})
    }


@pytest.mark.parametrize(
    ("owner", "name", "file"),
    [
        ("parcel", "s", "cartographer/dock/workload-parcel/s.yaml"),
        ("parcel", "params", "cartographer/dock/workload-parcel/params-step.yaml"),
        ("par/cel", "a b:c", "cartographer/dock/workload-par-cel/a-b-c.yaml"),
    ],
)
def test_an_object_has_a_file_of_its_own(owner, name, file):
    assert files(run(workload(owner), chain(step(name)), template()))[file] == "Widget"


def test_names_that_become_one_share_the_file():
    state = run(workload(), chain(step("a b"), step("a-b", "u")), template(), template("u", template=body(name="u")))
    annotations = [item["metadata"]["annotations"] for item in state.items[-2:]]
    assert [(one[PATH], one.get("config.kubernetes.io/index", "0")) for one in annotations] == [
        ("cartographer/dock/workload-parcel/a-b.yaml", "0"),
        ("cartographer/dock/workload-parcel/a-b.yaml", "1"),
    ]


def test_without_a_namespace_there_is_none_and_no_folder():
    state = run(workload(metadata={"labels": {"lane": "a"}}), chain(step()), template())
    assert "cartographer/workload-parcel/s.yaml" in files(state)
    made = state.items[-1]["metadata"]
    assert "namespace" not in made
    assert made["labels"]["carto.run/workload-namespace"] == ""


def test_new_items_follow_by_owner_and_step_the_report_first():
    owners = [
        workload("b"),
        workload("a"),
        workload("a", kind="Deliverable"),
        workload("z", metadata={"namespace": "attic", "labels": {"lane": "a"}}),
    ]
    body_ = body(name="$(workload.metadata.name)$-$(labels['carto\\.run/resource-name'])$", kind="$(workload.kind)$-thing")
    made = plan(*owners, chain(step("y"), step("x")), chain(step(), kind="ClusterDelivery"), template(template=body_))
    assert [(new.source.kind, new.source.name, new.part) for new in made if isinstance(new, New)] == [
        *[("Workload", "z", part) for part in ("", "y", "x")],
        *[("Deliverable", "a", part) for part in ("", "s")],
        *[("Workload", name, part) for name in "ab" for part in ("", "y", "x")],
    ]


NAMED = [
    (body(name="n"), "mutable", "n"),
    (body(name="n", generateName="g-"), "immutable", "n"),
    (body(generateName="g-"), "mutable", None),
    (body(), "immutable", None),
    (body(name=""), "mutable", None),
    (body(name="$(params.number)$"), "mutable", None),
    (body(name="n", kind="$(params.number)$"), "mutable", None),
    ({"kind": "A", "apiVersion": "$(params.number)$", "metadata": {"name": "n"}}, "mutable", None),
    ({"kind": "A", "apiVersion": "v1"}, "mutable", None),
]


@pytest.mark.parametrize(("made", "lifecycle", "name"), NAMED)
def test_an_object_needs_a_name_and_texts(made, lifecycle, name):
    planned = plan(
        workload(), chain(step(params=[{"name": "number", "value": 5}])), template(template=made, lifecycle=lifecycle)
    )
    assert [data["metadata"]["name"] for data in stamped(planned)] == ([name] if name else [])
    assert {finding.rule for finding in findings(planned, "error")} == (set() if name else {"96"})


def test_a_generated_name_ends_in_a_digest_of_what_is_rendered():
    made = body({"v": "<&> é", "n": 5.0, "big": 1e21}, generateName="g-")
    (data,) = stamped(plan(workload(), chain(step()), template(template=made, lifecycle="immutable")))
    text = '{"from":"Workload.carto.run/dock/parcel/s","object":{"apiVersion":"demo.example/v1","kind":"Widget","metadata":{"generateName":"g-"},"spec":{"big":1e+21,"n":5,"v":"<&> é"}}}'
    assert data["metadata"]["name"] == "g-" + hashlib.sha256(text.encode()).hexdigest()[:8]


@pytest.mark.parametrize(
    ("metadata", "rule"),
    [
        ({"labels": {"a": 5}}, "94"),
        ({"labels": ["a"]}, "94"),
        ({"labels": {"a": "$(params.number)$"}}, "94"),
    ],
)
def test_metadata_that_the_controller_would_lose_is_refused(metadata, rule):
    objects = [workload(), chain(step(params=[{"name": "number", "value": 5}])), template(template=body(name="n", **metadata))]
    planned = plan(*objects)
    assert [finding.rule for finding in findings(planned, "error")] == [rule]
    assert stamped(planned) == []


@pytest.mark.parametrize(("uid", "wanted", "written"), [("9", True, True), ("", True, False), ("9", False, False)])
def test_an_owner_reference_is_written_where_it_is_wanted_and_can_be(uid, wanted, written):
    owner = workload(metadata={"namespace": "dock", "labels": {"lane": "a"}, **({"uid": uid} if uid else {})})
    (data,) = stamped(plan(owner, chain(step()), template(), ownerReferences=wanted))
    assert ("ownerReferences" in data["metadata"]) == written


def test_an_object_of_a_stamped_deliverable_is_in_the_workloads_package():
    deliverable = thing("Deliverable", "d", {}, labels={"lane": "out"})
    land = template("land", template=body(name="land"))
    chains = [chain(step()), chain(step("land", "land"), kind="ClusterDelivery", selector={"lane": "out"})]
    owner = workload(metadata={"namespace": "dock", "labels": {"lane": "a"}, "annotations": {PATH: "app/w.yaml"}})
    state = run(owner, *chains, template(template=deliverable), land)
    assert "cartographer/dock/deliverable-d/land.yaml" in files(state)
    alone = run(owner, chains[0], template(template=deliverable))
    assert [finding.message for finding in alone.outcome.findings if finding.rule == "42"] == [
        "is stamped, but no delivery fits: the list has no ClusterDelivery (stamped by the step `s` of Workload dock/parcel)"
    ]
    assert not alone.outcome.failed


def test_owners_five_deep_are_realised_and_no_deeper():
    more = template(template=thing("Workload", "$(workload.metadata.name)$x", {}, labels={"lane": "a"}))
    planned = plan(workload("w"), chain(step()), more)
    (text,) = told(planned, "error")
    assert "w -> wx -> wxx -> wxxx -> wxxxx -> wxxxxx -> wxxxxxx" in text
    assert len(stamped(planned)) == 6
