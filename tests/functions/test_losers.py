"""What a value overrides is what stood there: a map as a whole, at its place, or composed where several layers had merged it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from krm_values._data.pointer import to_field
from krm_values._krm.plan import Origin
from krm_values._run import traced
from krm_values._run.traced import merge
from tests.functions.layered_values.support import run

if TYPE_CHECKING:
    from collections.abc import Iterable

    from krm_values._krm.plan import Leaf

CASES = [
    ("a scalar over a map", [{"m": {"x": 1, "z": 2}}, {"m": 5}], {"m": ["a m = {'x': 1, 'z': 2}"]}),
    ("a null over a map", [{"m": {"x": 1, "z": {"y": 2}}}, {"m": None}], {"m": ["a m = {'x': 1, 'z': {'y': 2}}"]}),
    ("a list over a map", [{"m": {"x": {"y": 1}}}, {"m": {"x": [2]}}], {"m.x": ["a m.x = {'y': 1}"]}),
    (
        "a scalar over a map of two layers",
        [{"m": {"x": 1, "y": 0}}, {"m": {"y": 2}}, {"m": 5}],
        {"m": ["a = {'x': 1, 'y': 2} of a m.x, b m.y"]},
    ),
    ("a map over a scalar", [{"s": 1}, {"s": {"k": 2, "l": {"n": 3}}}], {"s.k": ["a s = 1"], "s.l.n": ["a s = 1"]}),
    (
        "a scalar over a map over a scalar",
        [{"m": 7}, {"m": {"x": 1}}, {"m": {"x": 2}}, {"m": 5}],
        {"m": ["c m = {'x': 2}", "a m = 7"]},
    ),
    (
        "a map over a scalar over a map: each key overrides its own, else the whole",
        [{"m": {"x": 1, "n": {"o": 0}}}, {"m": 5}, {"m": {"x": 2, "n": 4, "y": 3}}],
        {
            "m.x": ["b m = 5", "a m.x = 1"],
            "m.n": ["b m = 5", "a m.n = {'o': 0}"],
            "m.y": ["b m = 5", "a m = {'x': 1, 'n': {'o': 0}}"],
        },
    ),
    (
        "a map over a scalar over a map: what stood nearest above",
        [{"m": {"n": 1, "o": {"p": 2}}}, {"m": 5}, {"m": {"n": {"x": 3}, "o": {"y": 4}}}],
        {"m.n.x": ["b m = 5", "a m.n = 1"], "m.o.y": ["b m = 5", "a m.o = {'p': 2}"]},
    ),
    (
        "a later layer over one key of such a map",
        [{"m": {"x": 1}}, {"m": 5}, {"m": {"x": 2}}, {"m": {"x": 3}}],
        {"m.x": ["c m.x = 2", "b m = 5", "a m.x = 1"]},
    ),
    ("a scalar over an empty map", [{"m": {}}, {"m": 5}], {"m": ["a m = {}"]}),
]


def layer(name: str) -> traced.Layer:
    return lambda path, value: Origin(name, value, config=path)


def by_merge(layers: list[dict[str, Any]]) -> Iterable[Leaf]:
    """As giantswarm-config merges."""
    found = traced.Map()
    for name, values in zip("abcd", layers, strict=False):
        found = merge(found, traced.tree(values, layer(name)), [])
    return traced.leaves(found, ("data",))


def by_flux(layers: list[dict[str, Any]]) -> Iterable[Leaf]:
    """As flux-values merges: with lists into which it can write."""
    found = traced.Map(layer("inline"))
    for name, values in zip("abcd", layers, strict=False):
        found = merge(found, traced.tree(values, layer(name), lists=True), [])
    return traced.leaves(found, ("data",))


def by_layers(layers: list[dict[str, Any]], entries: str = "") -> Iterable[Leaf]:
    listed = ", ".join(f"{{name: {name}, values: {values}}}" for name, values in zip("abcd", layers, strict=False))
    text = listed.replace("None", "null")
    state = run(f"layers: [{text}]\n{entries}targets: [{{configMap: out}}]")
    return [one.leaf for one in state.outcome.decisions if one.leaf and one.path[0] == "data"]


def by_strategies(layers: list[dict[str, Any]]) -> Iterable[Leaf]:
    """The same with a strategy that concerns none of the values."""
    return by_layers(layers, "merge: {other: append}\n")


def told(leaves: Iterable[Leaf]) -> dict[str, list[str]]:
    """What each leaf overrides."""
    return {to_field(leaf.inner or ()): [_told(one) for one in leaf.overridden] for leaf in leaves if leaf.overridden}


def _told(one: Origin) -> str:
    parts = ", ".join(f"{part.layer} {_place(part)}" for part in one.via)
    return f"{one.layer} {_place(one)}".rstrip() + f" = {one.value}" + (f" of {parts}" if parts else "")


def _place(one: Origin) -> str:
    path = one.config or ()
    return to_field(path[3:] if path[:1] == ("layers",) else path)


@pytest.mark.parametrize(("layers", "expected"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
@pytest.mark.parametrize("merged", [by_merge, by_flux, by_layers, by_strategies])
def test_what_stood_there(merged, layers, expected):
    assert told(merged(layers)) == expected


def test_a_map_that_replaces_another():
    """By the strategy `replace`: each key overrides the whole map, of which none comes back for one that is gone."""
    layers = [{"m": {"x": 1, "y": {"z": 2}}}, {"m": {"x": 3, "n": {"o": 4}}}]
    whole = "a m = {'x': 1, 'y': {'z': 2}}"
    assert told(by_layers(layers, "merge: {m: replace}\n")) == {"m.x": [whole], "m.n.o": [whole]}


def test_a_list_that_two_layers_made_is_composed():
    layers = [{"l": [1]}, {"l": [2]}, {"l": 3}]
    assert told(by_layers(layers, "merge: {l: append}\n")) == {"l": ["a = [1, 2] of a l[0], b l[0]"]}


def test_of_equal_elements_the_first_stays():
    """By the strategy `unique`: it overrides the others, of which the last layer's is the nearest."""
    leaves = [*by_layers([{"l": [1]}, {"l": [{"k": 2}, 1]}, {"l": [1, {"k": 2}]}], "merge: {l: unique}\n")]
    assert told(leaves) == {"l[0]": ["c l[0] = 1", "b l[1] = 1"], "l[1].k": ["c l[1].k = 2"]}
    assert {leaf.reason for leaf in leaves} == {"of equal elements, `unique` keeps the first"}


def test_a_value_that_is_added_to_a_map_overrides_nothing_that_the_map_did():
    layers: list[dict[str, Any]] = [{"m": 5}, {"m": {"x": 1}}, {"m": {"y": 2}}, {"m": 7}, {"m": {"y": 3, "z": 4}}]
    found = traced.Map()
    for name, values in zip("abcde", layers, strict=True):
        found = merge(found, traced.tree(values, layer(name)), [])
    whole = "b = {'x': 1, 'y': 2} of b m.x, c m.y"
    assert told(traced.leaves(found, ())) == {"m.y": ["d m = 7", "c m.y = 2"], "m.z": ["d m = 7", whole, "a m = 5"]}


def test_many_layers_in_turn_take_no_longer_than_they_are():
    layers: list[dict[str, Any]] = [
        {"m": {"x": number, "y": {"z": number}} if number % 2 else number} for number in range(2001)
    ]
    found = traced.Map()
    for number, values in enumerate(layers):
        found = merge(found, traced.tree(values, layer(str(number))), [])
    (leaf,) = traced.leaves(found, ("data",))
    assert [one.value for one in leaf.overridden] == [values["m"] for values in reversed(layers[:-1])]


def test_a_map_that_is_replaced_by_itself_overrides_nothing():
    class Replacing:
        def at(self, path: Any) -> str:
            return "replace"

    found = traced.tree({"m": {"x": 1}}, layer("a"))
    assert told(traced.leaves(merge(found, found, [], None, Replacing()), ())) == {}
