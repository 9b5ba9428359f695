"""`levels` and `keys` (rules S23 and S24)."""

from __future__ import annotations

import pytest
import yaml

from krm_values._krm.plan import New
from tests.cli.packages import command, kptfile, write
from tests.functions.giantswarm_config.support import app, catalog, config_map, made, ref, run, secret, told

WIDE = {"catalog": 10, "config": 110, "userConfig": 210}
BANDS = [(11, "base"), (110, "base"), (111, "up"), (210, "up"), (211, "up"), (310, "up")]


def winner(priority, **config):
    """The layer that sets a value of all layers, and the errors."""
    layers = [config_map(name, f"who: {name}\nof-{name}: 1\n") for name in ("base", "up")]
    items = [app(config={"configMap": ref("base")}, extraConfigs=[ref("up", priority=priority)]), catalog(), *layers]
    state = run(*items, outputs=["configMap"], **config)
    return made(state).get("configMap", {}).get("who"), told(state, "error")


@pytest.mark.parametrize(("priority", "expected"), BANDS)
def test_levels_move_the_bands(priority, expected):
    assert winner(priority, levels=WIDE) == (expected, [])


@pytest.mark.parametrize("priority", [10, 0, -1, 311])
def test_levels_move_the_range(priority):
    _, (error,) = winner(priority, levels=WIDE)
    assert "from 11 to 310" in error


@pytest.mark.parametrize(
    ("levels", "words"),
    [
        ({"userConfig": 120}, "distances 50 and 70"),
        ({"catalog": 50}, "the distance 0"),
        ({"catalog": 60}, "the distance -10"),
        ({"default": 0}, "from 1 to 150, found 0"),
        ({"default": 151}, "from 1 to 150, found 151"),
    ],
)
def test_levels_that_cannot_be_are_an_error(levels, words):
    _, (error,) = winner(25, levels=levels)
    assert "`levels`" in error
    assert words in error


@pytest.mark.parametrize(
    ("levels", "default"), [({}, 25), ({"config": 15, "userConfig": 30}, 8), (WIDE, 60), ({"default": 150}, 150)]
)
def test_the_default_is_the_middle_of_catalog_and_config_rounded_up(levels, default):
    layers = [config_map(name, f"who: {name}\n") for name in ("below", "none", "same")]
    entries = [ref("same", priority=default), ref("none"), ref("below", priority=default - 1)]
    items = [app(extraConfigs=entries), catalog(), *layers]
    (note,) = run(*items, outputs=["configMap"], levels=levels).outcome.notes
    assert [one["name"] for one in note.data] == ["below", "same", "none"]


def test_the_keys_of_a_secret_are_merged_in_bytewise_order():
    layer = secret("login", data={"b": "YTogMg=="}, stringData={"B": "a: 1\nc: 3\n", "é": "d: 4\n"})
    items = [app(userConfig={"secret": ref("login")}), catalog(), layer]
    assert made(run(*items, outputs=["secret"], keys="any")) == {"secret": {"a": 2, "c": 3, "d": 4}}


def test_with_any_keys_an_encrypted_document_makes_the_layer_encrypted():
    layer = config_map("base", "a: 1\n", "b: ENC[x]\nsops: {mac: x}\n")
    items = [app(userConfig={"configMap": ref("base")}), catalog(), layer]
    (error,) = told(run(*items, keys="any"), "error")
    assert "SOPS" in error


SAME = [
    (("a: 1\n", "b: 1\n"), []),
    (("a: 1\n", "a: 1\n"), ["`a`: set by the data keys `one`, `two`; `two` wins, keys are merged in bytewise order"]),
    (("a: {j: 1, k: 1}\n", "a: {k: 2, l: 3}\n"), ["`a.k`: set by the data keys `one`, `two`; `two` wins, keys are merged in bytewise order"]),
    (("a: {}\n", "a: {k: 2}\n"), []),
    (("a: [1]\nb: 1\n", "b: null\na: [2]\n"), ["`a`, `b`: set by the data keys `one`, `two`; `two` wins, keys are merged in bytewise order"]),
    (("a: 1\n", "a: 2\n", "a: 3\n"), ["`a`: set by the data keys `one`, `three`, `two`; `two` wins, keys are merged in bytewise order"]),
]  # fmt: skip


@pytest.mark.parametrize(("documents", "words"), SAME)
@pytest.mark.parametrize("kind", ["configMap", "secret"])
def test_a_value_that_two_keys_of_one_object_set_is_a_warning_with_both(kind, documents, words):
    texts = dict(zip(("one", "two", "three"), documents, strict=False))
    layer = secret("login", stringData=texts) if kind == "secret" else {**config_map("login", ""), "data": texts}
    items = [app(userConfig={kind: ref("login")}), catalog(), layer]
    found = [message.partition("`: ")[2] for message in told(run(*items, outputs=[kind], keys="any"), "warning")]
    assert [message for message in found if "data keys" in message] == words


def test_layers_of_one_object_are_told_apart_by_their_keys():
    layer = {**config_map("base", ""), "data": {"b.yaml": "x: 2\n", "a.yaml": "x: 1\nw: 1\n"}}
    items = [
        app(extraConfigs=[ref("base")], config={"configMap": ref("plain")}),
        catalog(),
        layer,
        config_map("plain", "z: 1\n"),
    ]
    state = run(*items, outputs=["configMap"], keys="any")
    (new,) = [decision.item for decision in state.outcome.decisions if isinstance(decision.item, New)][:1]
    told_by = {leaf.inner: [origin.layer for origin in (leaf.origin, *leaf.overridden)] for leaf in new.leaves}
    assert told_by == {
        ("x",): ["extraConfigs[0] b.yaml", "extraConfigs[0] a.yaml"],
        ("w",): ["extraConfigs[0] a.yaml"],
        ("z",): ["config"],
    }


def test_several_keys_are_refused_with_the_option_that_merges_them():
    items = [app(extraConfigs=[ref("base")]), catalog(), config_map("base", "a: 1\n", "b: 1\n")]
    (error,) = told(run(*items), "error")
    assert "`keys: any`" in error


REASONS = {
    (10, 50): "extraConfigs[1] overrides extraConfigs[0] (priority 50 over 10)",
    (50, 50): "extraConfigs[1] overrides extraConfigs[0] (priority 50, position 2 over 1)",
    (50, 10, 20): "extraConfigs[0] overrides extraConfigs[2] and extraConfigs[1] (priority 50 over 20 and 10)",
    (
        10,
        50,
        50,
    ): "extraConfigs[2] overrides extraConfigs[1] and extraConfigs[0]: the higher priority overrides the lower, and of equal ones the later",
}
"""What `explain` gives as the reason, by the priorities of the entries; the whole rule where no one number decides."""


@pytest.mark.parametrize("priorities", REASONS)
def test_the_reason_names_the_numbers_that_decide(priorities, tmp_path):
    names = [f"layer-{number}" for number in range(len(priorities))]
    entries = [ref(name, priority=priority) for name, priority in zip(names, priorities, strict=True)]
    items = [app(extraConfigs=entries), catalog(), *(config_map(name, f"from: {name}\n") for name in names)]
    write(tmp_path, {"Kptfile": kptfile("exec: krm-giantswarm-config"), "all.yaml": yaml.safe_dump_all(items)})
    rule = command("explain", tmp_path, "from").stdout.partition(" rule: ")[2]
    assert " ".join(rule.split()) == REASONS[priorities]


@pytest.mark.parametrize("priority", [20, 120])
def test_a_secret_overrides_a_config_map_whatever_their_priorities(priority, tmp_path):
    entries = [ref("open", priority=60), ref("login", kind="secret", priority=priority)]
    items = [app(extraConfigs=entries), catalog(), config_map("open", "from: open\n"), secret("login", "from: login\n")]
    config = {"apiVersion": "krm-values.dev/v1alpha1", "kind": "GiantswarmConfig", "metadata": {"name": "config"}}
    config["spec"] = {"outputs": ["combined"]}
    step = kptfile("exec: krm-giantswarm-config, configPath: config.yaml")
    write(tmp_path, {"Kptfile": step, "config.yaml": yaml.safe_dump(config), "all.yaml": yaml.safe_dump_all(items)})
    rule = command("explain", str(tmp_path), "from").stdout.partition(" rule: ")[2]
    assert " ".join(rule.split()) == (
        "extraConfigs[1] overrides extraConfigs[0]: a Secret overrides every ConfigMap, whatever their priorities"
    )


@pytest.mark.parametrize("value", ["open", "[1]"])
def test_a_value_of_a_config_map_stays_where_a_secret_has_a_map(value, tmp_path):
    entries = [ref("open", priority=20), ref("login", kind="secret", priority=120)]
    layers = [config_map("open", f"from: {value}\n"), secret("login", "from: {login: 1}\n")]
    config = {"apiVersion": "krm-values.dev/v1alpha1", "kind": "GiantswarmConfig", "metadata": {"name": "config"}}
    config["spec"] = {"outputs": ["combined"]}
    step = kptfile("exec: krm-giantswarm-config, configPath: config.yaml")
    items = yaml.safe_dump_all([app(extraConfigs=entries), catalog(), *layers])
    write(tmp_path, {"Kptfile": step, "config.yaml": yaml.safe_dump(config), "all.yaml": items})
    told = command("explain", str(tmp_path), "from").stdout
    assert [line.split()[:2] for line in told.splitlines() if line[:4] in ("  + ", "  - ")] == [
        ["+", "extraConfigs[0]"],
        ["-", "extraConfigs[1]"],
    ]
    assert " ".join(told.partition(" rule: ")[2].split()) == (
        "extraConfigs[0] overrides extraConfigs[1]: chart-operator keeps a ConfigMap's scalar or list where a Secret has a map"
    )
