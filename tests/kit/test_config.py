"""The functionConfig: every mistake at once, each with its path and a way out."""

from __future__ import annotations

from typing import Literal

import pytest

from krm_values._data.pointer import to_field
from krm_values._krm import config
from krm_values._krm.config import ConfigError
from krm_values._krm.model import Config as Model
from krm_values._krm.model import Field, schema
from krm_values._run import registry
from krm_values._yaml import decode

API = "krm-values.dev/v1alpha1"


class Missing(Model):
    kind: Literal["ConfigMap", "Secret"]
    name: str
    namespace: str = ""


class DemoValues(Model):
    mode: Literal["implicit", "propagate"] = "implicit"
    """How."""
    reference_defaults: bool = False
    version: str = ""
    count: int = 0
    allow_missing: list[Missing] = Field(default=[])
    stop: bool | list[str] = False


class Needy(Model):
    target: str


def form(model):
    return config.Form(schema(model), lambda: model, minimal="{target: x}" if model is Needy else "{}")


def own(spec, **more):
    return {
        "apiVersion": API,
        "kind": "DemoValues",
        "metadata": {"name": "x", "annotations": {"any": "thing"}},
        "spec": spec,
        **more,
    }


def config_map(data):
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x"}, "data": data}


def mistakes(value, model=DemoValues):
    with pytest.raises(ConfigError) as caught:
        config.read(form(model), "demo-values", value)
    return [(to_field(mistake.path), mistake.text) for mistake in caught.value.mistakes]


@pytest.mark.parametrize(
    "value",
    [
        None,
        {},
        config_map({}) | {"metadata": {"name": "function-input"}},
        own({}),
        own(None),
        {"apiVersion": API, "kind": "DemoValues"},
    ],
)
def test_without_a_config_defaults_hold(value):
    read = config.read(form(DemoValues), "demo-values", value)
    assert {name: getattr(read, name) for name in DemoValues.model_fields} == DemoValues().model_dump()


def test_fields_are_written_in_camel_case_and_read_as_attributes():
    read = config.read(
        form(DemoValues),
        "demo-values",
        own({"mode": "propagate", "referenceDefaults": True, "allowMissing": [{"kind": "Secret", "name": "a"}]}),
    )
    assert (read.mode, read.reference_defaults, read.allow_missing[0].name) == ("propagate", True, "a")


def test_a_config_map_says_the_same_in_texts():
    data = {
        "mode": "propagate",
        "referenceDefaults": "true",
        "version": "1.10",
        "count": "3",
        "allowMissing": "- kind: Secret\n  name: a\n",
        "stop": "[on]",
    }
    read = config.read(form(DemoValues), "demo-values", config_map(data))
    assert (read.mode, read.reference_defaults, read.version, read.count, read.stop) == ("propagate", True, "1.10", 3, ["on"])
    assert [(one.kind, one.name, one.namespace) for one in read.allow_missing] == [("Secret", "a", "")]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (
            own({"mdoe": "x"}),
            [
                (
                    "spec.mdoe",
                    "must be one of `mode`, `referenceDefaults`, `version`, `count`, `allowMissing`, `stop`; did you mean `mode`?",
                )
            ],
        ),
        (
            own({"mode": "implict"}),
            [("spec.mode", 'must be one of `implicit`, `propagate`; found string "implict"; did you mean `implicit`?')],
        ),
        (own({"referenceDefaults": "yes"}), [("spec.referenceDefaults", 'must be true or false; found string "yes"')]),
        (
            own({"count": "3", "version": 1}),
            [("spec.version", "must be text; found number 1"), ("spec.count", 'must be a whole number; found string "3"')],
        ),
        (
            own({"allowMissing": [{"kind": "Secret", "nam": "a"}]}),
            [
                ("spec.allowMissing[0].name", "must be given"),
                ("spec.allowMissing[0].nam", "must be one of `kind`, `name`, `namespace`; did you mean `name`?"),
            ],
        ),
        (own({"stop": "x"}), [("spec.stop", 'must be true or false or a list; found string "x"')]),
        (own({"stop": [1]}), [("spec.stop[0]", "must be text; found number 1")]),
        (own([]), [("spec", "must be a map; found array")]),
        (own({}, sepc={}), [("sepc", "must be one of `apiVersion`, `kind`, `metadata`, `spec`; did you mean `spec`?")]),
        (
            config_map({"mdoe": "x"}),
            [
                (
                    "data.mdoe",
                    "must be one of `mode`, `referenceDefaults`, `version`, `count`, `allowMissing`, `stop`; did you mean `mode`?",
                )
            ],
        ),
        (config_map({"referenceDefaults": "yes"}), [("data.referenceDefaults", 'must be true or false; found string "yes"')]),
        (
            config_map({"allowMissing": ["x"]}),
            [("data.allowMissing", "must be a string in a ConfigMap, found array: write nested values as YAML text (`|`)")],
        ),
        (
            {"apiVersion": API, "kind": "Other"},
            [
                (
                    "kind",
                    'must be `apiVersion: krm-values.dev/v1alpha1`, `kind: DemoValues`, or a ConfigMap; found string "krm-values.dev/v1alpha1" and string "Other"',
                )
            ],
        ),
        (
            ["x"],
            [
                (
                    "",
                    "functionConfig must be a map; found array; for example {apiVersion: krm-values.dev/v1alpha1, kind: DemoValues, metadata: {name: demo-values}, spec: {}}",
                )
            ],
        ),
    ],
)
def test_mistakes(value, expected):
    assert sorted(mistakes(value)) == sorted(expected)


def test_a_missing_config_of_a_function_that_needs_one_shows_a_minimal_one():
    ((path, text),) = mistakes(None, Needy)
    example = "{apiVersion: krm-values.dev/v1alpha1, kind: DemoValues, metadata: {name: demo-values}, spec: {target: x}}"
    assert (path, text) == ("", f"demo-values needs a functionConfig with `target`, for example {example}")


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (own({}), "demo-values"),
        (config_map({}), ""),
        (config_map({"function": "demo-values"}), "demo-values"),
        (config_map({"function": "demo-values"}) | {"apiVersion": API}, "config-map"),
        (config_map({"function": {"a": "b"}}), ""),
        (config_map("function"), ""),
        (None, ""),
        ({"apiVersion": "v1", "kind": "DemoValues"}, ""),
        ({"apiVersion": API}, ""),
    ],
)
def test_the_kind_or_the_key_of_a_config_map_names_the_function(value, name):
    assert config.function_name(value) == name


def test_the_key_that_names_the_function_is_no_field():
    read = config.read(form(DemoValues), "demo-values", config_map({"function": "demo-values", "version": "1.10"}))
    assert read.version == "1.10"
    assert mistakes(own({"function": "demo-values"}))[0][0] == "spec.function"
    ((path, text),) = mistakes(config_map({"function": {"a": "b"}}))
    assert (path, "must be a string in a ConfigMap" in text) == ("data.function", True)


@pytest.mark.parametrize("name", registry.functions())
def test_no_field_of_a_function_has_the_name_of_that_key(name):
    assert config.FUNCTION not in registry.load(name).form().schema["properties"]


def test_the_schema_carries_the_descriptions():
    assert schema(DemoValues)["properties"]["mode"]["description"] == "How."


def test_a_field_that_stands_beside_the_spec_is_told_its_place():
    assert mistakes({**own({}), "mode": "propagate"}) == [("mode", "must be below `spec`: `spec.mode`")]


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (
            "DemoValus",
            'must be one of `DemoValues` of `krm-values.dev/v1alpha1`; found string "DemoValus"; did you mean `DemoValues`, the functionConfig of `demo-values`?',
        ),
        ("Secret", 'must be one of `DemoValues` of `krm-values.dev/v1alpha1`; found string "Secret"'),
    ],
)
def test_a_kind_that_names_no_function(kind, text):
    assert config.unknown_function({"apiVersion": API, "kind": kind}, ["demo-values"]) == config.Mistake(text, ("kind",))


@pytest.mark.parametrize("name", registry.functions())
def test_the_minimal_config_that_a_message_shows_is_valid(name):
    given = registry.load(name).form()
    with pytest.raises(ConfigError) as caught:
        config.read(given, name, ["x"])
    shown = decode.to_data(decode.parse(str(caught.value).partition("for example ")[2] + "\n"))
    assert shown["spec"] is not None
    assert config.read(given, name, shown) is not None
