"""The published JSON Schema of a functionConfig and the parser agree on what is right."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from krm_values._cli.manual import schema
from krm_values._krm import config, names
from krm_values._krm.config import ConfigError
from krm_values._krm.model import schema as of_model
from krm_values._run import registry

SCHEMAS = Path(__file__).parents[2] / "docs" / "schemas"
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


def is_accepted(name: str, value: dict[str, Any]) -> bool:
    try:
        config.read(registry.load(name).form(), name, value)
    except ConfigError:
        return False
    return True


@pytest.mark.parametrize("name", registry.functions())
def test_schema_and_parser_agree_on_every_field(name):
    form = schema(name)
    Draft202012Validator.check_schema(form)
    published = Draft202012Validator(form)
    own = {"apiVersion": names.API_VERSION, "kind": names.kind(name), "metadata": {"name": "x"}}
    fields = [*form["properties"]["spec"]["properties"], "unknown"]
    base: dict[str, Any] = {field: [] for field in form["properties"]["spec"].get("required", ())}
    values = [own, own | {"spec": {}}, own | {"kind": "Other"}, own | {"apiVersion": "krm-values.dev/v1"}, own | {"unknown": 1}]
    values += [own | {"spec": {**base, field: value}} for field in fields for value in VALUES]
    values += [own | {"spec": {**base, one: True, two: True}} for one in fields for two in fields]
    values += [
        own | {"spec": value} for value in VALUES if value is not None
    ]  # `spec:` with nothing behind it is {} to the parser
    differing = [value for value in values if published.is_valid(value) != is_accepted(name, value)]
    assert differing == []
    assert any(published.is_valid(value) for value in values)
    assert not all(published.is_valid(value) for value in values)


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
    assert {path.stem for path in SCHEMAS.iterdir()} == {names.kind(name) for name in registry.functions()} | {
        *("Comparison", "Explanation", "FleetComparison", "FleetExplanation"),
    }
