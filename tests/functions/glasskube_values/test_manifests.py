"""Where manifests come from, which one a Package takes, and how they are read."""

from __future__ import annotations

from typing import Any

import pytest

from krm_values._run import invoke
from tests.conformance.cases import resource_list
from tests.functions.glasskube_values.packages import API, FROM_VAULT, LEVEL, cluster, manifest, package, ref, target, value
from tests.functions.glasskube_values.resources import config_map, secret
from tests.functions.glasskube_values.runs import found, level, run, told


def wrapper(data: Any, name: str = "any", **stated: str) -> dict[str, Any]:
    metadata = {"name": name, "annotations": {"config.kubernetes.io/local-config": "true"}}
    return {
        "apiVersion": "krm-values.dev/v1alpha1",
        "kind": "PackageManifest",
        "metadata": metadata,
        "spec": {**stated, "manifest": data},
    }


def package_info(data: Any, name: str = "lumen", version: str = "v1", repository: str = "") -> dict[str, Any]:
    spec = {"name": name, "version": version, **({"repositoryUrl": repository} if repository else {})}
    return {
        "apiVersion": API,
        "kind": "PackageInfo",
        "metadata": {"name": f"{name}--{version}"},
        "spec": spec,
        "status": {"manifest": data},
    }


def writes(text: str) -> dict[str, Any]:
    """A manifest that shows which one was taken."""
    return manifest(value("level", target(template=f'"{text}"')))


def taken(*items: Any, inline: tuple[Any, ...] = (), info: dict[str, str] | None = None) -> Any:
    state = run(package(values={"level": "x"}, info=info or {}), config_map(), *items, manifests=list(inline))
    return (told(state) + told(state, "warning")) or level(state)


def test_a_manifest_is_inline_in_a_wrapper_or_of_the_cluster():
    """[1]"""
    assert taken(inline=(writes("a"),)) == "a"
    assert taken(wrapper(writes("a"), "whatever")) == "a"
    assert taken(package_info(writes("a"))) == "a"


@pytest.mark.parametrize(
    ("items", "info", "expected"),
    [
        ([wrapper(writes("a"), version="v1")], {}, "a"),
        ([wrapper(writes("a"), version="v1"), wrapper(writes("b"), version="v2")], {}, "a"),
        ([wrapper(writes("a")), wrapper(writes("b"), version="v1")], {}, "b"),
        ([wrapper(writes("a")), wrapper(writes("b"), version="v2")], {}, "a"),
        ([package_info(writes("a"), version="v2"), package_info(writes("b"))], {}, "b"),
        ([wrapper(writes("a"), repositoryName="one")], {"repositoryName": "one"}, "a"),
        ([wrapper(writes("a"), repositoryName="one")], {}, "a"),
        ([wrapper(writes("a"), repositoryName="two"), wrapper(writes("b"), repositoryName="one")], {"repositoryName": "one"}, "b"),
        ([package_info(writes("a"), repository="two"), package_info(writes("b"), repository="one")], {"repositoryName": "one"}, "b"),
        ([wrapper(writes("a"), "one", version="v1"), wrapper(writes("a"), "two", version="v1")], {}, "a"),
        ([wrapper({**writes("a"), "name": "other"}), wrapper(writes("b"))], {}, "b"),
    ],
)  # fmt: skip
def test_a_package_takes_the_info_of_its_name_version_and_repository(items, info, expected):
    assert taken(*items, info=info) == expected


@pytest.mark.parametrize("items", [[wrapper(writes("a"), version="v1.0")], [wrapper(writes("a"), version=" v1")]])
def test_versions_are_compared_as_text(items):
    (warning,) = taken(*items)
    assert 'no manifest of "lumen" v1 is given, only' in warning


def test_two_that_differ_are_an_error_that_names_both():
    (error,) = taken(wrapper(writes("a"), "one"), inline=(writes("b"),))
    assert 'manifest "lumen" is given by `spec.manifests[0]` and by PackageManifest one, and they differ: keep one' in error


def test_without_a_manifest_a_package_is_left_alone_and_can_be_referred_to():
    depth = ref("packageRef", "orchid", "depth")
    other = cluster("orchid", manifest="orchid", values={"depth": "deep"})
    given = manifest(LEVEL, scope="Cluster")
    state = run(cluster(values={"level": depth}), other, config_map(), manifests=[given])
    assert level(state) == "deep"
    (warning,) = told(state, "warning")
    assert 'ClusterPackage orchid `spec.packageInfo`: no manifest of "orchid" v1 is given: the package is left alone' in warning
    assert found(state, "orchid", "ClusterPackage", None) == other


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"name": None}, "`spec.manifests[0].name`: manifest: must be given"),
        ({"scope": "Global"}, 'must be `Cluster` or `Namespaced`; found string "Global"'),
        ({"valueDefinitions": []}, "must be a map; found array"),
        ({"helm": {"chartName": "nest"}}, "helm.repositoryUrl`"),
        ({"helm": {"chartName": "nest", "values": "a"}}, 'must be a map; found string "a"'),
        (
            {"valueDefinitions": {"level": {"targets": []}}},
            "must be one of `boolean`, `text`, `number`, `options`; found nothing",
        ),
        ({"valueDefinitions": {"level": {"type": "text"}}}, "must be given; an empty list is enough"),
        ({"transformations": [{"source": {}, "targets": []}]}, "`spec.manifests[0].transformations[0].source.path`"),
    ],
)
def test_a_manifest_that_cannot_be_read_is_an_error(change, words):
    given = {key: entry for key, entry in {**manifest(LEVEL), **change}.items() if entry is not None}
    state = run(package(values={"level": "x"}), config_map(), manifests=[given])
    assert any(words in error for error in told(state)), told(state)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"type": "colour"}, '`spec.manifests[0].valueDefinitions.level.type`: "level" of manifest "lumen": must be one of'),
        (
            {"constraints": {"minLength": 1.5}},
            '"level" of manifest "lumen": must be a whole number of 64 bits; found number 1.5',
        ),
        ({"constraints": {"minLength": "3"}}, 'must be a whole number of 64 bits; found string "3"'),
        ({"constraints": {"maxLength": 2**63}}, "must be a whole number of 64 bits"),
        ({"constraints": {"required": "true"}}, 'must be true or false; found string "true"'),
        ({"options": "a"}, 'must be a list; found string "a"'),
        ({"defaultValue": {"a": 1}}, "must be a string; found object"),
        ({"targets": [{"patch": {"op": "add", "path": "/a"}}]}, "must name a `resource` or a `chartName`"),
        ({"targets": [{**target(), "chartName": "nest"}]}, "must name a `resource` or a `chartName`, not both"),
        ({"targets": [{**target(), "patch": {"op": "add"}}]}, "targets[0].patch.path`"),
        ({"targets": [{**target(), "patch": "add"}]}, 'must be a map; found string "add"'),
        ({"targets": [{"chartName": "nest"}]}, "must be given, with `op` and `path`"),
        ({"targets": [target(apiVersion="v2")]}, 'must have one `apiGroup`; found string "v1" and `apiVersion` string "v2"'),
        ({"targets": [target(name="")]}, "targets[0].resource.name`"),
    ],
)
def test_a_definition_that_cannot_be_read_is_an_error(change, words):
    state = run(package(values={"level": "x"}), config_map(), manifests=[manifest(value("level", target(), **change))])
    (error,) = told(state)
    assert words in error


@pytest.mark.parametrize(
    ("written", "text"), [(True, "true"), (False, "false"), (5, "5"), (1.10, "1.1"), (1e6, "1e+06"), (0.1, "0.1"), ("on", "on")]
)
def test_plain_scalars_become_text(written, text):
    given = manifest(value("level", target(), kind="options", options=[written], defaultValue=written))
    state = run(package(), config_map(), manifests=[given], useDefaults=True)
    assert (told(state), level(state)) == ([], text)


def test_the_case_of_keys_is_ignored_and_unknown_keys_are_a_warning():
    """[5]"""
    name, definition = value("level", target())
    given = manifest(
        (name, {"TYPE": definition["type"], "Targets": definition["targets"], "colour": "red"}), shortdescription="x"
    )
    state = run(package(values={"level": "x"}), config_map(), manifests=[given])
    assert level(state) == "x"
    assert [warning for warning in told(state, "warning") if "is not a field here" in warning] == [
        '`spec.manifests[0].valueDefinitions.level.colour`: "level" of manifest "lumen": is not a field here and is ignored'
    ]


def test_what_is_wrong_in_a_manifest_that_nobody_takes_is_said_as_well():
    state = run(config_map(), manifests=[{"name": "tern", "scope": "Global"}])
    assert len(told(state)) == 1


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ({"values": []}, "must be a map of values"),
        ({"values": {"level": "x"}}, 'configuration of "level" must be a map with `value` or `valueFrom`'),
        ({"values": {"level": {}}}, 'configuration of "level" is empty'),
        ({"values": {"level": {"value": 3}}}, 'configuration of "level" must be a string, found number 3: quote it'),
        ({"values": {"level": {"value": "x", "valueFrom": {}}}}, 'configuration of "level" has `value` and `valueFrom`'),
        ({"values": {"level": {"valueFrom": {}}}}, "must have exactly one reference; found none"),
        ({"values": {"level": {"valueFrom": {"configMapRef": {"name": "a"}}}}}, "configMapRef has no `key`"),
        ({"values": {"level": {"valueFrom": {"secretRef": {"key": "a"}}}}}, "secretRef has no `name`"),
        ({"values": {"level": {"valueFrom": {"packageRef": {"name": "a", "key": "b"}}}}}, "packageRef has no `value`"),
        ({"packageInfo": {"name": "lumen"}}, "`spec.packageInfo.version`: must be given"),
        ({"packageInfo": {"name": 1, "version": "v1"}}, "must be a string; found number 1"),
        ({"packageInfo": None}, "must be a map with `name` and `version`"),
    ],
)
def test_what_the_crd_refuses_in_a_package_is_an_error(spec, words):
    broken = package()
    broken["spec"] = {**broken["spec"], **spec}
    state = run(broken, config_map(), manifests=[manifest(LEVEL)])
    assert any(words in error for error in told(state)), told(state)


def test_a_scope_that_disagrees_with_the_kind():
    items = [config_map()]
    (error,) = told(run(cluster(values={"level": "x"}), *items, manifests=[manifest(LEVEL)]))
    assert 'manifest "lumen" has scope Namespaced: a Package is needed' in error
    state = run(package(values={"level": "x"}), *items, manifests=[manifest(LEVEL, scope=None)])
    (warning,) = told(state, "warning")
    assert 'manifest "lumen" has no scope, which means Cluster' in warning
    assert told(run(cluster(values={"level": "x"}), *items, manifests=[manifest(LEVEL, scope=None)]), "warning") == []


def test_suspend_has_no_effect_and_says_so():
    state = run(package(values={"level": "x"}, suspend=True), config_map(), manifests=[manifest(LEVEL)])
    assert level(state) == "x"
    assert told(state, "info") == ["stdin:16:5: Package aviary/lumen `spec.suspend`: has no effect here"]


BROKEN = {
    "Package": "apiVersion: packages.glasskube.dev/v1alpha1\n  kind: Package\n  metadata: {name: lumen, namespace: aviary}\n  spec: {values: *x}",
    "Manifest": "apiVersion: krm-values.dev/v1alpha1\n  kind: PackageManifest\n  metadata: {name: lumen}\n  spec: {a: *b}",
    "Secret": "apiVersion: v1\n  kind: Secret\n  metadata: {name: vault, namespace: aviary}\n  stringData: {token: *x}",
    "Target": "apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: env, namespace: aviary}\n  data: {a: *x}",
}


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
def test_an_item_that_cannot_be_read_is_said_once(text):
    """Nothing that only follows from it."""
    items = [package(values={"level": FROM_VAULT}), secret(), config_map()]
    kind = text.split("kind: ")[1].split("\n")[0]
    spec = {"manifests": [manifest(LEVEL)]}
    given = resource_list([item for item in items if item["kind"] != kind], "glasskube-values", spec).decode()
    outcome = invoke.answer(given.replace("items:\n", f"items:\n- {text}\n", 1).encode(), "")[1]
    assert [finding.kind for finding in outcome.findings if finding.severity == "error"] == ["unreadable"]
