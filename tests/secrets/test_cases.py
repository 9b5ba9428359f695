"""The law on every conformance case with a Secret, planted with markers: a first run, a second, a changed Secret, one that is gone, broken ones."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

import pytest

from krm_values._yaml import emit
from tests.conformance import cases
from tests.conformance.test_cases import ALL
from tests.secrets.commands import krm
from tests.secrets.judge import FORMS, Places, explained, of_secrets, ran, silent
from tests.secrets.markers import Marker, places, planted, without

WITH = [
    case
    for case in ALL
    if any(isinstance(item, dict) and item.get("kind") == "Secret" for item in case.values[1].get("input", ()))
]
A, B = Marker("first"), Marker("changed")
ARRIVING = 25
"""Cases in which a value must arrive somewhere, of those that run without an error."""


def given(system, case, items, config=None):
    """The case's ResourceList, JSON for speed."""
    name = system.function(case)
    spec = {**system.config(case), **(case.get("config") or {}), **(config or {})}
    return cases.resource_list(items, name, spec)


def with_marker(case, marker, spell=None):
    return [planted(item, marker, spell) for item in deepcopy(case["input"])]


def items_of(output):
    return output.partition(b"\nresults:")[0] + b"\n"


@pytest.mark.parametrize(("system", "case"), WITH)
def test_first_second_changed_and_removed(system, case):
    first = given(system, case, with_marker(case, A))
    output, allowed, _ = ran(first, [A], set())
    again, allowed, _ = ran(items_of(output), [A], allowed)
    ran(items_of(other_secrets(again)), [A, B], allowed)
    ran(items_of(without_secrets(again)), [A], allowed)


def other_secrets(output: bytes) -> bytes:
    """A list whose Secrets have changed: what an earlier run wrote elsewhere is as it was."""
    return _listed(output, lambda item: planted(item, B))


def without_secrets(output: bytes) -> bytes:
    """A list without its Secrets."""
    return _listed(output, lambda item: None if item.get("kind") == "Secret" else item)


def _listed(output, change):
    from krm_values._yaml import decode  # noqa: PLC0415

    data = decode.to_data(decode.parse(output.decode()))
    data["items"] = [changed for item in data["items"] if (changed := change(item)) is not None]
    return ("\n".join(emit.block(data)) + "\n").encode()


def test_values_arrive_where_the_rules_fill_them_in():
    arrived = 0
    for case in WITH:
        system, data = case.values
        text = given(system, data, with_marker(data, A))
        explanation = krm("explain", "--json", stdin=text).stdout
        output = krm("run", stdin=text).stdout
        filled = places(output.decode(), of_secrets(explanation if explanation.startswith(b"{") else b"", set()))
        count = sum(A.found(output.decode()[start:end].encode()) != "" for start, end in filled)
        secrets = [item for item in json.loads(json.dumps(_items(output))) if item["kind"] == "Secret"]
        generated = [item for item in secrets if "krm-values.dev/generated-by" in (item["metadata"].get("annotations") or {})]
        arrived += bool(count or any(A.found(json.dumps(item).encode()) for item in generated))
    assert arrived >= ARRIVING


def _items(output):
    from krm_values._yaml import decode  # noqa: PLC0415

    return decode.to_data(decode.parse(output.decode()))["items"]


@pytest.mark.parametrize(("system", "case"), WITH)
def test_lists_that_differ_in_secrets_only_differ_in_nothing_else(system, case):
    one, other = (given(system, case, with_marker(case, marker)) for marker in (A, B))
    assert len(one) == len(other)
    allowed: Places = set()
    for form in FORMS:
        first, second = (krm("explain", *form, stdin=text) for text in (one, other))
        allowed = of_secrets(first.stdout, allowed) if first.stdout.startswith(b"{") else allowed
        assert (first.stdout, first.stderr, first.code) == (second.stdout, second.stderr, second.code)
    first, second = (krm("run", stdin=text) for text in (one, other))
    assert first.stderr == second.stderr
    texts = [done.stdout.decode() for done in (first, second)]
    assert without(texts[0], places(texts[0], allowed)) == without(texts[1], places(texts[1], allowed))


TEXTS = {
    "a scalar": lambda m: m,
    "a list": lambda m: f"- {m}\n",
    "no YAML": lambda m: f"a: [{m}\n",
    "an alias": lambda m: f"a: *{m}\n",
    "a tag": lambda m: f"a: !{m} x\n",
    "a number's tag": lambda m: f"a: !!int {m}\n",
    "a quote": lambda m: f'a: "{m}\n',
    "an escape": lambda m: f'a: "\\x{m}"\n',
    "a directive": lambda m: f"%{m} x\n---\na: 1\n",
    "a tab": lambda m: f"a:\n\t{m}: 1\n",
    "two documents": lambda m: f"a: {m}\n---\nb: {m}\n",
    "a doubled key": lambda m: f"a: {m}\na: {m}x\n",
    "a merge": lambda m: f"<<: {m}\na: 1\n",
    "a list of lists": lambda m: f"a: [{m}, [{m}]]\n",
    "braces": lambda m: "{" + m,
    "commas": lambda m: f"{m},b={m},{m}",
    "an anchor": lambda m: f"a: &{m} {m}\nb: *{m}\n",
    "a date, a number, a word": lambda m: f"a: 2024-02-29\nb: 0o17\nc: yes\nd: {m}\n",
    "encrypted": lambda m: f"ENC[{m}]",
    "of sops": lambda m: f"a: {m}\nsops: {{mac: {m}}}\n",
}


@pytest.mark.parametrize("spell", [pytest.param(TEXTS[name], id=name) for name in TEXTS])
def test_whatever_a_secret_holds_no_message_shows_it(spell):
    for case in _some()[len(spell("")) % 2 :: 2]:  # one half or the other, by what the text is made of
        system, data = case.values
        said_of(given(system, data, with_marker(data, A, lambda _: spell(A.text))))


WRONG = {
    "a list": lambda m: {"stringData": [m]},
    "a text": lambda m: {"stringData": m, "data": m},
    "a value that is a map": lambda m: {"stringData": {"values": {m: m}, "a": {m: m}}},
    "a value that is a list": lambda m: {"data": {"values": [m], "a": [m]}},
    "no base64": lambda m: {"data": {"values": m + "!", "a": m + "!"}},
    "base64 of no text": lambda m: {"data": {"values": "/v8A" + m, "a": "/v8A" + m}},
    "numbers": lambda _: {"stringData": {"values": 12345678901, "a": 12345678901}},
}


@pytest.mark.parametrize("wrong", [pytest.param(WRONG[name], id=name) for name in WRONG])
def test_whatever_is_wrong_with_a_secret_no_message_shows_it(wrong):
    for case in _some():
        system, data = case.values
        items = deepcopy(data["input"])
        for item in items:
            if item.get("kind") == "Secret":
                keys = [*(item.get("data") or {}), *(item.get("stringData") or {})]
                item |= {field: _at(value, keys) for field, value in wrong(A.text).items()}
        said_of(given(system, data, items))


def _at(value, keys):
    """A map's wrong value at the keys that the Secret has."""
    return dict.fromkeys(keys, value["a"]) if isinstance(value, dict) else value


BROKEN = [
    *(
        "*{}",
        "!{} x",
        "!{}!x y",
        '"{}',
        "'{}",
        "[{}",
        "{{{}",
        "%{}",
        "&{} *{}",
        "{}: {}: x",
        "|{}",
        "!<{}",
        '"\\q{}"',
        "@{}",
        "`{}",
    ),
    *("\t{}", "{}\x07", "? {}", "- {}\n - {}", "<<: *{}"),
]


@pytest.mark.parametrize("broken", BROKEN)
def test_a_secret_that_is_no_yaml_is_an_error_that_does_not_show_it(broken):
    for case in _some()[::4]:
        system, data = case.values
        items = with_marker(data, A, lambda _: A.text)
        for item in items:
            if item.get("kind") == "Secret":
                item["stringData"] = dict.fromkeys([*item.pop("data", {}), *item.get("stringData", {})], A.text)
        text = given(system, data, items).decode()
        assert A.text in text
        said_of(text.replace(A.text, broken.replace("{}", A.text).replace("{{", "{")).encode())


def _some():
    """A case of each feature, and all of Glasskube's, whose rules look at values."""
    seen: dict[Any, Any] = {}
    for case in WITH:
        data = case.values[1]
        seen.setdefault(data["id"] if case.id.startswith("gk") else (data["feature"], tuple(data.get("rule", ()))[:1]), case)
    return [*seen.values()]


def said_of(stdin):
    explained(stdin, [A])
    done = krm("run", stdin=stdin)
    silent([A], "stderr", done.stderr)
    silent([A], "results", done.stdout.partition(b"\nresults:")[2])
