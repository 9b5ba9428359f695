"""`krm-values render`: what kpt would do with the package, and nothing else."""

from __future__ import annotations

import json

import pytest
from tests.cli.packages import (
    BAD,
    PROPAGATE,
    PROPAGATING,
    SIMPLE,
    STEP,
    command,
    kptfile,
    resolved,
    run,
    snapshot,
    write,
)
from tests.ledger.invariants import of_package

from krm_values._krm.packages import read
from krm_values._run import pipeline
from krm_values._run.tree import load
from krm_values._yaml import decode


def test_the_pipeline_runs_in_place_and_only_what_changes_is_written(tmp_path):
    others = {"README.md": "x", "odd.yaml": "# odd\n\nkind:   ConfigMap\napiVersion: v1\nmetadata: {name: odd}   # yes\n"}
    package = write(tmp_path, SIMPLE | others)
    inode = (package / "odd.yaml").stat().st_ino
    found = command("render", package)
    assert (found.returncode, found.stdout) == (0, "")
    assert found.stderr == "1 step run, updated: run.yaml\n"
    assert snapshot(package) == SIMPLE | others | {"run.yaml": resolved()}
    assert (package / "odd.yaml").stat().st_ino == inode


def test_other_documents_of_a_file_keep_their_bytes(tmp_path):
    before, after = (
        "---\n# first\nkind: A\napiVersion: v1\nmetadata: { name: a }\n\n---  \n",
        "\n--- # last\nkind: B\napiVersion: v1\nmetadata: {name: b}\n...\n# end\n",
    )
    package = write(tmp_path, SIMPLE | {"run.yaml": before + run() + after})
    assert command("render", package).returncode == 0
    assert snapshot(package)["run.yaml"] == before + resolved() + after


def test_the_current_directory_is_the_default(tmp_path):
    package = write(tmp_path, SIMPLE)
    assert command("render", cwd=package).returncode == 0
    assert snapshot(package)["run.yaml"] == resolved()


@pytest.mark.parametrize(
    "step",
    [
        "exec: krm-values run tekton-params, configMap: {mode: propagate}",
        "exec: krm-values run, configPath: config.yaml",
        "image: registry.example/krm-values:v1, configPath: config.yaml",
        "image: 'registry.example:5000/a/tekton-params:v0.1', configMap: {mode: propagate}",
    ],
)
def test_every_way_to_call_us(tmp_path, step):
    package = write(tmp_path, SIMPLE | {"Kptfile": kptfile(step)})
    found = command("render", package)
    assert (found.returncode, snapshot(package)["run.yaml"]) == (0, resolved()), found.stderr


def test_the_environment_names_a_function_for_programs_not_images(tmp_path):
    program = SIMPLE | {"Kptfile": kptfile("exec: krm-values run, configMap: {mode: propagate}")}
    image = SIMPLE | {"Kptfile": kptfile("image: krm-values, configMap: {mode: propagate}")}
    first, second = write(tmp_path / "program", program), write(tmp_path / "image", image)
    assert command("render", first, KRM_FUNCTION="tekton-params").returncode == 0
    found = command("render", second, KRM_FUNCTION="tekton-params")
    assert found.returncode == 1
    assert "a ConfigMap names one with the key `function`" in found.stderr


def test_sub_packages_come_first_and_the_parent_sees_what_they_left(tmp_path):
    """The parent's own step finds nothing left to do in the sub-package, and does its own files."""
    files = {
        "Kptfile": kptfile(PROPAGATING),
        "config.yaml": PROPAGATE,
        "run.yaml": run(),
        "sub/Kptfile": kptfile(PROPAGATING, name="sub"),
        "sub/config.yaml": PROPAGATE,
        "sub/deep/run.yaml": run("sub"),
    }
    package = write(tmp_path, files)
    steps = of_package(package).steps
    assert [(step.package, step.step) for step in steps] == [
        ("sub", "pipeline.mutators[0]"),
        ("", "pipeline.mutators[0]"),
    ]
    kept = [(decision.item.position.path, decision.kept) for decision in steps[1].outcome.decisions]
    assert {path for path, done in kept if done} == {"sub/deep/run.yaml"}
    assert {path for path, done in kept if not done} == {"run.yaml"}
    assert command("render", package).stderr == "2 steps run, updated: run.yaml, sub/deep/run.yaml\n"
    assert snapshot(package) == files | {"run.yaml": resolved(), "sub/deep/run.yaml": resolved("sub")}


def test_a_sub_packages_pipeline_does_not_reach_its_parent(tmp_path):
    files = SIMPLE | {"Kptfile": kptfile(), "sub/Kptfile": kptfile(PROPAGATING), "sub/config.yaml": PROPAGATE}
    package = write(tmp_path, files)
    assert command("render", package).returncode == 0
    assert snapshot(package) == files


TWO = {
    "Kptfile": "",
    "config.yaml": PROPAGATE,
    "a.yaml": run("a"),
    "b.yaml": run("b").replace(
        "name: b\n",
        "name: b\n  labels: {team: x, on: 'true'}\n  annotations: {owner: me, config.kubernetes.io/origin: there}\n",
    ),
}


@pytest.mark.parametrize(
    ("selection", "changed"),
    [
        ("selectors: [{name: a}]", "updated: a.yaml"),
        ("selectors: [{name: a}, {name: b}]", "updated: a.yaml, b.yaml"),
        ("selectors: [{name: a}, {kind: PipelineRun}]", "updated: a.yaml, b.yaml"),
        ("selectors: [{}]", "updated: a.yaml, b.yaml"),
        ("selectors: [{name: a, namespace: other}]", "changed: nothing"),
        ("selectors: [{name: a, namespace: ci, kind: PipelineRun, apiVersion: tekton.dev/v1}]", "updated: a.yaml"),
        ("selectors: [{name: '.*'}]", "changed: nothing"),
        ("selectors: [{labels: {team: x}}]", "updated: b.yaml"),
        ("selectors: [{labels: {team: x, on: 'true'}}]", "updated: b.yaml"),
        ("selectors: [{labels: {team: y}}]", "changed: nothing"),
        ("selectors: [{annotations: {owner: me}}]", "updated: b.yaml"),
        ("selectors: [{annotations: {owner: you}}]", "changed: nothing"),
        ("selectors: [{annotations: {config.kubernetes.io/origin: there}}]", "updated: b.yaml"),
        ("exclude: [{annotations: {config.kubernetes.io/origin: there}}]", "updated: a.yaml"),
        ("exclude: [{name: a}]", "updated: b.yaml"),
        ("exclude: [{labels: {team: x}}]", "updated: a.yaml"),
        ("exclude: [{}]", "updated: a.yaml, b.yaml"),
        ("selectors: [{kind: PipelineRun}], exclude: [{name: b, namespace: ci}]", "updated: a.yaml"),
    ],
)
def test_selectors_and_exclusions(tmp_path, selection, changed):
    package = write(tmp_path, TWO | {"Kptfile": kptfile(f"{PROPAGATING}, {selection}")})
    found = command("render", package)
    assert (found.returncode, found.stderr) == (0, f"1 step run, {changed}\n")


def test_a_validator_changes_nothing(tmp_path):
    files = SIMPLE | {"Kptfile": kptfile(validators=(PROPAGATING,))}
    package = write(tmp_path, files)
    assert command("render", package).returncode == 0
    assert snapshot(package) == files
    assert json.loads(command("explain", package, "--patch").stdout) == []


def test_a_findings_file_is_where_the_working_directory_reaches_it(tmp_path):
    package = write(tmp_path, {"Kptfile": kptfile(), "sub/Kptfile": kptfile(STEP), "sub/runs/bad.yaml": BAD})
    assert "error: sub/runs/bad.yaml:" in command("render", cwd=package).stderr
    assert f"error: {package.name}/sub/runs/bad.yaml:" in command("render", package.name, cwd=package.parent).stderr
    assert f"error: {package}/sub/runs/bad.yaml:" in command("render", package).stderr


def test_findings_show_no_line_of_a_document_that_an_earlier_step_changed(tmp_path):
    """The line would be one that no file has. The first step only warns; the second, which is strict, fails."""
    steps = kptfile(PROPAGATING, f"{STEP}, configMap: {{mode: propagate, strict: true}}")
    text = run().replace("https://example.com/a.git", "$(params.other)")
    package = write(tmp_path, SIMPLE | {"run.yaml": text, "Kptfile": steps})
    found = command("render", cwd=package)
    error, warning = found.stderr.splitlines()
    assert warning.startswith("warning: run.yaml:9:5: PipelineRun ci/build `spec.params[0].value`: ")
    assert error.startswith("error: run.yaml: PipelineRun ci/build `spec.params[0].value`: ")
    assert snapshot(package)["run.yaml"] == text


def test_a_config_is_read_again_before_each_step(tmp_path):
    """An earlier step may have changed it."""
    package = read(write(tmp_path, SIMPLE | {"Kptfile": kptfile(PROPAGATING, PROPAGATING)}))
    tree = load(package).tree
    steps = pipeline.run_tasks(tree, pipeline.tasks_of(package, skip_foreign=False))
    assert not next(steps).outcome.failed
    number = tree.at("", "config.yaml")[0]
    tree.documents[number] = tree.documents[number].with_text(PROPAGATE.replace("propagate", "changed"))
    assert [finding.kind for finding in next(steps).outcome.findings] == ["config"]
    assert list(steps) == []


def test_items_with_generate_name_are_resolved_and_named_by_it(tmp_path):
    text = run().replace("  name: build\n", "  generateName: build-\n")
    package = write(tmp_path, SIMPLE | {"run.yaml": text})
    assert "PipelineRun ci/build-  " in command("explain", package).stdout
    assert command("render", package).returncode == 0
    assert snapshot(package)["run.yaml"] == resolved().replace("  name: build\n", "  generateName: build-\n")


def test_json_stays_json(tmp_path):
    data = decode.to_data(decode.parse(run()))
    package = write(
        tmp_path, {"Kptfile": kptfile(PROPAGATING), "config.yaml": PROPAGATE, "run.json": json.dumps(data, indent=4) + "\n"}
    )
    assert command("render", package).returncode == 0
    assert json.loads(snapshot(package)["run.json"]) == decode.to_data(decode.parse(resolved()))


def test_crlf_and_a_byte_order_mark_stay(tmp_path):
    package = write(tmp_path, SIMPLE | {"run.yaml": "\ufeff" + run().replace("\n", "\r\n")})
    assert command("render", package).returncode == 0
    assert snapshot(package)["run.yaml"] == "\ufeff" + resolved().replace("\n", "\r\n")
