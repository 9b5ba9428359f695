"""What the recommended profile does with chart values and with Packages without a namespace [S28] [S29] [S30]."""

from __future__ import annotations

import pytest

from tests.functions.glasskube_values.packages import LEVEL, helm, manifest, package, target, value
from tests.functions.glasskube_values.resources import config_map
from tests.functions.glasskube_values.runs import found, level, run, told

BIG = "9007199254740993"


def chart_value(kind, given, path="/v", **config):
    definitions = manifest(value("level", target(path, chart="nest"), kind=kind), helm=helm("nest"))
    state = run(package(values={"level": given}), manifests=[definitions], **config)
    return told(state), (found(state, "lumen-lumen", "HelmRelease") or {}).get("spec", {}).get("values")


@pytest.mark.parametrize(
    ("kind", "given", "expected"),
    [
        ("boolean", "T", True),
        ("boolean", "0", False),
        ("number", "007", 7),
        ("number", BIG, int(BIG)),
        ("text", "7", "7"),
    ],
)
def test_booleans_and_numbers_are_typed_unless_that_is_switched_off(kind, given, expected):
    assert chart_value(kind, given) == ([], {"v": expected})
    assert chart_value(kind, given, typed=True) == ([], {"v": expected})
    assert chart_value(kind, given, typed=False) == ([], {"v": given})
    assert chart_value(kind, given, profile="upstream") == ([], {"v": given})


@pytest.mark.parametrize(
    ("path", "expected"), [("/a/b", {"a": {"b": "x"}}), ("/a/-", {"a": ["x"]}), ("/a/0/b", {"a": [{"b": "x"}]})]
)
def test_parents_are_created_unless_that_is_switched_off(path, expected):
    assert chart_value("text", "x", path) == ([], expected)
    for config in ({"createParents": False}, {"profile": "upstream"}):
        assert "does not exist" in chart_value("text", "x", path, **config)[0][0]


def test_only_a_string_without_template_that_is_not_typed_is_a_warning():
    definitions = manifest(value("level", target("/v", chart="nest"), kind="boolean"), helm=helm("nest"))
    for typed, expected in ((True, 0), (False, 1), (None, 0)):
        config = {} if typed is None else {"typed": typed}
        state = run(package(values={"level": "true"}), manifests=[definitions], **config)
        assert len(told(state, "warning")) == expected


@pytest.mark.parametrize(("wanted", "expected"), [("aviary", "5"), ("", None)])
def test_a_package_without_namespace_patches_the_namespace_of_its_target(wanted, expected):
    one = target(**({"namespace": wanted} if wanted else {}))
    objects = package(namespace=None, values={"level": "5"}), config_map(), config_map(namespace=None)
    state = run(*objects, manifests=[manifest(value("level", one))])
    assert (told(state), level(state)) == ([], expected)
    assert level(state, namespace=None) == (None if wanted else "5")


def test_upstream_it_patches_no_other_namespace():
    state = run(package(namespace=None, values={"level": "5"}), config_map(), manifests=[manifest(LEVEL)], profile="upstream")
    assert (told(state), level(state)) == ([], None)
