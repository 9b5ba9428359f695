"""Applications of solution descriptors: each is told with the one of the same name that it was, whatever its place in the list was then."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.answers import cells
from tests.answers import decided as values
from tests.cli.packages import command, kptfile

CONFIG = """\
apiVersion: krm-values.dev/v1alpha1
kind: EnvgeneSd
metadata: {name: config}
spec:
  SD_SOURCE_TYPE: json
  SD_REPO_MERGE_MODE: %s
  SD_DATA:
    applications: %s
"""
SD = "apiVersion: krm-values.dev/v1alpha1\nkind: SolutionDescriptor\nmetadata: {name: %s}\nspec:\n  applications:\n%s"


def package(path: Path, mode: str, incoming: str, **listed: str) -> Path:
    """A package whose SDs list these applications, each on a line; the first is on line 6."""
    (path / "Kptfile").write_text(kptfile("exec: krm-envgene-sd, configPath: config.yaml"))
    given = ", ".join(f"{{version: {one}, deployPostfix: x}}" for one in incoming.split())
    (path / "config.yaml").write_text(CONFIG % (mode, f"[{given}]"))
    for name, applications in listed.items():
        rows = "".join(f"  - {{version: {one}, deployPostfix: x}}\n" for one in applications.split())
        (path / f"{name}.yaml").write_text(SD % (name.replace("_", "-"), rows))
    return path


def told(path: Path, name: str) -> list[Any]:
    """The applications of an SD: field, value, and each cell as value and line of a file."""
    done = command("explain", "--json", path)
    assert done.returncode == 0, done.stderr
    return [
        (
            one["path"].removeprefix("spec.applications"),
            one.get("value", "removed"),
            *(f"{cell.get('value', '')} {cell.get('file', '')}:{cell.get('line', '')}" for cell in cells(one)),
        )
        for one in values(done.stdout)
        if one["resource"]["name"] == name and one["path"].startswith("spec.applications")
    ]


def test_what_stays_behind_an_application_that_is_excluded_overrides_nothing(tmp_path):
    at = package(tmp_path, "basic-exclusion-merge", "a:1 c:2", sd="a:1 b:1 c:1 d:1")
    assert [one for one in told(at, "sd") if one[1] != "removed"] == [
        ("[0].version", "b:1", "b:1 sd.yaml:7"),
        ("[1].version", "c:2", "c:2 config.yaml:8", "c:1 sd.yaml:8"),
        ("[2].version", "d:1", "d:1 sd.yaml:9"),
    ]


@pytest.mark.parametrize("mode", ["basic-merge", "basic-exclusion-merge"])
def test_an_application_of_a_delta_overrides_the_one_of_its_name(tmp_path, mode):
    at = package(tmp_path, mode, "c:2 e:1", sd="a:1 c:1 e:2", delta_sd="a:1 b:1 c:1 d:1")
    assert [one for one in told(at, "delta-sd") if one[1] != "removed"] == [
        ("[0].version", "c:2", "c:2 config.yaml:8", "c:1 delta_sd.yaml:8"),
        ("[1].deployPostfix", "x", "x config.yaml:8"),
        ("[1].version", "e:1", "e:1 config.yaml:8"),
    ]


def test_an_application_that_is_added_overrides_none_that_was_at_its_place(tmp_path):
    at = package(tmp_path, "replace", "c:2 e:1 b:1", sd="a:1 b:1 c:1 d:1")
    assert [one for one in told(at, "sd") if one[1] != "removed"] == [
        ("[0].version", "c:2", "c:2 config.yaml:8", "c:1 sd.yaml:8"),
        ("[1].deployPostfix", "x", "x config.yaml:8"),
        ("[1].version", "e:1", "e:1 config.yaml:8"),
        ("[2].version", "b:1", "b:1 config.yaml:8", "b:1 sd.yaml:7"),
    ]
