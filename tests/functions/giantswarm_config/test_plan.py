"""What is written, what must not change, what is refused and what is worth a word."""

from __future__ import annotations

import pytest

from tests.functions.giantswarm_config.support import app, catalog, config_map, made, ref, run, secret, told

BASE = {"config": {"configMap": ref("base")}}
BOTH = {"config": {"configMap": ref("base"), "secret": ref("login")}}
SHELF = catalog()

CHANGES = [
    ("a layer of the catalog", [app(), catalog(configMap=ref("base")), config_map("base", "a: 1\n")], {"configMap": {"a": 1}}),
    ("rule 10: the catalog in giantswarm", [app(**BASE), catalog(namespace="giantswarm"), config_map("base", "a: 1\n")], {"configMap": {"a": 1}}),
    ("rule 10: a named namespace", [app(**BASE, catalogNamespace="x"), catalog(namespace="x"), config_map("base", "a: 1\n")], {"configMap": {"a": 1}}),
    ("rule 11: an AppCatalog", [app(), catalog(kind="AppCatalog", namespace="", configMap=ref("base")), config_map("base", "a: 1\n")], {"configMap": {"a": 1}}),
    ("rule 2: an empty name is no layer", [app(config={"configMap": {"name": "", "namespace": ""}}), SHELF], {}),
    ("rule 13: null defaults", [app(extraConfigs=[ref("base", kind=None, priority=None)]), SHELF, config_map("base", "a: 1\n")], {"configMap": {"a": 1}}),
    (
        "rules 21 to 24: every band",
        [
            app(
                **BASE,
                userConfig={"configMap": ref("user")},
                extraConfigs=[ref("p150", priority=150), ref("p101", priority=101), ref("p100", priority=100), ref("p51", priority=51), ref("p50", priority=50)],
            ),
            SHELF,
            *(config_map(name, f"{name}: 1\nlast: {name}\n") for name in ("base", "user", "p150", "p101", "p100", "p51", "p50")),
        ],
        {"configMap": {"base": 1, "user": 1, "p150": 1, "p101": 1, "p100": 1, "p51": 1, "p50": 1, "last": "p150"}},
    ),
    ("rule 27: referenced but empty", [app(**BASE), SHELF, config_map("base")], {"configMap": {}}),
    ("rule 34: binaryData is not read", [app(**BASE), SHELF, config_map("base", "a: 1\n", binaryData={"x": "YjogMQo="})], {"configMap": {"a": 1}}),
    ("rule 35: stringData over data", [app(config={"secret": ref("login")}), SHELF, secret("login", "b: 2\n", data={"values": "YjogMQo="})], {"secret": {"b": 2}}),
    ("rule 39: Go's booleans", [app(**BASE), SHELF, config_map("base", "y: y\n")], {"configMap": {"true": True}}),
    ("rule 40: Go's numbers", [app(**BASE), SHELF, config_map("base", "a: 9007199254740993\nb: 1.10\nc: 08\n")], {"configMap": {"a": 9007199254740992, "b": 1.1, "c": 8}}),
    ("an object of the other kind and name", [app(**BASE), SHELF, config_map("base", "a: 1\n"), secret("base", "a: 2\n")], {"configMap": {"a": 1}}),
    ("two outputs", [app(**BOTH), SHELF, config_map("base", "a: 1\n"), secret("login", "b: 2\n")], {"configMap": {"a": 1}, "secret": {"b": 2}}),
]  # fmt: skip

UNCHANGED = [
    ("nothing at all", [config_map("base", "a: 1\n")]),
    ("rule 27: an App without a layer", [app(), SHELF, config_map("base", "a: 1\n")]),
    ("a Catalog nobody uses", [catalog(configMap=ref("base")), config_map("base", "a: [\n")]),
    ("another group's App", [{**app(**BASE), "apiVersion": "apps.example.test/v1"}, config_map("base", "a: 1\n")]),
    ("rule 79: extras of null", [app(extraConfigs=None, config=None, userConfig=None), SHELF]),
]

REFUSED = [
    ("rule 2: no namespace", app(config={"configMap": {"name": "base"}}), ["spec.config.configMap.namespace", "must be given"]),
    ("rule 2: an empty namespace", app(userConfig={"secret": {"name": "base", "namespace": ""}}), ["spec.userConfig.secret.namespace", '"base"']),
    ("rule 2: not a map", app(config={"configMap": "base"}), ["spec.config.configMap", "must be a map"]),
    ("rule 2: config is no map", app(config=[]), ["spec.config", "must be a map"]),
    ("rule 4: no list", app(extraConfigs={}), ["spec.extraConfigs", "must be a list"]),
    ("rule 4: no name", app(extraConfigs=[{"namespace": "team"}]), ["spec.extraConfigs[0].name", "must be given"]),
    ("rule 4: an empty name", app(extraConfigs=[ref("")]), ["spec.extraConfigs[0].name", "must be the name"]),
    ("rule 4: an empty namespace", app(extraConfigs=[ref("base", "")]), ["spec.extraConfigs[0].namespace"]),
    ("rule 4: a name that is no text", app(extraConfigs=[{"name": 5, "namespace": "team"}]), ["spec.extraConfigs[0].name", "found number 5"]),
    ("rule 4: an entry that is no map", app(extraConfigs=["base"]), ["spec.extraConfigs[0]", "must be a map"]),
    ("rule 5: the kind's spelling", app(extraConfigs=[ref("base", kind="ConfigMap")]), ["spec.extraConfigs[0].kind", "did you mean `configMap`"]),
    ("rules 6 and 26: zero", app(extraConfigs=[ref("base", priority=0)]), ["spec.extraConfigs[0].priority", "1 to 150", "found number 0"]),
    ("rules 6 and 26: 151", app(extraConfigs=[ref("base", priority=151)]), ["spec.extraConfigs[0].priority", "found number 151"]),
    ("rule 6: a fraction", app(extraConfigs=[ref("base", priority=2.5)]), ["spec.extraConfigs[0].priority", "found number 2.5"]),
    ("rule 6: a text", app(extraConfigs=[ref("base", priority="25")]), ["spec.extraConfigs[0].priority", '"25"']),
    ("rule 6: a boolean", app(extraConfigs=[ref("base", priority=True)]), ["spec.extraConfigs[0].priority"]),
    ("rule 7: a repeat", app(extraConfigs=[ref("base"), ref("base", kind="configMap", priority=60)]), ["spec.extraConfigs[1]", "spec.extraConfigs[0]"]),
    ("rule 10: no such catalog", app(catalog="other"), ["spec.catalog", '"other"', "default and giantswarm"]),
    ("rule 10: no catalog named", app(catalog=...), ["spec.catalog", "must name"]),
    ("rule 12: configs", app(configs=[]), ["spec.configs", "spec.extraConfigs"]),
    ("rule 43: a missing layer", app(config={"configMap": ref("gone")}), ["spec.config.configMap", "ConfigMap team/gone", "cluster level"]),
    ("rule 43: a layer elsewhere", app(config={"configMap": ref("base", "other")}), ["ConfigMap other/base", "one of that name", "in namespace team"]),
    ("rule 1: spec is a list", {**app(), "spec": []}, ["spec", "must be a map"]),
    ("rule 1: no spec", {**app(), "spec": None}, ["spec", "must be a map"]),
]  # fmt: skip

LAYERS_REFUSED = [
    ("rule 30: two keys", config_map("base", "a: 1\n", "b: 1\n"), ["exactly one data key (cluster level)", "`values`", "`values1`"]),
    ("rule 36: a list", config_map("base", "- 1\n"), ["must be a map", "stdin:35:7: "]),
    ("rule 38: keys of one text", config_map("base", "1: a\n'1': b\n"), ["same text"]),
    ("rule 42: infinity", config_map("base", "a: .inf\n"), ["stdin:35:10: ", "an infinite one"]),
    ("rule 45: no YAML", config_map("base", "a: [\n"), ["stdin:35:10: ", "is not YAML"]),
    ("a number", config_map("base", data={"values": 5}), ["data.values", "must be text"]),
    ("a list of data", config_map("base", data=[]), ["data", "must be a map of strings"]),
    ("SOPS at the top", config_map("base", "a: 1\n", sops={"mac": "x"}), ["SOPS"]),
    ("SOPS in a value", config_map("base", "ENC[AES256_GCM,data:x]"), ["SOPS"]),
    ("SOPS in the text", config_map("base", "a: ENC[x]\nsops: {mac: x}\n"), ["SOPS"]),
]  # fmt: skip

WARNED = [
    ("rule 16", [app(catalog="default", userConfig={"configMap": ref("base")}), catalog("default"), config_map("base")], ["`web-user-values`", '"base"']),
    ("rule 37", [app(**BASE), SHELF, config_map("base", "a: 1\n---\nb: 2\n")], ["stdin:37:7: ", "first YAML document", "line 37"]),
    ("rule 38", [app(**BASE), SHELF, config_map("base", "a: 1\na: 2\n")], ["stdin:36:7: ", "`a", "line 36", "twice"]),
    ("rule 39", [app(**BASE), SHELF, config_map("base", "a: on\n")], ["stdin:35:7: ", "`a: on` (line 35)"]),
    ("rule 40", [app(**BASE), SHELF, config_map("base", "a: 1.10\n")], ["stdin:35:7: ", "`a: 1.10` (line 35)"]),
    ("rule 56", [app(**BASE, extraConfigs=[ref("up", priority=60)]), SHELF, config_map("base", "a: 1\nm: {x: 1}\n"), config_map("up", "\na: {b: 1}\nm: []\n")],
     ["stdin:49:7: ", "`a` (line 49) is a map over the scalar of ConfigMap team/base (line 39)", "`m` (line 50) is a list over the map of ConfigMap team/base (line 40)"]),
    ("rule 65", [app(**BOTH), SHELF, config_map("base", "a: {b: 1}\n"), secret("login", "a: 1\n")], ["stdin:47:7: Secret team/login", "`a` (line 47) is a scalar over the map of ConfigMap team/base (line 38)", "the Secret wins"]),
    ("rule 66", [app(**BOTH), SHELF, config_map("base", "a: 1\n"), secret("login", "a: {b: 1}\n")], ["stdin:47:7: Secret team/login", "`a` (line 47) is a map over the scalar of ConfigMap team/base (line 38)", "drops the map"]),
    ("D7", [app(kubeConfig=...), SHELF], ["`spec.kubeConfig`"]),
    ("an unknown field of a reference", [app(extraConfigs=[ref("base", prioritty=5)]), SHELF, config_map("base")], ["spec.extraConfigs[0].prioritty", "`priority`"]),
    ("an unknown field of config", [app(config={"configmap": ref("base")}), SHELF], ["spec.config.configmap", "`configMap`"]),
]  # fmt: skip

INFORMED = [
    ("rule 11", [app(), catalog(kind="AppCatalog", namespace="")], ["AppCatalog"]),
    ("rule 42", [app(**BASE), SHELF, config_map("base", "a: 2024-02-29\n")], ["stdin:35:7: ", "`a: 2024-02-29` (line 35)"]),
    ("rule 55", [app(**BASE, extraConfigs=[ref("up", priority=60)]), SHELF, config_map("base", "a: {b: 1}\n"), config_map("up", "a: {}\n")], ["stdin:47:7: ", "`a` (line 47) is an empty map", "clears nothing"]),
    ("rule 76", [app(**BASE, kubeConfig={"inCluster": False}), SHELF, config_map("base")], ['cluster "team"']),
    ("rule 11.8: a Secret in Git", [app(config={"secret": ref("login")}), SHELF, secret("login", "a: 1\n")], ["web-chart-secrets", "outputs: [configMap]"]),
]  # fmt: skip


def ids(table):
    return [pytest.param(*row[1:], id=row[0]) for row in table]


@pytest.mark.parametrize(
    ("name", "namespace", "values", "warned"),
    [
        ("web", "team", "web-user-values", False),
        ("team-web", "team", "web-user-values", False),
        ("team-web", "team", "team-web-user-values", False),
        ("team-web", "team", "-web-user-values", True),
        ("org-a-web", "org-a", "web-user-values", True),
    ],
)
def test_rule_16_the_name_may_leave_out_the_namespace(name, namespace, values, warned):
    one = app(name, namespace, catalog="default", userConfig={"configMap": ref(values, namespace=namespace)})
    state = run(one, catalog("default"), config_map(values, namespace=namespace))
    assert any("admission refuses" in text for text in told(state, "warning")) is warned


@pytest.mark.parametrize(("items", "expected"), ids(CHANGES))
def test_change(items, expected):
    state = run(*items)
    assert told(state, "error") == []
    assert made(state) == expected


@pytest.mark.parametrize("items", [pytest.param(row[1], id=row[0]) for row in UNCHANGED])
def test_unchanged(items):
    state = run(*items)
    assert state.items == items
    assert state.out.rstrip() == state.given.rstrip()


@pytest.mark.parametrize(("item", "words"), ids(REFUSED))
def test_refused(item, words):
    state = run(item, SHELF, config_map("base", "a: 1\n"))
    assert state.items == state.inputs
    (text,) = told(state, "error")
    assert [word for word in ["App team/web", *words] if word not in text] == []


@pytest.mark.parametrize(("layer", "words"), ids(LAYERS_REFUSED))
def test_layer_refused(layer, words):
    state = run(app(**BASE), SHELF, layer)
    assert state.items == state.inputs
    (text,) = told(state, "error")
    assert [word for word in ["ConfigMap team/base", *words] if word not in text] == []


@pytest.mark.parametrize(("items", "words"), ids(WARNED))
def test_warned(items, words):
    state = run(*items)
    assert told(state, "error") == []
    (text,) = told(state, "warning")
    assert [word for word in words if word not in text] == []
    assert told(run(*items, strict=True), "error") == [text]


@pytest.mark.parametrize(("items", "words"), ids(INFORMED))
def test_informed(items, words):
    state = run(*items, strict=True)
    assert told(state, "error") == []
    (text,) = told(state, "info")
    assert [word for word in words if word not in text] == []


def test_rule_32_an_extra_layer_with_several_keys_is_refused():
    state = run(app(extraConfigs=[ref("base")]), SHELF, config_map("base", "a: 1\n", "b: 1\n"))
    assert "at random" in told(state, "error")[0]


def test_rule_35_bad_base64_is_refused_without_being_quoted():
    state = run(app(config={"secret": ref("login")}), SHELF, secret("login", data={"values": "n0t=base64"}))
    (text,) = told(state, "error")
    assert text == "stdin:35:5: Secret team/login `data.values`: must be base64"


def test_two_objects_of_one_name_are_an_error_only_where_referenced():
    twins = [config_map("base", "a: 1\n"), config_map("base", "a: 2\n")]
    for number, twin in enumerate(twins):
        twin["metadata"]["annotations"] = {"config.kubernetes.io/path": f"{number}.yaml"}
    assert told(run(app(), SHELF, *twins), "error") == []
    (text,) = told(run(app(**BASE), SHELF, *twins), "error")
    assert "0.yaml and 1.yaml" in text


def test_no_namespace_matches_only_no_namespace():
    bare = config_map("base", "a: 1\n")
    del bare["metadata"]["namespace"]
    (text,) = told(run(app(**BASE), SHELF, bare), "error")
    assert "without a namespace" in text


def test_an_object_is_found_under_its_name_before_kustomize_renamed_it():
    renamed = config_map("pre-base", "a: 1\n")
    internal = "internal.config.kubernetes.io/"
    renamed["metadata"]["annotations"] = {
        f"{internal}previousKinds": "ConfigMap",
        f"{internal}previousNames": "base",
        f"{internal}previousNamespaces": "team",
    }
    assert made(run(app(**BASE), SHELF, renamed)) == {"configMap": {"a": 1}}


def test_config_map_output_alone_never_opens_a_secret():
    broken = secret("login", data={"values": "n0t=base64"})
    state = run(app(**BOTH), SHELF, config_map("base", "a: 1\n"), broken, outputs=["configMap"])
    assert made(state) == {"configMap": {"a": 1}}
    assert state.outcome.findings == ()


def test_own_output_is_no_layer_even_where_allow_missing_covers_it():
    first = run(app(**BASE), SHELF, config_map("base", "a: 1\n"))
    other = app("other", config={"configMap": ref("web-chart-values", "giantswarm")})
    state = run(*first.items, other, allowMissing=[{"kind": "ConfigMap", "name": "*"}])
    assert "written by this function itself" in told(state, "error")[0]


def test_a_shared_layers_warning_is_said_once():
    state = run(app("one", **BASE), app("two", **BASE), SHELF, config_map("base", "a: on\n"))
    assert len(told(state, "warning")) == 1


def test_rule_77_the_written_objects_look_as_the_operators_do():
    """[77], and [80]: each object has exactly one key."""
    state = run(
        app(**BOTH), SHELF, config_map("base", "a: 1\n"), secret("login", "b: 2\n"), outputs=["configMap", "secret", "combined"]
    )
    login, held, helm = state.items[-3:]
    note = "DO NOT EDIT. Values managed by app-operator."
    for item in (held, login):
        assert item["metadata"]["labels"] == {"giantswarm.io/managed-by": "app-operator"}
        assert item["metadata"]["annotations"]["giantswarm.io/notes"] == note
    assert "labels" not in helm["metadata"]
    assert set(helm["metadata"]["annotations"]) == {
        "krm-values.dev/generated-by",
        "krm-values.dev/generated-from",
        "config.kubernetes.io/path",
    }
    assert (login["type"], login["data"]) == ("Opaque", {"values": "YjogMgo="})
    assert (helm["type"], list(helm["data"])) == ("Opaque", ["values.yaml"])
    assert held["data"] == {"values": "a: 1\n"}
