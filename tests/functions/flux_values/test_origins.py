"""The origin that explain names is the place to change a value: what is changed there changes exactly that leaf."""

from __future__ import annotations

import itertools
import json
import random
import re
from collections import Counter
from copy import deepcopy
from typing import Any

import pytest

from krm_values._data import data_edits
from krm_values._data.pointer import get
from krm_values._go import yaml
from tests.functions import origins
from tests.functions.flux_values.support import config_map, entry, inlined, made, release, run, secret, value
from tests.functions.origins import CHANGED
from tests.oracles.flux import releases
from tests.oracles.flux.compare import same

COUNT = 60


def rows(state: Any) -> dict[tuple[Any, ...], Any]:
    """The leaves of what is written, by their path in the values."""
    return {
        decision.leaf.inner if decision.leaf.inner is not None else decision.path[2:]: decision
        for decision in state.outcome.decisions
        if decision.leaf and (decision.leaf.inner is not None or decision.path[:2] == ("spec", "values"))
    }


def said(state: Any) -> list[tuple[str, str, Any, list[tuple[str, Any]]]]:
    """(path, layer, value, beaten) of each row."""
    return [
        (
            ".".join(map(str, path)),
            row.leaf.origin.layer,
            row.after,
            [(origin.layer, origin.value) for origin in row.leaf.overridden],
        )
        for path, row in rows(state).items()
    ]


HOST = value("v", "ingress.hosts[0].host")
INGRESS = {"ingress": {"hosts": [{"host": "inline", "path": "/"}, {"host": "other"}]}}
ROWS = [
    ("a key of an element", [release(HOST, values=INGRESS), config_map("base", v="set")],
     [("ingress.hosts.0.host", "valuesFrom[0]", "set", [("values", "inline")]), ("ingress.hosts.0.path", "values", "/", []), ("ingress.hosts.1.host", "values", "other", [])]),
    ("an element of one list, and one that the release's list takes back",
     [release(entry(), HOST, value("w", "ingress.hosts[1].host"), values={"ingress": {"hosts": [{"host": "inline", "path": "/"}]}}), config_map("base", "ingress: {hosts: [{host: low}]}\n", v="set", w="lost")],
     [("ingress.hosts.0.host", "valuesFrom[1]", "set", [("values", "inline"), ("valuesFrom[0]", "low")]), ("ingress.hosts.0.path", "values", "/", [("valuesFrom[0]", {"host": "low"})])]),
    ("two entries, one element", [release(value("v", "l[0]"), value("w", "l[0]"), values={"l": ["x", "y"]}), config_map("base", v="1st", w="2nd")],
     [("l.0", "valuesFrom[1]", "2nd", [("valuesFrom[0]", "1st"), ("values", "x")]), ("l.1", "values", "y", [])]),
    ("an element of an earlier entry's list", [release(entry(), value("v", "l[1]")), config_map("base", "l: [a, b]\n", v="set")],
     [("l.0", "valuesFrom[0]", "a", []), ("l.1", "valuesFrom[1]", "set", [("valuesFrom[0]", "b")])]),
    ("a gap", [release(value("v", "l[1]")), config_map("base", v="set")], [("l.0", "valuesFrom[0]", None, []), ("l.1", "valuesFrom[0]", "set", [])]),
    ("a list in braces is one value", [release(value("v", "l")), config_map("base", v="{a,b}")], [("l", "valuesFrom[0]", ["a", "b"], [])]),
    ("a list of the release over one that an entry wrote into", [release(entry(), value("v", "l[3]"), values={"l": ["x"]}), config_map("base", "l: [a, b]\n", v="set")],
     [("l", "values", ["x"], [("valuesFrom[0]", ["a", "b", None, "set"])])]),
    ("a list of the release over a longer one that an entry wrote into", [release(entry(), value("v", "l[2]"), values={"l": ["x"]}), config_map("base", "l: [a, b, c, d]\n", v="set")],
     [("l", "values", ["x"], [("valuesFrom[0]", ["a", "b", "set", "d"])])]),
    ("a list of the release that two entries make longer", [release(entry(), value("v", "l[2]"), value("w", "l[3]"), values={"l": ["x"]}), config_map("base", "l: [a]\n", v="1st", w="2nd")],
     [("l", "values", ["x"], [("valuesFrom[0]", ["a", None, "1st", "2nd"])])]),
    ("a list of the release that an entry makes longer", [release(value("v", "l[2]"), values={"l": ["x"]}), config_map("base", v="set")],
     [("l", "values", ["x"], [("valuesFrom[0]", [None, None, "set"])])]),
    ("a list that was beaten, element by element", [release(entry(), HOST, values=INGRESS), config_map("base", "ingress: {hosts: [{host: first}]}\n", v="set")],
     [("ingress.hosts.0.host", "valuesFrom[1]", "set", [("values", "inline"), ("valuesFrom[0]", "first")]), ("ingress.hosts.0.path", "values", "/", [("valuesFrom[0]", {"host": "first"})]),
      ("ingress.hosts.1.host", "values", "other", [("valuesFrom[0]", [{"host": "first"}])])]),
    ("a nested list", [release(value("v", "l[0][1]"), values={"l": [["x", "y"]]}), config_map("base", v="set")],
     [("l.0.0", "values", "x", []), ("l.0.1", "valuesFrom[0]", "set", [("values", "y")])]),
    ("a map that becomes a text", [release(value("v", "l[0]"), values={"l": [{"x": 1}]}), config_map("base", v="set")], [("l.0", "valuesFrom[0]", "set", [("values", {"x": 1})])]),
    ("a Secret's element", [release(value("v", "l[0]", "login", kind="Secret"), values={"l": ["x", "y"]}), secret("login", v="hush")],
     [("l.0", "valuesFrom[0]", "hush", [("values", "x")]), ("l.1", "values", "y", [])]),
]  # fmt: skip


@pytest.mark.parametrize(("items", "expected"), [pytest.param(*case[1:], id=case[0]) for case in ROWS])
def test_rows(items, expected):
    assert said(run(*items)) == expected


@pytest.mark.parametrize(("items", "expected"), [pytest.param(*case[1:], id=case[0]) for case in ROWS[:-1]])
def test_rows_of_output_inline_are_the_same(items, expected):
    assert said(run(*items, output="inline")) == expected


@pytest.mark.parametrize("items", [case[1] for case in ROWS if "a list of the release" in case[0]])
def test_a_list_that_was_beaten_is_what_is_there_without_the_winner(items):
    ((_, _, _, ((_, beaten),)),) = said(run(*items))
    first, *others = deepcopy(items)
    del first["spec"]["values"]["l"]
    assert made(run(first, *others)) == {"ConfigMap web-flux-values": {"l": beaten}}


def test_output_inline_lists_what_the_release_wins_and_overrides():
    login = entry("login", "Secret")
    items = [
        release(entry(), login, values={"a": 1, "m": {"x": 2, "y": []}}),
        config_map("base", "a: 0\nnew: 1\n"),
        secret("login", "m: {x: 0}\n"),
    ]
    state = run(*items, output="inline")
    assert said(state) == [
        ("a", "values", 1, [("valuesFrom[0]", 0)]),
        ("m.x", "values", 2, [("valuesFrom[1]", 0)]),
        ("m.y", "values", [], []),
        ("new", "valuesFrom[0]", 1, []),
    ]
    assert [row.kept for row in rows(state).values()] == [True, True, True, False]
    assert inlined(state) == ([login], {"a": 1, "m": {"x": 2, "y": []}, "new": 1})


def test_output_inline_lists_the_values_of_a_release_without_entries():
    state = run(release(values={"a": {"b": [1]}}), output="inline")
    assert said(state) == [("a.b", "values", [1], [])]
    assert not state.outcome.edited


def test_an_element_that_is_set_to_what_it_was_is_the_entrys():
    state = run(release(value("v", "l[0]"), values={"l": ["x"]}), config_map("base", v="x"), output="inline")
    assert said(state) == [("l.0", "valuesFrom[0]", "x", [("values", "x")])]


def test_a_null_that_fills_a_list_says_so():
    (gap, _) = rows(run(release(value("v", "l[1]")), config_map("base", v="set"))).values()
    assert gap.leaf.origin.facts == {"position": 1, "targetPath": "l[1]", "filler": True}


def own_objects(made_release: releases.Release) -> list[dict[str, Any]]:
    """The release with an object of its own for each entry."""
    first, *others = deepcopy(made_release.items)
    held = {(one["kind"], one["metadata"]["name"]): one for one in others}
    items = [first]
    for number, ref in enumerate(first["spec"]["valuesFrom"]):
        if one := held.get((ref["kind"], ref["name"])):
            items.append(deepcopy(one))
            ref["name"] = items[-1]["metadata"]["name"] = f"{ref['name']}-{number}"
    return items


def change(items: list[dict[str, Any]], origin: Any) -> Any:
    """Change the value where it comes from; returns what it is then, or `...` if it cannot be changed alone."""
    if origin.layer == "values":
        wanted = origins.other(origin.value)
        if wanted is not ...:
            data_edits.put(items[0], origin.path, wanted)
        return wanted
    item = origins.owner(items[1:], origin)
    if origin.inner is not None:
        return origins.change_text(item, origin)
    text = origins.text_at(item, origin.path)
    if isinstance(origin.value, list):
        is_alone = text.startswith("{") and text.find("}") == len(text) - 1 and "\\" not in text
        wanted, text = [CHANGED] if is_alone else ..., f"{{{CHANGED}}}"
    else:
        wanted, text = CHANGED if not set(",{\\") & set(text) else ..., CHANGED
    origins.put_text(item, origin.path, text)
    return ... if "filler" in origin.facts else wanted


def written(state: Any, output: str) -> Any:
    return next(iter(made(state).values())) if output == "object" else inlined(state)[1] or {}


@pytest.mark.parametrize("output", ["object", "inline"])
def test_a_change_at_the_origin_of_a_leaf_changes_exactly_that_leaf(output):
    dice = random.Random(21)
    sorts: Counter[str] = Counter()
    for _ in range(COUNT):
        items = own_objects(releases.make(dice))
        state = run(*deepcopy(items), output=output)
        if state.outcome.failed:
            continue
        before, leaves = written(state, output), rows(state)
        if any("<hidden>" in path for path in leaves):
            continue  # a key that a Secret's value brings is not shown
        assert same(rebuilt(leaves), before)
        for path, row in leaves.items():
            changed = deepcopy(items)
            wanted = change(changed, row.leaf.origin)
            if wanted is ...:
                sorts["cannot be changed alone"] += 1
                continue
            after = run(*changed, output=output)
            if after.outcome.failed:
                sorts["refused after the change"] += 1
                continue
            expected = deepcopy(before)
            data_edits.put(expected, path, wanted)
            assert same(written(after, output), expected), (path, row.leaf, items)
            sorts["values" if row.leaf.origin.layer == "values" else "text" if row.leaf.origin.inner else "targetPath"] += 1
    assert min(sorts[sort] for sort in ("values", "text", "targetPath")) > COUNT // 20, sorts
    assert sorts["refused after the change"] <= sorts.total() // 20, sorts


def test_a_change_of_an_entry_without_effect_changes_nothing():
    dice = random.Random(22)
    sorts: Counter[str] = Counter()
    for _ in range(COUNT * 5):
        items = own_objects(releases.make(dice))
        state = run(*deepcopy(items))
        for finding in state.outcome.findings if not state.outcome.failed else ():
            if finding.kind != "no-effect":
                continue
            assert re.search(r"has no effect, `(spec\.values|valuesFrom\[\d\])`.* replaces? it", finding.message)
            ref: Any = get(items[0], finding.path[:3])
            changed = deepcopy(items)
            (item,) = (one for one in changed[1:] if (one["kind"], one["metadata"]["name"]) == (ref["kind"], ref["name"]))
            if "," in rewrite(item, ref.get("valuesKey", "values.yaml"), is_document="targetPath" not in ref):
                continue  # the pair behind a comma may overwrite the one before it
            after = run(*changed)
            assert not after.outcome.failed
            assert same(written(after, "object"), written(state, "object")), (finding.message, items)
            sorts[finding.severity] += 1
    assert min(sorts["info"], sorts["warning"]) > COUNT // 10, sorts


def rewrite(item: dict[str, Any], key: str, *, is_document: bool) -> str:
    """Another value of a targetPath, or another for each scalar of a document. Returns what the value of a targetPath was."""
    path = ("stringData" if key in item.get("stringData", {}) else "data", key)
    was = origins.text_at(item, path)
    text = json.dumps(_rewritten(yaml.read(was).mapping()), ensure_ascii=False) if is_document else CHANGED
    origins.put_text(item, path, text)
    return "" if is_document else was


def _rewritten(found: Any) -> Any:
    if isinstance(found, dict):
        return {key: _rewritten(below) for key, below in found.items()}
    return [_rewritten(below) for below in found] if isinstance(found, list) else found if found is None else CHANGED


def rebuilt(leaves: dict[tuple[Any, ...], Any]) -> Any:
    """The values that the rows say: no leaf is missing, none is there twice."""
    found: Any = {}
    for path, row in leaves.items():
        node = found
        for part, below in itertools.pairwise(path):
            empty: Any = [] if isinstance(below, int) else {}
            if isinstance(node, list):
                node.extend([empty] * (part == len(node)))
            else:
                node.setdefault(part, empty)
            node = node[part]
        if isinstance(node, list):
            assert len(node) == path[-1]
            node.append(row.after)
        else:
            assert path[-1] not in node
            node[path[-1]] = row.after
    return found


@pytest.mark.parametrize("output", ["object", "inline"])
def test_an_entry_that_overrides_inline_values_says_why(output):
    """It is not the order of the layers: those are merged last."""
    state = run(release(entry(), HOST, values=INGRESS), config_map("base", "ingress: {x: 1}\n", v="set"), output=output)
    reasons = {path: row.leaf.reason for path, row in rows(state).items() if row.leaf.reason}
    assert reasons == {
        ("ingress", "hosts", 0, "host"): "its targetPath is set in the inline values themselves, which are merged last"
    }
