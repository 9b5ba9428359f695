"""`render --function`: a directory without a pipeline, with one function."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from tests.cli.packages import command, kptfile, snapshot, write
from tests.test_examples import ROOT, STORIES


def step_of(story):
    """Return function and functionConfig of a package whose pipeline has one step, None for another one."""
    found = re.findall(r"exec: krm-([a-z-]+)\n\s+configPath: (\S+)", (story / "Kptfile").read_text())
    return found[0] if len(found) == 1 and len([*story.rglob("Kptfile")]) == 1 else None


ONE = [(story, *step) for story in STORIES if (step := step_of(story))]

each = pytest.mark.parametrize(("story", "function", "config"), ONE, ids=lambda value: getattr(value, "name", value))


@pytest.fixture
def package(story, tmp_path):
    return Path(shutil.copytree(story, tmp_path / "package", ignore=shutil.ignore_patterns(".expected")))


@pytest.fixture
def bare(package, tmp_path):
    """Return the same without the Kptfile."""
    other = Path(shutil.copytree(package, tmp_path / "bare"))
    (other / "Kptfile").unlink()
    return other


def without_kptfile(files):
    return {name: text for name, text in files.items() if name != "Kptfile"}


@each
def test_it_writes_what_a_pipeline_of_this_step_writes(story, function, config, package, bare):
    command("render", package)
    done = command("render", "--function", function, "--config", bare / config, bare)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    assert snapshot(bare) == without_kptfile(snapshot(package))
    done = command("render", "--function", function, "--config", bare / config, bare, "--diff")
    assert (done.returncode, done.stdout) == (0, ""), done.stderr


@each
def test_diff_and_output(story, function, config, package, bare, tmp_path):
    before = snapshot(bare)
    call = ("render", "--function", function, "--config", bare / config, bare)
    assert command(*call, "--diff").stdout == command("render", package, "--diff").stdout
    assert command(*call, "--diff").returncode == 1
    assert command(*call, "-o", tmp_path / "made").returncode == 0
    assert command("render", package, "-o", tmp_path / "other").returncode == 0
    assert snapshot(tmp_path / "made") == without_kptfile(snapshot(tmp_path / "other"))
    for form in ("stdout", "unwrap"):
        ours, theirs = (command(*words, "-o", form).stdout for words in (call, ("render", package)))
        kpts = {one for one in _documents(theirs) if "kind: Kptfile" in one}
        assert _documents(ours) == [one for one in _documents(theirs) if one not in kpts]
    assert snapshot(bare) == before


def _documents(text):
    return [one.strip("\n") for one in re.split(r"(?m)^(?:---\n|items:\n|(?=- apiVersion))", text)]


def test_the_config_may_lie_outside(tmp_path):
    story = Path("examples/layered-values/first")
    here = write(tmp_path, {"dir/web.yaml": (ROOT / story / "deployment.yaml").read_text()})
    config = write(tmp_path, {"config.yaml": (ROOT / story / "layers.yaml").read_text()}) / "config.yaml"
    done = command("render", "--function", "layered-values", "--config", config, here / "dir")
    assert (done.returncode, done.stderr) == (0, "1 step run, updated: web.yaml\n")
    assert sorted(snapshot(here / "dir")) == ["web.yaml"]
    config.write_text(config.read_text().replace("kind: Deployment", "kind: Deploymnet"))
    done = command("render", "--function", "layered-values", "--config", config, here / "dir")
    assert (done.returncode, f"error: {config}:" in done.stderr) == (1, True)


def test_without_a_config_it_is_the_only_one_among_the_resources(tmp_path):
    bare = Path(shutil.copytree(ROOT / "examples/layered-values/first", tmp_path / "bare"))
    (bare / "Kptfile").unlink()
    done = command("render", "--function", "layered-values", bare)
    info = "info: layers.yaml:1:1: LayeredValues web: is used as the functionConfig\n"
    assert (done.returncode, done.said) == (0, f"{info}1 step run, updated: deployment.yaml\n")
    before = snapshot(bare)
    done = command("render", "--function", "layered-values", bare)
    assert (done.said, snapshot(bare)) == (f"{info}1 step run, changed: nothing\n", before)
    (bare / "other.yaml").write_text((bare / "layers.yaml").read_text().replace("name: web,", "name: other,"))
    done = command("render", "--function", "layered-values", bare)
    assert (done.returncode, "2 functionConfigs are among the resources" in done.said) == (1, True)


def test_results_are_those_of_the_function(tmp_path):
    story, function, _ = ONE[0]
    bare = Path(shutil.copytree(story, tmp_path / "bare"))
    (bare / "Kptfile").unlink()
    command("render", "--function", function, bare, "--results-dir", tmp_path / "results")
    assert f"exec: krm-{function}" in (tmp_path / "results/results.yaml").read_text()


@pytest.mark.parametrize("place", ["", "below/"])
def test_a_pipeline_in_the_directory_is_an_error_that_says_how_to_choose(tmp_path, place):
    write(tmp_path, {f"{place}Kptfile": kptfile("exec: krm-tekton-params")})
    before = snapshot(tmp_path)
    for words in ([], ["-o", "stdout"]):
        done = command("render", "--function", "tekton-params", tmp_path, *words)
        text = (
            "lists steps, which `--function` would leave out: render without it, or print what one function makes of the files"
        )
        assert (done.returncode, f"error: {place}Kptfile:7:5: {text}" in done.said) == (1, True), done.said
    assert command("render", "--function", "tekton-params", "--diff", tmp_path).returncode == 2
    assert snapshot(tmp_path) == before


def test_a_kptfile_without_steps_is_none(tmp_path):
    story = ROOT / "examples/layered-values/first"
    package = Path(shutil.copytree(story, tmp_path / "package", ignore=shutil.ignore_patterns(".expected")))
    (package / "Kptfile").write_text(kptfile())
    done = command("render", "--function", "layered-values", package)
    assert (done.returncode, "updated: deployment.yaml" in done.stderr) == (0, True)


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["--config", "x", "."], 2, "`--config` has no effect here: use it with `--function`"),
        (["--function", "layer-values", "."], 2, 'did you mean "layered-values"?'),
        (["--function", "", "."], 2, "--function"),
        (["--function", "flux-values", "--recursive", "."], 2, "`--recursive`"),
        (["--function", "flux-values", "--skip-foreign", "."], 2, "`--skip-foreign`"),
        (["--function", "flux-values", "--ytt", "x", "."], 2, "`--ytt`"),
        (["--function", "flux-values", "--config", "none.yaml", "."], 1, "none.yaml"),
        (["--function", "flux-values", "none"], 1, "none: is not a directory"),
    ],
)
def test_mistakes(tmp_path, words, code, said):
    write(tmp_path, {"a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"})
    done = command("render", *words, cwd=tmp_path)
    assert (done.returncode, said in done.stderr) == (code, True), done.stderr
