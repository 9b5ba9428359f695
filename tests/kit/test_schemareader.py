"""What the schema reader accepts, pydantic accepts with the same values; the rest is left to pydantic."""

from __future__ import annotations

from random import Random
from typing import Any, Literal, Self

import pytest

from krm_values._data.scalars import Float, Int
from krm_values._krm.config import Settings, read_by_schema, takes_text
from krm_values._krm.model import Config, Field, field_validator, model_validator, schema, validate
from krm_values._run import registry

CONFIGS = 2_000
WORDS = ["", "a", "b", "no", "x", "é", "true"]
ANYTHING = [None, True, False, 0, 1, 1.5, *WORDS, [], ["a"], [1], {}, {"a": 1}, Float("2.10"), Int(8, "010")]


class Part(Config):
    kind: Literal["a", "b"]
    some_name: str | None = None


class Whole(Config, json_schema_extra={"minProperties": 1, "maxProperties": 4}):
    parts: list[Part] = Field([])
    by_name: dict[str, dict[str, Part]] = Field({})
    one: Part | None = None
    choice: bool | list[str] = False
    size: int = 3
    anything: Any = None
    word: str | None = Field("x", alias="WORD")
    level: Literal["low", "high"] = "low"

    @model_validator(mode="after")
    def _few(self) -> Self:
        if not 1 <= len(self.model_fields_set) <= 4:
            raise ValueError("must have one to four fields")
        return self


MODELS = {model.__name__: model for model in (Whole, *(registry.load(name).load_model() for name in registry.functions()))}


def value(form: dict[str, Any], shared: dict[str, Any], random: Random) -> Any:
    """A value that fits a schema, or nearly."""
    if random.random() < 0.05:
        return random.choice(ANYTHING)
    if "$ref" in form:
        return value(shared[form["$ref"].rpartition("/")[2]], shared, random)
    if "anyOf" in form:
        return value(random.choice(form["anyOf"]), shared, random)
    if "enum" in form or "const" in form:
        return random.choice(form.get("enum") or [form["const"]])
    kinds = form.get("type", "anything")
    kind = random.choice(kinds) if isinstance(kinds, list) else kinds
    if kind == "array":
        return [value(form.get("items", {}), shared, random) for _ in range(random.randrange(3))]
    if "properties" in form:
        return spec(form, shared, random)
    if kind == "object":
        inner = form.get("additionalProperties")
        return {
            random.choice(WORDS): value(inner if isinstance(inner, dict) else {}, shared, random)
            for _ in range(random.randrange(3))
        }
    of_kind = {"string": WORDS, "boolean": [True, False], "integer": [0, 7], "null": [None]}
    return random.choice(of_kind.get(kind, ANYTHING))


def spec(form: dict[str, Any], shared: dict[str, Any], random: Random) -> dict[str, Any]:
    names = [*form["properties"]]
    given = set(random.sample(names, random.randrange(min(4, len(names)) + 1))) | set(form.get("required", ()))
    if random.random() < 0.05:
        given ^= {random.choice([*names, "other", "by_name"])}
    return {name: value(form["properties"].get(name, {}), shared, random) for name in sorted(given)}


def plain(read_value: Any) -> Any:
    """Settings and pydantic's models as what they hold, and which of it was given."""
    if isinstance(read_value, Settings | Config):
        fields = {name: plain(one) for name, one in vars(read_value).items() if name != "model_fields_set"}
        return {"fields": fields, "given": sorted(read_value.model_fields_set)}
    if isinstance(read_value, dict):
        return {key: plain(one) for key, one in read_value.items()}
    return [plain(one) for one in read_value] if isinstance(read_value, list) else (type(read_value), repr(read_value))


@pytest.mark.parametrize("name", MODELS)
def test_what_the_reader_accepts_has_pydantics_values(name):
    model, random, accepted, valid = MODELS[name], Random(name), 0, 0
    form = schema(model)
    for _ in range(CONFIGS):
        given = value(form, form.get("$defs", {}), random)
        ours, (theirs, mistakes) = read_by_schema(form, given), validate(model, given)
        valid += not mistakes
        if ours is not None:
            accepted += 1
            assert not mistakes, given
            assert plain(ours) == plain(theirs), given
    assert CONFIGS * 0.2 < valid < CONFIGS * 0.99
    assert accepted > valid * 0.9


@pytest.mark.parametrize(
    ("field", "is_text"), [("parts", False), ("choice", False), ("WORD", True), ("level", True), ("size", False)]
)
def test_a_field_takes_a_config_maps_text_where_a_string_fits(field, is_text):
    assert takes_text(schema(Whole), field) is is_text


class Narrow(Config):
    name: str = Field("", min_length=2)


class Late(Config):
    name: str = Field("", json_schema_extra={"format": "short"})

    @field_validator("name")
    @classmethod
    def _short(cls, name: str) -> str:
        return name[:1]


class Overlap(Config):
    value: dict[str, Any] | Part = Field({})


@pytest.mark.parametrize(
    ("model", "given", "attribute", "found"),
    [
        (Narrow, {"name": "ab"}, "name", "ab"),
        (Late, {"name": "ab"}, "name", "a"),
        (Overlap, {"value": {"kind": "a"}}, "value", {"kind": "a"}),
    ],
)
def test_what_only_pydantic_knows_is_left_to_it(model, given, attribute, found):
    value, mistakes = validate(model, given)
    assert (getattr(value, attribute), mistakes) == (found, [])
    assert read_by_schema(schema(model), given) is None


def test_values_are_read_only_and_share_no_default():
    form = schema(Whole)
    first, second = read_by_schema(form, {"size": 1}), read_by_schema(form, {"size": 1})
    with pytest.raises(AttributeError, match="read-only"):
        first.size = 4
    first.parts.append(1)
    assert second.parts == []
