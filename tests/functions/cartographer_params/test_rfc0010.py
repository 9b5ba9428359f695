"""Entries without value and default under `precedence: rfc0010`, and `workload-param-name` [S14] [S15]."""

from __future__ import annotations

import pytest

from tests.functions.cartographer_params.support import (
    body,
    chain,
    findings,
    params,
    plan,
    reports,
    step,
    template,
    told,
    workload,
)

USES = body({"v": "$(params.quota)$"}, name="t")
QUOTA = template(params={"quota": "of-template"}, template=USES)
BARE = [{"name": "quota"}]


def resolved(planned):
    (report,) = reports(planned).values()
    return params(report)["s"]


@pytest.mark.parametrize(
    "bare", [BARE, [{"name": "quota", "value": None}], [{"name": "quota", "value": None, "default": None}]]
)
def test_the_default_of_the_template_counts_and_the_owner_is_ignored(bare):
    objects = [workload(params={"quota": "of-owner"}), chain(step(params=bare)), QUOTA]
    planned = plan(*objects, precedence="rfc0010")
    assert (told(planned, "error"), resolved(planned)) == ([], {"quota": ("of-template", "template.default")})
    assert [finding.rule for finding in findings(plan(*objects), "error")] == ["20"]


def test_without_a_default_the_param_is_absent():
    planned = plan(
        workload(params={"quota": "of-owner"}), chain(step(params=BARE)), template(template=USES), precedence="rfc0010"
    )
    assert resolved(planned) == {}
    assert "no layer sets it" in told(planned, "error")[0]


def test_a_path_as_value_beside_a_default_is_refused_with_the_reason():
    entry = {"name": "quota", "value": '$(workload.spec.params[?(@.name=="quota")].value)$', "default": 1}
    (error,) = told(plan(workload(), chain(step(params=[entry])), QUOTA), "error")
    assert "matched by name, and `$(...)$` is not evaluated in a chain" in error


def named(name="disk", **fields):
    return [{"name": "quota", "default": "of-step", "workload-param-name": name, **fields}]


def test_an_entry_of_the_chain_names_it_for_steps_without_their_own():
    steps = step(), step("own", params=[{"name": "quota", "default": "x"}])
    planned = plan(
        workload(params={"quota": "3GB", "disk": "7GB"}), chain(*steps, params=named()), QUOTA, workloadParamNames=True
    )
    (report,) = reports(planned).values()
    assert {name: found["quota"][0] for name, found in params(report).items()} == {"s": "7GB", "own": "3GB"}


@pytest.mark.parametrize(
    ("entry", "severity", "words"),
    [
        ([{"name": "quota", "value": 1, "workload-param-name": "disk"}], "warning", "has no effect beside `value`"),
        (named(5), "error", "must be a string"),
        (named("elsewhere"), "error", "`rename` of the functionConfig names `disk`"),
    ],
)
def test_what_is_wrong_with_the_field(entry, severity, words):
    rename = {"ClusterSupplyChain/c": {"s": {"quota": "disk"}}} if severity == "error" else {}
    planned = plan(workload(), chain(step(params=entry)), QUOTA, workloadParamNames=True, rename=rename)
    assert [words in text for text in told(planned, severity)] == [True]


def test_the_same_name_in_both_places_is_no_conflict():
    rename = {"ClusterSupplyChain/c": {"s": {"quota": "disk"}}}
    planned = plan(workload(params={"disk": "7GB"}), chain(step(params=named())), QUOTA, workloadParamNames=True, rename=rename)
    assert (told(planned, "error"), resolved(planned)["quota"]) == ([], ("7GB", "owner.value"))
