"""`check: true` in the functionConfig of every function (rule S40), as a validator and in a pipe; `krm-values check` of a package."""

from __future__ import annotations

import json
import random
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.cli.packages import command, snapshot
from tests.net.inputs import random_package
from tests.test_examples import ENVIRONMENT, ROOT, STORIES

from krm_values._run import registry

MERGED_ONCE = "envgene-sd"

each = pytest.mark.parametrize("story", STORIES, ids=lambda story: f"{story.parent.name}/{story.name}")


@pytest.fixture
def package(story, tmp_path):
    return Path(shutil.copytree(story, tmp_path / "package", ignore=shutil.ignore_patterns(".expected")))


def checks(package):
    """Add to each Kptfile its steps once more, as validators, with a functionConfig that has `check: true`. Return these configs."""
    made = []
    for kptfile in package.rglob("Kptfile"):
        text = kptfile.read_text()
        steps = "".join(re.split(r"(?m)^  mutators:.*\n", text)[1:])
        if "krm-tekton-params" in steps:  # which writes into the PipelineRun that cartographer-params generates
            steps = re.sub(r"  - exec: krm-cartographer-params\n.*\n", "", steps)
        for name in re.findall(r"configPath: (\S+?)[},\s]", steps):
            config = (kptfile.parent / name).read_text()
            made.append(kptfile.parent / name.replace(".yaml", "-check.yaml"))
            made[-1].write_text(re.sub(r"^spec:", "spec:\n  check: true", config, flags=re.MULTILINE))
        if steps:
            kptfile.write_text(
                text.rstrip() + "\n  validators:\n" + re.sub(r"(configPath: \S+?)\.yaml", r"\1-check.yaml", steps)
            )
    return made


def without_mutators(package):
    for kptfile in package.rglob("Kptfile"):
        kptfile.write_text(re.sub(r"  mutators:.*  validators:\n", "  validators:\n", kptfile.read_text(), flags=re.DOTALL))


def test_the_examples_have_every_function():
    called = {name for story in STORIES for name in re.findall(r"krm-([a-z-]+)", (story / "Kptfile").read_text())}
    assert called >= set(registry.functions())


@each
def test_a_validator_refuses_what_its_step_has_not_written_and_takes_what_it_has(story, package):
    checks(package)
    other = Path(shutil.copytree(package, package.parent / "other"))
    without_mutators(other)
    before = snapshot(other)
    done = command("render", other)
    assert snapshot(other) == before
    assert (done.returncode, " differs from what this config says" in done.stderr or "would be added" in done.stderr) == (
        1,
        True,
    )
    done = command("render", package)
    assert (done.returncode, "error: " in done.stderr) == (0, False), done.stderr
    without_mutators(package)
    before = snapshot(package)
    done = command("render", package)
    assert (done.returncode, "error: " in done.stderr) == (0, False), done.stderr
    assert snapshot(package) == before


@pytest.mark.hosts
@each
def test_so_it_does_under_kpt(story, package, tmp_path):
    if not shutil.which("kpt"):
        assert ENVIRONMENT.get("KRM_HOSTS") != "required", "kpt must be installed"
        pytest.skip("kpt is not installed")
    checks(package)
    other = Path(shutil.copytree(package, tmp_path / "other"))
    without_mutators(other)
    call = ["kpt", "fn", "render", "--allow-exec", "--truncate-output=false"]
    done = subprocess.run([*call, other], env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "run without `check`" in done.stdout + done.stderr
    done = subprocess.run([*call, package], env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@each
def test_in_a_pipe_the_list_stays_as_it_is(story, package):
    configs = checks(package)
    if len(configs) > 1:
        pytest.skip("a pipe does not know that the steps after this one have run, too")
    listed = command("render", "-o", "stdout", package).stdout
    done = command("run", "--config", configs[0], stdin=listed)
    assert (done.returncode, done.stdout.split("\nresults:\n")[0].rstrip()) == (0, listed.rstrip()), done.stderr


def test_under_kustomize_the_undo_records_of_stored_files_are_no_difference(tmp_path):
    """kustomize stores nothing, so that a run for it keeps no records; a check is about what is stored."""
    package = Path(shutil.copytree(ROOT / "examples/layered-values/first", tmp_path / "package"))
    command("render", package)
    listed = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- " + _indented(package / "deployment.yaml")
    listed = listed.replace("  annotations:\n", "  annotations:\n      kustomize.config.k8s.io/id: '1'\n", 1)
    config = (package / "layers.yaml").read_text().replace("spec:", "spec:\n  check: true")
    (package / "check.yaml").write_text(config)
    done = command("run", stdin=listed + "functionConfig:\n  " + _indented(package / "check.yaml"))
    assert (done.returncode, done.stderr) == (0, "")
    done = command("run", stdin=listed + "functionConfig:\n  " + _indented(package / "layers.yaml"))
    assert (done.returncode, "krm-values.dev/undo" in done.stdout) == (0, False)


def _indented(path):
    return path.read_text().replace("\n", "\n  ").rstrip() + "\n"


def test_the_line_is_that_of_the_first_value_that_differs(tmp_path):
    story = ROOT / "examples/layered-values/first"
    package = Path(shutil.copytree(story, tmp_path / "package", ignore=shutil.ignore_patterns(".expected")))
    checks(package)
    without_mutators(package)
    done = command("render", package)
    text = (
        "error: deployment.yaml:6:3: Deployment web: `spec.replicas` differs from what this config says: run without `check`\n"
    )
    assert (done.returncode, done.said) == (1, text)


# `krm-values check`


def differing(text):
    """Return the files that the `differs` errors of `check` name: where something changes or goes, and where it comes."""
    lines = [line for line in text.splitlines() if line.endswith(": `krm-values render --diff` shows it [differs]")]
    assert all(re.match(r"error: [^:]+:\d+:\d+: ", line) for line in lines), text
    come = [found[1] for line in lines if (found := re.search(r": would be added as (\S+): ", line))]
    return {*come, *(line.split(":")[1].strip() for line in lines if " would be added as " not in line)}


def assert_it_says_what_a_render_changes(package):
    before = snapshot(package)
    done, diff = command("check", cwd=package), command("render", "--diff", cwd=package)
    assert snapshot(package) == before
    assert done.stdout == ""
    if diff.returncode == 2:
        assert done.returncode == 1
        assert {line for line in diff.stderr.splitlines() if line.startswith("error: ")} <= set(done.stderr.splitlines())
        assert differing(done.stderr) == set()
        return
    changed = set(re.findall(r"(?m)^(?:---|\+\+\+) [ab]/(.*)$", diff.stdout))
    assert (done.returncode, differing(done.stderr)) == (diff.returncode, changed), done.stderr
    told = [line for line in done.stderr.splitlines() if line.startswith("warning: ")]
    assert told == [line for line in diff.stderr.splitlines() if line.startswith("warning: ")]
    strict = command("check", "--strict", cwd=package)
    assert strict.returncode == int(bool(changed or told))
    assert "warning: " not in strict.stderr


@each
def test_check_of_an_example_before_and_after_a_render(story, package):
    assert_it_says_what_a_render_changes(package)
    command("render", package)
    assert_it_says_what_a_render_changes(package)
    assert command("check", package).returncode == 0


@pytest.mark.parametrize("number", range(40))
def test_check_of_a_random_package(number, tmp_path):
    package = tmp_path / "package"
    random_package(package, random.Random(f"check-{number}"))
    assert_it_says_what_a_render_changes(package)
    if command("render", package).returncode == 0:
        assert_it_says_what_a_render_changes(package)


def test_an_object_that_goes_is_named_with_its_line(tmp_path):
    package = Path(shutil.copytree(ROOT / "examples/pipelines/layers-to-flux", tmp_path / "package"))
    command("render", package)
    (package / "Kptfile").write_text((package / "Kptfile").read_text().partition("  - exec: krm-flux-values")[0])
    config = package / "layered-values.yaml"
    config.write_text(config.read_text().replace("configMap: shop-values", "configMap: shop-other"))
    told = command("check", package).stderr
    assert (
        f"error: {package}/shop-values.yaml:1:1: ConfigMap apps/shop-values: would be removed: `krm-values render --diff` shows it [differs]\n"
        in told
    )
    assert re.search(rf"error: {re.escape(str(package))}/Kptfile:\d+:\d+: ConfigMap apps/shop-other: would be added as ", told)
    assert_it_says_what_a_render_changes(package)


def test_a_kptfile_that_is_ignored_names_no_line(tmp_path):
    package = Path(shutil.copytree(ROOT / "examples/flux-values/base-and-site", tmp_path / "package"))
    (package / ".krmignore").write_text("Kptfile\n.expected\n")
    done = command("check", package)
    assert (done.returncode, ": would be added as " in done.stderr) == (1, True), done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [(["--diff"], "unrecognized arguments: --diff"), ([""], "DIR")],
)
def test_a_wrong_command_line_is_2(words, said):
    done = command("check", *words)
    assert (done.returncode, said in done.stderr) == (2, True)


def test_of_several_packages_each_is_checked_and_a_total_comes_last(tmp_path):
    """`--recursive` finds them; places are those of the working directory, so that a terminal and a host can open them."""
    for name in ("a", "b", "c", "nested/d"):
        shutil.copytree(ROOT / "examples/layered-values/first", tmp_path / name)
    command("render", "a", cwd=tmp_path)
    (tmp_path / "c/Kptfile").write_text("kind: [")
    before = snapshot(tmp_path)
    done = command("check", "--recursive", cwd=tmp_path)
    assert snapshot(tmp_path) == before
    lines = done.stderr.splitlines()
    assert (done.returncode, done.stdout, lines[-1]) == (1, "", "4 packages: 2 differ, 1 same, 1 failed")
    assert [line.partition(": ")[2].split(":")[0] for line in lines[:-1]] == [
        "b/deployment.yaml",
        "c/Kptfile",
        "nested/d/deployment.yaml",
    ]
    assert command("check", "a", "b", cwd=tmp_path).stderr.splitlines()[-1] == "2 packages: 1 differ, 1 same"
    hosted = command("check", "a", "b", "nested/d", "--format", "github", cwd=tmp_path)
    assert [line[: len("::error file=b/")] for line in hosted.stdout.splitlines()] == ["::error file=b/", "::error file=ne"]
    assert hosted.stderr == "3 packages: 2 differ, 1 same\n"
    sarif = json.loads(command("check", "b", "nested/d", "--format", "sarif", cwd=tmp_path).stdout)
    uris = [one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for one in sarif["runs"][0]["results"]]
    assert uris == ["b/deployment.yaml", "nested/d/deployment.yaml"]


def test_without_a_directory_it_is_this_one(tmp_path):
    package = shutil.copytree(ROOT / "examples/layered-values/first", tmp_path / "package")
    command("render", package)
    done = command("check", cwd=package)
    assert (done.returncode, done.stderr) == (0, "1 step checked, nothing differs\n")
    done = command("check", cwd=tmp_path)
    assert (done.returncode, done.stderr.startswith("error: .: holds no Kptfile")) == (1, True)
