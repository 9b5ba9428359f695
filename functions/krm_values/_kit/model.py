"""pydantic's only importer: the base of every functionConfig, and its mistakes in the house's words."""

from __future__ import annotations

from types import NoneType, UnionType
from typing import Any, TypeAlias, TypeVar, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator
from pydantic.alias_generators import to_camel

from krm_values._kit import names
from krm_values._kit.pointer import to_field

__all__ = ["Field", "Model", "field_validator", "model_validator", "schema", "takes_text", "validate"]

M = TypeVar("M", bound="Model")
Mistake: TypeAlias = tuple[tuple[str | int, ...], str]
_MANY = 9


class Model(BaseModel):
    """The `spec` of a functionConfig: strict types, camelCase names, unknown fields refused, read-only."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, alias_generator=to_camel, use_attribute_docstrings=True)


def validate(model: type[M], spec: object) -> tuple[M | None, list[Mistake]]:
    """The model's value, or every mistake as (path within spec, what is wrong and what it must be)."""
    try:
        return model.model_validate(spec), []
    except ValidationError as error:
        return None, _of_unions(model, [_mistake(model, dict(detail)) for detail in error.errors(include_url=False)])


def takes_text(model: type[Model], field: str) -> bool:
    """Whether a ConfigMap's text is this field's value as it stands, rather than YAML to be read."""
    properties = schema(model).get("properties", {})
    return _is_text(properties.get(field, {}), schema(model).get("$defs", {}))


def schema(model: type[Model]) -> dict[str, Any]:
    """JSON Schema of the spec."""
    return model.model_json_schema(by_alias=True)


def fields(model: type[BaseModel]) -> list[str]:
    """The names of a model's fields as users write them."""
    return [field.alias or name for name, field in model.model_fields.items()]


def _of_unions(model: type[BaseModel], mistakes: list[Mistake]) -> list[Mistake]:
    """One mistake per field of several types: what is wrong deeper in one of them, else all that it may be."""
    unions = {
        field.alias or name
        for name, field in model.model_fields.items()
        if get_origin(field.annotation) is UnionType and len({*get_args(field.annotation)} - {NoneType}) > 1
    }
    merged: list[Mistake] = []
    for path, text in mistakes:
        if len(path) < 2 or path[0] not in unions:
            merged.append((path, text))
            continue
        owner, inner = path[:1], path[2:]
        twin = next((index for index, (other, _) in enumerate(merged) if other[:1] == owner), None)
        if twin is None:
            merged.append(((*owner, *inner), text))
        elif inner and len(merged[twin][0]) == 1:
            merged[twin] = ((*owner, *inner), text)
        elif inner:
            merged.append(((*owner, *inner), text))
        elif len(merged[twin][0]) == 1:
            must, _, found = merged[twin][1].rpartition("; found ")
            merged[twin] = (owner, f"{must} or {text.removeprefix('must be ').rpartition('; found ')[0]}; found {found}")
    return merged


def _mistake(model: type[Model], detail: dict[str, Any]) -> Mistake:
    path: tuple[str | int, ...] = tuple(detail["loc"])
    context = detail.get("ctx", {})
    match detail["type"]:
        case "extra_forbidden":
            return path, _unknown(str(path[-1]), fields(_owner(model, path)))
        case "missing":
            return path, "must be given"
        case "literal_error" | "enum":
            return path, _one_of(detail["input"], context.get("expected", ""))
        case "value_error":
            return path, str(context.get("error", detail["msg"]))
        case _:
            must = _MUST.get(detail["type"])
            if must is None:
                return path, f"{detail['msg'][:1].lower()}{detail['msg'][1:]}; found {_quote(detail['input'])}"
            return path, f"must be {must}; found {_quote(detail['input'])}"


_MUST = {
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "string_type": "text",
    "int_type": "a whole number",
    "float_type": "a number",
    "list_type": "a list",
    "dict_type": "a map",
    "model_type": "a map",
    "model_attributes_type": "a map",
}


def _unknown(name: str, known: list[str]) -> str:
    near = names.nearest(name, known)
    text = (
        "must be one of " + ", ".join(f"`{field}`" for field in known) if len(known) <= _MANY else "is no field of this config"
    )
    return f"{text}; did you mean `{near}`?" if near else text


def _one_of(found: object, expected: str) -> str:
    choices = [part.strip("' ") for part in expected.replace(" or ", ", ").split(",")]
    near = names.nearest(str(found), choices)
    hint = f"; did you mean `{near}`?" if near else ""
    return f"must be one of {', '.join(f'`{choice}`' for choice in choices)}; found {_quote(found)}{hint}"


def _quote(value: object) -> str:
    if isinstance(value, bool):
        return '"true"' if value else '"false"'
    if isinstance(value, dict | list):
        return "a map" if isinstance(value, dict) else "a list"
    return '"null"' if value is None else f'"{value}"'


def _owner(model: type[BaseModel], path: tuple[str | int, ...]) -> type[BaseModel]:
    """The model whose field the last part of the path was meant to be."""
    for part in path[:-1]:
        for name, field in model.model_fields.items():
            if part in (name, field.alias):
                nested = [kind for kind in (field.annotation, *_flat(field.annotation)) if isinstance(kind, type)]
                model = next((kind for kind in nested if issubclass(kind, BaseModel)), model)
    return model


def _flat(annotation: object) -> list[object]:
    return [part for argument in get_args(annotation) for part in (argument, *_flat(argument))]


def _is_text(node: dict[str, Any], defs: dict[str, Any]) -> bool:
    if "$ref" in node:
        node = defs.get(node["$ref"].rsplit("/", 1)[-1], {})
    if "anyOf" in node:
        return all(_is_text(option, defs) for option in node["anyOf"])
    choices = node.get("enum", [node["const"]] if "const" in node else [])
    kinds = node.get("type")
    is_text = kinds == "string" or (isinstance(kinds, list) and "string" in kinds)
    return is_text or (bool(choices) and all(isinstance(choice, str) for choice in choices))


def field_path(path: tuple[str | int, ...], root: str) -> str:
    """A mistake's path as messages show it, below `spec` or `data`."""
    return to_field((root, *path))
