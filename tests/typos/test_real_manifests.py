"""Manifests as people wrote them, and our own examples: no function takes anything in a valid one for a typo."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from krm_values._krm import documents, findings
from krm_values._run import invoke, registry
from tests import corpus
from tests.conformance.cases import resource_list

ROOT = Path(__file__).parents[2]
NAMES = ("ConfigMap", "Secret")
CONFIGS = {
    "flux-values": {"allowMissing": [{"kind": kind, "name": "*"} for kind in NAMES]},
    "giantswarm-config": {"allowMissing": [{"kind": kind, "name": "*"} for kind in (*NAMES, "Catalog")]},
}
TYPOS = {
    "unknown-key",
    "unknown-field",
    "configuration",
    "misspelt-kind",
    "misspelt-reference",
    "wrong-shape",
    "missing-name",
    "missing-value",
    "unused-param",
    "unclosed-tag",
    "version",
    "no-effect",
    "set-syntax",
    "set-number",
    "unknown-postfix",
}
"""The kinds of findings that take something for a mistake in writing."""
INVALID = {
    f"tekton-catalog-publish/{version}/samples/run-without-workspace-secret.yaml": "`ref` and `value` of params stand in a taskSpec"
    for version in ("0.1", "0.3")
} | {"originals/glasskube/value-configurations/package.yaml": "the text itself writes `value` for the key of a ConfigMap"}
"""Real files that are not valid, and why."""


@cache
def files() -> list[tuple[str, list[Any]]]:
    """Each file, and the objects in it."""
    found = [*(path for path in corpus.FILES if path.suffix == ".yaml"), *sorted((ROOT / "examples").rglob("*.yaml"))]
    return [(str(path), [item.data for item in documents.read(path.read_bytes(), path.name).items]) for path in found]


@pytest.mark.parametrize("function", registry.functions())
def test_real_manifests_have_no_typo(function):
    found = {}
    for name, items in files():
        maps = [item for item in items if isinstance(item, dict)]
        outcome = invoke.answer(resource_list(maps, function, CONFIGS.get(function, {})), function)[1]
        lines = [findings.line(one) for one in outcome.findings if one.kind in TYPOS]
        if lines and not any(name.endswith(invalid) for invalid in INVALID):
            found[name] = lines
    assert found == {}


@corpus.needed
def test_every_exception_is_one():
    names = [name for name, _ in files()]
    assert all(any(name.endswith(invalid) for name in names) for invalid in INVALID)
