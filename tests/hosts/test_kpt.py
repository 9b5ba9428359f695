"""What is particular to kpt: files, comments, how failures look, what it refuses."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.answers import decided, facts
from tests.hosts.machine import FUNCTION_IMAGE, IMAGE, Machine
from tests.hosts.package import EXAMPLES, PACKAGES, Package, read
from tests.test_documents import fresh_clone

ROOT = EXAMPLES.parent
RELEASE = PACKAGES / "release"
"""A package that nobody has tidied; of the examples `tests/test_examples.py` asks the same."""
RENDER = ("kpt", "fn", "render", "--allow-exec")


@pytest.fixture(autouse=True)
def _kpt(machine: Machine) -> None:
    machine.needs("kpt")


def test_rendering_again_changes_nothing_and_no_comment_is_lost_or_doubled(machine: Machine, tmp_path: Path) -> None:
    package = Package.copy(RELEASE, tmp_path / "package")
    authored = [line.strip() for line in package.resources().splitlines() if line.lstrip().startswith("#")]
    machine.run(*RENDER, package.path)
    rendered = package.snapshot()
    assert [line.strip() for line in package.resources().splitlines() if line.lstrip().startswith("#")] == authored
    assert package.resources().count("#") == Package(RELEASE).resources().count("#")
    for _ in range(3):
        machine.run(*RENDER, package.path)
        assert package.snapshot() == rendered


def test_our_renderer_writes_what_kpt_writes(machine: Machine, tmp_path: Path) -> None:
    ours = Package.copy(RELEASE, tmp_path / "ours" / RELEASE.name)
    theirs = Package.copy(RELEASE, tmp_path / "theirs" / RELEASE.name)
    machine.run("krm-values", "render", ours.path)
    machine.run(*RENDER, theirs.path)
    assert ours.snapshot() == theirs.snapshot() != Package(RELEASE).snapshot()


def test_explain_says_the_same_before_and_after_kpt_rendered(machine: Machine, tmp_path: Path) -> None:
    package = Package.copy(RELEASE, tmp_path / "package")
    before = machine.run("krm-values", "explain", "--json", package.path).stdout
    machine.run(*RENDER, package.path)
    after = machine.run("krm-values", "explain", "--json", package.path).stdout
    assert facts(decided(before)) == facts(decided(after)) != set()


def test_the_repository_is_a_package_of_packages_for_kpt_and_for_us(machine: Machine, tmp_path: Path) -> None:
    """No package below it is meant to fail. Each writes the same files, and finds nothing to change in those of the other."""
    ours, theirs = (fresh_clone(tmp_path / side / "tree") for side in ("ours", "theirs"))
    rendered = machine.run(*RENDER, theirs).stderr
    steps = rendered.count("[PASS]")
    assert steps == sum(path.read_text().count("exec: krm-") for path in EXAMPLES.rglob("Kptfile")) > 12
    assert f"{steps} steps run, " in machine.run("krm-values", "render", ours).stderr
    names = [{path.relative_to(tree) for path in tree.rglob("*")} for tree in (ours, theirs)]
    assert names[0] == names[1]
    for tree in (ours, theirs):
        assert machine.run("krm-values", "render", "-q", "--diff", tree).stdout == ""


@pytest.fixture
def broken(tmp_path: Path) -> Package:
    return Package.copy(PACKAGES / "broken", tmp_path / "package")


def test_a_failure_shows_each_error_once_and_leaves_the_files(broken: Package, machine: Machine) -> None:
    before = broken.snapshot()
    failed = machine.run(*RENDER, broken.path, "--truncate-output=false", code=1)
    for name in ("first", "second", "third", "fourth", "fifth"):
        assert (failed.stdout + failed.stderr).count(f": {name}: unknown parameter") == 1
    assert "Traceback" not in failed.stderr
    assert broken.snapshot() == before


def test_of_many_errors_kpt_shows_four(broken: Package, machine: Machine) -> None:
    failed = machine.run(*RENDER, broken.path, code=1)
    assert failed.stderr.count("[error]") == failed.stderr.count(": runs.yaml: ") == 4
    assert failed.stderr.count("PipelineRun/") == failed.stderr.count("misspelt") == 4  # kpt shows each resource itself
    assert "1 line(s) truncated" in failed.stderr
    assert "Stderr:" not in failed.stderr


def test_the_results_directory_holds_every_error_with_its_place(broken: Package, machine: Machine, tmp_path: Path) -> None:
    machine.run(*RENDER, broken.path, "--results-dir", tmp_path / "results", code=1)
    (step,) = read((tmp_path / "results" / "results.yaml").read_text("utf-8"))[0]["items"]
    assert (step["exitCode"], len(step["results"])) == (1, 5)
    for error in step["results"]:
        assert error["severity"] == "error"
        assert error["file"]["path"] == "runs.yaml"
        assert error["resourceRef"]["name"] == "misspelt"
        assert error["field"]["path"].startswith("spec.pipelineSpec.tasks[")


def test_our_results_file_is_the_one_kpt_writes(broken: Package, machine: Machine, tmp_path: Path) -> None:
    """But for the lines in messages: what kpt sends has other lines than the file."""
    machine.run(*RENDER, broken.path, "--results-dir", tmp_path / "theirs", code=1)
    machine.run("krm-values", "render", broken.path, "--results-dir", tmp_path / "ours", code=1)
    theirs, ours = ((tmp_path / side / "results.yaml").read_text("utf-8") for side in ("theirs", "ours"))
    assert read(re.sub(r"(runs.yaml):\d+:\d+:", r"\1:", ours)) == read(theirs)


def test_kpt_refuses_a_generated_name_and_our_renderer_takes_it(machine: Machine, tmp_path: Path) -> None:
    package = Package.copy(PACKAGES / "nameless", tmp_path / "package")
    assert "metadata.name" in machine.run(*RENDER, package.path, code=1).stderr
    machine.run("krm-values", "render", package.path)
    assert "$(params.revision)" in package.text("run.yaml").replace("make $(params.revision)", "")


def test_items_that_overlapping_selectors_send_twice_are_sent_back_once(machine: Machine, tmp_path: Path) -> None:
    package = Package.copy(PACKAGES / "release", tmp_path / "package")
    selectors = "    selectors:\n    - kind: PipelineRun\n    - name: release\n"
    (package.path / "Kptfile").write_text(package.text("Kptfile") + selectors, "utf-8")
    done = machine.run(*RENDER, package.path)
    assert "[warning]" in done.stderr
    assert package.resources() == (PACKAGES / "release.expected.yaml").read_text("utf-8")


def _with_config_map(package: Package, data: str) -> None:
    (package.path / "Kptfile").write_text(
        package.text("Kptfile").replace("configPath: params.yaml", f"configMap: {data}"), "utf-8"
    )


@pytest.mark.parametrize("image", ["", FUNCTION_IMAGE])
def test_a_config_map_configures_a_function_that_is_named(image: str, machine: Machine, tmp_path: Path) -> None:
    package = Package.copy(PACKAGES / "release", tmp_path / "package")
    _with_config_map(package, "{mode: implicit, strict: false}")
    if image:
        machine.needs_image(image)
        package.use_image(image)
    machine.run(*RENDER, package.path)
    assert package.resources() == (PACKAGES / "release.expected.yaml").read_text("utf-8")


def test_a_config_map_names_the_function_of_the_general_image(machine: Machine, tmp_path: Path) -> None:
    machine.needs_image(IMAGE)
    package = Package.copy(PACKAGES / "release", tmp_path / "package")
    _with_config_map(package, "{function: tekton-params, mode: implicit}")
    package.use_image(IMAGE)
    machine.run(*RENDER, package.path)
    assert package.resources() == (PACKAGES / "release.expected.yaml").read_text("utf-8")


def test_eval_names_the_function_of_the_general_image(machine: Machine, tmp_path: Path) -> None:
    machine.needs_image(IMAGE)
    package = Package.copy(PACKAGES / "release", tmp_path / "package")
    machine.run("kpt", "fn", "eval", package.path, "--image", IMAGE, "--", "function=tekton-params", "mode=implicit")
    assert package.resources() == (PACKAGES / "release.expected.yaml").read_text("utf-8")


@pytest.mark.parametrize(
    ("image", "data", "said"),
    [
        (IMAGE, "{mode: implicit}", "a ConfigMap names one with the key `function`"),
        (FUNCTION_IMAGE, "{function: flux-values}", "must be `tekton-params`, because `tekton-params` is called"),
    ],
)
def test_a_config_map_that_names_none_or_two_functions_is_an_error(
    image: str, data: str, said: str, machine: Machine, tmp_path: Path
) -> None:
    machine.needs_image(image)
    package = Package.copy(PACKAGES / "release", tmp_path / "package")
    _with_config_map(package, data)
    package.use_image(image)
    before = package.snapshot()
    assert said in machine.run(*RENDER, package.path, code=1).stderr
    assert package.snapshot() == before


def test_fn_doc_prints_the_manual_of_an_image(machine: Machine) -> None:
    machine.needs_image(FUNCTION_IMAGE)
    assert "TektonParams" in machine.run("kpt", "fn", "doc", "--image", FUNCTION_IMAGE).stdout
