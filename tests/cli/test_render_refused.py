"""What `render` refuses, with the message, and what passes as a resource."""

from __future__ import annotations

from typing import Any

import pytest
from tests.cli.packages import (
    BAD,
    PROPAGATE,
    PROPAGATING,
    SIMPLE,
    STEP,
    command,
    kptfile,
    run,
    snapshot,
    write,
)

from krm_values._yaml import decode


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
    assert "error: bad.yaml:" in found.said
    assert snapshot(package) == files


def test_the_pipeline_ends_at_the_first_step_that_fails(tmp_path):
    package = write(tmp_path, SIMPLE | {"bad.yaml": BAD, "Kptfile": kptfile(PROPAGATING, PROPAGATING)})
    found = command("render", package, "--results-dir", tmp_path / "out/results")
    results: Any = decode.to_data(decode.parse((tmp_path / "out/results/results.yaml").read_text()))
    assert (found.returncode, results["exitCode"], len(results["items"])) == (1, 1, 1)


def test_a_wrong_config_is_told_where_it_stands(tmp_path):
    package = write(tmp_path, SIMPLE | {"config.yaml": PROPAGATE.replace("propagate", "propagat")})
    found = command("render", package)
    assert found.returncode == 1
    assert found.said == (
        "error: config.yaml:6:3: functionConfig `spec.mode`: must be one of `implicit`, `propagate`; "
        'found string "propagat"; did you mean `propagate`?\n'
    )


def test_a_wrong_config_map_is_told_at_the_kptfile(tmp_path):
    package = write(tmp_path, SIMPLE | {"Kptfile": kptfile(f"{STEP}, configMap: {{mdoe: propagate}}")})
    found = command("render", package)
    assert found.returncode == 1
    assert found.said.startswith("error: Kptfile:7:43: functionConfig `pipeline.mutators[0].configMap.mdoe`: ")


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
    found = command("render", cwd=package)
    assert (found.returncode, found.stdout) == (1, "")
    assert found.stderr == (
        f"error: Kptfile:7:31: `pipeline.mutators[0].configPath`: must name a file of the package with one resource; {error}\n"
    )


def test_steps_of_others_are_errors_that_name_them_all(tmp_path):
    files = SIMPLE | {
        "Kptfile": kptfile("image: gcr.io/kpt-fn/set-labels:v0.1", PROPAGATING, validators=("exec: kubeval --strict",))
    }
    package = write(tmp_path, files)
    found = command("render", cwd=package)
    assert (found.returncode, found.stdout, snapshot(package)) == (1, "", files)
    assert found.stderr == (
        'error: Kptfile:7:6: `pipeline.mutators[0].image`: image "gcr.io/kpt-fn/set-labels:v0.1" is not a function of krm-values: '
        "run it with `--allow-images` or kpt, or pass `--skip-foreign`\n"
        'error: Kptfile:10:6: `pipeline.validators[0].exec`: exec "kubeval --strict" is not a function of krm-values: '
        "run it with `--allow-exec` or kpt, or pass `--skip-foreign`\n"
    )
    assert command("render", package, "--skip-foreign").stderr == "1 step run, updated: run.yaml\n"


def test_a_misspelt_function_is_an_error_at_its_step(tmp_path):
    package = write(tmp_path, SIMPLE | {"Kptfile": kptfile("exec: krm-values run tekton-parms")})
    found = command("render", cwd=package)
    assert (found.returncode, found.stderr) == (
        1,
        'error: Kptfile:7:5: `pipeline.mutators[0]`: no function is called "tekton-parms"; did you mean "tekton-params"?\n',
    )


@pytest.mark.parametrize("text", ["a: {{ .Values.x }}\n", "{{- if .Values.x }}\na: 1\n{{- end }}\n", "a: &x\nb: *y\n"])
def test_a_template_that_is_no_yaml_is_told_how_to_leave_it_out(tmp_path, text):
    package = write(tmp_path, SIMPLE | {"deploy/templates/x.yaml": text})
    found = command("render", cwd=package)
    assert found.returncode == 1
    assert found.stderr.startswith("error: deploy/templates/x.yaml:")
    assert found.stderr.endswith("; a template is no resource: name its directory in `.krmignore`\n")
    write(package, {".krmignore": "deploy/templates\n"})
    assert command("render", package).returncode == 0


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
    found = command("render", cwd=package)
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
    assert (found.returncode, found.stderr) == (0, "1 step run, updated: run.yaml\n")
    assert snapshot(package)[name] == text


def test_a_directory_without_a_kptfile_is_an_error_that_shows_one(tmp_path):
    package = write(tmp_path, {"run.yaml": run()})
    found = command("render", package)
    assert (found.returncode, found.stdout) == (1, "")
    assert found.stderr == (
        f"error: {package}: holds no Kptfile, which lists the steps to run; write one with "
        "`pipeline: {mutators: [{exec: krm-FUNCTION, configPath: FILE}]}`, or run one function on files: "
        f"`krm-values run tekton-params {package}`\n"
    )
    (package / "run.yaml").write_text("a: [")
    assert f"`krm-values run FUNCTION {package}`\n" in command("render", package).stderr


def test_what_is_no_directory_is_an_error(tmp_path):
    found = command("render", tmp_path / "nowhere")
    assert (found.returncode, found.stderr) == (1, f"error: {tmp_path / 'nowhere'}: is not a directory\n")


def test_a_file_that_is_not_utf_8_is_named(tmp_path):
    package = write(tmp_path, SIMPLE)
    (package / "latin.yaml").write_bytes(b"apiVersion: v1\nkind: X\nmetadata: {name: caf\xe9}\n")
    found = command("render", package)
    assert (found.returncode, found.said) == (1, "error: latin.yaml:3:21: must be UTF-8, found the byte 0xe9\n")
