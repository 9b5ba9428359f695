"""An error of a package names its file as the working directory reaches it, whichever command reads it; of a fleet, as its package has it."""

from __future__ import annotations

import shutil

import pytest
from tests.cli.packages import RUN, STEP, command, kptfile, write

BROKEN = {
    "x.yaml": ("a: [", "x.yaml:1:4: is not YAML"),
    "y.yaml": ("a: 1\n", "y.yaml:1:1: input resource list must contain only KRM resources: y.yaml: resource must have"),
    "Kptfile": ("pipeline: [", "Kptfile:1:11: is not YAML"),
}
COMMANDS = [
    *(
        ["explain", "DIR"],
        ["explain", "DIR", "--json"],
        ["values", "DIR"],
        ["why", "DIR/run.yaml:5"],
        ["impact", "DIR/run.yaml:5"],
    ),
    *(
        ["compare", "DIR", "OTHER"],
        ["compare", "OTHER", "DIR"],
        ["render", "DIR"],
        ["render", "--diff", "DIR"],
        ["check", "DIR"],
    ),
]
OF_PIPELINES = [["inputs", "DIR"], ["clean", "DIR"], ["revert", "layered-values/one", "DIR"]]
"""The commands that read no document of a package which another one would not read."""
OF_FLEETS = [["explain", "DIR", "spec.params"], ["render", "--diff", "DIR"], ["impact", "DIR", "DIR/package/run.yaml:5"]]
FILES = {"Kptfile": kptfile(STEP), "run.yaml": RUN.format(name="build")}


def _named(words, folder, other):
    return [word.replace("DIR", folder).replace("OTHER", other).removeprefix("./") for word in words]


@pytest.mark.parametrize("file", BROKEN)
def test_a_file_is_named_as_the_working_directory_reaches_it(file, tmp_path):
    content, error = BROKEN[file]
    package, _ = (write(tmp_path / name, FILES) for name in ("package", "other"))
    (package / file).write_text(content)
    for words in (*COMMANDS, *(OF_PIPELINES if file == "Kptfile" else ())):
        above, inside = _named(words, "package", "other"), _named(words, ".", "../other")
        assert f"error: package/{error}" in command(*above, cwd=tmp_path).stderr, words
        assert f"error: {error}" in command(*inside, cwd=package).stderr, words


@pytest.mark.parametrize("file", BROKEN)
def test_of_a_fleet_it_is_named_behind_its_package(file, tmp_path):
    content, error = BROKEN[file]
    package = write(tmp_path / "fleet" / "package", FILES)
    shutil.copytree(package, tmp_path / "fleet" / "other")
    (package / file).write_text(content)
    for words in OF_FLEETS:
        done = command("fleet", *_named(words, "fleet", ""), cwd=tmp_path)
        assert f" package: {error}" in done.stdout + done.stderr, words


def test_a_run_with_an_edit_names_it_likewise(tmp_path):
    config = "apiVersion: krm-values.dev/v1alpha1\nkind: TektonParams\nmetadata: {name: tk}\n"
    write(tmp_path / "package", {**FILES, "Kptfile": kptfile(f"{STEP}, configPath: tk.yaml"), "tk.yaml": config})
    done = command("impact", "package/tk.yaml", cwd=tmp_path)
    assert "\nerror: package/Kptfile:7:" in done.stderr
