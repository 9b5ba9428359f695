"""Rules of the specification that no conformance case names."""

from __future__ import annotations

import pytest

from krm_values.glasskube_values.json_patch import PatchError, apply
from tests.functions.glasskube_values.packages import LEVEL, cluster, manifest, package, ref, target, value
from tests.functions.glasskube_values.resources import config_map
from tests.functions.glasskube_values.runs import level, run, told

BORROWED = {"level": ref("packageRef", "other", "depth")}


def test_a_reference_finds_a_cluster_package_and_never_a_package():
    """[22]"""
    given = manifest(LEVEL)
    found = run(package(values=BORROWED), cluster("other", "other", values={"depth": "5"}), config_map(), manifests=[given])
    assert level(found) == "5"
    refused = run(
        package(values=BORROWED), package("other", manifest="other", values={"depth": "5"}), config_map(), manifests=[given]
    )
    assert any("only ClusterPackages can be referred to" in text for text in told(refused))


def test_a_reference_ignores_the_defaults_of_the_other_package():
    """[23]"""
    other = {**manifest(value("depth", defaultValue="5"), scope="Cluster"), "name": "other"}
    objects = [package(values=BORROWED), cluster("other", "other"), config_map()]
    state = run(*objects, manifests=[manifest(LEVEL), other], useDefaults=["depth"])
    assert any('value "depth" of ClusterPackage other is not configured' in text for text in told(state))


def test_a_referenced_value_is_checked_by_the_definition_that_uses_it():
    """[26]"""
    other = {**manifest(value("depth", kind="text"), scope="Cluster"), "name": "other"}
    used = manifest(value("level", target(), kind="number"))
    objects = [package(values=BORROWED), cluster("other", "other", values={"depth": "deep"}), config_map()]
    (error,) = told(run(*objects, manifests=[used, other]))
    assert 'value "level" must be a whole number' in error


def test_a_template_error_is_reported_even_if_the_target_matches_nothing():
    """[55]"""
    given = manifest(value("level", target(template="{{ . | nope }}")))
    assert any(
        'function "nope" is not defined' in text for text in told(run(package(values={"level": "5"}), manifests=[given]))
    )


def test_a_source_of_a_transformation_needs_its_api_group():
    """[84]"""
    wrong = {"source": {"resource": {"kind": "ConfigMap", "name": "env"}, "path": "{ .data }"}, "targets": [target()]}
    assert any(
        "must have an `apiGroup`" in text
        for text in told(run(package(), config_map(), manifests=[manifest(transformations=[wrong])]))
    )


def test_the_value_of_a_transformation_is_not_validated():
    """[88]"""
    made = {"source": {"path": "{ $.metadata.name }"}, "targets": [target()]}
    given = manifest(value("level", kind="number"), transformations=[made])
    state = run(package(), config_map(), manifests=[given])
    assert (told(state), level(state)) == ([], "lumen")


def test_a_reference_may_use_value_for_key_and_its_packages_namespace():
    """[D7] and [D8]"""
    borrowed = {"level": {"valueFrom": {"configMapRef": {"name": "env", "value": "MODE"}}}}
    state = run(package(values=borrowed), config_map(), manifests=[manifest(LEVEL)])
    assert (told(state), level(state)) == ([], "calm")


def test_the_empty_path_replaces_the_whole_document_by_a_map_only():
    """[68]"""
    whole = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "env", "namespace": "aviary"}}
    assert apply(whole, "replace", "", {"kind": "Other"}).data == {"kind": "Other"}
    with pytest.raises(PatchError, match="must be a map or a list"):
        apply(whole, "replace", "", "text")
    with pytest.raises(PatchError, match="cannot be removed"):
        apply(whole, "remove", "", None)
