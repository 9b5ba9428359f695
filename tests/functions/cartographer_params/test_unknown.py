"""Keys that Cartographer's kinds do not have: every field of every kind misspelt in every way that one letter allows."""

from __future__ import annotations

from typing import Any

import pytest

from krm_values._data import suggest
from krm_values._krm import findings as results
from krm_values.cartographer_params import kinds
from krm_values.cartographer_params.kinds import SHAPES
from tests.functions.cartographer_params.support import (
    API,
    body,
    chain,
    findings,
    items,
    plan,
    step,
    template,
    thing,
    told,
    workload,
)


def fields(shape, path=()):
    """The path of the map and the name of each field of a shape, at every depth."""
    if isinstance(shape, list):
        yield from fields(shape[0], (*path, 0))
    elif isinstance(shape, dict):
        for name, below in shape.items():
            if name != "*":
                yield path, name
            yield from fields(below, (*path, "any" if name == "*" else name))


def siblings(shape, path):
    for part in path:
        shape = shape[0] if part == 0 else shape.get(part, shape.get("*"))
    return set(shape)


def whole(kind, path, written):
    """An object of a kind with these keys in the map at a place."""
    value: Any = dict.fromkeys(written)
    for part in reversed(path):
        value = [value] if part == 0 else {part: value}
    head = {"apiVersion": API, "kind": kind, "metadata": {"name": "n"}}
    return items({**value, **head} if path else {**head, **{key: value[key] for key in value if key not in head}})[0]


def typos(word):
    """The word with one letter left out, doubled, replaced or of the other case, or two neighbours swapped."""
    for at in range(len(word)):
        before, letter, after = word[:at], word[at], word[at + 1 :]
        yield from (before + after, before + letter + word[at:], f"{before}q{after}", before + letter.swapcase() + after)
        if after:
            yield before + after[0] + letter + after[1:]


USES = body({"v": "$(params.quota)$"}, name="t")
ALL = [(kind, path, name) for kind in kinds.EVERY for path, name in fields(SHAPES[kind])]


def test_every_kind_has_its_fields():
    assert set(SHAPES) == set(kinds.EVERY)
    assert len(ALL) > 300


@pytest.mark.parametrize("kind", kinds.EVERY)
def test_every_typo_of_every_field_is_named_with_the_field(kind):
    tried = 0
    for _, path, name in (one for one in ALL if one[0] == kind):
        known = siblings(SHAPES[kind], path)
        for typo in sorted(set(typos(name)) - known - {""}):
            suggest.begin()
            (one,) = kinds.unknown_keys(whole(kind, path, [*sorted(known - {name}), typo]))
            assert (one.severity, one.kind, one.rule, one.path) == ("warning", "unknown-key", "S5", (*path, typo))
            assert f"`{typo}` is not a field of this object and has no effect; did you mean `{name}`?" in results.message(one)
            tried += 1
    assert tried > 200


@pytest.mark.parametrize(("kind", "path", "name"), ALL)
def test_a_field_itself_is_no_typo(kind, path, name):
    assert list(kinds.unknown_keys(whole(kind, path, [name]))) == []


def test_a_typo_of_one_field_is_said_once_beside_the_field():
    entry = {"name": "quota", "default": 1, "defualt": 2}
    (text,) = told(plan(workload(), chain(step(params=[entry])), template(template=USES)), "warning")
    assert "`spec.resources[0].params[0].defualt`: `defualt` is not a field" in text
    assert text.endswith("did you mean `default`?")


@pytest.mark.parametrize(("kind", "key"), [("ClusterSupplyChain", "deployment"), ("ClusterDelivery", "images")])
def test_an_input_that_only_the_other_kind_of_chain_has_is_unknown(kind, key):
    (one,) = kinds.unknown_keys(whole(kind, ("spec", "resources", 0), ["name", "templateRef", key]))
    assert one.path[-1] == key


def test_an_owner_that_is_stamped_is_looked_at_as_well():
    stamps = body(kind="Runnable", name="run") | {"apiVersion": API, "spec": {"runTemplteRef": {"name": "r"}}}
    planned = plan(workload(), chain(step()), template(template=stamps))
    assert [one.tags["key"] for one in findings(planned, "warning")] == ["runTemplteRef"]


def test_what_is_free_is_nobodys_typo():
    free = {"parms": 1, "defualt": {"vaule": 2}}
    objects = [
        workload(params={"p": free}, resources={"limts": {}}, env=[{"name": "A", "vaule": "b"}]),
        chain(step(params=[{"name": "q", "default": free}])),
        template(params={"p": free}, template=body(free, name="t") | {"data": {"p": "$(params.p)$", "q": "$(params.q)$"}}),
        thing("Runnable", "r", {"runTemplateRef": {"name": "rt"}, "inputs": free}, namespace="dock", labels=free),
        thing("ClusterRunTemplate", "rt", {"template": body(free, name="x"), "outputs": {"parms": ".a"}}),
    ]
    assert [one for one in findings(plan(*objects), "warning") if one.kind == "unknown-key"] == []


def test_the_fields_of_owners_come_from_their_go_types():
    assert set(SHAPES["Workload"]["spec"]) == {
        name.removesuffix("!") for name in kinds.GO_TYPES["Workload"].names["spec!"].names
    }
    assert SHAPES["Workload"]["spec"]["env"] == [None]
    assert SHAPES["Runnable"]["spec"]["inputs"] == {"*": None}
