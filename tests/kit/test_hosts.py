"""What hosts and krm-values keep in annotations is hidden from planners."""

from __future__ import annotations

from copy import deepcopy

import pytest

from krm_values._data.scalars import read_plain
from krm_values._krm import hosts

HIDDEN = [
    *("config.kubernetes.io/path", "config.kubernetes.io/index", "config.kubernetes.io/origin", "config.k8s.io/id"),
    *("internal.config.kubernetes.io/path", "internal.config.kubernetes.io/anything", "internal.config.k8s.io/kpt-resource-id"),
    *("kustomize.config.k8s.io/id", "kustomize.config.k8s.io/behavior", "krm-values.dev/generated-by", "krm-values.dev/undo.x"),
]
SEEN = [
    "config.kubernetes.io/local-config",
    "config.kubernetes.io/function",
    "config.k8s.io/idx",
    "example.com/a",
    "a",
    "krm-values.device/a",
]


@pytest.mark.parametrize("name", HIDDEN)
def test_hidden(name):
    assert hosts.is_hidden(name)


@pytest.mark.parametrize("name", SEEN)
def test_seen(name):
    assert not hosts.is_hidden(name)


VIEWS = [
    ({"a": 1}, {"a": 1}, {}),
    ({"metadata": {"name": "x"}}, {"metadata": {"name": "x"}}, {}),
    ({"metadata": {"annotations": {}, "name": "x"}}, {"metadata": {"name": "x"}}, {}),
    ({"metadata": {"annotations": None, "name": "x"}}, {"metadata": {"name": "x"}}, {}),
    ({"metadata": {"annotations": {"config.k8s.io/id": "1"}}}, {"metadata": {}}, {"config.k8s.io/id": "1"}),
    (
        {"metadata": {"annotations": {"a": "b", "config.k8s.io/id": 1, "c": True}}},
        {"metadata": {"annotations": {"a": "b", "c": True}}},
        {"config.k8s.io/id": "1"},
    ),
    ({"metadata": {"annotations": {"a": "b"}}}, {"metadata": {"annotations": {"a": "b"}}}, {}),
    ({"metadata": {"annotations": ["a"]}}, {"metadata": {"annotations": ["a"]}}, {}),
    ({"metadata": "x"}, {"metadata": "x"}, {}),
    (["a"], ["a"], {}),
    (None, None, {}),
]


@pytest.mark.parametrize(("data", "view", "hidden"), VIEWS)
def test_hide(data, view, hidden):
    before = deepcopy(data)
    assert hosts.hide(data) == (view, hidden)
    assert data == before


@pytest.mark.parametrize(
    ("value", "text"), [(True, "true"), (False, "false"), (None, ""), (7, "7"), (read_plain("1.10"), "1.10"), ("x", "x")]
)
def test_hidden_annotations_are_text(value, text):
    assert hosts.hide({"metadata": {"annotations": {"config.k8s.io/id": value}}})[1] == {"config.k8s.io/id": text}


PACKAGES = [
    ({"/w/p"}, "/w/p", [""]),
    ({"/w/p", "/w/p/a", "/w/p/a/b"}, "/w/p", ["", "a", "a/b"]),
    ({"/w/p/a", "/w/p/b"}, "/w/p", ["a", "b"]),
    ({"/w/pa", "/w/p"}, "/w", ["p", "pa"]),
    (set(), "", []),
    ({"a", "b/c"}, "", ["a", "b/c"]),
]


@pytest.mark.parametrize(("packages", "outermost", "relative"), PACKAGES)
def test_packages(packages, outermost, relative):
    assert hosts.outermost(packages) == outermost
    assert [hosts.relative(package, outermost) for package in sorted(packages)] == relative
