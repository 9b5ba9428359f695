"""What follows from a mistake is reported after it, or not at all; each finding has a place."""

from __future__ import annotations

import pytest

from krm_values._krm import findings as results
from krm_values._run import invoke
from krm_values._yaml import emit
from tests.cli.packages import command, write
from tests.conformance.cases import resource_list
from tests.functions.cartographer_params.support import NAME, body, chain, findings, plan, step, template, thing, told, workload

FILE = "config.kubernetes.io/path"


def lines(*objects, **spec):
    """The errors and warnings of a run as users read them."""
    found = invoke.answer(resource_list(list(objects), NAME, spec), NAME)[1].findings
    return [results.line(one) for one in found if one.severity != "info"]


def in_file(tmp_path, *objects, text=""):
    """The errors and warnings of a run over one file, `a.yaml`."""
    written = "---\n".join("".join(f"{line}\n" for line in emit.block(one)) for one in objects)
    done = command("run", NAME, "a.yaml", "-v", cwd=write(tmp_path, {"a.yaml": written + text}))
    return [line for line in done.stderr.splitlines() if line.startswith(("error", "warning"))]


@pytest.mark.parametrize("written", ["$(params.port)", "x $(params.port) y", "$(params['port'])", "$(params[*])"])
def test_of_an_unclosed_tag_nothing_else_is_reported(written):
    objects = [
        workload(params={"port": 1}),
        chain(step(params=[{"name": "port", "default": 2}]), params=[{"name": "port", "default": 4}]),
        template(params={"port": 3}, template=body({"v": written}, name="t")),
    ]
    (one,) = findings(plan(*objects), "warning")
    assert one.kind == "unclosed-tag"


def test_of_other_params_it_is():
    objects = [template(params={"port": 3, "other": 4}, template=body({"v": "$(params.port)"}, name="t"))]
    assert {one.kind for one in findings(plan(*objects), "warning")} == {"unused-param", "unclosed-tag"}
    tekton = body({"v": "$(params.port)"}, name="t") | {"apiVersion": "tekton.dev/v1"}
    assert [one.kind for one in findings(plan(template(params={"port": 3}, template=tekton)), "warning")] == ["unused-param"]


RUNS = {"apiVersion": "carto.run/v1alpha1", "kind": "Runnable", "metadata": {"name": "r"}}


@pytest.mark.parametrize(
    ("stamped", "wanted"),
    [
        ({"runTemplateRef": {"name": "gone"}}, "Runnable dock/r `spec.runTemplateRef.name`: ClusterRunTemplate `gone` is not in"),
        ({"runTemplateRef": {"name": "run"}, "inpts": {"a": 1}}, "Runnable dock/r `spec.inpts`: `inpts` is not a field"),
    ],
)  # fmt: skip
def test_a_finding_about_a_stamped_owner_is_at_the_template(stamped, wanted, tmp_path):
    run = thing("ClusterRunTemplate", "run", {"template": body({}, generateName="x-")})
    objects = [chain(step()), template(template=RUNS | {"spec": stamped}), workload(), run]
    (one,) = in_file(tmp_path, *objects)
    assert ": a.yaml:" in one
    assert wanted in one
    assert one.endswith("(stamped by the step `s` of Workload dock/parcel)")
    line = int(one.split(":")[2])
    named = (tmp_path / "a.yaml").read_text().splitlines()[line - 1]
    assert named.strip().startswith("name: gone" if "gone" in wanted else "inpts:")


def test_the_results_name_the_file_of_the_template():
    made = template(template=RUNS | {"spec": {"runTemplateRef": {"name": "gone"}}})
    made["metadata"]["annotations"] = {FILE: "templates.yaml"}
    state = invoke.answer(resource_list([chain(step()), made, workload()], NAME, {}), NAME)[1]
    (one,) = [results.as_result(one) for one in state.findings if one.severity == "error"]
    assert one["file"] == {"path": "templates.yaml", "index": 0}
    assert one["resourceRef"]["kind"] == "Runnable"


def test_a_misspelt_kind_of_a_stamped_owner_is_named():
    made = template(template=RUNS | {"kind": "Runable", "spec": {"runTemplateRef": {"name": "gone"}}})
    (one,) = findings(plan(chain(step()), made, workload()), "warning")
    assert (one.kind, one.rule, one.path) == ("misspelt-kind", "S7", ("spec", "template", "kind"))
    assert "did you mean `Runnable`?" in one.message
    assert not findings(plan(template(template=body({}, kind="Runable", name="t"))), "warning")
    assert not findings(plan(template(template=RUNS | {"kind": "ClusterTemplate", "spec": {}})), "warning")


def test_a_template_of_no_kind_is_not_looked_up():
    wrong = chain(step(templateRef={"kind": "ClusterTmplate", "name": "stt"}), params=[{"name": "a", "value": 1}])
    (one,) = lines(wrong, template("st"), workload(params={"b": 1}))
    assert "must be one of" in one
    assert "did you mean `ClusterTemplate`?" in one
    (one,) = lines(wrong, template("st"))
    assert "must be one of" in one


def test_a_step_that_hands_on_an_unknown_kind_is_no_second_mistake():
    steps = [
        step("a", templateRef={"kind": "ClusterSorceTemplate", "name": "src"}),
        step("b", "st", sources=[{"name": "x", "resource": "a"}]),
    ]
    (one,) = lines(chain(*steps), template("st"))
    assert "ClusterSorceTemplate" in one


@pytest.mark.parametrize("kind", ["ClusterSupplyChain", "ClusterDelivery"])
def test_what_is_not_written_is_found_as_nothing(kind):
    reference = {"knd": "ClusterTemplate", "name": "st"}
    found = lines(chain(step(templateRef=reference), kind=kind), template("st"))
    assert ["misspelt" in one or "knd" in one for one in found] == [True, False]
    assert "found nothing" in found[1]
    assert 'found string ""' in lines(chain(step(templateRef={"kind": "", "name": "st"}), kind=kind), template("st"))[0]


@pytest.mark.parametrize("kind", ["ClusterSupplyChain", "ClusterDelivery"])
def test_an_input_without_its_step_is_found_as_nothing(kind):
    found = lines(chain(step("a", "st", sources=[{"resorce": "t", "name": "b"}]), kind=kind), template("st"))
    assert len(found) == 2
    assert "`resorce`" in found[0]
    assert found[1].endswith("found nothing")


def test_a_kind_that_is_not_text_is_one_mistake():
    (one,) = lines(chain(step(templateRef={"kind": 5, "name": "st"})), template("st"))
    assert one.endswith("must be a string; found number 5")


def test_a_requirement_without_its_words():
    wrong = chain(step(template="st"), selectorMatchExpressions=[{"ky": "a", "oprator": "Exists"}])
    found = lines(wrong, template("st"))
    assert all("found nothing" in one for one in found if "must be" in one)
    assert not any('string ""' in one for one in found)


UNREAD = """\
---
apiVersion: carto.run/v1alpha1
kind: {kind}
metadata: {{name: {name}}}
spec:
  m: !!int abc
"""


@pytest.mark.parametrize(
    ("kind", "name"), [("ClusterTemplate", "t"), ("ClusterSupplyChain", "c2"), ("ClusterRunTemplate", "r")]
)
@pytest.mark.parametrize("is_alone", [True, False])
def test_of_what_cannot_be_read_nothing_else_is_reported(kind, name, is_alone, tmp_path):
    runs = thing("Runnable", "run", {"runTemplateRef": {"name": "r"}}, namespace="dock")
    owners = [workload(params={"a": 1}), *([runs] if kind == "ClusterRunTemplate" else [])]
    given = {
        "ClusterTemplate": [chain(step(params=[{"name": "a", "default": 1}]))],
        "ClusterSupplyChain": [template()],
        "ClusterRunTemplate": [template(params={"a": 1}, template=body({"v": "$(params.a)$"}, name="t")), chain(step())],
    }[kind]
    text = UNREAD.format(kind=kind, name=name)
    found = in_file(tmp_path, *given, *([] if is_alone else owners), text=text)
    assert len(found) == 1, found
    assert "!!int" in found[0]


def renames(*objects, **renamed):
    return told(plan(*objects, rename={"ClusterSupplyChain/c": {"s": renamed}}), "warning")


@pytest.mark.parametrize(
    ("label", "hint"),
    [
        ("ClusterSupplyChain/disks", "remove it or correct it"),
        ("ClusterSupplyChain/wbe", "did you mean `ClusterSupplyChain/web`?"),
        ("ClusterSuplyChain/web", "did you mean `ClusterSupplyChain/web`?"),
    ],
)
def test_a_rename_of_no_chain_names_one_that_is_called_alike(label, hint):
    (one,) = told(plan(chain(step(), name="web"), template(name="t"), rename={label: {"s": {"a": "b"}}}), "warning")
    assert one == f'functionConfig `spec.rename["{label}"]` names no chain of the list; {hint}'


def test_a_rename_of_no_param_is_named():
    uses = template(params={"port": 3}, template=body({"v": "$(params.port)$"}, name="t"))
    (one,) = renames(chain(step()), uses, prt="x")
    assert one == (
        'functionConfig `spec.rename["ClusterSupplyChain/c"]["s"]["prt"]` names no param of the step, so it renames nothing; '
        "did you mean `port`?"
    )
    assert renames(chain(step()), uses, port="x") == []
    assert renames(chain(step()), template(template=body({"v": "$(params.port)$"}, name="t")), port="x") == []
    assert renames(chain(step()), template(template=body({"v": "$(params)$"}, name="t")), other="x") == []
    assert renames(chain(step()), template(template=..., ytt="v: 1\n"), port="x") != []
