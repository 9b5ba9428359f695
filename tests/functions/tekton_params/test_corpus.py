"""Tekton's own examples and catalog: every finding is kept as a golden, and `propagate` rejects none of the examples."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from krm_values._data.errors import InputError
from krm_values._krm import documents
from krm_values._krm.shapes import misspelt
from krm_values.tekton_params import function
from tests import corpus
from tests.functions.tekton_params.support import Resolved, resolve

ROOT = Path(__file__).parents[3]
CORPUS = corpus.FOLDER
GOLDEN = Path(__file__).parent / "corpus.txt"
MODES: dict[str, dict[str, Any]] = {
    "implicit": {},
    "propagate": {"mode": "propagate"},
    "propagate, references": {"mode": "propagate", "references": True},
    "implicit, references, referenceDefaults": {"references": True, "referenceDefaults": True},
}

if not corpus.FILES:
    pytest.skip(corpus.MISSING, allow_module_level=True)

FILES = [
    path
    for path in corpus.FILES
    if path.suffix == ".yaml" and re.search(r"(?m)^apiVersion: tekton\.dev/", path.read_text("utf-8"))
]


SAMPLES = "tektoncd/catalog/stepaction/tekton-catalog-publish"
FAULTY = {
    f"{SAMPLES}/{version}/samples/run-without-workspace-secret.yaml": "`ref` and values stand in the taskSpec itself instead of a step"
    for version in ("0.1", "0.3")
}
"""Manifests with real mistakes of how they are built."""


def name(path: Path) -> str:
    return path.relative_to(CORPUS).as_posix()


def run(path: Path, config: dict[str, Any]) -> Resolved:
    try:
        return resolve(path.read_text("utf-8"), **config)
    except InputError as error:
        pytest.fail(f"{name(path)}: {error}")


def test_there_are_files():
    assert len(FILES) > 60


def test_the_findings_of_every_file_in_every_mode(request):
    lines = [
        f"{name(path)} ({mode}): {finding.severity}: {finding.rule} {finding.message}"
        for path in FILES
        for mode, config in MODES.items()
        for finding in run(path, config).findings
    ]
    assert lines == GOLDEN.read_text("utf-8").splitlines()


def test_no_file_but_the_faulty_ones_has_a_finding_of_the_rules_with_s():
    found = {name(path) for path in FILES for config in MODES.values() for one in run(path, config).findings if "S" in one.rule}
    assert found == set(FAULTY)


def test_no_kind_group_or_version_of_any_file_is_taken_for_misspelt():
    for path in (path for path in CORPUS.rglob("*") if path.suffix in (".yaml", ".yml", ".json")):
        items = documents.read(path.read_bytes(), path.name).items
        assert list(misspelt(function.serves, items, "S7")) == [], path


@pytest.mark.parametrize("path", FILES, ids=name)
@pytest.mark.parametrize("config", MODES.values(), ids=MODES)
def test_a_second_run_changes_nothing_and_explains_the_same(config, path):
    first = run(path, config)
    if first.errors:
        return
    second = resolve(first.items, **config)
    assert second.edits == []
    assert second.facts == first.facts


EXAMPLES = [path for path in FILES if name(path).startswith("tektoncd/pipeline/")]


@pytest.mark.parametrize("path", EXAMPLES, ids=name)
@pytest.mark.parametrize("config", [MODES["propagate"], MODES["propagate, references"]], ids=["alone", "with references"])
def test_propagate_rejects_no_example_that_upstream_runs(config, path):
    assert run(path, config).errors == []
