"""Rules of the specification that no conformance case names."""

from __future__ import annotations

from tests.functions.cartographer_params.support import (
    body,
    chain,
    findings,
    plan,
    reports,
    stamped,
    step,
    template,
    thing,
    told,
    workload,
)

SAME = template(params={"quota": 1}, template=body({"v": "$(params.quota)$"}, name="t"))


def test_the_result_of_a_tag_is_not_evaluated_again():
    """[9] and [68]"""
    text = "$(params.other)$"
    planned = plan(workload(params={"quota": text}), SAME, chain(step()))
    assert [made["spec"]["v"] for made in stamped(planned)] == [text]


def test_a_run_template_with_a_ytt_body_is_refused():
    """[84]"""
    run = thing("ClusterRunTemplate", "r", {"ytt": "kind: X"})
    assert "28" in [finding.rule for finding in findings(plan(workload(), SAME, chain(step()), run), "error")]


def test_a_cluster_template_has_no_output():
    """[106]"""
    planned = plan(workload(), SAME, chain(step(), step("late", images=[{"name": "i", "resource": "s"}])))
    assert "whose output is none" in told(planned, "error")[0]
    (report,) = reports(plan(workload(), SAME, chain(step()))).values()
    assert "output" not in report["steps"][0]


def test_the_rfcs_precedence_ignores_the_owner_if_the_chain_is_silent():
    """[D1]"""
    objects = [workload(params={"quota": 5}), SAME, chain(step())]
    assert [made["spec"]["v"] for made in stamped(plan(*objects))] == [5]
    assert [made["spec"]["v"] for made in stamped(plan(*objects, precedence="rfc0010"))] == [1]
