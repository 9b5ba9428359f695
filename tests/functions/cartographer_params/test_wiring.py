"""What reaches a step, what waits and what fails."""

from __future__ import annotations

import pytest

from tests.functions.cartographer_params.support import (
    body,
    chain,
    findings,
    plan,
    reports,
    stamped,
    step,
    template,
    told,
    workload,
)

LIVE = {"urlPath": ".status.url", "revisionPath": ".status.rev"}
HELD = {"urlPath": ".spec.url", "revisionPath": ".spec.rev"}
FETCH = step("fetch", "src", "ClusterSourceTemplate")
CODE = [{"name": "code", "resource": "fetch"}]


def source(name="src", **more):
    made = body({"url": "u", "rev": "r"}, name=name)
    return template(name, kind="ClusterSourceTemplate", template=made, **{**HELD, **more})


def reads(*expressions):
    return template(template=body({"v": [f"$({expression})$" for expression in expressions]}, name="t"))


def states(planned):
    return {
        one["name"]: (one["state"], one.get("output", ""), one.get("waiting", []))
        for report in reports(planned).values()
        for one in report["steps"]
    }


def planned(*expressions, inputs=CODE, steps=(FETCH,), objects=(), **config):
    return plan(workload(), chain(*steps, step(sources=inputs)), reads(*expressions), source(), *objects, **config)


@pytest.mark.parametrize(
    ("expressions", "state"),
    [
        (["source.url"], ("waiting", "", ["source.url"])),
        (["sources.code.url", "source.revision", "source.revision"], ("waiting", "", ["source.revision", "sources.code.url"])),
        (["workload.metadata.name"], ("stamped", "", [])),
        (["source.url", "params.ghost"], ("failed", "", [])),
        (["sources.other.url"], ("failed", "", [])),
        (["image"], ("failed", "", [])),
        (["deployment.url"], ("failed", "", [])),
    ],
)
def test_what_only_a_cluster_knows_waits_and_what_can_never_be_fails(expressions, state):
    made = plan(workload(), chain(FETCH, step(sources=CODE)), reads(*expressions), source(**LIVE))
    assert states(made)["s"] == state
    assert [finding.tags["step"] for finding in findings(made, "error")] == ["s"] * (state[0] == "failed")
    assert [finding.kind for finding in findings(made, "info")] == ["waiting"] * (state[0] == "waiting")
    assert len(stamped(made)) == 1 + (state[0] == "stamped")


@pytest.mark.parametrize("lifecycle", ["immutable", "tekton"])
def test_an_object_that_must_be_healthy_waits_for_its_supplied_output(lifecycle):
    objects = [workload(), chain(FETCH, step(sources=CODE)), reads("source.url"), source(lifecycle=lifecycle)]
    assert states(plan(*objects)) == {"fetch": ("stamped", "waiting", []), "s": ("waiting", "", ["source.url"])}
    given = {"*": {"fetch": {"source": {"url": "given", "revision": "1"}}}}
    assert stamped(plan(*objects, stepOutputs=given))[1]["spec"] == {"v": ["given"]}


def test_a_step_behind_a_failed_one_waits_and_is_no_second_error():
    failing = template("src", kind="ClusterSourceTemplate", template=body({"url": "$(params.ghost)$"}, name="src"), **HELD)
    made = plan(workload(), chain(FETCH, step(sources=CODE)), reads("source.url"), failing)
    assert states(made) == {"fetch": ("failed", "failed", []), "s": ("waiting", "", ["source.url"])}
    assert len(findings(made, "error")) == 1
    given = {"*": {"fetch": {"source": {"url": "u", "revision": "r"}}}}
    assert (
        states(plan(workload(), chain(FETCH, step(sources=CODE)), reads("source.url"), failing, stepOutputs=given))["s"][0]
        == "stamped"
    )


FORWARD = step("late", "src2", "ClusterSourceTemplate")


@pytest.mark.parametrize(
    ("inputs", "expression", "state"),
    [
        ([{"name": "a", "resource": "late"}], "source.url", "waiting"),
        ([{"name": "a", "resource": "late"}], "sources.a.url", "waiting"),
        ([*CODE, {"name": "a", "resource": "late"}], "source.url", "stamped"),
        ([*CODE, {"name": "a", "resource": "late"}], "sources.a.url", "waiting"),
        ([*CODE, {"name": "a", "resource": "fetch"}], "source.url", "failed"),
        ([{"name": "a", "resource": "late"}, {"name": "b", "resource": "late"}], "source.url", "failed"),
        ([{"name": "a", "resource": "s"}], "sources.a.url", "waiting"),
    ],
)
def test_an_alias_is_there_where_exactly_one_can_arrive(inputs, expression, state):
    last = step("s", "use", "ClusterSourceTemplate", sources=inputs)
    use = template("use", kind="ClusterSourceTemplate", template=body({"v": f"$({expression})$"}, name="use"), **LIVE)
    given = {"*": {"late": {"source": {"url": "never", "revision": "used"}}}}
    made = plan(workload(), chain(FETCH, last, FORWARD), source(), source("src2"), use, stepOutputs=given)
    assert states(made)["s"][0] == state
    assert ("forward-reference" in [finding.kind for finding in findings(made, "warning")]) == (
        inputs[-1]["resource"] in ("late", "s")
    )


def passing(*, known):
    entries = [
        {"name": "other", "selector": {"matchLabels": {"k": "1"}}},
        {"passThrough": "code", "selector": {"matchLabels": {"lane": "a"}}},
    ]
    middle = step(
        "test",
        templateRef={"kind": "ClusterSourceTemplate", "options": entries},
        sources=CODE,
        params=[{"name": "p", "value": 1}],
    )
    last = step(sources=[{"name": "in", "resource": "test"}])
    return [workload(), chain(FETCH, middle, last), reads("source.url"), source(**({} if known else LIVE)), source("other")]


def test_a_passed_on_output_is_that_of_the_input_and_no_params_count():
    made = plan(*passing(known=True))
    assert states(made) == {
        "fetch": ("stamped", "rendered", []),
        "test": ("passThrough", "passThrough", []),
        "s": ("stamped", "", []),
    }
    (report,) = reports(made).values()
    assert report["steps"][1] == {
        "name": "test",
        "template": {"kind": "ClusterSourceTemplate", "passThrough": "code"},
        "state": "passThrough",
        "output": "passThrough",
    }


def test_a_passed_on_output_that_is_not_known_waits_unless_it_is_supplied():
    assert states(plan(*passing(known=False)))["test"] == ("passThrough", "waiting", [])
    given = {"*": {"test": {"source": {"url": "u", "revision": "r"}}}}
    assert states(plan(*passing(known=False), stepOutputs=given))["test"] == ("passThrough", "supplied", [])


@pytest.mark.parametrize(
    ("given", "told_of"),
    [({"image": "x"}, "must be a `source`"), ({"config": None}, "must be a `source`")],
)
def test_an_output_of_another_kind_is_an_error(given, told_of):
    made = planned("source.url", stepOutputs={"*": {"fetch": given}})
    (text,) = told(made, "error")
    assert told_of in text
    assert "ClusterSourceTemplate of Workload dock/parcel" in text


def test_half_a_source_and_two_outputs_are_mistakes_of_the_config():
    from krm_values._krm.config import ConfigError  # noqa: PLC0415

    for wrong in ({"source": {"url": "u"}}, {"image": 1, "config": 2}, {}, {"source": None}):
        with pytest.raises(ConfigError):
            planned("source.url", stepOutputs={"*": {"fetch": wrong}})


def test_an_output_path_that_errs_is_a_warning_and_waits():
    made = plan(workload(), chain(FETCH, step(sources=CODE)), reads("source.url"), source(urlPath=".spec[*]"))
    assert states(made)["s"] == ("waiting", "", ["source.url"])
    assert [finding.rule for finding in findings(made, "warning")] == ["101"]


def test_a_delivery_waits_for_its_deployment_and_an_unknown_step():
    roll = step("roll", "roll", "ClusterDeploymentTemplate", deployment={"resource": "fetch"})
    deploy = template("roll", kind="ClusterDeploymentTemplate", template=body({"v": "$(deployment.url)$"}, name="roll"))
    owner = workload(kind="Deliverable")
    objects = [
        owner,
        chain(FETCH, roll, step(sources=[{"name": "x", "resource": "gone"}]), kind="ClusterDelivery"),
        deploy,
        reads("sources.x.url"),
    ]
    assert states(plan(*objects, source(**LIVE)))["roll"] == ("waiting", "waiting", ["deployment.url"])
    made = plan(*objects, source())
    assert states(made) == {
        "fetch": ("stamped", "rendered", []),
        "roll": ("stamped", "waiting", []),
        "s": ("waiting", "", ["sources.x.url"]),
    }
    assert [finding.kind for finding in findings(made, "warning")] == ["no-such-output"]


@pytest.mark.parametrize(("selector", "state"), [({"resource": {"apiVersion": "v1", "kind": "Pod"}}, "info"), (None, "error")])
def test_what_a_runnable_selects_is_known_at_run_time_only(selector, state):
    run = template("rt", kind="ClusterRunTemplate", template=body({"v": "$(selected.spec)$"}, name="run"))
    runnable = workload("lint", kind="Runnable", runTemplateRef={"name": "rt"}, selector=selector)
    made = plan(runnable, run)
    assert [finding.rule for finding in findings(made, state)] == [{"info": "103", "error": "15"}[state]]
    assert stamped(made) == []
    assert reports(made) == {}
