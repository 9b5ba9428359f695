"""The published JSON Schema of a functionConfig and the parser agree on what is right."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from krm_values._cli.manual import schema
from krm_values._kit.config import read
from krm_values._kit.config.errors import ConfigError
from krm_values._kit.config.model import schema as of_model
from krm_values._kit.planner import names
from krm_values._kit.process import registry

SCHEMAS = Path(__file__).parents[2] / "docs" / "schemas"
TYPES: dict[str, type | tuple[type, ...]] = {
    "object": dict,
    "array": list,
    "string": str,
    "boolean": bool,
    "integer": int,
    "number": (int, float),
    "null": type(None),
}
VALUES: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    1,
    1.5,
    "",
    "true",
    "implicit",
    "propagate",
    "Propagate",
    [],
    [1],
    {},
    {"a": 1},
)


def is_valid(value: Any, form: dict[str, Any], root: dict[str, Any]) -> bool:
    """Whether a value fits, by the keywords that our schemas use; another keyword is an error of this test."""
    return all(_fits(value, keyword, form, root) for keyword in form)


def _fits(value: Any, keyword: str, form: dict[str, Any], root: dict[str, Any]) -> bool:
    said = form[keyword]
    match keyword:
        case "$ref":
            return is_valid(value, root["$defs"][said.rpartition("/")[2]], root)
        case "const" | "enum":
            return any(type(value) is type(one) and value == one for one in ([said] if keyword == "const" else said))
        case "type" if isinstance(said, list):
            return any(_fits(value, "type", {"type": one}, root) for one in said)
        case "type":
            return isinstance(value, TYPES[said]) and not (isinstance(value, bool) and said in ("integer", "number"))
        case "anyOf":
            return any(is_valid(value, one, root) for one in said)
        case "if":
            return not is_valid(value, said, root) or is_valid(value, form["then"], root)
        case "items":
            return not isinstance(value, list) or all(is_valid(item, said, root) for item in value)
        case "required" | "properties" | "additionalProperties":
            return not isinstance(value, dict) or _map_fits(value, keyword, form, root)
        case "minProperties" | "maxProperties":
            return not isinstance(value, dict) or (len(value) >= said if keyword == "minProperties" else len(value) <= said)
    assert keyword in ("then", "title", "description", "default", "$schema", "$defs"), f"the test does not know `{keyword}`"
    return True


def _map_fits(value: dict[str, Any], keyword: str, form: dict[str, Any], root: dict[str, Any]) -> bool:
    if keyword == "required":
        return all(name in value for name in form["required"])
    if keyword == "properties":
        return all(is_valid(value[name], inner, root) for name, inner in form["properties"].items() if name in value)
    others = value.keys() - form.get("properties", {}).keys()
    if isinstance(form["additionalProperties"], bool):
        return form["additionalProperties"] or not others
    return all(is_valid(value[name], form["additionalProperties"], root) for name in others)


def is_accepted(name: str, value: dict[str, Any]) -> bool:
    try:
        read.read(registry.load(name).form(), name, value)
    except ConfigError:
        return False
    return True


@pytest.mark.parametrize("name", registry.functions())
def test_schema_and_parser_agree_on_every_field(name):
    form = schema(name)
    own = {"apiVersion": names.API_VERSION, "kind": names.kind(name), "metadata": {"name": "x"}}
    fields = [*form["properties"]["spec"]["properties"], "unknown"]
    base: dict[str, Any] = {field: [] for field in form["properties"]["spec"].get("required", ())}
    values = [own, own | {"spec": {}}, own | {"kind": "Other"}, own | {"apiVersion": "krm-values.dev/v1"}, own | {"unknown": 1}]
    values += [own | {"spec": {**base, field: value}} for field in fields for value in VALUES]
    values += [own | {"spec": {**base, one: True, two: True}} for one in fields for two in fields]
    values += [
        own | {"spec": value} for value in VALUES if value is not None
    ]  # `spec:` with nothing behind it is {} to the parser
    differing = [value for value in values if is_valid(value, form, form) != is_accepted(name, value)]
    assert differing == []
    assert any(is_valid(value, form, form) for value in values)
    assert not all(is_valid(value, form, form) for value in values)


@pytest.mark.parametrize("name", registry.functions())
def test_every_field_is_described(name):
    fields = schema(name)["properties"]["spec"]["properties"]
    assert all(field.get("description") for field in fields.values())


@pytest.mark.parametrize("name", registry.functions())
def test_the_schema_of_a_run_and_the_published_one_are_the_models(name):
    function = registry.load(name)
    assert function.form().schema == of_model(function.load_model()), "run `make schemas`"
    assert json.loads((SCHEMAS / f"{names.kind(name)}.json").read_text("utf-8")) == schema(name), "run `make schemas`"


def test_no_schema_is_published_of_a_kind_that_is_not_there():
    assert {path.stem for path in SCHEMAS.iterdir()} == {names.kind(name) for name in registry.functions()} | {"Explanation"}
