"""Each row of the manual's chapter "Differences from Glasskube" is held by a recorded answer."""

from __future__ import annotations

import re

import pytest

from krm_values._cli import manual
from tests.functions.glasskube_values.packages import LEVEL, cluster, helm, manifest, package, ref, target, value
from tests.functions.glasskube_values.resources import config_map
from tests.functions.glasskube_values.runs import found, level, run, told
from tests.oracles.glasskube import differences, patches, values

NEST = helm("nest", values={})
ALONE = {"source": {"resource": {"kind": "ConfigMap", "name": "env"}, "path": "{ .data }"}, "targets": []}
LIST = ("level", {"type": "text", "targets": [{**target(), "patch": [{"op": "add", "path": "/data/LEVEL"}]}]})
OWN = {"valueFrom": {"configMapRef": {"name": "env", "key": "OWN"}}}
MEANT = {"valueFrom": {"configMapRef": {"name": "env", "namespace": "aviary", "value": "OWN"}}}
BESIDE = value("level", target(), label="Level", hints="SuggestSecretRef")
GONE = {"valueFrom": {"configMapRef": {"name": "gone", "namespace": "aviary", "key": "k"}}}
BOTH = value("level", target("/nowhere/x"), constraints={"maxLength": 2})

RUNS = {
    "several stages that fail": ("resolution", manifest(BOTH), {"level": "long", "tone": GONE}, ["resolution", "validation"]),
    "a list of patches in a target": ("manifest", manifest(LIST), {"level": "x"}, "x"),
    "`apiVersion` for `apiGroup`": ("nothing", manifest(value("level", target(apiGroup="", apiVersion="v1"))), {"level": "x"}, "x"),
    "`.value` in a template": ("template", manifest(value("level", target(template='"{{ .value }}"'))), {"level": "x"}, "x"),
    "`value` for `key` in a reference": ("configuration", manifest(LEVEL), {"level": MEANT}, "own"),
    "`label`, `description` and `hints` beside `metadata`, a single hint": ("manifest", manifest(BESIDE), {"level": "x"}, "x"),
    "no `scope`, and a Package": ("manifest", manifest(LEVEL, scope=None), {"level": "x"}, "x"),
    "a reference of a Package without namespace": ("resolution", manifest(LEVEL), {"level": OWN}, "own"),
    "a target that matches nothing": ("nothing", manifest(value("level", target(name="gone"))), {"level": "x"}, ["target"]),
    differences.MISSHAPEN: ("manifest", manifest(value("level", target(), constraints={"min": "3"})), {"level": "x"}, "x"),
}  # fmt: skip
"""By the manual's row: the operator's answer (a stage that fails, or `nothing` written), what it was asked, and ours."""


def rows() -> list[str]:
    """The first cells of the manual's table."""
    chapter = manual.page("glasskube-values").split("## Differences from Glasskube")[1].split("\n## ")[0]
    return re.findall(r"^\| (.*?) \|", chapter, re.MULTILINE)[2:]


def test_each_row_of_the_manual_is_recorded():
    charts = ["a boolean or number in the values of a chart, without template", "a missing parent in the values of a chart"]
    others = ["a Package without namespace", "a cycle of references, a transformation's source without `apiGroup`"]
    assert sorted(rows()) == sorted([*RUNS, *charts, *others, *(row.manual for row in differences.PATCHES)])


@pytest.mark.parametrize("row", RUNS)
def test_what_the_function_answers(row):
    """[9], [15], [20] and [73] are among them."""
    upstream, given, configured, ours = RUNS[row]
    state = run(package(values=configured), config_map(OWN="own"), manifests=[given])
    errors = [finding.kind for finding in state.outcome.findings if finding.severity == "error"]
    assert (sorted(errors) or level(state)) == ours != upstream


def test_the_values_of_charts():
    """The operator writes the string, and no parent: `typed` and `createParents` off."""
    place = value("level", target("/none/it", chart="nest"), kind="number")
    given = {"manifests": [manifest(place, helm=NEST)]}
    state = run(package(values={"level": "7"}), **given)
    assert found(state, "lumen-lumen", "HelmRelease")["spec"]["values"] == {"none": {"it": 7}}
    (error,) = told(run(package(values={"level": "7"}), **given, createParents=False))
    assert "/none does not exist" in error
    state = run(package(values={"level": "7"}), **given, typed=False)
    assert found(state, "lumen-lumen", "HelmRelease")["spec"]["values"] == {"none": {"it": "7"}}


def test_a_package_without_namespace_reaches_what_a_target_names():
    place = target()
    place["resource"]["namespace"] = "aviary"
    state = run(package(namespace=None, values={"level": "x"}), config_map(), manifests=[manifest(value("level", place))])
    assert (told(state), level(state)) == ([], "x")


def test_where_the_operator_crashes_is_an_error():
    ring = cluster(values={"level": ref("packageRef", "lumen", "level")})
    errors = told(run(ring, config_map(), manifests=[manifest(LEVEL, scope="Cluster", transformations=[ALONE])]))
    assert ["cycle lumen.level" in error for error in errors] == [False, True]
    assert "must have an `apiGroup`" in errors[0]


@pytest.mark.parametrize("row", differences.PATCHES, ids=lambda row: row.rule)
def test_what_the_function_does_with_an_operation(row):
    """[58], [59], [63], [64], [67] and [68]."""
    for document, op, path, content, _, ours in row.recorded:
        assert row.manual == differences.row_of(values.held(document), op, path, values.held(content))
        done = patches.outcome(document, {"op": op, "path": path, "value": content})
        assert done == ours or values.same(done, values.held(ours))
