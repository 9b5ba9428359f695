"""What is legal and hardly meant, by rule and kind; and what looks like it and is not."""

from __future__ import annotations

import pytest

from tests.functions.cartographer_params.support import body, chain, findings, plan, step, template, told, workload

USES = body({"v": "$(params.p)$"}, name="t")
LONG = "x" * 64


def option(name, **selector):
    return {"name": name, "selector": selector}


def options(*entries):
    return step(templateRef={"kind": "ClusterTemplate", "options": list(entries)})


def asks(key, operator, *values):
    return {"key": key, "operator": operator, **({"values": list(values)} if values else {})}


WARNED = [
    ("10", "duplicate-param", [workload(params=[{"name": "p", "value": 1}, {"name": "p", "value": 2}]), template(template=USES)]),
    ("10", "duplicate-param", [chain(step(params=[{"name": "p", "value": 1}, {"name": "p", "default": 2}])), template(template=USES)]),
    ("13", "null-param", [workload(params={"p": None}), template(template=USES)]),
    ("13", "null-param", [template(params={"p": None}, template=USES)]),
    ("13.2", "unused-param", [workload(params={"q": 1})]),
    ("13.2", "unused-param", [chain(step(params=[{"name": "q", "value": 1}]))]),
    ("13.2", "unused-param", [chain(step(), params=[{"name": "q", "value": 1}])]),
    ("13.2", "unused-param", [template(params={"q": 1})]),
    ("13.2", "unused-param", [template(params={"pp": 1}, template=USES), workload(params={"p": 1})]),
    ("27", "no-such-output", [*[chain(step(sources=[{"name": "in", "resource": "gone"}]), kind="ClusterDelivery")]]),
    ("27", "no-such-output", [chain(step("a"), step(sources=[{"name": "in", "resource": "a"}]), kind="ClusterDelivery")]),
    ("32", "missing-template", [chain(step(), step("x", "gone"), name="other", selector={"lane": "z"})]),
    ("42", "tie", [chain(step(), name="other", selector={"lane": "z"}), chain(step(), name="more", selector={"lane": "z"})]),
    ("45", "always-there", [chain(step(), selectorMatchFields=[asks("spec.serviceAccountName", "Exists")])]),
    ("13.2", "dead-selector", [chain(step(), name="other", selectorMatchExpressions=[asks("lane", "NotIn", "a")])]),
    ("13.2", "dead-option", [chain(options(option("t", matchLabels={"k": "1"}), option("u", matchLabels={"lane": "b"}))), template("u")]),
    ("13.2", "dead-option", [chain(options(option("t", matchLabels={"k": "1"}), option("u", matchExpressions=[asks("lane", "DoesNotExist")]))), template("u")]),
    ("90", "no-namespace", [workload(metadata={"labels": {"lane": "a", "k": "1"}})]),
    ("91", "owner-references", [template(template=body(name="t", ownerReferences=[]))]),
    ("98", "label-length", [chain(step(name=LONG))]),
    ("98", "name-length", [template(template=body(name="y" * 254))]),
    ("100", "forward-reference", [chain(step(sources=[{"name": "in", "resource": "z"}]), step("z", "src", "ClusterSourceTemplate"))]),
    ("100", "forward-reference", [chain(step("s", "src", "ClusterSourceTemplate", sources=[{"name": "in", "resource": "s"}]))]),
    ("101", "output-path", [template("src", kind="ClusterSourceTemplate", urlPath=".a")]),
    ("101", "output-path", [chain(step("s", "src", "ClusterSourceTemplate")), template("src", kind="ClusterSourceTemplate", urlPath=".a[0][", revisionPath=".b")]),
]  # fmt: skip

TOLD = [
    ("6", "override", [workload(params={"p": 1}), template(params={"p": 2}, template=USES)]),
    ("13.3", "collision", [template(params={"p": 1}, template=USES), chain(step(), step("u", "u")), template("u", params={"p": 2}, template=body({"v": "$(params.p)$"}, name="u"))]),
]  # fmt: skip

SILENT = [
    [workload(params={"p": 1}), template(template=USES)],
    [workload(params={"p": 1}), template(template=body({"v": "$(params['p'])$"}, name="t"))],
    [workload(params={"p": 1}), template(template=body({"v": "$(params)$"}, name="t"))],
    [workload(params={"p": 1}), chain(step(), selectorMatchFields=[asks('spec.params[?(@.name=="p")]', "Exists")])],
    [workload(params={"p": 1}), template(template=body({"v": "$(workload.spec.params[0].value)$"}, name="t"))],
    [workload(params={"p": 1}), template(template=body({"v": "$(workload)$"}, name="t"))],
    [workload(params={"p": 1}), template(template=body({"v": "$(deliverable.spec)$"}, name="t"))],
    [chain(step(), params=[{"name": "p", "value": 1}]), template(template=USES)],
    [chain(step(), name="other", selector={"lane": "a", "tier": "x"}), chain(step(), name="more", selector={"lane": "z"})],
    [chain(step(), selectorMatchExpressions=[asks("lane", "NotIn", "b"), asks("lane", "Exists")])],
    [chain(step("x" * 63))],
    [chain(options(option("t", matchLabels={"k": "1"}), option("u", matchLabels={"k": "2"}))), template("u")],
    [template(params={"p": 1}, template=USES), chain(step(params=[{"name": "p", "value": 1}]), step("u", "u")), template("u", params={"p": 2}, template=body({"v": "$(params.p)$"}, name="u"))],
    [template(params={"p": 1}, template=USES), chain(step(), step("u", "u")), template("u", params={"p": 1}, template=body({"v": "$(params.p)$"}, name="u"))],
]  # fmt: skip


def around(things):
    own = workload(metadata={"namespace": "dock", "labels": {"lane": "a", "k": "1"}})
    source = template("src", kind="ClusterSourceTemplate", urlPath=".status.u", revisionPath=".status.r")
    keys = [key(thing) for thing in things]
    whole = [own, chain(step()), template(), source]
    return [*(other for other in whole if key(other) not in keys), *(with_label(thing) for thing in things)]


def with_label(thing):
    if thing["kind"] == "Workload" and "k" not in thing["metadata"].get("labels", {}):
        thing = {**thing, "metadata": {**thing["metadata"], "labels": {"lane": "a", "k": "1"}}}
    return thing


def key(thing):
    return thing["kind"], thing["metadata"]["name"]


@pytest.mark.parametrize(("rule", "kind", "things"), WARNED)
def test_a_warning_says_so(rule, kind, things):
    planned = plan(*around(things))
    assert (rule, kind) in {(finding.rule, finding.kind) for finding in findings(planned, "warning")}, told(planned, "warning")
    assert told(planned, "error") == []


@pytest.mark.parametrize(("rule", "kind", "things"), TOLD)
def test_an_information_says_so(rule, kind, things):
    planned = plan(*around(things))
    assert [(finding.rule, finding.kind) for finding in findings(planned, "info")] == [(rule, kind)]
    assert told(planned, "warning") == []


@pytest.mark.parametrize("things", SILENT)
def test_nothing_is_said(things):
    planned = plan(*around(things))
    assert [*told(planned, "error"), *told(planned, "warning"), *told(planned, "info")] == []


def test_a_renamed_param_does_not_collide_and_a_misspelt_one_is_near():
    """[10.3]"""
    one, two = (
        template(name, params={"quota": size}, template=body({"v": "$(params.quota)$"}, name=name))
        for name, size in (("t", 1), ("u", 2))
    )
    objects = [workload(params={"qouta": 1}), chain(step(), step("u", "u")), one, two]
    assert [finding.kind for finding in findings(plan(*objects), "info")] == ["collision"]
    assert findings(plan(*objects, rename={"ClusterSupplyChain/c": {"u": {"quota": "other"}}}), "info") == []
    (text,) = told(plan(*objects), "warning")
    assert text.endswith("the param `qouta` is used by no template of ClusterSupplyChain `c`; did you mean `quota`?")


REFERS = body({"v": "$(params.version)$"}, name="t")


@pytest.mark.parametrize(
    ("things", "spec", "name"),
    [
        ([workload(params={"versoin": 1}), chain(step(), params=[{"name": "version", "default": 1}]), template(template=REFERS)], {}, "version"),
        ([workload(params={"versoin": 1}), chain(step(params=[{"name": "version", "default": 1}])), template(template=REFERS)], {}, "version"),
        ([chain(step(params=[{"name": "versoin", "value": 1}]), params=[{"name": "version", "value": 1}]), template(template=REFERS)], {}, "version"),
        ([chain(step(), params=[{"name": "versoin", "value": 1}]), template(params={"version": 1}, template=REFERS)], {}, "version"),
        ([template(params={"versoin": 1, "version": 1}, template=REFERS)], {}, ""),
        ([workload(params={"versoin": 1}), template(params={"v": 1}, template=REFERS), chain(step(), params=[{"name": "version", "value": 1}])], {"rename": {"ClusterSupplyChain/c": {"s": {"version": "version-of-s"}}}}, ""),
        ([workload(params={"stpe/version": 1}), template(params={"version": 1}, template=REFERS)], {"scoped": True}, "s/version"),
        ([workload(params={"version-off-s": 1}), template(params={"version": 1}, template=REFERS)], {"rename": {"ClusterSupplyChain/c": {"s": {"version": "version-of-s"}}}}, "version-of-s"),
    ],
)  # fmt: skip
def test_a_param_that_nobody_uses_has_the_nearest_name_that_is_used(things, spec, name):
    found = [one for one in findings(plan(*around(things), **spec), "warning") if one.kind == "unused-param"]
    (text,) = [one.message for one in found if any(word in str(one.tags["param"]) for word in ("soin", "stpe", "off"))]
    assert text.endswith(f"; did you mean `{name}`?" if name else "; remove it or correct its name")


@pytest.mark.parametrize(
    ("spec", "field"),
    [
        ({"stepOutputs": {"Workload/dock/parcle": {"s": {"image": 1}}}}, 'spec.stepOutputs["Workload/dock/parcle"]'),
        ({"stepOutputs": {"Workload/dock/parcel": {"x": {"image": 1}}}}, 'spec.stepOutputs["Workload/dock/parcel"]["x"]'),
        ({"stepOutputs": {"*": {"x": {"image": 1}}}}, 'spec.stepOutputs["*"]["x"]'),
        ({"rename": {"ClusterSupplyChain/d": {"s": {"p": "q"}}}}, 'spec.rename["ClusterSupplyChain/d"]'),
        ({"rename": {"ClusterSupplyChain/c": {"x": {"p": "q"}}}}, 'spec.rename["ClusterSupplyChain/c"]["x"]'),
    ],
)
def test_a_key_of_the_config_that_matches_nothing_is_named(spec, field):
    assert told(plan(*around([])), "warning") == []
    (text,) = told(plan(*around([]), **spec), "warning")
    assert f"`{field}`" in text


OLD = '$(workload.spec.params[?(@.name=="p")].value)$'
OTHER = OLD.replace('"p"', "'q'")
RENAME = "or another one with `rename: {ClusterSupplyChain/c: {STEP: {p: q}}}` in the functionConfig"
TAGS = [
    (OLD, "write `default: ...` in place of `value`, and the owner's param `p` sets it"),
    (OLD.replace("workload", "deliverable"), "write `default: ...` in place of `value`, and the owner's param `p` sets it"),
    (f"x-{OLD}", "write `default: ...` in place of `value`, and the owner's param `p` sets it"),
    ({"deep": [OLD]}, "write `default: ...` in place of `value`, and the owner's param `p` sets it"),
    (OTHER, f"write `default: ...` in place of `value`: the owner's param `p` then sets it, {RENAME}"),
    ("$(workload.spec.image)$", "write it in a template: `$(workload.spec.image)$`"),
    ("$(params.q)$", "write it in a template: `$(params.q)$`"),
]


@pytest.mark.parametrize(("value", "advice"), TAGS)
@pytest.mark.parametrize("is_of_step", [False, True])
def test_a_tag_in_a_param_of_a_chain_names_the_new_form(is_of_step, value, advice):
    params = [{"name": "p", "value": value}]
    given = chain(step(params=params)) if is_of_step else chain(step(), params=params)
    things = [workload(params={"p": 1, "q": 2}), template(template=USES), given]
    (found,) = [one for one in findings(plan(*things), "warning") if one.kind == "tag-in-chain"]
    assert found.message.endswith(f"in a param of a chain is plain text: since RFC 0010 only templates have tags; {advice}")
    unused = [one.tags["param"] for one in findings(plan(*things), "warning") if one.kind == "unused-param"]
    assert unused == ([] if "'q'" in str(value) else ["q"])


@pytest.mark.parametrize("value", ["$(HOME)", "$(tasks.x)$", "$(workload.spec.image)", "${x}", "plain", 5, None, ["a"]])
def test_other_text_in_a_param_of_a_chain_is_no_tag(value):
    things = [workload(), template(template=USES), chain(step(params=[{"name": "p", "default": value}]))]
    assert [one for one in findings(plan(*things), "warning") if one.kind == "tag-in-chain"] == []


@pytest.mark.parametrize(
    ("name", "is_named"), [("s/p", True), ("s/gone", True), ("gone/p", False), ("s/", False), ("/p", False)]
)
def test_an_unused_param_of_one_step_names_scoped(name, is_named):
    things = [workload(params={name: 1}), template(template=USES)]
    (found,) = [one for one in findings(plan(*around(things)), "warning") if one.kind == "unused-param"]
    assert ("`scoped: true` in the functionConfig makes it set" in found.message) is is_named
    scoped = [one for one in findings(plan(*around(things), scoped=True), "warning") if one.kind == "unused-param"]
    assert [one for one in scoped if "`scoped: true`" in one.message] == []
