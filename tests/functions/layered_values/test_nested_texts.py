"""Paths that lead into a text within a text (rules 14 and 68), to read and to write."""

from __future__ import annotations

import pytest

from tests.functions.layered_values.support import item, kinds, run, told, values

CONFIG = """
layers: [{{values: {{v: {value}}}}}]
targets: [{{kind: ConfigMap, missing: {missing}, fields: {{{fields}}}}}]
"""


def config_map(text):
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "t"}, "data": {"k": text}}


def written(text, fields, value="8", missing="error"):
    state = run(CONFIG.format(fields=fields, value=value, missing=missing), given=[config_map(text)])
    return item(state, "t")["data"]["k"], told(state)


@pytest.mark.parametrize(
    ("text", "fields", "after"),
    [
        ('a: "b: 3" # c\n', "data.k.a.b: v", 'a: "b: 8" # c\n'),
        ("a: |\n  # top\n  b: 3 # c\n  d: 1\n", "data.k.a.b: v", "a: |\n  # top\n  b: 8 # c\n  d: 1\n"),
        ("a: 'b: ''c: 3'''\n", "data.k.a.b.c: v", "a: 'b: ''c: 8'''\n"),
        ('{"a": "{\\"b\\": 3}"}', "data.k.a.b: v", '{"a": "{\\"b\\": 8}"}'),
        ("- 'b: 3'\n- 'b: 4'\n", "'data.k[*].b': v", "- 'b: 8'\n- 'b: 8'\n"),
        ("a: 'b: 3'\nc: 1\n", "data.k.a.b: v, data.k.c: v", "a: 'b: 8'\nc: 8\n"),
        ("a: 'y: 3'\n", "'data.k.a[\"true\"]': v", "a: 'y: 8'\n"),
    ],
)
def test_a_text_within_a_text_is_written_to(text, fields, after):
    assert written(text, fields) == (after, [])


def test_a_field_of_it_is_made_and_removed():
    assert written("a: 'b: 3'\n", "data.k.a.c: v", missing="create") == ("a: |-\n  b: 3\n  c: 8\n", [])
    assert written("a: '{b: 3, c: 1}'\n", "data.k.a.b: v", value="null") == ("a: '{c: 1}'\n", [])


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        ("data.k.a: v, data.k.a.b: v", "overlap"),
        ("data.k.a.x: v", "no-field"),
        ("data.k.a.b.c: v", "target-type"),
        ("data.k.s.b: v", "not-a-map"),
    ],
)
def test_what_does_not_fit_is_an_error(fields, kind):
    state = run(CONFIG.format(fields=fields, value="8", missing="error"), given=[config_map("a: 'b: 3'\ns: text\n")])
    assert kinds(state) == [kind]


def test_a_second_run_changes_nothing_and_another_config_takes_it_back():
    text = "a: 'b: 3'\n"
    state = run(CONFIG.format(fields="data.k.a.b: v", value="8", missing="error"), given=[config_map(text)])
    again = run(CONFIG.format(fields="data.k.a.b: v", value="8", missing="error"), given=state.items)
    assert again.items == state.items
    back = run("layers: [{values: {v: 8}}]\ntargets: [{configMap: o}]", given=again.items)
    assert item(back, "t")["data"]["k"] == text


def test_a_text_within_a_text_is_a_layer():
    layers = "layers: [{from: {kind: ConfigMap, name: t}, path: data.k.a, at: x}, {from: {kind: ConfigMap, name: t}, path: data.k.a.b, at: y, name: other}]"
    state = run(f"{layers}\ntargets: [{{configMap: o}}]", given=[config_map("a: |\n  b: {c: 1.10}\n")])
    assert told(state) == []
    assert values(state, "o") == {"x": "b: {c: 1.10}\n", "y": {"c": 1.1}}
    origins = {leaf.inner: leaf.origin for new in state.outcome.decisions for leaf in [new.leaf] if leaf.inner}
    assert (origins[("y", "c")].path, origins[("y", "c")].inner, origins[("y", "c")].line) == (("data", "k"), ("a",), 1)


def test_what_cannot_be_read_is_named():
    layers = "layers: [{from: {kind: ConfigMap, name: t}, path: data.k.a.b, at: x}]"
    for text, kind in (("a: 'b: ['\n", "not-a-map"), ("a: text\n", "not-a-map"), ("a: 'c: 1'\n", "no-value")):
        state = run(f"{layers}\ntargets: [{{configMap: o}}]", given=[config_map(text)])
        assert kinds(state)[0] in (kind, "no-value", "no-resource"), (text, told(state))
        assert "data.k.a.b" in told(state)[0]
