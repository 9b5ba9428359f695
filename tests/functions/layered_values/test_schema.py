"""A schema from anybody: what a `$ref` leads to is checked wherever it is, deep values pass, and no message shows a whole long value."""

from __future__ import annotations

import json
from typing import Any

import pytest

from krm_values._data.shown import LONGEST
from tests.functions.layered_values.support import kinds, run, told, values

TARGETS = [{"configMap": "gen"}]


def checked(schema: Any, value: Any = None, **more: Any) -> Any:
    """A run with one layer and a schema."""
    given = {"a": 1} if value is None else value
    return run(json.dumps({"layers": [{"values": given}], "targets": TARGETS, "schema": schema, **more}))


@pytest.mark.parametrize("holder", ["const", "enum", "examples", "default", "x-more", "$comment", "title", "contains"])
@pytest.mark.parametrize(
    ("form", "said"),
    [
        ({"type": "intger"}, "`type` must be one of"),
        ({"pattern": "("}, "`pattern` must be a regular expression"),
        ({"properties": 1}, "`properties` must be a map of schemas"),
        ({"allOf": [{"minimum": "x"}]}, "`minimum` must be a number"),
        ({"$ref": "#/nowhere"}, "`$ref` must be a place that this schema has"),
        ({"tpye": "integer"}, "did you mean `type`?"),
        ("text", "a schema must be a map; found string"),
    ],
)
def test_a_reference_leads_to_a_schema_that_is_checked(holder: str, form: Any, said: str):
    held, place = ([form], f"#/$defs/x/{holder}/0") if holder in ("enum", "examples") else (form, f"#/$defs/x/{holder}")
    state = checked({"properties": {"a": {"$ref": place}}, "$defs": {"x": {holder: held}}})
    assert kinds(state) == ["schema"], told(state)
    assert said in told(state)[0]


def test_a_reference_to_data_that_is_a_schema_counts():
    schema = {"properties": {"a": {"$ref": "#/$defs/x/examples/0"}}, "$defs": {"x": {"examples": [{"type": "string"}]}}}
    assert kinds(checked(schema)) == ["schema"]
    assert kinds(checked(schema, {"a": "x"})) == []


def test_a_loop_beyond_a_default_is_an_error():
    schema = {"properties": {"a": {"$ref": "#/default"}}, "default": {"allOf": [{"$ref": "#/default"}]}}
    (error,) = told(checked(schema))
    assert "`$ref` leads back to the schema that it is in" in error


@pytest.mark.parametrize("reference", ["#/allOf/" + "1" * 5_000, "#/allOf/²", "#/allOf/-1", "#/allOf/" + "9" * 9])
def test_an_index_that_is_none_is_an_error(reference: str):
    (error,) = told(checked({"allOf": [{}], "properties": {"a": {"$ref": reference}}}))
    assert "a place that this schema has" in error


@pytest.mark.parametrize("word", ["$schema", "$id", "$anchor", "prefixItems", "propertyNames", "$vocabulary"])
@pytest.mark.parametrize("value", [1, None, True, "http://json-schema.org/draft-04/schema#", ["x"], {"x": "("}, {"(a+)+$": 1}])
def test_what_is_not_checked_changes_nothing(word: str, value: Any):
    """A library would choose another draft, resolve an `$id`, or match with a pattern of Python."""
    form = {word: value, "items": {"type": "string"}, "type": ["object", "array"]}
    schema = {**form, "properties": {"l": form, "m": {**form, "additionalProperties": {"pattern": "^b"}}}}
    state = checked(schema, {"l": [1, 1], "m": {"a" * 40 + "!": "c"}})
    assert {*kinds(state)} == {"schema"}, told(state)


@pytest.mark.parametrize("text", ["false", "true", "1", "1.0"])
def test_booleans_are_no_numbers(text: str):
    value = json.loads(text)
    assert kinds(checked({"properties": {"a": {"enum": [0, 2, not value if isinstance(value, bool) else True]}}}, {"a": value}))
    assert not kinds(checked({"properties": {"a": {"enum": [1, True, False]}}}, {"a": value}))
    assert kinds(checked({"properties": {"l": {"uniqueItems": True}}}, {"l": [1, 1.0]}))
    assert not kinds(checked({"properties": {"l": {"uniqueItems": True}}}, {"l": [1, True, 0, False]}))


RECURSIVE = {"$defs": {"n": {"properties": {"k": {"$ref": "#/$defs/n"}}, "type": ["object", "integer"]}}, "$ref": "#/$defs/n"}
EITHER = {"anyOf": [{"type": "integer"}, {"properties": {"k": {"$ref": "#"}}, "type": "object"}]}
ELEMENTS = {"properties": {"k": {"$ref": "#/$defs/l"}}, "$defs": {"l": {"items": {"$ref": "#/$defs/l"}}}}


@pytest.mark.parametrize("depth", [150, 190])
@pytest.mark.parametrize("schema", [RECURSIVE, EITHER])
def test_a_deep_value_is_checked_by_a_recursive_schema(schema: Any, depth: int):
    held = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "cm"},
        "data": {"v": '{"k":' * depth + "1" + "}" * depth},
    }
    config = {"layers": [{"configMap": "cm"}], "targets": TARGETS, "schema": schema}
    assert told(run(json.dumps(config), given=[held])) == []
    held["data"]["v"] = '{"k":' * depth + "x" + "}" * depth
    assert kinds(run(json.dumps(config), given=[held])) == ["schema"]


@pytest.mark.parametrize("depth", [150, 190])
def test_deep_lists_are_checked_and_filled(depth: int):
    filled = {
        "properties": {"k": {"$ref": "#/$defs/l"}},
        "$defs": {"l": {"items": {"$ref": "#/$defs/l"}, "properties": {"d": {"default": 1}}}},
    }
    text = '{"k":' + "[" * depth + "{}" + "]" * depth + "}"
    held = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "cm"}, "data": {"v": text}}
    for schema in (ELEMENTS, filled):
        state = run(json.dumps({"layers": [{"configMap": "cm"}], "targets": TARGETS, "schema": schema}), given=[held])
        assert told(state) == []


def test_what_nests_too_deeply_is_refused_with_its_place():
    text = '{"k":' * 210 + "1" + "}" * 210
    held = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "cm"}, "data": {"v": text}}
    (error,) = told(run(json.dumps({"layers": [{"configMap": "cm"}], "targets": TARGETS, "schema": RECURSIVE}), given=[held]))
    assert "must not nest deeper than 200 levels" in error
    assert "data.v" in error


def test_alternatives_within_alternatives_are_bounded():
    forms = {f"d{n}": {"not": {"$ref": f"#/$defs/d{n + 1}"}} for n in range(500)}
    (error,) = told(checked({"$ref": "#/$defs/d0", "$defs": {**forms, "d500": {}}}))
    assert "within each other" in error


@pytest.mark.parametrize(
    ("form", "value"),
    [
        ({"enum": [f"value-{n}" for n in range(5_000)]}, "x"),
        ({"enum": ["x" * 100_000]}, "y"),
        ({"const": {"k": ["x"] * 20_000}}, "y"),
        ({"const": "x"}, "y" * 100_000),
        ({"type": ["string"] * 20_000}, 1),
        ({"pattern": "x" * 1_900}, "y"),
        ({"type": "x" * 100_000}, 1),
        ({"x" * 900: 1}, 1),
        ({"$ref": "#/" + "x/" * 50_000}, 1),
    ],
)
def test_no_message_shows_a_whole_long_value(form: Any, value: Any):
    (error,) = told(checked({"properties": {"a": form}}, {"a": value}))
    assert len(error) < 2 * LONGEST + 500


def test_a_long_loop_is_shown_by_its_ends():
    forms = {f"d{n}": {"$ref": f"#/$defs/d{n + 1}"} for n in range(500)}
    (error,) = told(checked({"$ref": "#/$defs/d0", "$defs": {**forms, "d500": {"$ref": "#/$defs/d0"}}}))
    assert len(error) < LONGEST
    assert "-> ... ->" in error


def test_a_reference_to_an_element_leads_there():
    state = run(
        json.dumps({"layers": [{"values": {"l": [{"n": 1}, {"n": 2}], "x": {"$value": "l[1].n"}}}], "targets": TARGETS})
    )
    assert values(state, "gen")["x"] == 2


_PART = {"properties": {"r": {"default": 1}}}


@pytest.mark.parametrize(
    ("schema", "filled"),
    [
        ({"additionalProperties": _PART}, {"k1": {"r": 1}, "z": {"r": 1}}),
        ({"additionalProperties": {"$ref": "#/$defs/part"}}, {"k1": {"r": 1}, "z": {"r": 1}}),
        ({"$ref": "#/$defs/map"}, {"k1": {"r": 1}, "z": {"r": 1}}),
        ({"allOf": [{"additionalProperties": _PART}]}, {"k1": {"r": 1}, "z": {"r": 1}}),
        ({"properties": {"z": {}}, "additionalProperties": _PART}, {"k1": {"r": 1}, "z": {}}),
        ({"patternProperties": {"^k[0-9]$": _PART}}, {"k1": {"r": 1}, "z": {}}),
        ({"patternProperties": {"^k": {"$ref": "#/$defs/part"}}}, {"k1": {"r": 1}, "z": {}}),
        (
            {"patternProperties": {"1$": {"properties": {"s": {"default": 2}}}, "^k": _PART}},
            {"k1": {"r": 1, "s": 2}, "z": {}},
        ),
        ({"patternProperties": {"^k": {}}, "additionalProperties": _PART}, {"k1": {}, "z": {"r": 1}}),
        ({"properties": {"k1": {}}, "patternProperties": {"^k": _PART}}, {"k1": {"r": 1}, "z": {}}),
        ({"properties": {"n": {"default": {}}}, "additionalProperties": True}, {"k1": {}, "n": {}, "z": {}}),
        ({"properties": {"n": {"default": {}}}, "patternProperties": {"n": _PART}}, {"k1": {}, "n": {"r": 1}, "z": {}}),
    ],
)
def test_defaults_below_further_keys_are_filled(schema: Any, filled: Any):
    whole = {"properties": {"m": schema}, "$defs": {"part": _PART, "map": {"additionalProperties": {"$ref": "#/$defs/part"}}}}
    state = checked(whole, {"m": {"k1": {}, "z": {}}})
    assert told(state) == []
    assert values(state, "gen") == {"m": filled}


def test_defaults_of_further_keys_reach_through_lists_and_other_maps():
    schema = {"additionalProperties": {"additionalProperties": {"items": _PART}}}
    assert values(checked(schema, {"a": {"b": [{}, {"r": 2}, 3]}}), "gen") == {"a": {"b": [{"r": 1}, {"r": 2}, 3]}}


@pytest.mark.parametrize(
    ("given", "filled"), [({}, {"m": {"a": 0, "b": 2}}), ({"m": {"a": 1}}, {"m": {"a": 1}}), ({"m": {}}, {"m": {}})]
)
def test_the_default_of_a_map_does_not_fill_a_map_that_is_given_in_part(given: Any, filled: Any):
    assert values(checked({"properties": {"m": {"default": {"a": 0, "b": 2}}}}, given or {"x": None}), "gen") | {"x": None} == {
        **filled,
        "x": None,
    }


@pytest.mark.parametrize(
    ("schema", "word"),
    [
        ({"patternProperties": {"^k": {"type": "integer"}}}, "type"),
        ({"properties": {"k1": {}}, "patternProperties": {"^k": {"type": "integer"}}}, "type"),
        ({"patternProperties": {"^k": False}}, "false"),
        ({"patternProperties": {"^z": {}}, "additionalProperties": False}, "additionalProperties"),
    ],
)
def test_pattern_properties_are_checked(schema: Any, word: str):
    (error,) = told(checked(schema, {"k1": "a"}))
    assert "`k1` of layer values" in error
    assert f"`{word}`" in error
    assert told(checked(schema, {"z1": "a"})) == []


def test_a_pattern_that_re2_does_not_know_is_a_warning_and_may_match():
    state = checked({"patternProperties": {"(?=k)": _PART}, "additionalProperties": False}, {"k1": {}})
    assert (told(state), kinds(state, "warning")) == ([], ["schema-unchecked"])
    assert values(state, "gen") == {"k1": {}}
