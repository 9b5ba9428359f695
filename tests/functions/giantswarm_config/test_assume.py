"""Layers that only the cluster adds: which, where in the order, and when not."""

from __future__ import annotations

import pytest

from tests.functions.giantswarm_config.support import app, catalog, config_map, made, ref, run, secret, told

REMOTE = {"kubeConfig": {"inCluster": False, "context": {"name": "pier"}}}
CLUSTER = {"giantswarm.io/cluster": "pier"}
IN_CLUSTER = {"app-operator.giantswarm.io/version": "0.0.0"}


def values(name, namespace="team"):
    return config_map(name, f"who: {name}\n{name}: 1\n", namespace=namespace)


CLUSTER_VALUES = [
    ("the namespace is the cluster", app(**REMOTE), [values("team-cluster-values")], {"who": "team-cluster-values", "team-cluster-values": 1}),
    ("the label in an organization", app(**REMOTE, namespace="org-x", labels=CLUSTER), [values("pier-cluster-values", "org-x")], {"who": "pier-cluster-values", "pier-cluster-values": 1}),
    ("the label elsewhere means nothing", app(**REMOTE, labels=CLUSTER), [values("pier-cluster-values")], None),
    ("in-cluster", app(), [values("team-cluster-values")], None),
    ("the version of in-cluster apps", app(**REMOTE, labels=IN_CLUSTER), [values("team-cluster-values")], None),
    ("above an entry of 1, which is listed before it", app(**REMOTE, extraConfigs=[ref("one", priority=1)]), [values("one"), values("team-cluster-values")],
     {"who": "team-cluster-values", "one": 1, "team-cluster-values": 1}),
    ("below an entry of 2", app(**REMOTE, extraConfigs=[ref("two", priority=2)]), [values("two"), values("team-cluster-values")],
     {"who": "two", "two": 1, "team-cluster-values": 1}),
    ("already referenced", app(**REMOTE, config={"configMap": ref("team-cluster-values")}, extraConfigs=[ref("late", priority=40)]), [values("late"), values("team-cluster-values")],
     {"who": "team-cluster-values", "late": 1, "team-cluster-values": 1}),
]  # fmt: skip


@pytest.mark.parametrize(("item", "layers", "expected"), [pytest.param(*row[1:], id=row[0]) for row in CLUSTER_VALUES])
def test_rule_14(item, layers, expected):
    """The webhook's entry stands where rule 14 puts it."""
    state = run(item, catalog(), *layers, assume=["clusterValues"])
    assert told(state, "error") == []
    assert made(state).get("configMap") == expected


def test_rule_14_without_assume_nothing_is_added():
    assert made(run(app(**REMOTE), catalog(), values("team-cluster-values"))) == {}


@pytest.mark.parametrize(
    ("item", "word"),
    [(app(**REMOTE), "team/team-cluster-values"), (app(**REMOTE, namespace="org-x"), "the label `giantswarm.io/cluster`")],
)
def test_rule_14_what_is_not_there_or_not_known_is_said(item, word):
    state = run(item, catalog(), assume=["clusterValues"], strict=True)
    assert word in "".join(told(state, "info"))
    assert made(state) == {}


def test_rule_15_config_map_and_secret_are_adopted_each_for_itself():
    item = app(userConfig={"configMap": ref("mine")})
    held = [
        values("mine"),
        values("web-user-values", "giantswarm"),
        secret("web-user-secrets", "s: 1\n", namespace="giantswarm"),
    ]
    state = run(item, catalog(), *held, assume=["userValues"])
    assert made(state) == {"configMap": {"who": "mine", "mine": 1}, "secret": {"s": 1}}


def test_rule_15_the_chart_namespace_is_looked_in():
    held = [values("web-user-values", "charts"), values("web-user-values", "giantswarm")]
    held[1]["data"]["values"] = "wrong: 1\n"
    state = run(app(), catalog(), *held, assume=["userValues"], chartNamespace="charts", outputs=["configMap"])
    assert made(state) == {"configMap": {"who": "web-user-values", "web-user-values": 1}}


def test_rule_15_what_is_not_there_is_said_for_the_chains_that_are_needed():
    (text,) = told(run(app(), catalog(), assume=["userValues"], outputs=["configMap"]), "info")
    assert "ConfigMap giantswarm/web-user-values" in text


def test_rule_75_an_app_without_a_name_is_refused():
    item = app()
    item["metadata"] = {"generateName": "web-", "namespace": "team"}
    assert "`metadata.name`: must be given" in told(run(item, catalog()), "error")[0]
