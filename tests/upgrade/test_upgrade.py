"""A package with undo records of version 2, rendered again: the same files as of a fresh render, and no edit by hand is seen."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from krm_values._krm import names
from krm_values._yaml import decode
from tests.cli.packages import command, kptfile, write
from tests.conformance.cases import resource_list

HERE = Path(__file__).parent
STORIES = sorted((HERE / "examples").glob("*.patch"))
EXAMPLES = HERE.parents[1] / "examples"


def cases() -> list[dict[str, Any]]:
    """The packages with numbers; a document of the file begins with its id."""
    _, *found = (HERE / "numbers.yaml").read_text().split("---\nid: ")
    return [decode.data("id: " + text) for text in found]  # type: ignore[misc]


def render(package: Path) -> dict[str, bytes]:
    """The files after `krm-values render`, which must say nothing of an edit by hand."""
    done = command("render", str(package))
    assert (done.returncode, "by hand" in done.stderr) == (0, False), done.stderr
    return {str(path.relative_to(package)): path.read_bytes() for path in package.rglob("*") if path.is_file()}


def package(folder: Path, case: dict[str, Any], files: dict[str, str]) -> Path:
    """A package of one step."""
    function = case["function"]
    step = f"mutators: [{{exec: krm-{function}, configPath: config.yaml}}]"
    config = {"apiVersion": names.API_VERSION, "kind": names.kind(function), "metadata": {"name": "c"}, "spec": case["config"]}
    config["metadata"]["annotations"] = {"config.kubernetes.io/local-config": "true"}
    head = f"apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {{name: p}}\npipeline:\n  {step}\n"
    for name, text in {"Kptfile": head, "config.yaml": json.dumps(config) + "\n", **files}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


CASES = cases()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_numbers(case, tmp_path):
    fresh = render(package(tmp_path / "fresh", case, case["files"]))
    again = render(package(tmp_path / "again", case, {**case["files"], **case["rendered"]}))
    kept = {name: text.encode() for name, text in case["rendered"].items()} if case.get("kept") else {}
    assert again == {**fresh, **kept}
    assert render(tmp_path / "again") == again


def test_there_are_cases_of_every_function_that_reads_numbers():
    found = [case["function"] for case in CASES]
    assert len(found) == 21
    assert set(found) == {"cartographer-params", "flux-values", "giantswarm-config", "glasskube-values", "tekton-params"}


@pytest.mark.parametrize("patch", STORIES, ids=lambda patch: patch.stem)
def test_example(patch, tmp_path):
    """Where an example's own files change, its patch has to be made anew, by a version that writes records of version 2."""
    function, _, story = patch.stem.partition(".")
    for name in ("fresh", "again"):
        shutil.copytree(EXAMPLES / function / story, tmp_path / name, ignore=shutil.ignore_patterns(".expected"))
    environment = {**os.environ, "GIT_CEILING_DIRECTORIES": str(tmp_path)}
    subprocess.run(["git", "apply", patch], cwd=tmp_path / "again", env=environment, check=True)
    assert render(tmp_path / "again") == render(tmp_path / "fresh")


def test_every_example_that_is_rendered_is_here():
    first = {path.stem for path in STORIES}
    assert first == {f"{path.parents[1].name}.{path.parent.name}" for path in EXAMPLES.glob("*/*/Kptfile")}


STEP = """\
apiVersion: krm-values.dev/v1alpha1
kind: LayeredValues
metadata: {{name: {name}, annotations: {{config.kubernetes.io/local-config: "true"}}}}
spec:
  layers: [{{name: own, values: {{n: {value}}}}}]
  targets: [{{kind: Target, fields: {{spec.{field}: {{value: n}}}}}}]
"""
TARGET = "apiVersion: example.org/v1\nkind: Target\nmetadata:\n  name: t\nspec:\n  a: 0\n  b: 0\n"
RENDERED = """\
apiVersion: example.org/v1
kind: Target
metadata:
  name: t
  annotations:
    krm-values.dev/undo.layered-values.inner: '{"by":["LayeredValues//inner"],"undo":[{"op":"replace","path":"/spec/b","sha":"d4735e3a265e","value":0}],"v":2}'
    krm-values.dev/undo.layered-values.outer: '{"by":["LayeredValues//outer"],"undo":[{"op":"replace","path":"/spec/a","sha":"6b86b273ff34","value":0}],"v":2}'
spec:
  a: 1
  b: 2
"""


def two_packages(folder, target, outer="a"):
    """A step in a package and one in its sub-package, which write into a resource of the sub-package."""
    steps = {
        "outer": STEP.format(name="outer", value=1, field=outer),
        "sub/inner": STEP.format(name="inner", value=2, field="b"),
    }
    files = {f"{path}.yaml": text for path, text in steps.items()}
    for path in steps:
        files[f"{path.rpartition('/')[0]}/Kptfile".lstrip("/")] = kptfile(
            f"exec: krm-layered-values, configPath: {Path(path).name}.yaml"
        )
    return write(folder, {**files, "sub/target.yaml": target})


def test_records_of_a_step_around_the_package_have_no_path_in_their_name(tmp_path):
    fresh, again = (render(two_packages(tmp_path / name, text)) for name, text in (("fresh", TARGET), ("again", RENDERED)))
    texts = [files["sub/target.yaml"].decode() for files in (fresh, again)]
    assert decode.data(texts[1]) == decode.data(texts[0])
    assert texts[1].count('"v":3') == 2
    assert render(tmp_path / "again") == again


def test_such_a_step_takes_back_what_it_wrote(tmp_path):
    fresh, again = (two_packages(tmp_path / name, text, outer="b") for name, text in (("fresh", TARGET), ("again", RENDERED)))
    texts = [render(folder)["sub/target.yaml"].decode() for folder in (fresh, again)]
    assert decode.data(texts[1]) == decode.data(texts[0])


@pytest.mark.parametrize("step", ["inner", "outer"])
def test_the_record_of_another_step_is_found_after_a_revert(step, tmp_path):
    fresh, again = (two_packages(tmp_path / name, text) for name, text in (("fresh", TARGET), ("again", RENDERED)))
    assert command("revert", f"layered-values/{step}", again).returncode == 0
    texts = [render(folder)["sub/target.yaml"].decode() for folder in (fresh, again)]
    assert decode.data(texts[1]) == decode.data(texts[0])


def test_a_step_that_is_run_alone_comes_after_records_of_version_2(tmp_path):
    """In a list without Kptfiles only the numbers tell the order."""
    config = decode.data(STEP.format(name="inner", value=2, field="b"))
    text = "".join(line for line in RENDERED.splitlines(keepends=True) if "inner" not in line).replace("b: 2", "b: 0")
    texts = [resource_list([decode.data(text)], "layered-values", config["spec"], "inner")]
    for _ in range(2):
        texts.append(command("run", stdin=texts[-1]).stdout.partition("results:")[0].encode())
    assert texts[1] == texts[2]
    assert b'"n":2' in texts[1].partition(b"undo.layered-values.inner")[2]
    assert texts[1].count(b'"v":3') == 2
