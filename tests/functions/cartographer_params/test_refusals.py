"""What is refused before anything is resolved, by rule, beside the conformance cases; and what looks like it and is not."""

from __future__ import annotations

import pytest

from tests.functions.cartographer_params.support import (
    body,
    chain,
    findings,
    plan,
    stamped,
    step,
    template,
    thing,
    told,
    workload,
)

DEPLOY = template("d", kind="ClusterDeploymentTemplate")
SOURCE = template("src", kind="ClusterSourceTemplate", urlPath=".spec.u", revisionPath=".spec.r")
IMAGE = template("img", kind="ClusterImageTemplate", imagePath=".spec.i")


def option(name="t", key="k", **more):
    return {"name": name, "selector": {"matchLabels": {"k": key}}, **more}


def options(*entries, kind="ClusterTemplate", **more):
    return chain(step(templateRef={"kind": kind, "options": list(entries)}, **more))


def fields(*requirements, **more):
    return chain(step(), selectorMatchFields=list(requirements), **more)


def asks(key, operator="Exists", **more):
    return {"key": key, "operator": operator, **more}


def delivery(*steps, **more):
    return chain(*steps, kind="ClusterDelivery", name="d", **more)


def two_passed_through():
    entries = [{"passThrough": name, "selector": {"matchLabels": {"k": name}}} for name in ("one", "two")]
    inputs = [{"name": name, "resource": "a"} for name in ("one", "two")]
    return step(templateRef={"kind": "ClusterSourceTemplate", "options": entries}, sources=inputs)


REFUSED = [
    ("20", chain(step(), params=[{"name": "p"}])),
    ("20", chain(step(), params=[{"value": 1}])),
    ("20", chain(step(), params={"p": 1})),
    ("20", chain(step(), params=["p"])),
    ("21", template(params=[{"name": "p", "value": 1}])),
    ("22", workload(params=[{"name": "p", "default": 1}])),
    ("23", chain(step(), selector={}, selectorMatchExpressions=[], selectorMatchFields=[])),
    ("24", chain(step(name=None))),
    ("25", chain(step(templateRef={"kind": "ClusterTemplate", "name": "t", "options": [option(), option("u", "2")]}))),
    ("25", options(option(), {"selector": {"matchLabels": {"k": "2"}}})),
    ("25", options(option(), option(key="2"))),
    ("25", options(option(), option("u"))),
    ("25", chain(step("a", "src", "ClusterSourceTemplate"), two_passed_through())),
    ("27", chain(step("a", "img", "ClusterImageTemplate"), step(sources=[{"name": "in", "resource": "a"}]))),
    ("28", template(template=None)),
    ("28", template(template={"metadata": {"name": "x"}})),
    ("28", template(template=["x"])),
    ("28", template(retentionPolicy={"maxFailedRuns": 1})),
    ("28", thing("ClusterRunTemplate", "r", {"template": body(name="x", namespace="dock")})),
    ("29", delivery(step("a", "src", "ClusterSourceTemplate"), step("s", "d", "ClusterDeploymentTemplate", deployment={"resource": "a"}, configs=[{"name": "c", "resource": "a"}]))),
    ("29", delivery(step("a", "src", "ClusterSourceTemplate"), step(deployment={"resource": "a"}))),
    ("30", fields(asks("spec.image", "Equals"))),
    ("30", fields(asks(".spec.image"))),
    ("30", fields(asks("spec.unknown"))),
    ("30", fields(asks('spec.params[?(@.name=="x"'))),
    ("30", fields(asks("spec.image", "In", values=[1]))),
    ("30", delivery(step(), selectorMatchFields=[asks("spec.image")])),
    ("30", delivery(step(), selectorMatchFields=[asks("spec.env[0]")])),
    ("31", chain(step(kind="ClusterDeploymentTemplate"))),
    ("31", chain(step(kind="Widget"))),
    ("32", options(option(), option("gone", "2"))),
    ("43", chain(step(), selectorMatchExpressions=[{"key": "k", "operator": "Equals"}])),
    ("48", chain(step())),
    ("48", workload()),
    ("48", template()),
    ("97", template(lifecycle="forever")),
]  # fmt: skip

ALLOWED = [
    chain(step(params=[{"name": "p", "value": 1, "default": None}])),
    chain(step(params=[{"name": "p", "value": None, "default": 0}])),
    chain(step(), params=[]),
    chain(step(), params=None),
    template(params={"p": None}),
    workload(params={"p": None}),
    chain(step(), selector=..., selectorMatchExpressions=[asks("lane")]),
    chain(step(), selector=..., selectorMatchFields=[asks("spec.serviceAccountName")]),
    chain(step("a"), step("A")),
    options(option("u", "2"), option(key="x")),
    fields(asks("spec.image", "DoesNotExist")),
    fields(asks("metadata.labels['a\\.b']", "DoesNotExist")),
    fields(asks('spec.params[?(@.name=="x")].value', "DoesNotExist")),
    template(ytt=""),
    template(retentionPolicy={"maxFailedRuns": 1}, healthRule={"alwaysHealthy": {}}),
    template(retentionPolicy={"maxFailedRuns": 1}, lifecycle="tekton"),
    template(template=body(name="x", labels={"namespace": "dock"})),
    chain(step(deployment={"resource": "gone"})),
    chain(step(template="gone"), name="other", selector={"lane": "z"}),
    workload(metadata={"labels": {"lane": "a"}}),
    delivery(step(sources=[{"name": "in", "resource": "gone"}])),
]  # fmt: skip


def around(thing):
    """The object with the others that it needs; what is there twice is meant."""
    whole = [
        workload(metadata={"namespace": "dock", "labels": {"lane": "a", "k": "x"}}),
        chain(step()),
        template(),
        template("u", template=body(name="u")),
        SOURCE,
        IMAGE,
        DEPLOY,
    ]
    return [*(other for other in whole if key(other) != key(thing)), thing]


def key(thing):
    return thing["kind"], thing["metadata"]["name"]


@pytest.mark.parametrize(("rule", "thing"), REFUSED)
def test_it_is_refused_by_its_rule_and_nothing_is_stamped_where_it_is_used(rule, thing):
    objects = [*around(thing), thing] if rule == "48" else around(thing)
    planned = plan(*objects)
    errors = findings(planned, "error")
    assert {finding.rule for finding in errors} == {rule}, told(planned, "error")
    assert all(finding.kind and finding.message for finding in errors)
    if thing["kind"] == "ClusterSupplyChain" and rule != "48":
        assert stamped(planned) == []


@pytest.mark.parametrize("thing", ALLOWED)
def test_it_is_not_refused(thing):
    planned = plan(*around(thing))
    assert told(planned, "error") == []
    assert stamped(planned) != []


def test_every_mistake_comes_at_once_each_with_its_address():
    bad = chain(
        step(params=[{"name": "p"}], sources=[{"name": "in", "resource": "gone"}]),
        params=[{"name": "q", "value": 1, "default": 2}],
    )
    planned = plan(*around(bad), template("z", params=[{"name": "p"}]))
    assert told(planned, "error") == [
        "ClusterSupplyChain c `spec.params[0]`: sets both `value` and `default` of the param `q`: keep one",
        "ClusterSupplyChain c `spec.resources[0].params[0]`: must set `value` or `default` of the param `p` (null is neither); to leave it open, remove the entry",
        'ClusterSupplyChain c `spec.resources[0].sources[0].resource`: must be a step of the chain; found string "gone"',
        "ClusterTemplate z `spec.params[0]`: must have a `default` for the param `p`",
    ]


def test_a_refused_owner_does_not_stop_the_others():
    planned = plan(*around(workload("bad", params=[{"name": "p"}])))
    assert [finding.tags["owner"] for finding in findings(planned, "error")] == ["Workload/dock/bad"]
    assert [data["metadata"]["name"] for data in stamped(planned)] == ["t"]
