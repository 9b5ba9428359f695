"""A JSON text that targets lead into stays JSON, whatever its strings hold, and nothing but what is meant changes."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.functions.layered_values.support import item, kinds, run, told

CONFIG = """
layers: [{values: {n: 0775, s: abc, l: [a, "#b"], m: {k: v}}}]
targets:
- kind: ConfigMap
  name: t
  missing: create
  fields: {'data["x"].n': n, 'data["x"].new': s, 'data["x"].l': l, 'data["x"].m': m, 'data["x"].o': s}
"""
WRITTEN: dict[str, Any] = {"n": 509, "new": "abc", "l": ["a", "#b"], "m": {"k": "v"}, "o": "abc"}
BASE: dict[str, Any] = {"n": 1, "l": [1], "m": {}, "o": None}
STRINGS = st.text(max_size=12) | st.text("#'\"&*!|>%@`:{}[], \t\\\u0085\u2028\u2029\ufeff\u00a0~-?y", max_size=8)
EXTRA = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False) | STRINGS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(STRINGS, inner, max_size=3),
    max_leaves=6,
)
FORMS = st.fixed_dictionaries(
    {
        "indent": st.sampled_from([None, 2, "\t"]),
        "ensure_ascii": st.booleans(),
        "separators": st.sampled_from([(",", ":"), (", ", ": ")]),
    }
)


def layered(text: str) -> tuple[str, list[str]]:
    """The text after a run that writes into it, and the errors of that run."""
    state = run(CONFIG, given=[{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "t"}, "data": {"x": text}}])
    return item(state, "t")["data"]["x"], told(state)


@pytest.mark.parametrize(
    "text",
    [
        '{"n": 1, "color": "#fff", "l": [1], "m": {}, "o": null}\n',
        '{"n": 1, "color": "it\'s", "l": [1], "m": {}, "o": null}',
        '{"n":1,"#":"a # b","l":[1],"m":{},"o":null}',
        '\ufeff{"n": 1, "color": "#fff", "l": [1], "m": {}, "o": null}\n',
        '{\r\n  "n": 1,\r\n  "c": "#",\r\n  "l": [\r\n    1\r\n  ],\r\n  "m": {},\r\n  "o": null\r\n}\r\n',
        '{\n\t"n": 1,\n\t"c": "#",\n\t"l": [1],\n\t"m": {},\n\t"o": null\n}\n',
        '{"n": 1, "c": "\\u0085#\\u2028", "l": [1], "m": {}, "o": null}',
        '{"n": 1, "c": "\u2028#", "l": [1], "m": {}, "o": null}',
        '{"n": 1, "c": "#", "h": 1e400, "l": [1], "m": {}, "o": null}',
    ],
)
def test_what_is_written_into_a_json_text_is_json(text: str):
    new, errors = layered(text)
    before = json.loads(text.removeprefix("\ufeff"))
    assert errors == []
    assert json.loads(new.removeprefix("\ufeff")) == {**before, **WRITTEN}
    assert new.startswith("\ufeff") == text.startswith("\ufeff")
    assert new.endswith("\n") == text.endswith("\n")
    assert ("\r\n" in new) == ("\r\n" in text)


@settings(deadline=None)
@given(extra=EXTRA, key=STRINGS, form=FORMS, end=st.sampled_from(["", "\n", "\r\n"]), bom=st.sampled_from(["", "\ufeff"]))
def test_any_json_text_stays_json(extra: Any, key: str, form: Any, end: str, bom: str):
    before = {f"k{key}": extra, **BASE}
    text = bom + json.dumps(before, **form) + end
    new, errors = layered(text)
    if errors:  # what a YAML reader cannot read, or reads otherwise, is left as it is
        assert new == text
        return
    found = json.loads(new.removeprefix("\ufeff"))
    assert {name: found[name] for name in WRITTEN} == WRITTEN
    assert found.keys() == before.keys() | WRITTEN.keys()
    assert found[f"k{key}"] == extra


def test_a_text_in_flow_style_that_is_not_json_stays_yaml():
    new, errors = layered("{'n': 1, c: '#', l: [1], m: {}, o: null} # a comment\n")
    assert errors == []
    assert new == "{'n': 0775, c: '#', l: [a, '#b'], m: {k: v}, o: abc, new: abc} # a comment\n"


@pytest.mark.parametrize(
    "text",
    [
        r'{"a": "x\/y", "b": "1"}',
        r'{"a": "\ud83d\ude00", "b": "1"}',
        r'{"a\/c": {"\ud83d\ude00": ["\/"]}, "b": "1"}',
        '{\n\t"a": "\\/",\n\t"b": "1"\n}\n',
        '\ufeff{"a": "\\/", "b": "1"}',
        r'{"in": "{\"a\": \"\\/\", \"b\": \"1\"}"}',
    ],
)
@pytest.mark.parametrize("missing", ["error", "create"])
def test_escapes_that_json_alone_has_stay(text: str, missing: str):
    path = "data.t.in.b" if "in" in json.loads(text.removeprefix("\ufeff")) else "data.t.b"
    thing = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}, "data": {"t": text}}
    config = f"layers: [{{values: {{v: '2'}}}}]\ntargets: [{{kind: ConfigMap, missing: {missing}, fields: {{{path}: v}}}}]"
    state = run(config, given=[thing])
    assert told(state) == []
    found = item(state, "c")["data"]["t"]
    assert found == text.replace('"b": "1"', '"b": "2"').replace(r"\"b\": \"1\"", r"\"b\": \"2\"")


@pytest.mark.parametrize("text", [r'{"a": "\ud83d", "b": "1"}', 'a: "\\/"\nb: "1"', r'{"a": "\/", b: "1"}'])
def test_what_is_not_json_gets_no_such_escapes(text: str):
    thing = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}, "data": {"t": text}}
    state = run("layers: [{values: {v: '2'}}]\ntargets: [{kind: ConfigMap, fields: {data.t.b: v}}]", given=[thing])
    assert kinds(state) == ["not-a-map"]


def test_values_with_such_escapes_are_an_error_as_in_helm():
    thing = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}, "data": {"values.json": r'{"a": "\/"}'}}
    assert kinds(run("layers: [{configMap: c}]\ntargets: [{configMap: o}]", given=[thing])) == ["text"]
