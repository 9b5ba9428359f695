"""A Secret whose value is what somebody guesses, in an object that he may write: nothing that is printed, no exit code and no resource tells."""

from __future__ import annotations

import json

import pytest

from krm_values._yaml import decode
from tests.functions.flux_values.support import config_map, entry, release, secret, value
from tests.secrets.commands import krm

GUESS, OTHERS = "guess", ("other", "guess ", "gues", "4", "true", "x: y")
MAP, ANOTHER = "m: {u: guess}\n", "m: {u: guess, v: 1}\nn: 1\n"
BELOW = '{m: {u: "@"}}'
"""What a Secret's document says; `@` is its value."""
SITES = {
    "below a ConfigMap": (BELOW, [entry("s", "Secret"), entry("b")], MAP, ...),
    "over a ConfigMap": (BELOW, [entry("b"), entry("s", "Secret")], MAP, ...),
    "over one of two ConfigMaps": (BELOW, [entry("b"), entry("s", "Secret"), entry("c")], ANOTHER, ...),
    "over the inline values": (BELOW, [entry("b"), entry("s", "Secret")], "n: 1\n", {"m": {"u": "guess"}}),
    "beside the inline values": (BELOW, [entry("b"), entry("s", "Secret")], "n: 1\n", {"m": {"v": "guess"}}),
    "in a list": ('{m: ["@"]}', [entry("b"), entry("s", "Secret")], "m: [guess]\n", ...),
    "in a map of a list": ('{m: [{u: "@"}]}', [entry("b"), entry("s", "Secret")], "m: [{u: guess}]\n", ...),
    "a targetPath below a ConfigMap": ("@", [value("k", "m.u", "s", kind="Secret"), entry("b")], MAP, ...),
    "a targetPath over a ConfigMap": ("@", [entry("b"), value("k", "m.u", "s", kind="Secret")], MAP, ...),
    "a targetPath and the inline values": (
        "@",
        [entry("b"), value("k", "m.u", "s", kind="Secret")],
        "n: 1\n",
        {"m": {"u": "guess"}},
    ),
    "a targetPath into a list": ("@", [entry("b"), value("k", "m[0]", "s", kind="Secret")], "m: [guess, a]\n", ...),
    "a targetPath into a list below": ("@", [value("k", "m[1]", "s", kind="Secret"), entry("b")], "m: [a, guess]\n", ...),
    "two of one Secret": (
        "@",
        [value("k", "m.u", "s", kind="Secret"), entry("b"), value("k", "m.v", "s", kind="Secret")],
        MAP,
        ...,
    ),
}


def listed(text, entries, below, values, output):
    items = [
        release(*entries, values=values),
        config_map("b", below),
        config_map("c", below),
        secret("s", **{"values.yaml": text, "k": text}),
    ]
    spec = {"apiVersion": "krm-values.dev/v1alpha1", "kind": "FluxValues", "spec": {"output": output}}
    return json.dumps(
        {"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "items": items, "functionConfig": spec}
    ).encode()


def seen(site, held, output):
    """What is printed of a list by each command, and its resources but the Secrets."""
    text, entries, below, values = site
    stdin = listed(text.replace("@", held), entries, below, values, output)
    done = [krm(*words, stdin=stdin) for words in (["run"], ["explain"], ["explain", "--json"])]
    result = decode.to_data(decode.parse(done[0].stdout.decode()))
    readable = [item for item in result.pop("items") if item["kind"] != "Secret"]
    return result, readable, [(one.code, one.stderr) for one in done], [one.stdout for one in done[1:]]


@pytest.mark.parametrize("output", ["inline", "object"])
@pytest.mark.parametrize("site", SITES.values(), ids=SITES)
def test_a_guess_is_not_confirmed(site, output):
    first = seen(site, GUESS, output)
    for other in OTHERS:
        assert seen(site, other, output) == first, other


REFUSED = {
    "over a ConfigMap",
    "in a list",
    "in a map of a list",
    "a targetPath below a ConfigMap",
    "a targetPath into a list below",
    "two of one Secret",
}


@pytest.mark.parametrize("name", sorted(SITES))
@pytest.mark.parametrize("held", [GUESS, OTHERS[0]])
def test_inline_is_refused_where_a_secret_and_a_config_map_change_places(name, held):
    """Whatever they hold; and never where they do not."""
    refusals, *_ = seen(SITES[name], held, "inline")
    told = [one["message"] for one in refusals.get("results", ()) if one["severity"] == "error"]
    assert bool(told) == (name in REFUSED), told
