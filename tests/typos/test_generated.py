"""Each field of the closed sets of flux-values and giantswarm-config, misspelt by one letter, is named with its nearest field."""

from __future__ import annotations

import random

import pytest

from krm_values._krm import findings
from krm_values._run import invoke
from krm_values.flux_values.upstream_fields import RELEASES
from krm_values.giantswarm_config.fields import SHAPES
from tests.conformance.cases import resource_list
from tests.typos import generated

HEADER = ("apiVersion", "kind", "metadata", "status")
SETS = [
    *(("flux-values", f"helm.toolkit.fluxcd.io/{version}", "HelmRelease", shape) for version, shape in RELEASES.items()),
    *(("giantswarm-config", "application.giantswarm.io/v1alpha1", kind, shape) for kind, shape in SHAPES.items()),
]
TOLD_OTHERWISE = {("spec", "configs"), ("spec", "valuesFrom", 0, "literal")}


@pytest.mark.parametrize(("function", "api_version", "kind", "shape"), SETS, ids=[f"{one[1]} {one[2]}" for one in SETS])
def test_a_field_that_is_misspelt_is_named(function, api_version, kind, shape):
    dice = random.Random(5)
    tried = 0
    for path, known in generated.fields(shape):
        if path[0] in HEADER:
            continue
        for typo in sorted(generated.typos(str(path[-1]), dice) - {*known}):
            wrong = (*path[:-1], typo)
            if wrong in TOLD_OTHERWISE:
                continue
            item = {"apiVersion": api_version, "kind": kind, "metadata": {"name": "web", "namespace": "team"}}
            found = invoke.answer(resource_list([{**item, **generated.document(wrong)}], function, {}), function)[1].findings
            (told,) = [one for one in found if one.kind in ("unknown-key", "unknown-field")]
            message = findings.message(told)
            assert (told.severity, told.path, told.tags) == ("warning", wrong, {"key": typo})
            near = [field for field in known if f"did you mean `{field}`" in message]
            assert f"`{typo}`" in message
            assert near == [path[-1]] or (len(near) == 1 and generated.is_near(typo, near[0])), message
            tried += 1
    assert tried > 60


@pytest.mark.parametrize(("function", "api_version", "kind", "shape"), SETS, ids=[f"{one[1]} {one[2]}" for one in SETS])
def test_a_field_that_is_spelt_right_is_not(function, api_version, kind, shape):
    for path, _ in generated.fields(shape):
        item = {"apiVersion": api_version, "kind": kind, "metadata": {"name": "web", "namespace": "team"}}
        found = invoke.answer(resource_list([item | generated.document(path)], function, {}), function)[1].findings
        assert [one for one in found if one.kind in ("unknown-key", "unknown-field", "misspelt-kind")] == [], path
