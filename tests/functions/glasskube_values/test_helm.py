"""The Helm objects of a package, and charts as targets."""

from __future__ import annotations

from typing import Any

import pytest

from tests.functions.glasskube_values.packages import LEVEL, cluster, helm, manifest, package, target, value
from tests.functions.glasskube_values.resources import config_map
from tests.functions.glasskube_values.runs import found, run, told

PATH = "config.kubernetes.io/path"


def made(state: Any) -> dict[str, Any]:
    """Kind and name, with a namespace if there is one, of each generated object: its spec."""
    return {
        "/".join(filter(None, (item["kind"], item["metadata"].get("namespace"), item["metadata"]["name"]))): item["spec"]
        for item in state.items
        if item["kind"].startswith("Helm")
    }


def test_without_a_default_namespace_the_objects_have_none():
    state = run(cluster(), manifests=[manifest(scope="Cluster", defaultNamespace=None, helm=helm("nest"))])
    assert "HelmRelease/lumen-lumen" in made(state)
    (warning,) = told(state, "warning")
    assert warning.endswith("its Helm objects have no namespace")


@pytest.mark.parametrize(
    ("url", "kind"),
    [("oci://a.example/b", "oci"), ("https://a.example", "default"), ("http://oci.example", "default")],
)
def test_the_type_of_the_repository(url, kind):
    state = run(package(), manifests=[manifest(helm={**helm("nest"), "repositoryUrl": url})])
    assert made(state)["HelmRepository/aviary/lumen-lumen"] == {"url": url, "interval": "1h0m0s", "type": kind}


def test_values_that_are_an_empty_map_stay_so():
    state = run(package(), manifests=[manifest(helm={**helm("nest"), "values": {}})])
    assert made(state)["HelmRelease/aviary/lumen-lumen"]["values"] == {}


def test_releases_share_a_repository_and_repeated_charts_get_a_suffix():
    given = manifest(value("level", target("/tone", chart="nest")), helm=helm("nest", "perch", "nest", "nest"))
    state = run(package(values={"level": "x"}), manifests=[given])
    specs = made(state)
    assert list(specs) == [
        "HelmRelease/aviary/lumen-lumen-nest",
        "HelmRelease/aviary/lumen-lumen-perch",
        "HelmRelease/aviary/lumen-lumen-nest-2",
        "HelmRelease/aviary/lumen-lumen-nest-3",
        "HelmRepository/aviary/lumen-lumen",
    ]
    assert [spec.get("values") for spec in specs.values()] == [{"tone": "x"}, None, {"tone": "x"}, {"tone": "x"}, None]
    assert len([warning for warning in told(state, "warning") if "gets the suffix" in warning]) == 2
    assert run(*state.items, manifests=[given]).items == state.items


def test_with_releases_the_values_of_the_section_itself_are_unused():
    given = manifest(helm={**helm("nest", "perch"), "values": {"a": 1}})
    assert all("values" not in spec for spec in made(run(package(), manifests=[given])).values())


def test_an_unknown_chart_is_an_error_or_beside_known_ones_a_warning():
    given = manifest(value("level", target("/tone", chart="nets")), helm=helm("nest"))
    (error,) = told(run(package(values={"level": "x"}), manifests=[given]))
    assert 'target of "level": the value is not written anywhere: no chart "nets" in manifest "lumen"' in error
    both = manifest(value("level", target("/tone", chart="nets"), target("/tone", chart="nest")), helm=helm("nest"))
    state = run(package(values={"level": "x"}), manifests=[both])
    assert any('target of "level": no chart "nets" in manifest "lumen"' in warning for warning in told(state, "warning"))


def test_somebodys_helm_release_is_no_chart():
    own = {"apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease", "metadata": {"name": "own", "namespace": "aviary"}}
    own["spec"] = {"chart": {"spec": {"chart": "nest"}}}
    given = manifest(value("level", target("/tone", chart="nest")), helm=helm("nest"))
    assert found(run(package(values={"level": "x"}), own, manifests=[given]), "own", "HelmRelease") == own


def test_an_object_of_the_same_name_is_never_touched():
    own: dict[str, Any] = {"apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease"}
    own["metadata"] = {"name": "lumen-lumen", "namespace": "aviary"}
    (error,) = told(run(package(), own, manifests=[manifest(helm=helm("nest"))]))
    assert "HelmRelease aviary/lumen-lumen: would be written from Package.packages.glasskube.dev/aviary/lumen/release" in error


def test_a_changed_release_is_edited_in_place_and_an_orphan_removed():
    given = manifest(value("level", target("/tone", chart="nest")), helm=helm("nest"))
    first = run(package(values={"level": "x"}), manifests=[given])
    first.items[1]["metadata"]["annotations"][PATH] = "elsewhere.yaml"
    second = run(package(values={"level": "y"}), *first.items[1:], manifests=[given])
    assert second.items[1]["spec"]["values"] == {"tone": "y"}
    assert second.items[1]["metadata"]["annotations"][PATH] == "elsewhere.yaml"
    gone = run(*second.items[1:], config_map(), manifests=[given])
    assert [item["kind"] for item in gone.items] == ["ConfigMap"]
    assert told(gone, "warning") == [
        "elsewhere.yaml (stdin:4:3): HelmRelease aviary/lumen-lumen: is removed: nothing generates it any more",
        "glasskube/aviary/helmrepository-lumen-lumen.yaml (stdin:24:3): HelmRepository aviary/lumen-lumen: is removed: nothing generates it any more",
    ]


def test_strict_lets_a_release_go_that_nobody_makes():
    """As an error it would never go: nobody could mend it."""
    given = manifest(helm=helm("nest"))
    first = run(package(), config_map(), manifests=[given], strict=True)
    gone = run(*first.items[1:], manifests=[given], strict=True)
    assert [item["kind"] for item in gone.items] == ["ConfigMap"]
    assert told(gone) == []
    assert len(told(gone, "warning")) == 2


def test_a_release_whose_package_fails_is_not_said_to_go():
    given = manifest(LEVEL, helm=helm("nest"))
    first = run(package(values={"level": "x"}), config_map(), manifests=[given])
    broken = package(values={"level": "x", "bevel": "y"})
    for strict in (False, True):
        (error,) = told(run(broken, *first.items[1:], manifests=[given], strict=strict))
        assert '"bevel"' in error


def test_a_manifest_without_a_helm_section_makes_no_objects():
    assert made(run(package(values={"level": "x"}), config_map(), manifests=[manifest(LEVEL)])) == {}
