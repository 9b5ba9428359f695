"""What references and schemas may multiply is bounded, and what ends without a value says where."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from krm_values._data.limits import DEFAULT
from krm_values.layered_values import plan, selectors
from krm_values.layered_values.references import LONGEST
from krm_values.layered_values.schema import MOST
from tests.functions.layered_values.support import kinds, run, told, values

GENERATED = "targets: [{configMap: gen}]"


def config_map(text: str) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "cm"}, "data": {"values.yaml": text}}


def bounded(config: str, *items: Any) -> Any:
    return run(config, given=[*items])


def schema(form: str, value: str = "x") -> str:
    return f"layers: [{{values: {{a: {value}}}}}]\nschema: {form}\n{GENERATED}"


def test_references_that_double_are_an_error_with_the_limit():
    lines = [f"k{index}: [{{$value: k{index + 1}}}, {{$value: k{index + 1}}}]\n" for index in range(26)]
    state = bounded(f"layers: [{{configMap: cm}}]\n{GENERATED}", config_map("".join(lines) + "k26: x\nsmall: 1\n"))
    (error,) = told(state)
    assert f"must not repeat more than {DEFAULT.aliases:,} values by references, found more" in error
    assert "the reference `k" in error
    assert "limit `aliases`" in error


def test_what_references_repeat_is_counted_with_all_that_is_in_it():
    plain = "big: [" + ", ".join("x" for _ in range(2_000)) + "]\n"
    state = bounded(
        f"layers: [{{configMap: cm}}]\n{GENERATED}", config_map(plain + "".join(f"k{n}: {{$value: big}}\n" for n in range(60)))
    )
    assert kinds(state) == ["reference"]
    long = f"big: {'x' * 1_000_000}\n"
    state = bounded(
        f"layers: [{{configMap: cm}}]\n{GENERATED}", config_map(long + "".join(f"k{n}: {{$value: big}}\n" for n in range(120)))
    )
    assert kinds(state) == ["reference"]


def test_references_may_repeat_what_is_within_the_limit():
    plain = "big: [" + ", ".join("x" for _ in range(2_000)) + "]\n"
    state = bounded(
        f"layers: [{{configMap: cm}}]\n{GENERATED}", config_map(plain + "".join(f"k{n}: {{$value: big}}\n" for n in range(40)))
    )
    assert told(state) == []


@pytest.mark.parametrize("below", ["", ".x"])
def test_a_long_chain_of_references_is_an_error_with_the_bound(below: str):
    count = LONGEST + 200
    lines = [f"k{index}: {{$value: k{index + 1}{below}}}\n" for index in range(count)]
    state = bounded(f"layers: [{{configMap: cm}}]\n{GENERATED}", config_map("".join(lines) + f"k{count}: {{x: 1}}\n"))
    assert any(f"must not lead on through more than {LONGEST} references" in error for error in told(state))


ALL_OF = "{$defs: {" + ", ".join(
    f"d{n}: {{allOf: [{{$ref: '#/$defs/d{n + 1}'}}, {{$ref: '#/$defs/d{n + 1}'}}]}}" for n in range(1, 26)
)
ITEMS = ", ".join("{items: {$ref: '#/$defs/a'}, maxItems: 0}" for _ in range(8))
EACH = ", ".join(f"{{items: {{$ref: '#/$defs/a'}}, minItems: {n}}}" for n in range(8))
TREE = (
    "{$defs: {n: {properties: {l: {default: {}, $ref: '#/$defs/n'}, r: {default: {}, $ref: '#/$defs/n'}}}}, $ref: '#/$defs/n'}"
)
NESTED = "[" * 8 + "1" + "]" * 8


@pytest.mark.parametrize(
    ("form", "value", "expected"),
    [
        (ALL_OF + ", d26: {type: string}}, properties: {a: {$ref: '#/$defs/d1'}}}", "x", []),
        (ALL_OF + ", d26: {type: integer}}, properties: {a: {$ref: '#/$defs/d1'}}}", "x", ["schema"]),
        (f"{{$defs: {{a: {{anyOf: [{ITEMS}]}}}}, properties: {{a: {{$ref: '#/$defs/a'}}}}}}", NESTED, ["schema"]),
        (f"{{$defs: {{a: {{allOf: [{EACH}]}}}}, properties: {{a: {{$ref: '#/$defs/a'}}}}}}", NESTED, ["schema"] * 20),
        (f"{{$defs: {{a: {{oneOf: [{EACH}]}}}}, properties: {{a: {{$ref: '#/$defs/a'}}}}}}", NESTED, ["schema"]),
        (TREE, "x", ["schema"]),
    ],
    ids=["allOf", "allOf that does not fit", "anyOf", "allOf of items", "oneOf", "defaults"],
)
def test_schemas_that_multiply_end(form: str, value: str, expected: list[str]):
    state = bounded(schema(form, value))
    assert kinds(state)[:20] == expected[:20] or (expected[1:] and set(kinds(state)) == {"schema"})


def test_defaults_that_multiply_name_the_bound_and_the_schema():
    (error,) = told(bounded(schema(TREE)))
    assert f"the schema takes more than {MOST:,} steps on the values" in error


@pytest.mark.parametrize(
    ("form", "way"),
    [
        ("{properties: {a: {$ref: '#/properties/a'}}}", "`properties.a` -> `properties.a`"),
        ("{$ref: '#'}", "`.` -> `.`"),
        ("{$defs: {x: {allOf: [{$ref: '#/$defs/y'}]}, y: {$ref: '#/$defs/x'}}}", '`["$defs"].x` -> '),
        ("{$defs: {x: {not: {$ref: '#/$defs/x'}}}}", '`["$defs"].x` -> '),
        ("{$defs: {x: {anyOf: [{type: string}, {$ref: '#/$defs/x'}]}}}", '`["$defs"].x` -> '),
    ],
)
def test_a_loop_of_refs_is_called_one(form: str, way: str):
    (error,) = told(run(schema(form)))
    assert "leads back to the schema that it is in, without a step into the value" in error
    assert way in error


@pytest.mark.parametrize(
    "form",
    [
        "{$defs: {t: {properties: {b: {$ref: '#/$defs/t'}}}}, properties: {a: {$ref: '#/$defs/t'}}}",
        "{properties: {a: {items: {$ref: '#'}}}}",
        "{$defs: {x: {type: string}}, allOf: [{properties: {a: {$ref: '#/$defs/x'}}}, {properties: {a: {$ref: '#/$defs/x'}}}]}",
    ],
)
def test_a_schema_that_refers_to_itself_below_is_fine(form: str):
    assert told(run(schema(form))) == []


@pytest.mark.parametrize(
    ("value", "of", "fits"),
    [
        ("0.3", "0.1", True),
        ("0.07", "0.01", True),
        ("1.1", "0.1", True),
        ("0.35", "0.1", False),
        ("7", "0.5", True),
        ("1e300", "1e-300", True),
        ("1234567890123456789", "3", True),
        ("1234567890123456790", "3", False),
        ("4.35", "0.01", True),
        ("-0.3", "0.1", True),
        ("0", "7", True),
    ],
)
def test_multiples_are_those_of_decimal_numbers(value: str, of: str, fits: bool):
    assert kinds(run(schema(f"{{properties: {{a: {{multipleOf: {of}}}}}}}", value))) == ([] if fits else ["schema"])


@settings(deadline=None)
@given(st.integers(-10_000, 10_000), st.integers(1, 500), st.integers(0, 5))
def test_every_multiple_of_a_decimal_number_is_one(times: int, digits: int, places: int):
    def shown(number: int) -> str:
        whole, part = divmod(abs(number), 10**places)
        return f"{'-' if number < 0 else ''}{whole}.{part:0{places}d}" if places else str(number)

    form = f"{{properties: {{a: {{multipleOf: {shown(digits)}}}}}}}"
    assert kinds(run(schema(form, shown(times * digits)))) == []
    assert kinds(run(schema(form, shown(times * digits + 1)))) == (["schema"] if digits > 1 else [])


@pytest.mark.parametrize(
    ("items", "unique"),
    [
        ("[1, 1.0]", False),
        ("[1, true]", True),
        ("[{a: 1}, {a: 1}]", False),
        ("[[1], [2]]", True),
        ("['1', 1]", True),
        ("[{}, []]", True),
    ],
)
def test_unique_items_are_compared_as_json(items: str, unique: bool):
    assert kinds(run(schema("{properties: {a: {uniqueItems: true}}}", items))) == ([] if unique else ["schema"])


def test_many_maps_are_compared_in_linear_time():
    items = ", ".join(f"{{n: {number}}}" for number in range(8_000))
    assert told(bounded(schema("{properties: {a: {uniqueItems: true}}}", f"[{items}]"))) == []


def test_a_default_may_be_a_reference():
    form = "{properties: {c: {default: {b: {$value: a.x}, l: [{$value: a.x}]}}}}"
    assert values(run(schema(form, "{x: 5}")), "gen") == {"a": {"x": 5}, "c": {"b": 5, "l": [5]}}


def test_a_default_below_what_a_reference_leads_to_may_be_a_reference():
    form = "{properties: {c: {properties: {d: {default: {$value: a.x}}}}}}"
    config = f"layers: [{{values: {{a: {{x: 5}}, c: {{$value: a}}}}}}]\nschema: {form}\n{GENERATED}"
    assert values(run(config), "gen") == {"a": {"x": 5}, "c": {"x": 5, "d": 5}}


def test_a_default_that_leads_nowhere_or_is_written_wrong_is_an_error():
    assert kinds(run(schema("{properties: {c: {default: {$value: nowhere}}}}"))) == ["reference"]
    (error,) = told(run(schema("{properties: {c: {default: {$value: a, b: 1}}}}")))
    assert "`schema.properties.c.default` of the schema: a reference is a map of the one key `$value`" in error
    loop = "{properties: {c: {default: {$value: c}}}}"
    assert kinds(run(schema(loop))) == ["cycle"]


def test_without_references_a_default_is_data():
    config = schema("{properties: {c: {default: {$value: a.x}}}}", "{x: 5}") + "\nreferences: false"
    assert values(run(config), "gen") == {"a": {"x": 5}, "c": {"$value": "a.x"}}


def test_defaults_that_never_end_are_bounded():
    form = "{$defs: {n: {properties: {n: {default: {$value: t}, $ref: '#/$defs/n'}, m: {default: {$value: t}, $ref: '#/$defs/n'}}}}, properties: {a: {$ref: '#/$defs/n'}}}"
    config = f"layers: [{{values: {{a: {{}}, t: {{}}}}}}]\nschema: {form}\n{GENERATED}"
    assert set(kinds(bounded(config))) <= {"schema", "reference"} != set()


def test_selectors_with_stars_are_compared_with_so_many_resources(monkeypatch):
    monkeypatch.setattr(selectors, "MOST_COMPARED", 5)
    config = "layers: [{{values: {{a: x}}}}]\ntargets: [{{kind: ConfigMap, name: {}, fields: {{data.k: a}}}}, {{kind: ConfigMap, name: {}, fields: {{data.l: a}}}}]"
    held = [{**config_map(""), "metadata": {"name": f"c{n}"}, "data": {"k": "x", "l": "x"}} for n in range(3)]
    assert told(bounded(config.format("c0", "c1*"), *held)) == []
    (error,) = [found for found in bounded(config.format("c0*", "c1*"), *held).outcome.findings if found.severity == "error"]
    assert "selectors with stars" in error.message
    assert error.config == ("targets", 1)


def test_targets_take_so_many_steps(monkeypatch):
    """Layers that one target only has, over layers of all: each is merged for each target."""
    layers = [f"{{name: l{n}, when: {{name: c{n}}}, values: {{a: {n}}}}}" for n in range(4)]
    common = "{values: {a: x, " + ", ".join(f"k{n}: x" for n in range(20)) + "}}"
    config = f"layers: [{common}, {', '.join(layers)}]\ntargets: [{{kind: ConfigMap, fields: {{data.k: a}}}}]"
    held = [{**config_map(""), "metadata": {"name": f"c{n}"}, "data": {"k": "x"}} for n in range(4)]
    state = bounded(config, *held)
    assert "limit" not in kinds(state)
    monkeypatch.setattr(plan, "MOST", 90)
    assert kinds(bounded(config, *held)).count("limit") == 1


@pytest.mark.parametrize(
    "config",
    [
        "layers: [{{values: {{a: x}}, at: {}}}]\ntargets: [{{configMap: gen}}]",
        "layers: [{{values: {{a: {{$value: {}}}}}}}]\ntargets: [{{configMap: gen}}]",
        "layers: [{{values: {{a: x}}}}]\nmerge: {{{}: append}}\ntargets: [{{configMap: gen}}]",
        "layers: [{{values: {{a: x}}}}]\ntargets: [{{kind: ConfigMap, missing: create, fields: {{{}: a}}}}]",
        "layers: [{{values: {{a: x}}}}]\ntargets: [{{configMap: gen, value: {}}}]",
    ],
)
def test_paths_have_so_many_parts(config):
    """A path of 400 keys nested more deeply than could be read, and was an error without a place."""
    errors = told(bounded(config.format(".".join("k" * 400)), config_map("a: 1\n")))
    assert any("must have at most 200 parts" in error for error in errors), errors
    assert not any("200 parts" in error for error in told(bounded(config.format(".".join("k" * 150)), config_map("a: 1\n"))))
