"""`check: true` in the functionConfig of every function (rule S40): as a validator under kpt and `render`, and in a pipe."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.cli.packages import command, snapshot
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


def test_the_line_is_that_of_the_first_value_that_differs(tmp_path):
    story = ROOT / "examples/layered-values/first"
    package = Path(shutil.copytree(story, tmp_path / "package", ignore=shutil.ignore_patterns(".expected")))
    checks(package)
    without_mutators(package)
    done = command("render", package)
    text = (
        "error: deployment.yaml:6:3: Deployment web: `spec.replicas` differs from what this config says: run without `check`\n"
    )
    assert (done.returncode, done.stderr) == (1, text)
