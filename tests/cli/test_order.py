"""Steps in the wrong order: an information names both steps and what one reads and the other writes later."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from krm_values._cli.main import main

EXAMPLES = Path(__file__).parents[2] / "examples"
LAYERED = "  - exec: krm-layered-values\n    configPath: layered-values.yaml\n"


@pytest.fixture
def package(tmp_path):
    """layers-to-flux with its steps in the wrong order."""
    target = tmp_path / "package"
    shutil.copytree(EXAMPLES / "pipelines/layers-to-flux", target)
    kptfile = target / "Kptfile"
    kptfile.write_text(kptfile.read_text().replace(LAYERED, "") + LAYERED)
    release = target / "release.yaml"
    release.write_text(release.read_text().replace("name: shop-values\n", "name: shop-values\n    optional: true\n"))
    return target


def told(capsys):
    return [line for line in capsys.readouterr().err.splitlines() if "only later" in line]


def test_an_object_that_a_later_step_makes(package, capsys):
    assert main(["render", "-v", str(package)]) == 0
    (line,) = told(capsys)
    assert line == (
        "info: flux-values (`pipeline.mutators[0]`) reads ConfigMap apps/shop-values, which layered-values "
        "(`pipeline.mutators[1]`) makes only later: put layered-values before flux-values, or render again"
    )


def test_a_field_that_a_later_step_writes(package, capsys):
    assert main(["render", str(package)]) == 0
    assert told(capsys) == []  # they are shown where they are asked for
    assert main(["render", "-v", str(package)]) == 0
    (line,) = told(capsys)
    assert 'ConfigMap apps/shop-values `data["values.yaml"]`: flux-values (`pipeline.mutators[0]`) reads' in line
    assert "layered-values (`pipeline.mutators[1]`) writes only later: put layered-values before flux-values" in line
    assert main(["explain", "-v", str(package)]) == 0
    assert told(capsys) == [line]


@pytest.mark.parametrize("example", sorted(EXAMPLES.glob("*/*/Kptfile")), ids=lambda path: path.parent.name)
def test_the_examples_are_in_order(example, tmp_path, capsys):
    target = tmp_path / "package"
    shutil.copytree(example.parent, target)
    for _ in range(2):
        assert main(["render", "-v", str(target)]) == 0
        assert told(capsys) == []


def test_a_validator_writes_nothing(package, capsys):
    kptfile = package / "Kptfile"
    text = kptfile.read_text().replace(LAYERED, "")
    kptfile.write_text(f"{text}  validators:\n{LAYERED}")
    assert main(["render", "-v", str(package)]) == 0
    assert told(capsys) == []
