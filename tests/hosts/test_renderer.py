"""`krm-values render` does what `kpt fn render` does: the same bytes in the same files, the same refusals."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.cli.packages import CONFIG_MAP, PROPAGATE, STEP, kptfile, run, snapshot, write
from tests.hosts.machine import Machine
from tests.hosts.package import read

PROPAGATING = f"{STEP}, configPath: config.yaml"
OTHER = CONFIG_MAP.format(name="other")
LABELLED = run("b").replace("  name: b\n", "  name: b\n  labels:\n    team: x\n")
DUPLICATE = run("bad").replace("https://example.com/a.git", "x\n  - name: url\n    value: y")


def package(*steps: str, **files: str) -> dict[str, str]:
    """Files by name; `sub__run` is sub/run.yaml."""
    named = {name.replace("__", "/") + ".yaml": text for name, text in files.items()}
    return {"Kptfile": kptfile(*steps), "config.yaml": PROPAGATE, "run.yaml": run(), **named}


SAME = {
    "config path": package(PROPAGATING),
    "config map": package(f"{STEP}, configMap: {{mode: propagate, strict: false}}"),
    "two steps": package(PROPAGATING, STEP),
    "validator": {**package(), "Kptfile": kptfile(PROPAGATING, validators=(STEP,))},
    "only a validator": {**package(), "Kptfile": kptfile(validators=(STEP,))},
    "no pipeline": package(),
    "by name": package(f"{PROPAGATING}, selectors: [{{name: build}}]", b=LABELLED),
    "by label": package(f"{PROPAGATING}, selectors: [{{labels: {{team: x}}}}]", b=LABELLED),
    "by two fields": package(f"{PROPAGATING}, selectors: [{{kind: PipelineRun, name: b}}]", b=LABELLED),
    "by pattern, which is none": package(f"{PROPAGATING}, selectors: [{{name: 'b.*'}}]", b=LABELLED),
    "without one": package(f"{PROPAGATING}, exclude: [{{name: b}}]", b=LABELLED),
    "without a label": package(f"{PROPAGATING}, exclude: [{{labels: {{team: x}}}}]", b=LABELLED),
    "nothing excluded": package(f"{PROPAGATING}, exclude: [{{}}]", b=LABELLED),
    "one document of many": package(PROPAGATING, many=OTHER + "---\n" + run("c") + "---\n" + OTHER.replace("other", "last")),
    "sub-package": {
        **package(PROPAGATING),
        "sub/Kptfile": kptfile(PROPAGATING, name="sub"),
        "sub/config.yaml": PROPAGATE.replace("config", "sub-config"),
        "sub/deep/run.yaml": run("sub"),
    },
    "sub-package without a pipeline": {**package(PROPAGATING), "sub/Kptfile": kptfile(name="sub"), "sub/run.yaml": run("sub")},
    "sub-package alone": {**package(), "sub/Kptfile": kptfile(STEP, name="sub"), "sub/run.yaml": run("sub")},
    "ignored file": {
        **package(PROPAGATING),
        "values.yaml": "a: 1\n",
        "b.yaml": run("b"),
        ".krmignore": "values.yaml\n/b.yaml\n",
    },
    "ignored directory": {**package(PROPAGATING), "x/b.yaml": run("b"), ".krmignore": "x/\n"},
    "kustomization": {**package(PROPAGATING), "kustomization.yaml": "resources:\n- run.yaml\n"},
}


@pytest.fixture(autouse=True)
def _kpt(machine: Machine) -> None:
    machine.needs("kpt")


def both(
    machine: Machine, tmp_path: Path, files: dict[str, str]
) -> list[tuple[subprocess.CompletedProcess[str], dict[str, str]]]:
    """What our renderer and kpt say and leave."""
    found = []
    for name, command in (("ours", ("krm-values", "render")), ("theirs", ("kpt", "fn", "render", "--allow-exec"))):
        directory = write(tmp_path / name / "demo", files)
        found.append((machine.run(*command, directory, code=None), snapshot(directory)))
    return found


@pytest.mark.parametrize("files", SAME.values(), ids=SAME)
def test_the_same_bytes(machine: Machine, tmp_path: Path, files: dict[str, str]) -> None:
    (ours, our_files), (theirs, their_files) = both(machine, tmp_path, files)
    assert (ours.returncode, theirs.returncode) == (0, 0), ours.stderr + theirs.stderr
    assert our_files == their_files


REFUSED = {
    "function fails": package(PROPAGATING, bad=DUPLICATE),
    "function of a sub-package fails": {**package(PROPAGATING), "sub/Kptfile": kptfile(STEP), "sub/bad.yaml": DUPLICATE},
    "validator fails": {**package(), "Kptfile": kptfile(validators=(STEP,)), "bad.yaml": DUPLICATE},
    "wrong config": {**package(PROPAGATING), "config.yaml": PROPAGATE.replace("propagate", "x")},
    "wrong config map": package(f"{STEP}, configMap: {{mdoe: x}}"),
    "config path and map": package(f"{PROPAGATING}, configMap: {{mode: implicit}}"),
    "no such config": package(f"{STEP}, configPath: no.yaml"),
    "config outside": package(f"{STEP}, configPath: ../no.yaml"),
    "several configs": {
        **package(PROPAGATING),
        "config.yaml": PROPAGATE + "---\n" + PROPAGATE.replace("name: config", "name: two"),
    },
    "nothing to run": package("name: x"),
    "image and exec": package(f"{STEP}, image: x"),
    "nested config map": package(f"{STEP}, configMap: {{mode: {{a: b}}}}"),
    "unknown field": {**package(), "Kptfile": kptfile() + "pipline: {}\n"},
    "unknown field of a selector": package(f"{STEP}, selectors: [{{kinds: x}}]"),
    "old Kptfile": {**package(), "Kptfile": kptfile().replace("/v1", "/v1alpha2")},
    "other kind": {**package(), "Kptfile": kptfile().replace("Kptfile", "Package")},
    "broken Kptfile of a sub-package": {**package(), "sub/Kptfile": "a: [\n"},
}


@pytest.mark.parametrize("files", REFUSED.values(), ids=REFUSED)
def test_the_same_refusals_leave_all_files_alone(machine: Machine, tmp_path: Path, files: dict[str, str]) -> None:
    (ours, our_files), (theirs, their_files) = both(machine, tmp_path, files)
    assert (ours.returncode, theirs.returncode) == (1, 1), ours.stderr + theirs.stderr
    assert our_files == their_files == files


@pytest.mark.parametrize(
    "text",
    [
        "a: 1\n",
        "- 1\n",
        "kind: X\n",
        "apiVersion: v1\n",
        "apiVersion: v1\nkind: X\n",
        "apiVersion: v1\nkind: List\nitems: []\n",
    ],
)
def test_what_is_no_resource_is_said_in_kpts_words(machine: Machine, tmp_path: Path, text: str) -> None:
    (ours, _), (theirs, _) = both(machine, tmp_path, package(PROPAGATING, values=text))
    said = next(line for line in theirs.stderr.splitlines() if line.startswith("Error: "))
    file = tmp_path / "ours/demo/values.yaml"
    assert ours.stderr.startswith(f"error: {file}:1:1: " + said.removeprefix("Error: ").strip())


@pytest.mark.parametrize("name", ["ignored file", "sub-package", "two steps", "one document of many"])
def test_the_same_stream_and_directory(machine: Machine, tmp_path: Path, name: str) -> None:
    directory = write(tmp_path / "demo", SAME[name])
    kpt = ("kpt", "fn", "render", "--allow-exec")
    ours, theirs = (machine.run(*command, directory, "-o", "unwrap").stdout for command in (("krm-values", "render"), kpt))
    assert ours == theirs
    machine.run("krm-values", "render", directory, "-o", tmp_path / "ours")
    machine.run(*kpt, directory, "-o", tmp_path / "theirs")
    assert snapshot(tmp_path / "ours") == snapshot(tmp_path / "theirs")
    assert snapshot(directory) == SAME[name]


def test_our_list_is_kpts_list(machine: Machine, tmp_path: Path) -> None:
    """Equal but for quotes: what we write is plain where every reader takes it for text."""
    directory = write(tmp_path / "demo", SAME["sub-package"])
    ours = machine.run("krm-values", "render", directory, "-o", "stdout").stdout
    theirs = machine.run("kpt", "fn", "render", "--allow-exec", directory, "-o", "stdout").stdout
    assert ours.replace("'", "") == theirs.replace("'", "")
    sink = tmp_path / "sink"
    machine.run("kpt", "fn", "sink", sink, stdin=ours)
    assert snapshot(sink) == {**snapshot(directory), **_rendered(machine, tmp_path, directory)}


def test_the_results_file_has_kpts_form(machine: Machine, tmp_path: Path) -> None:
    files = package(PROPAGATING, STEP, bad=DUPLICATE)
    texts = []
    for name, command in (("ours", ("krm-values", "render")), ("theirs", ("kpt", "fn", "render", "--allow-exec"))):
        directory = write(tmp_path / name / "demo", files)
        machine.run(*command, directory, "--results-dir", tmp_path / name / "results", code=1)
        texts.append((tmp_path / name / "results/results.yaml").read_text())
    assert "severity: error" in texts[0]
    ours, theirs = (read(text) for text in (re.sub(r"(bad\.yaml):\d+:\d+: ", r"\1: ", texts[0]), texts[1]))
    assert ours == theirs  # but for the line: kpt reprints a file, so that a function cannot tell it
    assert [line.split(":")[0] for line in texts[0].splitlines()] == [line.split(":")[0] for line in texts[1].splitlines()]


def _rendered(machine: Machine, tmp_path: Path, directory: Path) -> dict[str, str]:
    copy = tmp_path / "rendered"
    machine.run("krm-values", "render", directory, "-o", copy)
    return snapshot(copy)
