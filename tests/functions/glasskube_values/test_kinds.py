"""What a run finds has one of the kinds that its errors have, so that `strict` makes no new ones; lint's own kind is a tag."""

from __future__ import annotations

import pytest

from krm_values._krm import findings
from krm_values._yaml import emit
from tests.cli.packages import command, write
from tests.functions.glasskube_values.packages import LEVEL, cluster, manifest, target, value
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


def lines(**spec):
    definition = ("level", {"tpe": "text", "targets": []}) if spec.pop("typed", None) is False else LEVEL
    found = run(cluster(values={}), config_map(), manifests=[manifest(definition, scope="Cluster")], **spec)
    return [findings.line(one) for one in found.outcome.findings]


def test_a_default_of_no_definition_is_named_with_the_nearest():
    (one,) = [one for one in lines(useDefaults=["levl"]) if "levl" in one]
    assert one.endswith('functionConfig `spec.useDefaults[0]`: no manifest defines "levl"; did you mean "level"?')


def test_a_missing_type_is_found_as_nothing_and_defaults_are_not_checked():
    wrong, lacks = lines(typed=False, useDefaults=["levl"])
    assert "`tpe`" in wrong or "level.tpe`" in wrong
    assert lacks.endswith("must be one of `boolean`, `text`, `number`, `options`; found nothing")


@pytest.mark.parametrize("text", ["spec: {manifest: {name: lumen, m: !!int abc}}", "spec: {manifest: {nme: lumen}}"])
def test_a_package_whose_manifest_cannot_be_read_is_no_second_mistake(text, tmp_path):
    head = "apiVersion: krm-values.dev/v1alpha1\nkind: PackageManifest\nmetadata: {name: m}\n"
    package = "".join(f"{line}\n" for line in emit.block(cluster(values={})))
    files = write(tmp_path, {"a.yaml": package, "b.yaml": f"{head}{text}\n"})
    done = command("run", "glasskube-values", "a.yaml", "b.yaml", cwd=files)
    found = [line for line in done.stderr.splitlines() if line.startswith(("error", "warning"))]
    assert found
    assert all(": b.yaml:" in line for line in found), found
