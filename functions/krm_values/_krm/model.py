"""The base of every functionConfig's model, and the only importer of pydantic: explains the mistakes of a config, and makes its JSON Schema.

A valid config is read by its schema, without this module (`config.read_by_schema`).
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator
from pydantic.alias_generators import to_camel

from krm_values._data import suggest
from krm_values._data.shown import described
from krm_values._krm.names import ATTRIBUTE

__all__ = ["Config", "Field", "FunctionConfig", "field_validator", "model_validator", "schema", "validate"]

Mistake: TypeAlias = tuple[tuple[str | int, ...], str]
_MANY = 9


class Config(BaseModel):
    """The `spec` of a functionConfig: strict types, camelCase names, unknown fields refused, immutable."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, alias_generator=to_camel, use_attribute_docstrings=True)


class FunctionConfig(Config):
    """What the functionConfig of every function has."""

    record: bool | None = None
    """Whether undo records are kept in annotations; if not given, wherever the result may be stored: not under kustomize."""

    check: bool = False
    """Check only: write nothing and report every object that would change as an error."""


def validate(model: type[Config], spec: object) -> tuple[Any, list[Mistake]]:
    """Return the validated spec, or every mistake as (path within spec, message that says what is wrong and what is allowed)."""
    try:
        return model.model_validate(spec), []
    except ValidationError as error:
        found = [dict(detail) for detail in error.errors(include_url=False)]
        return None, _of_unions(spec, [(_mistake(model, detail), detail["type"] == "missing") for detail in found])


def schema(model: type[Config]) -> dict[str, Any]:
    """Return the JSON Schema of the spec, with the attribute name beside each property."""
    made = model.model_json_schema(by_alias=True)
    attributes = {one.__name__: one for one in (model, *_nested(model))}
    for name, form in ((model.__name__, made), *made.get("$defs", {}).items()):
        for attribute, field in attributes[name].model_fields.items():
            form["properties"][field.alias or attribute][ATTRIBUTE] = attribute
    made["properties"] = {name: made["properties"][name] for name in _fields(model)}
    return made


def published(form: Any) -> Any:
    """Return a schema for publication, with keywords of JSON Schema only."""
    if isinstance(form, list):
        return [published(part) for part in form]
    if not isinstance(form, dict):
        return form
    return {key: published(part) for key, part in form.items() if key != ATTRIBUTE}


def _nested(model: type[BaseModel]) -> list[type[BaseModel]]:
    """Return the models of a model's fields, to any depth."""
    kinds = [part for field in model.model_fields.values() for part in (field.annotation, *_flat(field.annotation))]
    own = [kind for kind in kinds if isinstance(kind, type) and issubclass(kind, BaseModel)]
    return [*own, *(inner for one in own for inner in _nested(one))]


def _of_unions(spec: object, mistakes: list[tuple[Mistake, bool]]) -> list[Mistake]:
    """Return one mistake per union field: the deepest mistake within one of its types, else all types that it may have.

    mistakes: each with whether its last part is a missing field. Their paths contain the names of the union's types.
    """
    merged: list[Mistake] = []
    first: dict[tuple[str | int, ...], int] = {}  # where the first mistake within a union stands in `merged`
    for (path, text), is_missing in mistakes:
        owner, inner = _in_union(spec, path, is_missing=is_missing)
        twin = first.get(owner) if owner is not None else None
        if owner is None or twin is None:
            if owner is not None:
                first[owner] = len(merged)
            merged.append(((*(owner or ()), *inner), text))
        elif inner and merged[twin][0] == owner:
            merged[twin] = ((*owner, *inner), text)
        elif inner:
            merged.append(((*owner, *inner), text))
        elif merged[twin][0] == owner:
            merged[twin] = (owner, _either(merged[twin][1], text))
    texts: dict[tuple[str | int, ...], str] = {}
    for path, text in merged:  # a field of several types within one of several types
        texts[path] = _either(texts[path], text) if path in texts else text
    # What stands above another mistake only reports the other type of a union.
    above = {path[:length] for path in texts for length in range(len(path))}
    return [one for one in texts.items() if one[0] not in above]


def _either(first: str, second: str) -> str:
    """Return the message for a field that may have either of two types. A near name decides which type was meant."""
    if first == second or "did you mean" in first:
        return first
    must, _, found = first.rpartition("; found ")
    return f"{must} or {second.removeprefix('must be ').rpartition('; found ')[0]}; found {found}"


def _in_union(spec: Any, path: tuple[str | int, ...], *, is_missing: bool) -> tuple[tuple[str | int, ...] | None, Any]:
    """Return the outermost union field on a path, None if there is none, and the path from there without the names of types."""
    real: list[str | int] = []
    owner: tuple[str | int, ...] | None = None
    for number, part in enumerate(path):
        is_last_missing = is_missing and number == len(path) - 1
        if is_last_missing or (isinstance(spec, dict) and part in spec) or (isinstance(spec, list) and isinstance(part, int)):
            real.append(part)
            spec = None if is_last_missing else spec[part]
        else:
            owner = tuple(real) if owner is None else owner
    return owner, tuple(real[len(owner) :] if owner is not None else real)


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
    shared = FunctionConfig.model_fields if issubclass(model, FunctionConfig) else ()
    own = [field.alias or name for name, field in model.model_fields.items() if name not in shared]
    return [*own, *shared]


def _unknown(name: str, known: list[str]) -> str:
    hint = suggest.hint(name, known)
    if len(known) <= _MANY:
        return f"must be one of {', '.join(f'`{field}`' for field in known)}{hint}"
    return f"is not a field of this config{hint or '; its fields are ' + suggest.listed(known, '`')}"


def _one_of(found: Any, expected: str) -> str:
    choices = [part.strip("' ") for part in expected.replace(" or ", ", ").split(",")]
    hint = suggest.hint(found, choices) if isinstance(found, str) else ""
    return f"must be one of {', '.join(f'`{choice}`' for choice in choices)}; found {described(found)}{hint}"


def _owner(model: type[BaseModel], path: tuple[str | int, ...]) -> type[BaseModel]:
    """Return the model that should have the field at the end of the path."""
    for part in path[:-1]:
        for name, field in model.model_fields.items():
            if part in (name, field.alias):
                nested = [kind for kind in (field.annotation, *_flat(field.annotation)) if isinstance(kind, type)]
                model = next((kind for kind in nested if issubclass(kind, BaseModel)), model)
    return model


def _flat(annotation: object) -> list[object]:
    return [part for argument in get_args(annotation) for part in (argument, *_flat(argument))]


# Names of objects in a functionConfig: the entries of `allowMissing`.


class ObjectName(Config):
    """Objects of the list, by kind, namespace and name."""

    kind: str
    """The kind of the object."""

    namespace: str | None = None
    """Its namespace; any if it is not given."""

    name: str
    """Its name; `*` matches any characters."""


class AllowMissing(ObjectName):
    """Objects that may be missing from the list."""

    kind: Literal["ConfigMap", "Secret"]
    """The kind of the object."""
