"""The keywords of a schema: those that are checked, annotations, and unknown words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.pointer import ABSENT
from krm_values._data.shown import described
from krm_values.layered_values import loops

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from krm_values._data.pointer import Path

CHECKED = [
    "type",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "enum",
    "const",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "pattern",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minProperties",
    "maxProperties",
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "$ref",
    "default",
]
SILENT = ["$schema", "$id", "$comment", "title", "description", "examples", "deprecated", "format", "$defs", "definitions"]
UNCHECKED = [
    "if",
    "then",
    "else",
    "patternProperties",
    "propertyNames",
    "prefixItems",
    "additionalItems",
    "contains",
    "minContains",
    "maxContains",
    "dependencies",
    "dependentRequired",
    "dependentSchemas",
    "unevaluatedItems",
    "unevaluatedProperties",
    "contentEncoding",
    "contentMediaType",
    "contentSchema",
    "readOnly",
    "writeOnly",
    "$anchor",
    "$dynamicAnchor",
    "$dynamicRef",
    "$recursiveAnchor",
    "$recursiveRef",
    "$vocabulary",
    "id",
    "nullable",
    "example",
    "discriminator",
    "xml",
    "externalDocs",
]
_MAPS = ("properties", "$defs", "definitions")
_LISTS = ("allOf", "anyOf", "oneOf")
_ONES = ("items", "additionalProperties", "not")
_TYPES = ("null", "boolean", "object", "array", "number", "string", "integer")
_COUNTS = ("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties")
_NUMBERS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")


def faults(root: Any, *, is_secret: bool) -> Iterator[tuple[str, Path, str]]:
    """Yield (`error` or `warning`, path in the schema, text) for each fault of a schema, and for what is not checked.

    is_secret: it is read from a Secret, so that only its keys are quoted.
    """
    for severity, path, text in _form(root, (), root):
        yield severity, path, text.partition("; found ")[0] if is_secret else text
    for path, way in loops.of_schema(root):
        text = "`$ref` leads back to the schema that it is in, without a step into the value"
        yield "error", path, text if is_secret else f"{text}: {way}"


def _form(form: Any, path: Path, root: Any) -> Iterator[tuple[str, Path, str]]:
    if isinstance(form, bool) and path:
        return
    if not isinstance(form, dict):
        yield "error", path, f"a schema must be a map; found {described(form)}"
        return
    for word, value in form.items():
        at = (*path, word)
        if word in UNCHECKED or word.startswith("x-"):
            if not word.startswith("x-"):
                yield "warning", at, f"the keyword `{word}` is not checked"
        elif word not in CHECKED and word not in SILENT:
            yield "error", at, f"`{word}` is not a keyword of JSON Schema{suggest.hint(word, [*CHECKED, *SILENT, *UNCHECKED])}"
        else:
            yield from _keyword(word, value, at, root)


def _keyword(word: str, value: Any, at: Path, root: Any) -> Iterator[tuple[str, Path, str]]:
    must = _must(word, value, root)
    if must:
        yield "error", at, f"`{word}` must be {must}; found {described(value)}"
    elif word in _MAPS:
        for key, part in value.items():
            yield from _form(part, (*at, key), root)
    elif word in _LISTS:
        for index, part in enumerate(value):
            yield from _form(part, (*at, index), root)
    elif word in _ONES:
        yield from _form(value, at, root)


def _must(word: str, value: Any, root: Any) -> str:
    """Return what the value of a keyword must be, "" if it is valid."""
    if word == "pattern":
        return _pattern(value)
    if word == "$ref":
        return _reference(value, root)
    for words, must, fits in _FORMS:
        if word in words:
            return "" if fits(value) else must
    return ""


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_type(value: Any) -> bool:
    words = value if isinstance(value, list) else [value]
    return bool(words) and all(isinstance(one, str) and one in _TYPES for one in words)


def _pattern(value: Any) -> str:
    from krm_values._golang import regexp  # noqa: PLC0415 - most schemas have no pattern

    if not isinstance(value, str):
        return "a regular expression"
    try:
        regexp.check(value)
    except regexp.PatternError as error:
        return f"a regular expression of RE2; found one that is not ({error.message})"
    return ""


def _reference(value: Any, root: Any) -> str:
    """Return whether a `$ref` leads to a place of the schema itself."""
    if not isinstance(value, str) or not (value == "#" or value.startswith("#/")):
        return "a place in this schema, `#/...`: nothing is read from elsewhere"
    return "" if loops.target(root, value)[1] is not ABSENT else "a place that this schema has"


_FORMS: list[tuple[tuple[str, ...], str, Callable[[Any], bool]]] = [
    (("type",), f"one of {', '.join(_TYPES)}, or a list of them", _is_type),
    (_MAPS, "a map of schemas", lambda value: isinstance(value, dict)),
    (_LISTS, "a list of schemas", lambda value: isinstance(value, list) and bool(value)),
    (("required",), "a list of names", lambda value: isinstance(value, list) and all(isinstance(one, str) for one in value)),
    (("enum",), "a list of values", lambda value: isinstance(value, list)),
    (("uniqueItems",), "true or false", lambda value: isinstance(value, bool)),
    (_COUNTS, "a whole number of 0 or more", lambda value: _is_number(value) and value == int(value) and value >= 0),
    (("multipleOf",), "a number above 0", lambda value: _is_number(value) and value > 0),
    (_NUMBERS, "a number", _is_number),
]
