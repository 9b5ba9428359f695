"""The judge of Glasskube cases refuses what the header of its file does not allow."""

from __future__ import annotations

from copy import deepcopy

import pytest

from tests.conformance import cases, glasskube
from tests.conformance.__main__ import main, verdict
from tests.conformance.systems import SYSTEMS

SYSTEM = SYSTEMS["glasskube"]
TARGET = {"resource": {"apiGroup": "v1", "kind": "ConfigMap", "name": "env"}, "patch": {"op": "add", "path": "/data/a"}}
LOST = {**TARGET, "resource": {**TARGET["resource"], "name": "lost"}}
PACKAGE = {
    "apiVersion": "packages.glasskube.dev/v1alpha1",
    "kind": "ClusterPackage",
    "metadata": {"name": "lumen"},
    "spec": {"packageInfo": {"name": "lumen", "version": "1"}, "values": {"level": {"value": "x"}}},
}
ENV = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "env", "namespace": "aviary"}, "data": {"b": "c"}}
DONE = {**ENV, "data": {"b": "c", "a": "x"}}


def case(*targets, form="text", **more):
    manifest = {
        "name": "lumen",
        "defaultNamespace": "aviary",
        "scope": "Cluster",
        "valueDefinitions": {"level": {"type": form, "targets": list(targets)}},
    }
    return {"id": "one", "profile": "tool", "manifest": manifest, "input": deepcopy([PACKAGE, ENV]), **more}


def test_what_the_header_allows_passes():
    assert verdict(SYSTEM, case(TARGET, expected={"values": {"level": "x"}, "resources": [DONE], "warnings": []})) == ""
    assert verdict(SYSTEM, case(TARGET, form="number", error='value "level" must be a whole number')) == ""


@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param(case(TARGET, expected={}), id="a resource that is not listed has changed"),
        pytest.param(case(TARGET, expected={"resources": [ENV]}), id="a resource is not as listed"),
        pytest.param(case(TARGET, expected={"resources": [DONE, DONE]}), id="a resource is listed twice and there once"),
        pytest.param(case(TARGET, expected={"resources": [DONE], "generated": [ENV]}), id="nothing is generated"),
        pytest.param(case(TARGET, LOST, expected={"resources": [DONE], "warnings": []}), id="a warning too many"),
        pytest.param(
            case(TARGET, LOST, expected={"resources": [DONE], "warnings": ['"level"', '"lost"']}),
            id="one warning stands for two",
        ),
        pytest.param(case(TARGET, LOST, expected={"resources": [DONE], "warnings": ['"leve"']}), id="half a word in a warning"),
        pytest.param(case(TARGET, form="number", error='value "leve" is wrong'), id="half a word in an error"),
        pytest.param(case(TARGET, form="number", error='patch of "level"'), id="another kind"),
        pytest.param(case(TARGET, form="number", error='two findings: "level"'), id="another count"),
        pytest.param(case(TARGET, form="number", error='"level"', hidden=["whole number"]), id="a hidden text is shown"),
        pytest.param(case(TARGET, error='"level"'), id="no error"),
    ],
)
def test_what_the_header_does_not_allow_fails(wrong):
    assert verdict(SYSTEM, wrong) != ""


def test_two_items_of_one_name_are_told_apart():
    other = {**ENV, "metadata": {"name": "rest", "namespace": "aviary"}}
    twins = case(TARGET, input=[PACKAGE, ENV, other, {**other, "data": {"b": "d"}}], expected={"resources": [DONE]})
    assert verdict(SYSTEM, twins) == ""
    state = next(cases.run(SYSTEM, twins))[1]
    del state.items[2]
    assert glasskube.judge(twins, state) != ""


def test_a_number_without_a_point_and_sign_is_a_text_in_the_file(tmp_path):
    file = tmp_path / "glasskube.yaml"
    file.write_text("id: one\ninput: [1e3, 1.5e2, 1.5, 2, 1.0e+21]\nexpected: {values: {a: 1E400}}\n")
    (read,) = cases.of(SYSTEM, file)
    assert read["input"] == ["1e3", "1.5e2", 1.5, 2, 1e21]
    assert read["expected"] == {"values": {"a": "1E400"}}


@pytest.mark.parametrize("name", ["glasskube.yaml", "glasskube-more.yaml", "glasskube.more.yml"])
def test_a_files_name_begins_with_its_system(name, tmp_path, capsys):
    file = tmp_path / name
    file.write_text("id: one\nprofile: tool\ninput: []\n---\nid: two\nprofile: tool\ninput: []\nerror: x\n")
    assert main([str(file)]) == 1
    assert capsys.readouterr().out == "one: pass\ntwo: FAIL no error\n1 of 2\n"


def test_a_file_of_no_system_is_refused_in_one_line(tmp_path):
    with pytest.raises(SystemExit, match="must begin with a system's: tekton, "):
        main([str(tmp_path / "more.yaml")])
