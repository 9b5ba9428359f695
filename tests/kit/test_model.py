"""Models are read as pydantic reads them, without pydantic."""

from __future__ import annotations

from types import UnionType
from typing import Any, Literal, Self, Union, get_args, get_origin

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from krm_values._kit import registry
from krm_values._kit.model import Field, Model, aliases, declared, field_validator, fitting, model_validator, takes_text
from krm_values._kit.modelcheck import schema, validate
from krm_values._kit.scalars import Float, Int


class Part(Model):
    kind: Literal["a", "b"]
    some_name: str | None = None

    @model_validator(mode="after")
    def _named(self) -> Self:
        if self.kind == "b" and self.some_name is None:
            raise ValueError("`b` needs `someName`")
        return self


class Whole(Model, json_schema_extra={"minProperties": 1}):
    parts: list[Part] = Field([])
    by_name: dict[str, dict[str, Part]] = Field(default={})
    one: Part | None = None
    choice: bool | list[str] = False
    size: int = 3
    anything: Any = None
    word: str = Field("x", alias="WORD", json_schema_extra={"type": ["string", "null"]})
    level: Literal["low", "high"] = "low"

    @field_validator("word", mode="before")
    @classmethod
    def _word(cls, value: Any) -> Any:
        if value == "no":
            raise ValueError("must not be no")
        return "" if value is None else value


MODELS = [Whole, *(registry.load(name).load_model() for name in registry.functions())]
TEXTS = st.sampled_from(["", "a", "b", "no", "low", "x", "é"])
ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | TEXTS
    | st.sampled_from([Float("2.10"), Int(8, "010")]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(TEXTS, inner, max_size=2),
    max_leaves=4,
)


def fit(kind: Any) -> st.SearchStrategy[Any]:
    """Values that fit an annotation, or nearly."""
    parts = get_args(kind)
    if kind is Any:
        return ANYTHING
    if isinstance(kind, type) and issubclass(kind, Model):
        return specs(kind)
    if get_origin(kind) is Literal:
        return st.sampled_from(parts)
    if get_origin(kind) is list:
        return st.lists(mostly(parts[0]), max_size=3)
    if get_origin(kind) is dict:
        return st.dictionaries(TEXTS, mostly(parts[1]), max_size=2)
    if get_origin(kind) in (Union, UnionType):
        return st.one_of(*map(mostly, parts))
    return {str: TEXTS, bool: st.booleans(), int: st.integers(), type(None): st.none()}[kind]


def mostly(kind: Any) -> st.SearchStrategy[Any]:
    return st.integers(0, 30).flatmap(lambda dice: fit(kind) if dice else ANYTHING)


def specs(model: type[Model]) -> st.SearchStrategy[Any]:
    fields = {field.alias: mostly(field.kind) for field in declared(model)}
    names = st.lists(st.sampled_from([*fields] * 9 + ["other", "by_name"]), unique=True, max_size=4)
    return names.flatmap(lambda found: st.fixed_dictionaries({name: fields.get(name, ANYTHING) for name in found}))


@pytest.mark.parametrize("model", MODELS)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_what_fits_has_pydantics_value_and_what_does_not_has_a_mistake(model, data):
    spec = data.draw(mostly(model))
    ours, (theirs, mistakes) = fitting(model, spec), validate(model, spec)
    assert (ours is None) == bool(mistakes)
    if ours is not None:
        assert repr(ours.model_dump()) == repr(theirs.model_dump())
        assert ours.model_fields_set == theirs.model_fields_set


@pytest.mark.parametrize("model", MODELS)
def test_names_and_what_is_text_are_the_schemas(model):
    form = schema(model)
    assert aliases(model) == list(form["properties"])
    assert {name: takes_text(model, name) for name in aliases(model)} == {
        name: _is_text(node, form) for name, node in form["properties"].items()
    }


def _is_text(node: dict[str, Any], form: dict[str, Any]) -> bool:
    if "$ref" in node:
        return _is_text(form["$defs"][node["$ref"].rsplit("/", 1)[-1]], form)
    if "anyOf" in node:
        return all(_is_text(option, form) for option in node["anyOf"])
    kinds = node.get("type", "")
    return "string" in kinds


class Narrow(Model):
    name: str = Field("", min_length=2)


class Late(Model):
    name: str = ""

    @field_validator("name")
    @classmethod
    def _short(cls, value: str) -> str:
        return value[:1]


class Overlap(Model):
    value: dict[str, Any] | Part = Field({})


@pytest.mark.parametrize(
    ("model", "spec", "attribute", "value"),
    [
        (Narrow, {"name": "ab"}, "name", "ab"),
        (Late, {"name": "ab"}, "name", "a"),
        (Overlap, {"value": {"kind": "c"}}, "value", {"kind": "c"}),
    ],
)
def test_what_only_pydantic_knows_is_left_to_it(model, spec, attribute, value):
    read, mistakes = validate(model, spec)
    assert (getattr(read, attribute), mistakes) == (value, [])
    assert (fitting(model, spec) is None) == (model is not Overlap)


def test_a_value_cannot_be_changed_and_shares_no_default():
    first, second = Whole(), Whole()
    with pytest.raises(AttributeError, match="read-only"):
        first.size = 4
    first.parts.append(Part(kind="a"))
    assert (second.parts, first == second) == ([], False)
    assert repr(Part(kind="a")) == "Part(kind='a', some_name=None)"
    assert Part(kind="a") == Part.model_validate({"kind": "a", "someName": None})
    with pytest.raises(ValueError, match="no such field"):
        Part(kind="a", other=1)
