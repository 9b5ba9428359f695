"""A version that a group does not have is said of every kind that a function reads, however far it is from the known ones."""

from __future__ import annotations

import pytest

from krm_values._krm import findings as results
from tests.typos.test_typos import findings

KINDS = [
    ("tekton-params", "tekton.dev", "Task"),
    ("cartographer-params", "carto.run", "Workload"),
    ("glasskube-values", "packages.glasskube.dev", "Package"),
    ("glasskube-values", "krm-values.dev", "PackageManifest"),
    ("giantswarm-config", "application.giantswarm.io", "App"),
    ("envgene-sd", "krm-values.dev", "SolutionDescriptor"),
]


@pytest.mark.parametrize("version", ["v7", "v2alpha9", "one"])
@pytest.mark.parametrize(("function", "group", "kind"), KINDS)
def test_an_unknown_version_is_said(function, group, kind, version):
    item = {"apiVersion": f"{group}/{version}", "kind": kind, "metadata": {"name": "lumen"}}
    said = [
        one
        for one in findings(function, [item], {})
        if f'the version "{version}" of {group} is not known' in results.message(one)
    ]
    assert [(one.severity, one.kind) for one in said] == [("warning", "misspelt-kind")]
