"""What a run finds has one of the kinds that its errors have, so that `strict` makes no new ones; lint's own kind is a tag."""

from __future__ import annotations

import pytest

from krm_values._kit.planner import findings
from tests.functions.glasskube_values.packages import LEVEL, cluster, helm, manifest, target, value
from tests.functions.glasskube_values.resources import config_map, secret, thing
from tests.functions.glasskube_values.runs import run

CHART = target("/out", chart="nest")
FROM_SECRET = {"level": {"valueFrom": {"secretRef": {"name": "vault", "namespace": "aviary", "key": "token"}}}}


def one(definition, items=(), values=None, **more):
    package = cluster(values=values or {})
    found = run(package, config_map(), *items, manifests=[manifest(definition, scope="Cluster", **more)], strict=True)
    return [(findings.as_result(finding)["tags"].get("lint"), finding.kind) for finding in found.outcome.findings]


@pytest.mark.parametrize(
    ("definition", "more", "expected"),
    [
        (value("level", target(), constraints={"pattern": "("}), {}, ("pattern", "validation")),
        (value("level", target(), kind="options"), {}, ("options", "validation")),
        (value("level", target(), kind="number", defaultValue="a"), {}, ("default", "validation")),
        (value("level", target(), kind="number", constraints={"min": 3, "max": 2}), {}, ("bounds", "validation")),
        (value("level", target(template="{{ if")), {}, (None, "template")),
        (value("level", target(template="{{.}}")), {}, ("template-json", "template")),
        (value("level", target(template="{{ if . }}1{{ else }}0{{ end }}"), kind="boolean"), {}, ("if-boolean", "template")),
        (value("level", target(op="move")), {}, ("op", "patch")),
        (value("level", target("/data/a~b")), {}, ("pointer", "patch")),
        (value("level", target("data/a")), {}, ("slash", "patch")),
        (value("level", target(), target()), {}, ("duplicate", "target")),
        (value("level", target(apiGroup="apps")), {}, ("api-group", "target")),
        (value("level", CHART), {}, ("dead-target", "target")),
        (value("level", CHART, kind="number"), {"helm": helm("nest")}, ("text-boolean", "target")),
        (value("level", target(), colour="red"), {}, ("unknown-key", "unknown-key")),
    ],
)
def test_a_warning_of_lint_in_a_run_has_the_kind_of_its_stage(definition, more, expected):
    assert one(definition, **more) == [expected]


def test_what_only_a_run_sees_has_one_too():
    assert one(LEVEL, [secret()], FROM_SECRET) == [(None, "target")]
    number = value(
        "level", target("/spec/n", "replace", apiGroup="aviary.example/v1", kind="Thing", name="thing"), kind="number"
    )
    assert one(number, [thing({"n": 1})], {"level": "3"}) == [(None, "target")]
    unknown = run(cluster(), manifests=[manifest(LEVEL, scope="Cluster")], useDefaults=["gone"])
    assert [finding.kind for finding in unknown.outcome.findings] == ["configuration"]
