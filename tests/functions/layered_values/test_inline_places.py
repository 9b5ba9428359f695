"""What is found about inline values has the file, line and column of the functionConfig, in every form of findings."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.commands import called

HEAD = "apiVersion: krm-values.dev/v1alpha1\nkind: LayeredValues\nmetadata: {name: lv}\nspec:\n  layers:\n"
END = "  targets: [{configMap: gen}]\n"
KPTFILE = "{apiVersion: kpt.dev/v1, kind: Kptfile, metadata: {name: x}, pipeline: {mutators: [{exec: krm-layered-values, configPath: cfg.yaml}]}}\n"
CM = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cm}\ndata:\n  values.yaml: |\n    a: 1\n    m: {x: 1}\n"
FOUND = {
    "schema": ("  - values:\n      n: 0\n  schema: {properties: {n: {minimum: 1}}}\n", "7:7", "must fit `minimum: 1`"),
    "absent": ("  - values:\n      n: 0\n  schema: {required: [x]}\n", "8:3", "`x`: is required"),
    "unknown": (
        "  - values:\n      n: 0\n  schema: {properties: {}, additionalProperties: false}\n",
        "7:7",
        "not a value that",
    ),
    "reference": ("  - values:\n      n: 0\n      z: {$value: o.p}\n", "8:7", "there is no `o.p`"),
    "cycle": ("  - values:\n      z: {$value: y}\n      y: {$value: z}\n", "8:7", "leads back to"),
    "wrong reference": ("  - values:\n      z: {$value: y, b: 1}\n", "7:7", "a reference is a map of the one key"),
    "type-change": ("  - {configMap: cm}\n  - values:\n      a: {b: 1}\n", "8:11", "`a` is a map in layer values"),
    "empty-map": ("  - {configMap: cm}\n  - values:\n      m: {}\n", "8:7", "is an empty map"),
    "loop": (
        "  - values: {n: 0}\n  schema:\n    properties: {n: {$ref: '#/properties/n'}}\n",
        "8:22",
        "leads back to the schema",
    ),
    "default": ("  - values: {n: 0}\n  schema:\n    properties: {q: {default: {$value: o}}}\n", "8:22", "there is no `o`"),
}


@pytest.fixture
def package(tmp_path: Path) -> Path:
    for name, text in (("Kptfile", KPTFILE), ("cm.yaml", CM)):
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.parametrize(("config", "place", "words"), FOUND.values(), ids=FOUND)
def test_each_finding_has_a_place(package: Path, config: str, place: str, words: str):
    (package / "cfg.yaml").write_text(HEAD + config + END)
    line, column = place.split(":")
    text = called("krm-values", "render", "-v", "--diff", package).stderr.decode()
    (found,) = [one for one in text.splitlines() if words in one]
    assert f": cfg.yaml:{place}: " in found or f"/cfg.yaml:{place}: " in found
    github = called("krm-values", "render", "-v", "--diff", package, "--format", "github").stderr.decode()
    (found,) = [one for one in github.splitlines() if words in one]
    assert f"cfg.yaml,line={line},col={column}," in found
    sarif = json.loads(called("krm-values", "render", "-v", "--diff", package, "--format", "sarif").stderr)
    (result,) = [one for one in sarif["runs"][0]["results"] if words.partition("`")[0] in one["message"]["text"]]
    (location,) = result["locations"]
    assert location["physicalLocation"]["region"] == {"startLine": int(line), "startColumn": int(column)}
