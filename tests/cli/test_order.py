"""Steps in the wrong order: an information names both steps and what one reads and the other writes later."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from tests.cli.packages import write

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


def told(capsys, package):
    """The infos about the order, with files as they are in the package, and without their kind."""
    text = capsys.readouterr().err.replace(f" {package}/", " ")
    return [line.removesuffix(" [order]") for line in text.splitlines() if "only later" in line]


def test_an_object_that_a_later_step_makes(package, capsys):
    assert main(["render", "-v", str(package)]) == 0
    (line,) = told(capsys, package)
    assert line == (
        "info: flux-values (`pipeline.mutators[0]`) reads ConfigMap apps/shop-values, which layered-values "
        "(`pipeline.mutators[1]`) makes only later: put layered-values before flux-values"
    )


def test_an_object_that_a_later_step_made_in_an_earlier_run(package, capsys):
    """A second render gives what the first one gave: flux-values does not see what was made after it."""
    assert main(["render", str(package)]) == 0
    once = {path: path.read_bytes() for path in package.rglob("*.yaml")}
    assert main(["render", "-v", str(package)]) == 0
    (line,) = told(capsys, package)
    assert "reads ConfigMap apps/shop-values, which layered-values" in line
    assert {path: path.read_bytes() for path in package.rglob("*.yaml")} == once


def test_a_field_that_a_later_step_writes(package, capsys):
    values = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "shop-values", "namespace": "apps"}}
    write(package, {"values.yaml": json.dumps(values | {"data": {"values.yaml": "replicas: 2"}})})
    config = package / "layered-values.yaml"
    field = "'data[\"values.yaml\"].replicas'"
    target = f"{{kind: ConfigMap, name: shop-values, namespace: apps, fields: {{{field}: {{value: replicas}}}}}}"
    config.write_text(config.read_text().replace("{configMap: shop-values, namespace: apps}", target))
    assert main(["render", str(package)]) == 0
    assert told(capsys, package) == []  # they are shown where they are asked for
    assert main(["render", "-v", str(package)]) == 0
    (line,) = told(capsys, package)
    assert 'ConfigMap apps/shop-values `data["values.yaml"]`: flux-values (`pipeline.mutators[0]`) reads' in line
    assert (
        "layered-values (`pipeline.mutators[1]`) writes only later, from layers.yaml:22: put layered-values before flux-values"
        in line
    )
    assert main(["explain", "-v", str(package)]) == 0
    assert told(capsys, package) == [line]


@pytest.mark.parametrize("example", sorted(EXAMPLES.glob("*/*/Kptfile")), ids=lambda path: path.parent.name)
def test_the_examples_are_in_order(example, tmp_path, capsys):
    target = tmp_path / "package"
    shutil.copytree(example.parent, target)
    for _ in range(2):
        assert main(["render", "-v", str(target)]) == 0
        assert told(capsys, package) == []


def test_a_validator_writes_nothing(package, capsys):
    kptfile = package / "Kptfile"
    text = kptfile.read_text().replace(LAYERED, "")
    kptfile.write_text(f"{text}  validators:\n{LAYERED}")
    assert main(["render", "-v", str(package)]) == 0
    assert told(capsys, package) == []


KPTFILE = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: p}\npipeline:\n  mutators:\n"
STEP = "  - {exec: krm-layered-values, configPath: NAME.yaml}\n"
LAYER = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: layer}\ndata:\n  values.yaml: |\n    a: one\n"
TARGET = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: target}\ndata: {a: x}\n"
CONFIG = """\
apiVersion: krm-values.dev/v1alpha1
kind: LayeredValues
metadata: {name: NAME, annotations: {config.kubernetes.io/local-config: "true"}}
spec:
  layers: [FROM]
  targets: [{kind: ConfigMap, name: TO, fields: {FIELD: a}}]
"""


def _config(name: str, layer: str, target: str, field: str) -> str:
    return CONFIG.replace("NAME", name).replace("FROM", layer).replace("TO", target).replace("FIELD", field)


READER = _config("reader", "{configMap: layer}", "target", "data.a")
WRITER = _config("writer", "{name: given, values: {a: two}}", "layer", "'data[\"values.yaml\"].a'")


def test_two_steps_of_one_function(tmp_path, capsys):
    steps = STEP.replace("NAME", "reader") + STEP.replace("NAME", "writer")
    files = {"Kptfile": KPTFILE + steps, "reader.yaml": READER, "writer.yaml": WRITER, "a.yaml": LAYER, "b.yaml": TARGET}
    write(tmp_path, files)
    assert main(["render", "-v", str(tmp_path)]) == 0
    (line,) = told(capsys, package)
    assert line.endswith(
        '`data["values.yaml"]`: layered-values (`pipeline.mutators[0]`) reads `data["values.yaml"]`, which '
        "layered-values (`pipeline.mutators[1]`) writes only later: put `pipeline.mutators[1]` before `pipeline.mutators[0]`"
    )


def test_a_step_of_the_package_around(tmp_path, capsys):
    """No order of one pipeline helps: that of a package runs after those of the packages in it."""
    files = {
        "Kptfile": KPTFILE + STEP.replace("NAME", "writer"),
        "writer.yaml": WRITER,
        "sub/Kptfile": KPTFILE + STEP.replace("NAME", "reader"),
        "sub/reader.yaml": READER,
        "sub/a.yaml": LAYER,
        "sub/b.yaml": TARGET,
    }
    write(tmp_path, files)
    assert main(["render", "-v", str(tmp_path)]) == 0
    (line,) = told(capsys, package)
    assert line.endswith(
        '`data["values.yaml"]`: layered-values (`pipeline.mutators[0]` of sub/Kptfile) reads `data["values.yaml"]`, which '
        "layered-values (`pipeline.mutators[0]` of Kptfile) writes only later, since a package is rendered after the packages in it: "
        "move one of the two steps to the other's Kptfile"
    )
