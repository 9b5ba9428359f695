"""`outputs: [helmRelease]` (rules S20 to S22): Flux composes from it what Helm gets from the App."""

from __future__ import annotations

from random import Random

import pytest
import yaml

from tests.functions.flux_values import support as flux
from tests.functions.giantswarm_config.support import app, catalog, config_map, made, ref, run, secret, told


def released(*items, **config):
    """(spec of the HelmRelease or None, state)."""
    state = run(*items, outputs=["helmRelease"], **config)
    found = [item for item in state.items if item["kind"] == "HelmRelease"]
    return (found[0]["spec"] if found else None), state


def maps(random, kind, name):
    """Values whose keys have one kind of value each, so that it does not matter how layers are grouped."""
    scalars = {key: random.choice(["x", 1, True]) for key in random.sample("abc", 2)}
    return {**scalars, "m": dict.fromkeys(random.sample("def", 2), f"{kind} {name}")}


@pytest.mark.parametrize("seed", range(100))
def test_flux_composes_what_helm_gets_from_the_app(seed):
    random = Random(seed)
    layers, entries = [], []
    fixed: dict[str, dict[str, object]] = {"config": {}, "userConfig": {}, "catalog": {}}
    for kind, make in (("configMap", config_map), ("secret", secret)):
        for level, name in (("config", "base"), ("userConfig", "user"), ("catalog", "shelf")):
            if random.random() < 0.7:
                fixed[level][kind] = ref(name)
                layers.append(make(name, yaml.safe_dump(maps(random, kind, name))))
        for number in range(random.randint(0, 3)):
            entries.append(ref(f"extra{number}", kind=kind, priority=random.randint(1, 150)))
            layers.append(make(f"extra{number}", yaml.safe_dump(maps(random, kind, number))))
    random.shuffle(entries)
    shelf = fixed.pop("catalog")
    items = [app(extraConfigs=entries, **fixed), catalog(**shelf), *layers]
    expected = made(run(*items, outputs=["combined"], scalarConflict="override")).get("combined")
    spec, state = released(*items)
    assert told(state, "error") == []
    release = {
        "apiVersion": "helm.toolkit.fluxcd.io/v2",
        "kind": "HelmRelease",
        "metadata": {"name": "web", "namespace": "team"},
    }
    (composed,) = flux.made(flux.run({**release, "spec": spec}, *layers)).values()
    assert composed == (expected or {})
    assert run(*state.items, outputs=["helmRelease"]).items == state.items


def test_a_layer_without_a_key_is_left_out_and_a_missing_one_is_optional():
    items = [
        app(config={"configMap": ref("empty")}, userConfig={"configMap": ref("gone")}, extraConfigs=[ref("up")]),
        catalog(),
        config_map("empty"),
        config_map("up", data={"b.yaml": "b: 1\n", "a.yaml": "a: 1\n"}),
    ]
    spec, _ = released(*items, keys="any", allowMissing=[{"kind": "ConfigMap", "name": "gone"}])
    assert spec["valuesFrom"] == [
        {"kind": "ConfigMap", "name": "up", "valuesKey": "a.yaml"},
        {"kind": "ConfigMap", "name": "up", "valuesKey": "b.yaml"},
        {"kind": "ConfigMap", "name": "gone", "valuesKey": "values", "optional": True},
    ]


def test_an_encrypted_layer_that_may_be_so_keeps_its_key():
    items = [app(userConfig={"secret": ref("login")}), catalog(), secret("login", sops={"mac": "x"}, data={"k": "ENC[x]"})]
    spec, _ = released(*items, allowMissing=[{"kind": "Secret", "name": "login"}])
    assert spec["valuesFrom"] == [{"kind": "Secret", "name": "login", "valuesKey": "k"}]


def test_without_layers_there_is_no_values_from():
    spec, _ = released(app(), catalog())
    assert "valuesFrom" not in spec


@pytest.mark.parametrize(
    ("catalogs", "more", "namespace"),
    [
        ([catalog()], {}, "default"),
        ([catalog(namespace="giantswarm")], {}, "giantswarm"),
        ([catalog(namespace="own")], {"catalogNamespace": "own"}, "own"),
        ([catalog(kind="AppCatalog", namespace="")], {}, None),
    ],
)
def test_the_source_is_in_the_namespace_of_the_catalog(catalogs, more, namespace):
    spec, _ = released(app(**more), *catalogs)
    source = spec["chart"]["spec"]["sourceRef"]
    assert (source["kind"], source["name"], source.get("namespace")) == ("HelmRepository", "shelf", namespace)


REMOTE = {"kubeConfig": {"inCluster": False, "secret": ref("east", "platform")}}
REFUSED = [
    (app(**REMOTE), ["Secret platform/east", "namespace team"]),
    (app(namespace="", userConfig={"configMap": ref("base")}), ["ConfigMap team/base", "no namespace"]),
    (app(version=...), ["must be a string"]),
    (app(version=1), ["must be a string"]),
]


@pytest.mark.parametrize(("item", "words"), REFUSED)
def test_what_a_helm_release_cannot_express_is_an_error(item, words):
    spec, state = released(item, catalog(), config_map("base", "a: 1\n"))
    errors = told(state, "error")
    assert spec is None
    assert any(all(word in error for word in words) for error in errors), errors


def test_an_app_of_another_cluster_without_a_kubeconfig_is_a_warning():
    spec, state = released(app(kubeConfig={"inCluster": False}), catalog())
    assert "kubeConfig" not in spec
    assert any("`spec.kubeConfig.secret`" in warning for warning in told(state, "warning"))


DIFFERENT = [
    ("a: 1\n", "a: {b: 1}\n", "a: {c: 1}\n", ["`a`"]),
    ("a: {b: 1}\n", "a: null\n", "a: {c: 1}\n", ["`a`"]),
    ("a: {b: 1}\n", "a: {c: 1}\n", "a: {c: 2}\n", []),
]


@pytest.mark.parametrize(("lower", "one", "two", "keys"), DIFFERENT)
def test_a_value_that_flux_merges_otherwise_is_a_warning(lower, one, two, keys):
    items = [
        app(config={"configMap": ref("base"), "secret": ref("one")}, userConfig={"secret": ref("two")}),
        catalog(),
        config_map("base", lower),
        secret("one", one),
        secret("two", two),
    ]
    _, state = released(*items)
    found = [warning for warning in told(state, "warning") if "Flux merges" in warning]
    assert [key in warning for key, warning in zip(keys, found, strict=True)] == [True] * len(keys)
