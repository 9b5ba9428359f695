"""Who reaches what: which items a target patches, in which order, and who is in whose way."""

from __future__ import annotations

import pytest

from tests.functions.glasskube_values.packages import API, FROM_VAULT, LEVEL, cluster, manifest, package, ref, target, value
from tests.functions.glasskube_values.resources import THING, config_map, secret, thing
from tests.functions.glasskube_values.runs import found, level, run, told

FROM_SOURCE = ref("configMapRef", "source", "k")


def reached(*items, namespace="", scope="Namespaced", **more):
    """The namespaces of the ConfigMaps env that a target reached."""
    place = target(namespace=namespace) if namespace else target()
    state = run(*items, manifests=[manifest(value("level", place), scope=scope, **more)])
    assert told(state) == [] or all("the value is not written anywhere" in error for error in told(state))
    written = [item for item in state.items if item["kind"] == "ConfigMap" and "LEVEL" in item["data"]]
    return [item["metadata"].get("namespace") for item in written]


EVERYWHERE = [config_map(namespace=space) for space in ("aviary", "marsh", None)]


@pytest.mark.parametrize(
    ("one", "namespace", "more", "expected"),
    [
        (package(values={"level": "x"}), "", {}, ["aviary", None]),
        (package(values={"level": "x"}, namespace="marsh"), "", {}, ["marsh", None]),
        (package(values={"level": "x"}, namespace=None), "", {}, [None]),
        (package(values={"level": "x"}), "aviary", {}, ["aviary", None]),
        (package(values={"level": "x"}), "marsh", {}, []),
        (cluster(values={"level": "x"}), "", {}, ["aviary", "marsh", None]),
        (cluster(values={"level": "x"}), "marsh", {}, ["marsh"]),
        (cluster(values={"level": "x"}), "aviary", {}, ["aviary", None]),
        (cluster(values={"level": "x"}), "aviary", {"manifests": [{"url": "a.yaml", "defaultNamespace": "marsh"}]}, ["aviary"]),
        (cluster(values={"level": "x"}), "marsh", {"manifests": [{"url": "a.yaml", "defaultNamespace": "marsh"}]}, ["marsh", None]),
        (cluster(values={"level": "x"}), "marsh", {"defaultNamespace": None}, ["marsh"]),
    ],
)  # fmt: skip
def test_a_package_matches_its_namespace_and_a_cluster_package_all(one, namespace, more, expected):
    scope = "Cluster" if one["kind"] == "ClusterPackage" else "Namespaced"
    assert reached(one, *EVERYWHERE, namespace=namespace, scope=scope, **more) == expected


def test_the_plain_manifest_an_item_comes_from_is_told_by_its_file():
    plain = [{"url": "https://a.example/one.yaml", "defaultNamespace": "marsh"}, {"url": "https://a.example/two.yaml"}]
    items = [config_map(namespace=None), config_map(namespace=None)]
    for item, file in zip(items, ("one.yaml", "two.yaml"), strict=True):
        item["metadata"]["annotations"] = {"config.kubernetes.io/path": f"base/{file}"}
    given = manifest(value("level", target(namespace="marsh")), scope="Cluster", manifests=plain)
    state = run(cluster(values={"level": "x"}), *items, manifests=[given])
    assert ["LEVEL" in item["data"] for item in state.items[1:3]] == [True, False]


def test_cluster_scoped_items_are_reached_by_a_package():
    role = {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole", "metadata": {"name": "all"}, "rules": []}
    place = target("/rules/-", apiGroup="rbac.authorization.k8s.io/v1", kind="ClusterRole", name="all")
    state = run(package(values={"level": "x"}), role, manifests=[manifest(value("level", place))])
    assert found(state, "all", "ClusterRole", None)["rules"] == ["x"]


@pytest.mark.parametrize(
    "other",
    [
        {"kind": "Secret"},
        {"name": "environment"},
        {"apiGroup": "v2"},
        {"apiGroup": "apps/v1"},
        {"apiGroup": ""},
        {"apiGroup": "/v2"},
    ],
)
def test_another_group_version_kind_or_name_is_not_reached(other):
    """An error where nothing else matches; beside a target that reaches something a warning."""
    items = package(values={"level": "x"}), config_map()
    (error,) = told(run(*items, manifests=[manifest(value("level", target(**other)))]))
    assert 'target of "level": the value is not written anywhere: no ' in error
    state = run(*items, manifests=[manifest(value("level", target(**other), target("/data/TONE")))])
    assert told(state) == []
    assert found(state)["data"].get("TONE") == "x"
    assert level(state) is None
    assert any('target of "level": no ' in warning for warning in told(state, "warning"))


def test_an_api_group_with_two_slashes_is_an_error():
    given = manifest(value("level", target(apiGroup="apps/v1/x")))
    (error,) = told(run(package(values={"level": "x"}), config_map(), manifests=[given]))
    assert 'target of "level": "apps/v1/x" is not group/version' in error


NEVER = [
    {"apiVersion": API, "kind": "PackageInfo", "metadata": {"name": "it"}, "spec": {}},
    {"apiVersion": "krm-values.dev/v1alpha1", "kind": "Note", "metadata": {"name": "it"}, "spec": {}},
    {"apiVersion": "kpt.dev/v1", "kind": "Kptfile", "metadata": {"name": "it"}, "spec": {}},
]


@pytest.mark.parametrize("item", NEVER, ids=lambda item: item["kind"])
def test_what_is_never_a_target(item):
    place = target("/spec/it", apiGroup=item["apiVersion"], kind=item["kind"], name="it")
    state = run(cluster(values={"level": "x"}), item, manifests=[manifest(value("level", place), scope="Cluster")])
    assert found(state, "it", item["kind"], None) == item


def test_what_this_function_wrote_is_never_a_target_nor_a_source():
    place = target("/spec/it", apiGroup="helm.toolkit.fluxcd.io/v2", kind="HelmRelease", name="lumen-lumen")
    source = {"apiGroup": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease", "name": "lumen-lumen"}
    given = manifest(
        value("level", place), helm={"repositoryUrl": "https://a.example", "chartName": "nest", "chartVersion": "1"}
    )
    first = run(package(values={"level": "x"}), manifests=[given])
    assert any("the value is not written anywhere" in error for error in told(first))
    given["valueDefinitions"] = {}
    first = run(package(), manifests=[given])
    second = run(*first.items, manifests=[given])
    assert second.items == first.items
    given["transformations"] = [{"source": {"resource": source, "path": "{ .spec.interval }"}, "targets": []}]
    (error,) = told(run(*first.items, manifests=[given]))
    assert "this function itself writes it" in error


def test_cluster_packages_come_first_then_packages_by_namespace_and_name():
    packages = [
        package("b", "marsh", manifest="one", values={"it": "marsh-b"}),
        package("a", "marsh", manifest="two", values={"it": "marsh-a"}),
        package("z", "aviary", manifest="three", values={"it": "aviary-z"}),
        cluster("zz", manifest="four", values={"it": "cluster"}),
    ]
    place = target("/spec/list/-", **THING)
    manifests = [
        {**manifest(value("it", place), scope=scope), "name": name}
        for name, scope in (("one", "Namespaced"), ("two", "Namespaced"), ("three", "Namespaced"), ("four", "Cluster"))
    ]
    state = run(*packages, thing({"list": []}, namespace=None), manifests=manifests)
    assert told(state) == told(state, "warning") == []
    assert found(state, "thing", "Thing", None)["spec"]["list"] == ["cluster", "aviary-z", "marsh-a", "marsh-b"]


def test_two_packages_of_one_manifest_on_one_item_are_an_error():
    items = [package(values={"level": "x"}), package(namespace="marsh", values={"level": "y"}), config_map(namespace=None)]
    state = run(*items, manifests=[manifest(LEVEL)])
    (error,) = told(state)
    assert told(state, "warning") == [], "that the later would win says nothing more"
    assert "ConfigMap env: is matched by Package aviary/lumen and by Package marsh/lumen" in error
    assert "give the item a namespace" in error


@pytest.mark.parametrize(
    ("one", "two", "conflict"),
    [
        ("/spec/a", "/spec/a", True),
        ("/spec/m", "/spec/m/b", True),
        ("/spec/m/b", "/spec/m", True),
        ("/spec/a", "/spec/b", False),
        ("/spec/list/-", "/spec/list/-", False),
        ("/spec/list/0", "/spec/list/0", True),
    ],
)
def test_two_packages_on_one_place_are_a_warning_and_the_later_wins(one, two, conflict):
    items = [cluster("one", manifest="one", values={"it": "1"}), cluster("two", manifest="two", values={"it": "2"})]
    places = {"one": target(one, template='{"x": {{ . }}}', **THING), "two": target(two, template="{{ . }}", **THING)}
    manifests = [{**manifest(value("it", place), scope="Cluster"), "name": name} for name, place in places.items()]
    state = run(*items, thing({"list": [], "m": {}}), manifests=manifests)
    assert told(state) == []
    said = [warning for warning in told(state, "warning") if "this one wins" in warning]
    assert len(said) == conflict
    assert not conflict or 'is also written by "it" of ClusterPackage one' in said[0]


def test_absent_namespaces_of_references_are_the_empty_one():
    sources = [config_map("source", None, k="nowhere"), config_map("source", "aviary", k="aviary")]
    for namespace, text in ((None, "nowhere"), ("aviary", "aviary")):
        one = package(namespace=namespace, values={"level": FROM_SOURCE})
        assert (
            level(run(one, *sources, config_map(namespace=namespace), manifests=[manifest(LEVEL)]), namespace=namespace) == text
        )
    (error,) = told(run(package(values={"level": FROM_SOURCE}), sources[0], config_map(), manifests=[manifest(LEVEL)]))
    assert "ConfigMap aviary/source is not in the list; there is one without a namespace" in error


def test_a_cluster_package_must_say_the_namespace_of_a_reference():
    items = [cluster(values={"level": FROM_SOURCE}), config_map("source", None, k="x"), config_map()]
    (error,) = told(run(*items, manifests=[manifest(LEVEL, scope="Cluster")]))
    assert 'no namespace given for ConfigMap "source": add `namespace`' in error


def test_two_different_objects_of_one_referenced_identity_are_an_error():
    items = [package(values={"level": FROM_VAULT}), config_map(), secret()]
    assert level(run(*items, secret(), manifests=[manifest(LEVEL)])) == "kelp-moss"
    (error,) = told(run(*items, secret(token="other"), manifests=[manifest(LEVEL)]))
    assert "Secret aviary/vault is in the list 2 times, in item 2 and item 3, and the objects differ: keep one" in error
    assert "kelp-moss" not in error


def test_a_referenced_object_and_a_target_are_found_by_the_name_they_had():
    internal = "internal.config.kubernetes.io/"
    renamed = config_map("pre-source", k="x")
    renamed["metadata"]["annotations"] = {
        f"{internal}previousKinds": "ConfigMap",
        f"{internal}previousNames": "source",
        f"{internal}previousNamespaces": "aviary",
    }
    place = value("tone", target("/data/TONE", name="source"))
    state = run(package(values={"level": FROM_SOURCE, "tone": "y"}), renamed, config_map(), manifests=[manifest(LEVEL, place)])
    assert told(state) == []
    (written,) = [item for item in state.items if item["metadata"]["name"] == "pre-source"]
    assert written["data"]["TONE"] == "y"
    without = run(package(values={"level": FROM_SOURCE}), renamed, config_map(), manifests=[manifest(LEVEL, place)])
    assert level(without) == "x"
