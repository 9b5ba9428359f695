"""Manifests as people wrote them, and our own examples: flux-values and giantswarm-config find no typo in them, without exception."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from krm_values._cli import pipe
from krm_values._kit import documents, results
from tests.conformance.cases import resource_list

ROOT = Path(__file__).parents[2]
CORPUS = Path(os.environ.get("KRM_SHARED", ROOT.parent / "shared")) / "corpus"
FILES = sorted(path for folder in (CORPUS, ROOT / "examples") for path in folder.rglob("*.yaml"))
ALLOWED = [{"kind": kind, "name": "*"} for kind in ("ConfigMap", "Secret")]
TOLD = {"unknown-key", "unknown-field", "misspelt-kind", "version", "no-effect", "set-syntax", "set-number"}


@pytest.mark.parametrize("function", ["flux-values", "giantswarm-config"])
def test_real_manifests_have_no_typo(function):
    found, read = set(), 0
    for file in FILES:
        items = [item.data for item in documents.read(file.read_bytes(), file.name).items if isinstance(item.data, dict)]
        allowed = [*ALLOWED, *([{"kind": "Catalog", "name": "*"}] if function == "giantswarm-config" else [])]
        outcome = pipe.answer(resource_list(items, function, {"allowMissing": allowed}), function)[1]
        read += len(items)
        found |= {(function, file.name, results.line(one)) for one in outcome.findings if one.kind in TOLD}
    assert read > 60
    assert found == set()
