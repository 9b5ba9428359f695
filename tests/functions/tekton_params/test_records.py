"""The undo records of tekton-params: with `record: true`, and in a resource that has one of another step. Without them it keeps none."""

from __future__ import annotations

import json

import pytest

from krm_values._yaml import decode
from tests.cli.packages import command, kptfile, run, snapshot, write

OWN, OTHERS = "krm-values.dev/undo.tekton-params", "krm-values.dev/undo.layered-values.values"
IN_RUN, IN_TASK = "spec.params[name=url].value", "spec.pipelineSpec.tasks[name=fetch].params[name=url].value"
IDLE = "  - {name: idle, value: x}\n"
FIRST, SECOND = ("tekton-params", "layered-values"), ("layered-values", "tekton-params")


def config(function, spec):
    kind, name = {"tekton-params": ("TektonParams", "params"), "layered-values": ("LayeredValues", "values")}[function]
    head = {"apiVersion": "krm-values.dev/v1alpha1", "kind": kind, "metadata": {"name": name}}
    return head | {"spec": spec}


def package(directory, *steps, text="", value="other", **spec):
    """A package whose steps are these functions. value: what layered-values writes. spec: of tekton-params."""
    field = IN_TASK if steps == FIRST else IN_RUN
    layers = [{"name": "own", "values": {"v": value}}]
    values = {"layers": layers, "targets": [{"kind": "PipelineRun", "name": "build", "fields": {field: "v"}}]}
    files = {f"{step}.json": json.dumps(config(step, values if step == "layered-values" else spec)) for step in steps}
    kpt = kptfile(*(f"exec: krm-{step}, configPath: {step}.json" for step in steps))
    return write(directory, {"Kptfile": kpt, "run.yaml": text or run(), **files})


def rendered(directory):
    done = command("render", directory)
    assert done.returncode == 0, done.stderr
    return (directory / "run.yaml").read_text()


@pytest.mark.parametrize(
    ("steps", "spec", "records"),
    [
        (FIRST[:1], {}, set()),
        (FIRST[:1], {"record": False}, set()),
        (FIRST[:1], {"record": True}, {OWN}),
        (SECOND, {}, {OWN, OTHERS}),
        (SECOND, {"record": False}, {OTHERS}),
        (FIRST, {}, {OTHERS}),
        (FIRST, {"record": True}, {OWN, OTHERS}),
    ],
)
def test_where_records_are_kept(steps, spec, records, tmp_path):
    text = rendered(package(tmp_path, *steps, **spec))
    assert {key for key in (OWN, OTHERS) if f"{key}:" in text} == records
    assert rendered(tmp_path) == text
    assert ("annotations" in text) == bool(records)


@pytest.mark.parametrize("steps", [FIRST[:1], FIRST, SECOND])
@pytest.mark.parametrize("change", ["the mode", "a param of the run", "what the other step writes", "no records"])
def test_after_a_change_the_package_is_as_if_it_had_always_been_so(steps, change, tmp_path):
    authored = run().replace("  pipelineSpec:", f"{IDLE}  pipelineSpec:")
    text = rendered(package(tmp_path / "work", *steps, text=authored, record=True))
    assert text.count("name: idle") > 1
    given = {
        "the mode": {"mode": "propagate", "record": True},
        "a param of the run": {"record": True},
        "what the other step writes": {"value": "third", "record": True},
        "no records": {"mode": "propagate", "record": False},
    }[change]
    if change == "a param of the run":
        text, authored = (one.replace(IDLE, "") for one in (text, authored))
    package(tmp_path / "work", *steps, text=text, **given)
    package(tmp_path / "fresh", *steps, text=authored, **given)
    expected = rendered(tmp_path / "fresh")
    assert decode.data(rendered(tmp_path / "work")) == decode.data(expected)
    left = snapshot(tmp_path / "work")
    rendered(tmp_path / "work")
    assert snapshot(tmp_path / "work") == left


def test_revert_takes_back_what_it_added(tmp_path):
    rendered(package(tmp_path, "tekton-params", record=True))
    assert command("revert", "tekton-params/params", tmp_path).returncode == 0
    assert (tmp_path / "run.yaml").read_text() == run()


@pytest.mark.parametrize("spec", [{}, {"record": True}])
def test_under_kustomize_a_record_is_kept_on_request_only(spec):
    item = decode.data(run())
    item["metadata"]["annotations"] = {"kustomize.config.k8s.io/id": "kind: Any\n"}
    given = {"kind": "ResourceList", "items": [item], "functionConfig": config("tekton-params", spec)}
    done = command("run", "tekton-params", stdin=json.dumps({"apiVersion": "config.kubernetes.io/v1", **given}))
    assert done.returncode == 0, done.stderr
    assert "$(params.url)" in done.stdout
    assert (OWN in done.stdout) == bool(spec)


@pytest.mark.parametrize("steps", [FIRST[:1], FIRST, SECOND])
def test_explain_says_the_same_before_and_after(steps, tmp_path):
    package(tmp_path, *steps, record=True)
    before = json.loads(command("explain", "--json", tmp_path).stdout)
    rendered(tmp_path)
    after = json.loads(command("explain", "--json", tmp_path).stdout)
    said = [[(one["path"], one.get("value"), one["rule"], one["step"]) for one in found["values"]] for found in (before, after)]
    assert said[0] == said[1]
