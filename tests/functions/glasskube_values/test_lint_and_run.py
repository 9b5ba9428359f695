"""`lint` accepts what a run accepts, and a run reports what lint reports."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from krm_values.glasskube_values import lint
from tests.cli.packages import command, write
from tests.functions.glasskube_values.resources import thing
from tests.functions.glasskube_values.runs import run
from tests.functions.glasskube_values.test_lint import FINE, WRONG

EXAMPLES = Path(__file__).parents[3] / "examples"
FOLDERS = sorted(path.parent for path in EXAMPLES.rglob("README.md") if len(path.relative_to(EXAMPLES).parts) > 2)
REFUSED = {"required": "a Package lacks a value: its manifest is fine"}
"""Runs of this function that fail for what is no fault of a manifest."""

PATCHES = """\
name: foo
helm: {repositoryUrl: "https://charts.example.com", chartName: foo, chartVersion: v1.0.0, values: {}}
valueDefinitions:
  ingress:
    type: boolean
    label: Enable Ingress
    defaultValue: "true"
    targets:
    - chartName: foo
      patch:
      - {op: add, path: /ingress/enabled}
      - {op: add, path: /ingress/tls}
"""
WRAPPER = """\
apiVersion: krm-values.dev/v1alpha1
kind: PackageManifest
metadata: {name: foo}
spec:
  version: v1.0.0
  manifest:
"""
PACKAGE = """\
apiVersion: packages.glasskube.dev/v1alpha1
kind: ClusterPackage
metadata: {name: foo}
spec:
  packageInfo: {name: foo, version: v1.0.0}
"""
CONFIG = "apiVersion: krm-values.dev/v1alpha1\nkind: GlasskubeValues\nmetadata: {name: config}\nspec: {SPEC}\n"


def wrapped(text):
    return WRAPPER + "".join(f"    {line}\n" for line in text.splitlines())


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: str(path.relative_to(EXAMPLES)))
def test_lint_accepts_every_example_that_a_run_accepts(folder, tmp_path):
    package = tmp_path / "package"
    shutil.copytree(folder, package)
    linted = command("lint", "glasskube-values", package)
    assert (linted.returncode, linted.stderr) == (0, ""), linted.stdout
    if "glasskube" in folder.parent.name:
        done = command("render", "-o", "unwrap", package)
        assert done.returncode == (folder.name in REFUSED), done.stderr
        printed = [line for line in linted.stdout.splitlines() if not line.startswith("info: ")]
        assert len(printed) == done.stderr.count("`spec.manifest.valueDefinitions")


def test_there_are_examples():
    names = {path.name for path in FOLDERS}
    assert {"several-targets", "all-seven", "build-and-deploy", "simple-value", *REFUSED} <= names


@pytest.mark.parametrize("number", range(3))
def test_lint_accepts_each_text_of_the_originals_alone(number, tmp_path):
    """The manifests, which have a list of patches, and the Package, beside which no manifest is."""
    texts = [PATCHES, PATCHES.replace("/ingress/tls", "ingress/tls"), PACKAGE]
    write(tmp_path, {"text.yaml": texts[number]})
    done = command("lint", "glasskube-values", "text.yaml", cwd=tmp_path)
    assert done.returncode == 0
    assert "error" not in done.stdout


def test_each_manifest_is_linted_by_the_config_of_its_folder(tmp_path):
    text = wrapped(PATCHES.replace("      - {op: add, path: /ingress/tls}\n", ""))
    for folder, typed in (("a", "typed: true"), ("b", "typed: false")):
        write(tmp_path, {f"{folder}/manifest.yaml": text, f"{folder}/config.yaml": CONFIG.replace("SPEC", typed)})
    done = command("lint", "glasskube-values", ".", cwd=tmp_path)
    assert [line.partition(":")[2][:15] for line in done.stdout.splitlines()] == [" b/manifest.yam"]


@pytest.mark.parametrize(("typed", "count"), [("typed: false", 1), ("typed: true", 0), ("", 0), (None, 1)])
def test_text_instead_of_a_boolean_is_reported_where_it_is_written(typed, count, tmp_path):
    """Without a config, as the operator writes it."""
    config = {} if typed is None else {"config.yaml": CONFIG.replace("SPEC", typed)}
    write(tmp_path, {"manifest.yaml": wrapped(PATCHES.replace("      - {op: add, path: /ingress/tls}\n", "")), **config})
    linted = command("lint", "glasskube-values", ".", cwd=tmp_path)
    assert linted.stdout.count("writes a boolean as a string") == count
    if typed is not None:
        done = command("run", ".", cwd=tmp_path)
        assert done.stderr.count("writes a boolean as a string") == count


@pytest.mark.parametrize("name", [*WRONG, *FINE])
def test_a_run_reports_of_a_manifest_what_lint_does(name):
    """Without a Package, so that no value is set and nothing is an error but the manifest's form."""
    data = WRONG[name][0] if name in WRONG else FINE[name]
    linted = {
        (fault.kind, fault.path, "warning" if fault.severity == "error" and fault.kind != "manifest" else fault.severity)
        for fault in lint.check_all(data)
    }
    found = run(thing({}), manifests=[data], typed=False).outcome.findings
    reported = {(one.tags.get("lint", one.kind), one.path[3:], one.severity) for one in found}
    assert reported == linted


BESIDE = {
    "an unknown key of the spec": ("  version: v1.0.0\n", "  verison: v1.0.0\n"),
    "an unknown key of the object": ("kind: PackageManifest\n", "kind: PackageManifest\nstatsu: {}\n"),
    "a version that is a list": ("  version: v1.0.0\n", "  version: [v1]\n"),
}


@pytest.mark.parametrize("name", BESIDE)
def test_what_is_beside_a_manifest_is_reported_alike(name, tmp_path):
    write(tmp_path, {"manifest.yaml": wrapped(PATCHES).replace(*BESIDE[name]), "config.yaml": CONFIG.replace("SPEC", "")})
    linted, done = command("lint", "glasskube-values", ".", cwd=tmp_path), command("run", ".", cwd=tmp_path)
    warnings = [line.rpartition(" [")[0] for line in linted.stdout.splitlines()]
    assert warnings == [line for line in done.stderr.splitlines() if line.startswith("warning: ")]
    assert len(warnings) >= 1


def test_what_a_run_ignores_is_not_linted(tmp_path):
    files = {".krmignore": "templates/\n", "templates/a.yaml": "{{ if }}\n", "manifest.yaml": wrapped(PATCHES)}
    write(tmp_path, {**files, "config.yaml": CONFIG.replace("SPEC", "")})
    assert command("run", ".", cwd=tmp_path).returncode == 0
    linted = command("lint", "glasskube-values", ".", cwd=tmp_path)
    assert (linted.returncode, linted.stdout) == (0, "")


def test_a_directory_without_a_manifest_is_a_warning(tmp_path):
    text = "warning: found no PackageManifest: name a package.yaml, or a file that holds one [manifest]\n"
    write(tmp_path, {"folder/a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n", "package.yaml": PACKAGE})
    for name in ("folder", "package.yaml"):
        done = command("lint", "glasskube-values", name, cwd=tmp_path)
        assert (done.returncode, done.stdout, done.stderr) == (0, text, "")
        assert command("lint", "glasskube-values", "--strict", name, cwd=tmp_path).returncode == 1
    assert command("lint", "glasskube-values", "folder/a.yaml", cwd=tmp_path).returncode == 1
