"""`krm-values render`: what kpt would do with the package, and nothing else."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import jsonpatch
import pytest
from tests.cli.packages import (
    CONFIG_MAP,
    PROPAGATE,
    SOURCE,
    STEP,
    command,
    kptfile,
    resolved,
    run,
    snapshot,
    write,
)

from krm_values._cli.package import pipeline
from krm_values._cli.package.discover import read
from krm_values._cli.package.load import load
from krm_values._data.record import replace
from krm_values._kit.process.transaction import STAGED
from krm_values._yaml import decode

PROPAGATING = f"{STEP}, configPath: config.yaml"
SIMPLE = {"Kptfile": kptfile(PROPAGATING), "config.yaml": PROPAGATE, "run.yaml": run()}


def test_the_pipeline_runs_in_place_and_only_what_changes_is_written(tmp_path):
    others = {"README.md": "x", "odd.yaml": "# odd\n\nkind:   ConfigMap\napiVersion: v1\nmetadata: {name: odd}   # yes\n"}
    package = write(tmp_path, SIMPLE | others)
    inode = (package / "odd.yaml").stat().st_ino
    found = command("render", package)
    assert (found.returncode, found.stdout) == (0, "")
    assert found.stderr == "1 step(s) run, updated: run.yaml\n"
    assert snapshot(package) == SIMPLE | others | {"run.yaml": resolved()}
    assert (package / "odd.yaml").stat().st_ino == inode


def test_a_second_render_changes_nothing(tmp_path):
    package = write(tmp_path, SIMPLE)
    command("render", package)
    assert command("render", package).stderr == "1 step(s) run, changed: nothing\n"
    assert snapshot(package)["run.yaml"] == resolved()


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
    assert "a ConfigMap names no function" in found.stderr


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
    steps = json.loads(command("explain", package, "--json").stdout)["steps"]
    assert [(step["package"], step["step"]) for step in steps] == [
        ("sub", "pipeline.mutators[0]"),
        ("", "pipeline.mutators[0]"),
    ]
    kept = [(decision["file"]["path"], decision["kept"]) for decision in steps[1]["decisions"]]
    assert {path for path, done in kept if done} == {"sub/deep/run.yaml"}
    assert {path for path, done in kept if not done} == {"run.yaml"}
    assert command("render", package).stderr == "2 step(s) run, updated: run.yaml, sub/deep/run.yaml\n"
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
    assert (found.returncode, found.stderr) == (0, f"1 step(s) run, {changed}\n")


def test_a_validator_changes_nothing(tmp_path):
    files = SIMPLE | {"Kptfile": kptfile(validators=(PROPAGATING,))}
    package = write(tmp_path, files)
    assert command("render", package).returncode == 0
    assert snapshot(package) == files
    assert json.loads(command("explain", package, "--patch").stdout) == []


BAD = run("bad").replace(
    "- name: url # of the clone\n    value: https://example.com/a.git", "- name: url\n    value: x\n  - name: url\n    value: y"
)


def test_an_error_changes_no_file_of_the_whole_tree(tmp_path):
    files = SIMPLE | {
        "bad.yaml": BAD,
        "sub/Kptfile": kptfile(PROPAGATING),
        "sub/config.yaml": PROPAGATE,
        "sub/run.yaml": run("sub"),
    }
    package = write(tmp_path, files)
    found = command("render", package)
    assert (found.returncode, found.stdout) == (1, "")
    assert "error: bad.yaml:" in found.stderr
    assert snapshot(package) == files


def test_the_pipeline_ends_at_the_first_step_that_fails(tmp_path):
    package = write(tmp_path, SIMPLE | {"bad.yaml": BAD, "Kptfile": kptfile(PROPAGATING, PROPAGATING)})
    found = command("render", package, "--results-dir", tmp_path / "out/results")
    results: Any = decode.to_data(decode.parse((tmp_path / "out/results/results.yaml").read_text()))
    assert (found.returncode, results["exitCode"], len(results["items"])) == (1, 1, 1)


def test_a_findings_file_is_relative_to_the_package_that_is_rendered(tmp_path):
    package = write(tmp_path, {"Kptfile": kptfile(), "sub/Kptfile": kptfile(STEP), "sub/runs/bad.yaml": BAD})
    assert "error: sub/runs/bad.yaml:" in command("render", package).stderr


def test_findings_show_no_line_of_a_document_that_an_earlier_step_changed(tmp_path):
    """The line would be one that no file has. The first step only warns; the second, which is strict, fails."""
    steps = kptfile(PROPAGATING, f"{STEP}, configMap: {{mode: propagate, strict: true}}")
    text = run().replace("https://example.com/a.git", "$(params.other)")
    package = write(tmp_path, SIMPLE | {"run.yaml": text, "Kptfile": steps})
    found = command("render", package)
    first, second = found.stderr.splitlines()
    assert first.startswith("warning: run.yaml:9:5: PipelineRun ci/build `spec.params[0].value`: ")
    assert second.startswith("error: run.yaml: PipelineRun ci/build `spec.params[0].value`: ")
    assert snapshot(package)["run.yaml"] == text


def test_a_config_is_read_again_before_each_step(tmp_path):
    """An earlier step may have changed it."""
    package = read(write(tmp_path, SIMPLE | {"Kptfile": kptfile(PROPAGATING, PROPAGATING)}))
    tree = load(package).tree
    steps = pipeline.run(tree, pipeline.tasks(package, skip_foreign=False))
    assert not next(steps).outcome.failed
    number = tree.at("", "config.yaml")[0]
    tree.documents[number] = replace(tree.documents[number], text=PROPAGATE.replace("propagate", "changed"))
    assert [finding.kind for finding in next(steps).outcome.findings] == ["config"]
    assert list(steps) == []


def test_a_wrong_config_is_told_where_it_stands(tmp_path):
    package = write(tmp_path, SIMPLE | {"config.yaml": PROPAGATE.replace("propagate", "propagat")})
    found = command("render", package)
    assert found.returncode == 1
    assert found.stderr == (
        "error: config.yaml:6:3: functionConfig `spec.mode`: must be one of `implicit`, `propagate`; "
        'found string "propagat"; did you mean `propagate`?\n'
    )


def test_a_wrong_config_map_is_told_at_the_kptfile(tmp_path):
    package = write(tmp_path, SIMPLE | {"Kptfile": kptfile(f"{STEP}, configMap: {{mdoe: propagate}}")})
    found = command("render", package)
    assert found.returncode == 1
    assert found.stderr.startswith("error: Kptfile:7:43: functionConfig `pipeline.mutators[0].configMap.mdoe`: ")


@pytest.mark.parametrize(
    ("files", "error"),
    [
        ({}, '"config.yaml" is not a file of this package'),
        ({"config.yaml": PROPAGATE + "---\n" + PROPAGATE}, '"config.yaml" holds 2 resources'),
        ({"config.yaml": PROPAGATE, ".krmignore": "config.yaml"}, '"config.yaml" is not a file of this package'),
        ({"sub/Kptfile": kptfile(), "sub/config.yaml": PROPAGATE}, '"config.yaml" is not a file of this package'),
    ],
)
def test_a_config_path_must_name_one_resource_of_the_package(tmp_path, files, error):
    package = write(tmp_path, {"Kptfile": kptfile(PROPAGATING), **files})
    found = command("render", package)
    assert (found.returncode, found.stdout) == (1, "")
    assert found.stderr == (
        f"error: Kptfile:7:31: `pipeline.mutators[0].configPath`: must name a file of the package with one resource; {error}\n"
    )


def test_steps_of_others_are_errors_that_name_them_all(tmp_path):
    files = SIMPLE | {
        "Kptfile": kptfile("image: gcr.io/kpt-fn/set-labels:v0.1", PROPAGATING, validators=("exec: kubeval --strict",))
    }
    package = write(tmp_path, files)
    found = command("render", package)
    assert (found.returncode, found.stdout, snapshot(package)) == (1, "", files)
    assert found.stderr == (
        'error: Kptfile:7:6: `pipeline.mutators[0].image`: image "gcr.io/kpt-fn/set-labels:v0.1" is none of our functions: '
        "run it with kpt, or skip it with `--skip-foreign`\n"
        'error: Kptfile:10:6: `pipeline.validators[0].exec`: exec "kubeval --strict" is none of our functions: '
        "run it with kpt, or skip it with `--skip-foreign`\n"
    )
    assert command("render", package, "--skip-foreign").stderr == "1 step(s) run, updated: run.yaml\n"


def test_a_misspelt_function_is_an_error_at_its_step(tmp_path):
    package = write(tmp_path, SIMPLE | {"Kptfile": kptfile("exec: krm-values run tekton-parms")})
    found = command("render", package)
    assert (found.returncode, found.stderr) == (
        1,
        'error: Kptfile:7:5: `pipeline.mutators[0]`: no function is called "tekton-parms"; did you mean "tekton-params"?\n',
    )


KRM = "input resource list must contain only KRM resources"
HINT = "; if it is not a resource, name the file in `.krmignore`\n"


@pytest.mark.parametrize(
    ("name", "text", "error"),
    [
        ("values.yaml", "a: 1\n", f"error: values.yaml:1:1: {KRM}: values.yaml: resource must have `apiVersion`{HINT}"),
        ("values.yaml", "- 1\n", f"error: values.yaml:1:1: {KRM}: values.yaml: resource must have `apiVersion`{HINT}"),
        (
            "values.yaml",
            "kind: Component\n",
            f"error: values.yaml:1:1: {KRM}: values.yaml: resource must have `apiVersion`{HINT}",
        ),
        (
            "package.json",
            '{"apiVersion": "v1"}',
            f"error: package.json:1:1: {KRM}: package.json: resource must have `kind`{HINT}",
        ),
        (
            "x/list.yml",
            "apiVersion: v1\nkind: List\nitems: []\n",
            f"error: x/list.yml:1:1: {KRM}: x/list.yml: resource must have `metadata.name`{HINT}",
        ),
        (
            "x.yaml",
            "apiVersion: v1\nkind: X\nmetadata: {name: ''}\n",
            f"error: x.yaml:1:1: {KRM}: x.yaml: resource must have `metadata.name`{HINT}",
        ),
        (
            "two.yaml",
            "a: 1\n---\napiVersion: v1\nkind: X\n",
            f"error: two.yaml:1:1: {KRM}: two.yaml: resource must have `apiVersion`{HINT}error: two.yaml:3:1: {KRM}: two.yaml: resource must have `metadata.name`{HINT}",
        ),
        (
            "broken.yaml",
            "---\na: [\n",
            "error: broken.yaml:2:4: is not YAML: did not find expected node content\n",
        ),
        (
            "sub/values.yaml",
            "a: 1\n",
            f"error: sub/values.yaml:1:1: {KRM}: sub/values.yaml: resource must have `apiVersion`{HINT}",
        ),
    ],
)
def test_what_is_no_resource_is_kpts_error_with_the_way_out(tmp_path, name, text, error):
    files = SIMPLE | {name: text, "sub/Kptfile": kptfile()}
    package = write(tmp_path, files)
    found = command("render", package)
    assert (found.returncode, found.stdout, found.stderr) == (1, "", error)
    assert snapshot(package) == files
    write(package, {".krmignore": name, "sub/.krmignore": name.removeprefix("sub/")})
    assert command("render", package).returncode == 0


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("kustomization.yaml", "resources: [run.yaml]\n"),
        ("kustomization.yml", "a: 1\n"),
        ("x.yaml", "kind: Kustomization\n"),
        ("x.yaml", "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n"),
        ("x.yaml", "apiVersion: tekton.dev/v1\nkind: TaskRun\nmetadata: {generateName: go-}\nspec: {taskRef: {name: a}}\n"),
        ("x.yaml", "apiVersion: v1\nkind: X\nmetadata: {name: 12}\n"),
        ("empty.yaml", ""),
        ("comments.yaml", "# nothing yet\n---\n# here either\n"),
    ],
)
def test_what_passes_as_a_resource_keeps_its_bytes(tmp_path, name, text):
    package = write(tmp_path, SIMPLE | {name: text})
    found = command("render", package)
    assert (found.returncode, found.stderr) == (0, "1 step(s) run, updated: run.yaml\n")
    assert snapshot(package)[name] == text


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


def test_a_directory_without_a_kptfile_is_an_error_that_shows_run(tmp_path):
    package = write(tmp_path, {"run.yaml": run()})
    found = command("render", package)
    assert (found.returncode, found.stdout) == (1, "")
    assert found.stderr == (
        f"error: {package}: holds no Kptfile, so there is no pipeline to run; name the function: `krm-values run FUNCTION {package}`\n"
    )


def test_what_is_no_directory_is_an_error(tmp_path):
    found = command("render", tmp_path / "nowhere")
    assert (found.returncode, found.stderr) == (1, f"error: {tmp_path / 'nowhere'}: is not a directory\n")


def test_a_file_that_is_not_utf_8_is_named(tmp_path):
    package = write(tmp_path, SIMPLE)
    (package / "latin.yaml").write_bytes(b"apiVersion: v1\nkind: X\nmetadata: {name: caf\xe9}\n")
    found = command("render", package)
    assert (found.returncode, found.stderr) == (1, "error: latin.yaml:3:21: must be UTF-8, found the byte 0xe9\n")


DIFF = """\
--- a/run.yaml
+++ b/run.yaml
@@ -8,9 +8,18 @@
   - name: url # of the clone
     value: https://example.com/a.git
   pipelineSpec:
+    params:
+    - name: url
+      type: string
     tasks:
     - name: fetch
+      params:
+      - name: url
+        value: $(params.url)
       taskSpec:
+        params:
+        - name: url
+          type: string
         steps:
         - name: clone
           image: git
"""


def test_diff_prints_what_would_change_and_writes_nothing(tmp_path):
    package = write(tmp_path, SIMPLE)
    found = command("render", package, "--diff")
    assert (found.returncode, found.stdout, found.stderr) == (1, DIFF, "")
    assert snapshot(package) == SIMPLE
    patched = subprocess.run(["git", "apply", "-"], input=found.stdout.encode(), cwd=package, check=False)
    assert (patched.returncode, snapshot(package)["run.yaml"]) == (0, resolved())
    found = command("render", package, "--diff")
    assert (found.returncode, found.stdout, found.stderr) == (0, "", "")


def test_diff_shows_no_secret_that_stands_beside_a_change(tmp_path):
    """As context, and only there: the Secret itself is not touched."""
    secret = "data: {password: aHVudGVyMg==}\nkind: Secret\napiVersion: v1\nmetadata: {name: a}\n"
    text = (
        run()
        .replace("        - name: clone\n          image: git\n          script: git clone $(params.url)\n", "")
        .replace("        steps:\n", "        steps: [{image: $(params.url)}]\n")
    )
    package = write(tmp_path, SIMPLE | {"run.yaml": text + "---\n" + secret})
    shown = command("render", package, "--diff").stdout
    assert " data: {password: <hidden>, unchanged}\n" in shown
    assert "aHVudGVyMg==" not in shown
    assert "aHVudGVyMg==" in command("render", package, "--diff", "--show-secrets").stdout


def items(package: Any) -> list[Any]:
    tree = load(read(package)).tree
    return [decode.to_data(decode.parse(document.text)) for document in tree.documents]


@pytest.mark.parametrize("steps", [(PROPAGATING,), (f"{PROPAGATING}, selectors: [{{name: build}}]", PROPAGATING)])
def test_the_patch_of_a_package_leads_to_the_rendered_resources(tmp_path, steps):
    sub = {"sub/Kptfile": kptfile(STEP, name="sub"), "sub/run.yaml": run("sub"), "b.yaml": run("b")}
    package = write(tmp_path, SIMPLE | sub | {"Kptfile": kptfile(*steps)})
    before = items(package)
    patch = json.loads(command("explain", package, "--patch").stdout)
    assert command("render", package).returncode == 0
    assert len(patch) > 3
    assert jsonpatch.apply_patch({"items": before}, patch) == {"items": items(package)}
    assert json.loads(command("explain", package, "--patch").stdout) == []


def test_the_patch_is_empty_when_a_step_fails(tmp_path):
    package = write(tmp_path, SIMPLE | {"bad.yaml": BAD})
    found = command("explain", package, "--patch")
    assert (found.returncode, found.stdout) == (1, "[]\n")
    assert found.stderr.startswith("error: bad.yaml:")


@pytest.mark.parametrize(
    "change", [{"bad.yaml": BAD}, {"Kptfile": "kind: X\n"}, {"Kptfile": kptfile("exec: cat")}, {"values.yaml": "a: 1\n"}]
)
def test_any_failure_of_diff_exits_2(tmp_path, change):
    package = write(tmp_path, SIMPLE | change)
    found = command("render", package, "--diff")
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr.startswith("error: ")


def test_diff_of_no_package_exits_2(tmp_path):
    assert command("render", tmp_path, "--diff").returncode == 2
    assert command("render", tmp_path / "no", "--diff").returncode == 2


def test_unwrap_prints_documents(tmp_path):
    package = write(tmp_path, SIMPLE)
    found = command("render", package, "-o", "unwrap")
    assert found.returncode == 0
    assert found.stdout == "---\n".join([SIMPLE["Kptfile"], PROPAGATE, resolved()])
    assert snapshot(package) == SIMPLE


def test_stdout_prints_a_resource_list_that_says_where_each_resource_lies(tmp_path):
    files = SIMPLE | {
        "sub/Kptfile": kptfile(name="sub"),
        "sub/two.yaml": "# c\n" + CONFIG_MAP.format(name="a") + "---\n" + CONFIG_MAP.format(name="b"),
    }
    package = write(tmp_path, files)
    found = command("render", package, "-o", "stdout")
    assert (found.returncode, snapshot(package)) == (0, files)
    listed: Any = decode.to_data(decode.parse(found.stdout))
    places = [
        (
            item["metadata"]["name"],
            *(
                item["metadata"]["annotations"][f"{prefix}config.kubernetes.io/{key}"]
                for prefix in ("", "internal.")
                for key in ("path", "index")
            ),
        )
        for item in listed["items"]
    ]
    assert places == [
        ("sub", "sub/Kptfile", "0", "sub/Kptfile", "0"),
        ("a", "sub/two.yaml", "0", "sub/two.yaml", "0"),
        ("b", "sub/two.yaml", "1", "sub/two.yaml", "1"),
        ("demo", "Kptfile", "0", "Kptfile", "0"),
        ("config", "config.yaml", "0", "config.yaml", "0"),
        ("build", "run.yaml", "0", "run.yaml", "0"),
    ]
    assert "- # c\n  apiVersion: v1\n" in found.stdout
    assert command("run", "tekton-params", stdin=found.stdout).returncode == 0


def test_a_new_directory_gets_the_resources(tmp_path):
    files = SIMPLE | {"README.md": "x", "sub/Kptfile": kptfile(), "sub/a.yaml": CONFIG_MAP.format(name="a")}
    package = write(tmp_path / "package", files)
    found = command("render", package, "-o", tmp_path / "deep/out")
    assert (found.returncode, found.stdout, found.stderr) == (0, "", "")
    expected = files | {"run.yaml": resolved()}
    assert snapshot(tmp_path / "deep/out") == {name: text for name, text in expected.items() if name != "README.md"}
    assert snapshot(package) == files


def test_a_directory_that_exists_is_not_written_to(tmp_path):
    package = write(tmp_path / "package", SIMPLE)
    found = command("render", package, "-o", tmp_path)
    assert (found.returncode, found.stderr) == (
        2,
        f"error: {tmp_path}: must not exist yet; remove it, or name another directory\n",
    )


INTERRUPTED = """
import os, sys
from pathlib import Path
from krm_values._kit.process.transaction import Change, digest, locked, write
directory, name, new, step = Path(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4]
with locked(directory):
    old = (directory / name).read_bytes()
    write(directory, [Change(name, digest(old), new.encode())], lambda at: os._exit(9) if at == step else None)
"""


@pytest.mark.parametrize(("step", "finished"), [("staged 0", False), ("committed", True)])
def test_an_interrupted_write_is_finished_or_dropped_before_any_read(tmp_path, step, finished):
    package = write(tmp_path, SIMPLE)
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    subprocess.run(
        [sys.executable, "-c", INTERRUPTED, package, "config.yaml", PROPAGATE + "# new\n", step], env=environment, check=False
    )
    assert list(package.glob(f"{STAGED}*"))
    for reading in (["render", "--diff"], ["render", "-o", "unwrap"], ["explain"]):
        found = command(*reading, package)
        assert ("holds an unfinished write" in found.stderr) == finished
    found = command("render", package)
    assert found.returncode == 0
    assert ("warning: an interrupted write was finished: config.yaml\n" in found.stderr) == finished
    assert not list(package.glob(f"{STAGED}*"))
    assert snapshot(package)["config.yaml"] == PROPAGATE + ("# new\n" if finished else "")


def test_a_writer_at_work_is_waited_for(tmp_path):
    package = write(tmp_path, SIMPLE)
    hold = "import sys; from pathlib import Path; from krm_values._kit.process.transaction import locked\nwith locked(Path(sys.argv[1])): print(flush=True); sys.stdin.read()"
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    with subprocess.Popen(
        [sys.executable, "-c", hold, package], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout
        holder.stdout.readline()
        found = command("render", package, "--lock-timeout", "0.1")
        assert (found.returncode, found.stderr) == (
            1,
            f"error: {package}: another command is writing here; waited 0.1 seconds (`--lock-timeout`)\n",
        )
        assert command("render", package, "--diff").returncode == 1  # who only reads does not wait
        holder.communicate()
    assert command("render", package, "--lock-timeout", "0.1").returncode == 0


def test_two_renders_at_once_do_the_work_once(tmp_path):
    package = write(tmp_path, SIMPLE | {f"more/{n}.yaml": run(f"run-{n}") for n in range(20)})
    start = [
        sys.executable,
        "-c",
        "from krm_values._cli.main import main; import sys; sys.exit(main())",
        "render",
        str(package),
    ]
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    both = [subprocess.Popen(start, env=environment, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    said = sorted(process.communicate(timeout=120)[1].strip()[-20:] for process in both)
    assert [process.returncode for process in both] == [0, 0]
    assert "changed: nothing" in "".join(said)
    assert all(snapshot(package)[f"more/{n}.yaml"] == resolved(f"run-{n}") for n in range(20))


def test_an_output_in_the_package_is_refused(tmp_path):
    package = write(tmp_path / "p", {"Kptfile": kptfile(STEP), "run.yaml": run()})
    (tmp_path / "link").symlink_to(package)
    for output in (package / "out", package / "a/b/out", tmp_path / "link/out"):
        done = command("render", package, "-o", output)
        assert (done.returncode, done.stdout) == (2, "")
        assert "must not be in the package" in done.stderr
        assert not output.exists()
    assert command("render", package, "-o", tmp_path / "pp").returncode == 0
