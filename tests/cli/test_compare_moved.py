"""A package that is in another directory is the same one: what differs is what the move changes."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from tests.cli.packages import command, kptfile, write

EXAMPLE = Path(__file__).parents[2] / "examples/layered-values/package-and-sub-package"
CONFIG = """\
apiVersion: krm-values.dev/v1alpha1
kind: LayeredValues
metadata: {name: lv}
spec:
  layers: [{name: one, values: {size: 7}}]
  targets: [{kind: Deployment, name: web, namespace: "*", fields: {spec.replicas: size}}]
"""
TARGET = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 1}\n"
STEP, PLAIN = kptfile("exec: krm-layered-values, configPath: lv.yaml"), kptfile()


@pytest.fixture
def sides(tmp_path):
    for name in "AB":
        shutil.copytree(EXAMPLE, tmp_path / name, ignore=shutil.ignore_patterns(".expected"))
    (tmp_path / "B/settings").rename(tmp_path / "B/moved")
    return tmp_path


def test_a_moved_package_with_the_same_output_is_equal(sides):
    done = command("compare", "A", "B", "--json", cwd=sides)
    found = json.loads(done.stdout)
    assert (done.returncode, found["differences"]) == (0, [])
    assert [(one["change"], one["file"]) for one in found["changed"]] == [("moved", "moved/Kptfile")]


@pytest.mark.parametrize("sides_of", ["AB", "BA"])
def test_an_edit_in_a_moved_package_is_the_cause(sides, sides_of):
    config = sides / "B/moved/layered-values.yaml"
    config.write_text(config.read_text().replace("shop.test", "other.test"))
    done = command("compare", *sides_of, cwd=sides)
    edited, hosts = ("moved", "shop.test -> other.test") if sides_of == "AB" else ("settings", "other.test -> shop.test")
    said = f"ConfigMap settings hosts[0] {hosts} because {edited}/layered-values.yaml:13 changed"
    assert " ".join(done.stdout.split()) == said


def test_an_edit_of_the_moved_kptfile_is_another_one(sides):
    held = sides / "B/moved/Kptfile"
    held.write_text(held.read_text().replace("  - exec: krm-layered-values\n    configPath: layered-values.yaml\n", ""))
    held.write_text(held.read_text().replace("pipeline:\n  mutators:\n", ""))
    done = command("compare", "A", "B", cwd=sides)
    assert done.returncode == 1
    assert "unknown" not in done.stdout
    assert "because settings/Kptfile:8 (A) removed" in done.stdout


def test_a_move_out_of_the_package_of_a_step_is_the_cause(tmp_path):
    other = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: o}\ndata: {k: K}\n"
    files = {"Kptfile": PLAIN, "a/Kptfile": STEP, "a/lv.yaml": CONFIG, "a/own.yaml": TARGET, "b/Kptfile": kptfile(name="b")}
    below = {"Kptfile": kptfile(name="sub"), "d.yaml": TARGET.replace("name: web", "name: web, namespace: sub")}
    for name, folder in (("A", "a"), ("B", "b")):
        moved = {f"{folder}/sub/{file}": text for file, text in below.items()}
        write(tmp_path / name, {**files, **moved, "other.yaml": other.replace("K", name)})
    done = command("compare", "A", "B", cwd=tmp_path)
    assert "spec.replicas 7 -> 1  because b/sub/Kptfile:1 moved\n" in done.stdout
    assert "data.k A -> B  because other.yaml:4 changed\n" in done.stdout
    assert "spec.replicas 1 -> 7  because a/sub/Kptfile:1 moved\n" in command("compare", "B", "A", cwd=tmp_path).stdout
