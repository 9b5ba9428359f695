"""Documents of files that are no YAML and that the function does not read."""

from __future__ import annotations

import pytest
from tests.cli.packages import command, write

TASK = "apiVersion: tekton.dev/v1\nkind: Task\nmetadata: {name: a}\nspec: {steps: []}\n"
BROKEN = {
    "a bracket": ("apiVersion: v1\nkind: Service\nmetadata: {name: b}\nspec: [1, 2\n", "x.yaml:9:7", "',' or ']'"),
    "a quote": ('apiVersion: v1\nkind: Service\nmetadata: {name: b}\nspec: "c\n', "x.yaml:9:7", "is not YAML"),
    "a tab": ("apiVersion: v1\nkind: Service\nmetadata:\n\tname: b\n", "x.yaml:9:1", "found a tab"),
    "an indentation": ("apiVersion: v1\nkind: Service\nmetadata:\n  name: b\n   c: d\n", "x.yaml:10:", "is not YAML"),
}


@pytest.fixture
def here(tmp_path):
    return tmp_path


TEXT = TASK + "---\nBROKEN---\n" + TASK.replace("name: a", "name: c")


@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN)
@pytest.mark.parametrize("verb", ["run", "explain"])
def test_one_is_a_warning_with_its_place_and_stays_as_it_is(here, verb, broken):
    text, place, fault = broken
    write(here, {"x.yaml": TEXT.replace("BROKEN", text)})
    done = command(verb, "tekton-params", "x.yaml", cwd=here)
    assert done.returncode == 0
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"warning: {place}")
    assert fault in line
    if verb == "run":
        assert done.stdout == TEXT.replace("BROKEN", text)


@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN)
def test_one_is_an_error_where_warnings_are(here, broken):
    text, place, _ = broken
    config = "apiVersion: krm-values.dev/v1alpha1\nkind: TektonParams\nmetadata: {name: c}\nspec: {strict: true}\n"
    write(here, {"x.yaml": TEXT.replace("BROKEN", text), "c.yaml": config})
    done = command("run", "--config", "c.yaml", "x.yaml", cwd=here)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"error: {place}")


@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN)
@pytest.mark.parametrize("verb", [["render"], ["render", "--diff"], ["explain"]], ids=" ".join)
def test_one_in_a_package_is_an_error_as_with_kpt(here, verb, broken):
    text, place, _ = broken
    kptfile = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: p}\npipeline:\n  mutators:\n  - image: tekton-params\n"
    write(here, {"x.yaml": TEXT.replace("BROKEN", text), "Kptfile": kptfile})
    done = command(*verb, ".", cwd=here)
    assert done.returncode == (2 if "--diff" in verb else 1)
    assert done.stderr.startswith(f"error: {place}")
    assert (here / "x.yaml").read_text() == TEXT.replace("BROKEN", text)


@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN)
def test_lint_names_one(here, broken):
    text, place, fault = broken
    write(here, {"x.yaml": TEXT.replace("BROKEN", text)})
    done = command("lint", "glasskube-values", "x.yaml", cwd=here)
    (line,) = done.stdout.splitlines()
    assert line.startswith(f"warning: {place}")
    assert fault in line
