"""pydantic's only importer: a model as pydantic has it, for all mistakes of a value, in the house's words, and for the JSON Schema."""

from __future__ import annotations

import ast
import inspect
from functools import reduce
from itertools import pairwise
from operator import or_
from textwrap import dedent
from types import NoneType, UnionType
from typing import Any, Literal, TypeAlias, Union, get_args, get_origin

import pydantic
from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic.alias_generators import to_camel

from krm_values._kit import names
from krm_values._kit.model import Check, Given, Model, declared
from krm_values._kit.shown import as_json, described

Mistake: TypeAlias = tuple[tuple[str | int, ...], str]
_MANY = 9
_OWN = ("__annotations__", "__dict__", "__weakref__", "model_declared", "model_settings")
_METACLASS: Any = type(BaseModel)


def validate(model: type[Model], spec: object) -> tuple[Any, list[Mistake]]:
    """A value with the model's fields, or every mistake as (path within spec, what is wrong and what it must be)."""
    made = _Twins().of(model)
    try:
        return made.model_validate(spec), []
    except ValidationError as error:
        return None, _of_unions(made, [_mistake(made, dict(detail)) for detail in error.errors(include_url=False)])


def schema(model: type[Model]) -> dict[str, Any]:
    """JSON Schema of the spec."""
    return _Twins().of(model).model_json_schema(by_alias=True)


class _Base(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, alias_generator=to_camel)


class _Twins:
    """Models made again as pydantic's."""

    __slots__ = ("_made",)

    def __init__(self) -> None:
        self._made: dict[type[Model], type[BaseModel]] = {}

    def of(self, model: type[Model]) -> type[BaseModel]:
        """The model with the same fields, validators, methods and settings."""
        if model not in self._made:
            said = _descriptions(model)
            body: dict[str, Any] = {name: _twin(value) for name, value in vars(model).items() if name not in _OWN}
            for field in declared(model):
                settings = {"description": said.get(field.name), **field.given.settings}
                body[field.name] = pydantic.Field(field.given.default, **settings)
            body["__annotations__"] = {field.name: self._kind(field.kind) for field in declared(model)}
            self._made[model] = _METACLASS(model.__name__, (_Base,), body, **model.model_settings)
        return self._made[model]

    def _kind(self, kind: Any) -> Any:
        """An annotation, models in it made again."""
        if isinstance(kind, type) and issubclass(kind, Model):
            return self.of(kind)
        origin, parts = get_origin(kind), tuple(map(self._kind, get_args(kind)))
        if not parts or origin is Literal:
            return kind
        return reduce(or_, parts) if origin in (Union, UnionType) else origin[parts]


def _twin(value: Any) -> Any:
    """What stands in a model's class, as pydantic knows it."""
    if isinstance(value, Check):
        decorate = getattr(pydantic, value.kind)
        return decorate(*value.fields, mode=value.mode)(value.function)
    return value.default if isinstance(value, Given) else value


def _descriptions(model: type[Model]) -> dict[str, str]:
    """The text below each field."""
    (tree,) = ast.parse(dedent(inspect.getsource(model))).body
    lines = tree.body if isinstance(tree, ast.ClassDef) else []
    found = {}
    for field, text in pairwise(lines):
        if isinstance(field, ast.AnnAssign) and isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant):
            found[ast.unparse(field.target)] = inspect.cleandoc(str(text.value.value))
    return found


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


def _mistake(model: type[BaseModel], detail: dict[str, Any]) -> Mistake:
    path: tuple[str | int, ...] = tuple(detail["loc"])
    context = detail.get("ctx", {})
    match detail["type"]:
        case "extra_forbidden":
            return path, _unknown(str(path[-1]), _fields(_owner(model, path)))
        case "missing":
            return path, "must be given"
        case "literal_error" | "enum":
            return path, _one_of(detail["input"], context.get("expected", ""))
        case "value_error":
            return path, str(context.get("error", detail["msg"]))
        case _:
            must = _MUST.get(detail["type"])
            if must is None:
                return path, f"{detail['msg'][:1].lower()}{detail['msg'][1:]}; found {described(detail['input'])}"
            return path, f"must be {must}; found {described(detail['input'])}"


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


def _fields(model: type[BaseModel]) -> list[str]:
    return [field.alias or name for name, field in model.model_fields.items()]


def _unknown(name: str, known: list[str]) -> str:
    text = (
        "must be one of " + ", ".join(f"`{field}`" for field in known) if len(known) <= _MANY else "is no field of this config"
    )
    return text + names.hint(name, known)


def _one_of(found: Any, expected: str) -> str:
    choices = [part.strip("' ") for part in expected.replace(" or ", ", ").split(",")]
    hint = names.hint(found, choices) if isinstance(found, str) else ""
    return f"must be one of {', '.join(f'`{choice}`' for choice in choices)}; found {as_json(found)}{hint}"


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
