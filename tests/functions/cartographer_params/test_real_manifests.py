"""Objects of Cartographer as people wrote them: no key, kind or text of a valid one is taken for a mistake."""

from __future__ import annotations

from pathlib import Path

import pytest

from krm_values._krm import config, documents
from krm_values._krm import findings as results
from krm_values._run import registry
from krm_values._run.resolve import resolve
from tests import corpus

NAME = "cartographer-params"
ROOT = Path(__file__).parents[3]
KINDS = ("unknown-key", "misspelt-kind", "unclosed-tag", "unused-param")
"""The findings that are about likely mistakes in writing."""


def folders(root):
    """The folders that hold objects of Cartographer, each with these files: one list."""
    found: dict[Path, list[Path]] = {}
    for file in sorted([*root.rglob("*.yaml"), *root.rglob("*.yml")]):
        if b"carto.run/" in file.read_bytes():
            found.setdefault(file.parent, []).append(file)
    return [pytest.param(files, id=str(folder.relative_to(root))) for folder, files in found.items()]


def mistakes(files):
    function = registry.load(NAME)
    own = {"apiVersion": "krm-values.dev/v1alpha1", "kind": "CartographerParams", "metadata": {"name": "c"}, "spec": {}}
    source = documents.read(b"\n---\n".join(file.read_bytes() for file in files), "all.yaml")
    findings = resolve(function, config.read(function.form(), NAME, own), source).findings
    return [results.line(one) for one in findings if one.kind in KINDS]


REAL = folders(corpus.FOLDER) if corpus.FILES else []


@corpus.needed
def test_the_corpus_has_objects_of_cartographer():
    assert len(REAL) == 17


@corpus.needed
@pytest.mark.parametrize("files", REAL)
def test_no_real_manifest_has_a_mistake(files):
    assert mistakes(files) == []


@pytest.mark.parametrize("files", folders(ROOT / "examples"))
def test_no_example_has_a_mistake(files):
    """But for names with a step in them, for which that example has `scoped: true`; here the config is empty."""
    allowed = "component-names" in files[0].parts
    assert all(allowed and "is used by no template of ClusterSupplyChain `components`" in line for line in mistakes(files))
