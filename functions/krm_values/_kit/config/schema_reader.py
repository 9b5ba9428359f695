"""Reads a functionConfig's `spec` by its JSON Schema, so that a valid config does not need pydantic, which is slow to import.

It knows the keywords that pydantic writes for the models of this package. A value that does not fit, and any other keyword, is left to
pydantic, which explains every mistake.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import data_edits
from krm_values._data.scalars.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

ATTRIBUTE = "x-attribute"
"""A keyword of ours beside those of JSON Schema: the attribute name of a property."""
_SAYS_NOTHING = {"title", "description", "default", ATTRIBUTE, "$defs", "then", "required"}
_STRINGS = ("type", "enum", "const")
_TYPES: dict[str, type] = {"string": str, "boolean": bool, "integer": int, "null": type(None), "array": list, "object": dict}


class UnfitError(ValueError):
    """A value that does not fit the schema, as far as this reader can decide."""


class Settings:
    """The fields of a config as attributes; `model_fields_set` has the given ones, as in pydantic's models."""

    def __init__(self, fields: Mapping[str, Any], given: frozenset[str]) -> None:
        self.__dict__.update(fields, model_fields_set=given)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{name} is read-only")

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...


def read(schema: Mapping[str, Any], spec: object) -> Settings | None:
    """Return the values of a spec, with the defaults of absent fields; None if pydantic has to decide."""
    try:
        value: Settings = _read(schema, spec, schema.get("$defs", {}))
    except UnfitError:
        return None
    return value


def takes_text(schema: Mapping[str, Any], field: str) -> bool:
    """Return whether the string of a ConfigMap is the value of a field as it is, rather than YAML to be parsed."""
    return _is_text(schema["properties"][field], schema.get("$defs", {}))


def _read(form: Mapping[str, Any], value: Any, shared: Mapping[str, Any]) -> Any:
    """Return a value by a schema. shared: the schemas that `$ref` refers to."""
    if "$ref" in form:
        return _read(shared[form["$ref"].rpartition("/")[2]], value, shared)
    if "anyOf" in form:
        return _only([found for option in form["anyOf"] for found in _tried(option, value, shared)])
    if type(value) is Text and not form.keys().isdisjoint(_STRINGS):
        value = str(value)
    for keyword, wanted in form.items():
        _check(keyword, wanted, value, form)
    if type(value) is dict:
        return _object(form, value, shared)
    if type(value) is list and "items" in form:
        return [_read(form["items"], entry, shared) for entry in value]
    return value


def _check(keyword: str, wanted: Any, value: Any, form: Mapping[str, Any]) -> None:
    """Raise UnfitError where a keyword of a schema refuses a value, or is not known here."""
    match keyword:
        case "type":
            fits = type(value) in [_TYPES.get(name, ...) for name in ([wanted] if isinstance(wanted, str) else wanted)]
        case "enum" | "const":
            fits = type(value) is str and value in ([wanted] if keyword == "const" else wanted)
        case "minProperties" | "maxProperties":
            fits = type(value) is dict and (len(value) >= wanted if keyword == "minProperties" else len(value) <= wanted)
        case "if":
            fits = not _has(wanted, value) or _has(form["then"], value)
        case "properties" | "additionalProperties" | "items":
            fits = True  # read below
        case _:
            fits = keyword in _SAYS_NOTHING
    if not fits:
        raise UnfitError(keyword)


def _object(form: Mapping[str, Any], value: dict[Any, Any], shared: Mapping[str, Any]) -> Any:
    if not all(type(key) is str for key in value):
        raise UnfitError("keys must be strings")
    known = form.get("properties")
    if known is None:
        entries = form.get("additionalProperties")
        return value if not isinstance(entries, dict) else {key: _read(entries, value[key], shared) for key in value}
    if not value.keys() <= known.keys() or not value.keys() >= {*form.get("required", ())}:
        raise UnfitError("a field is unknown or missing")
    fields = {
        part[ATTRIBUTE]: _read(part, value[key], shared) if key in value else data_edits.copy(part.get("default"))
        for key, part in known.items()
    }
    return Settings(fields, frozenset(known[key][ATTRIBUTE] for key in value))


def _tried(form: Mapping[str, Any], value: Any, shared: Mapping[str, Any]) -> Iterator[Any]:
    try:
        yield _read(form, value, shared)
    except UnfitError:
        return


def _only(found: list[Any]) -> Any:
    """Return the value by the one option that it fits; pydantic decides which of several is best."""
    if len(found) != 1:
        raise UnfitError("not a value of exactly one option")
    return found[0]


def _has(form: Mapping[str, Any], value: Any) -> bool:
    """Return whether a map has the constants of a condition."""
    return isinstance(value, dict) and all(
        value.get(key, ...) is part["const"] if key in value else key not in form["required"]
        for key, part in form["properties"].items()
    )


def _is_text(form: Mapping[str, Any], shared: Mapping[str, Any]) -> bool:
    if "$ref" in form:
        return _is_text(shared[form["$ref"].rpartition("/")[2]], shared)
    if "anyOf" in form:
        return any(_is_text(option, shared) for option in form["anyOf"])
    return "string" in form.get("type", ())
