"""Validates values by JSON Schema. The only importer of `jsonschema`, which is loaded only if there is a schema."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING

from jsonschema import validators
from jsonschema.exceptions import ValidationError

from krm_values._golang import regexp
from krm_values.layered_values.loops import target
from krm_values.layered_values.schema import CHECKED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    from krm_values._data.pointer import Path
    from krm_values.layered_values.work import Steps

_BASE = validators.validator_for({"$schema": "https://json-schema.org/draft/2020-12/schema"})


class Validator:
    """A compiled schema. Results of a `$ref` on a value are cached while a document is checked, and every keyword is counted."""

    __slots__ = ("_class", "_known", "_schema", "_steps")

    def __init__(self, schema: Any, steps: Steps) -> None:
        self._schema, self._steps = schema, steps
        self._known: dict[tuple[int, str], list[ValidationError]] = {}
        words = {**_KEYWORDS, "$ref": self._reference}
        self._class = validators.create(
            meta_schema={}, validators={word: self._counted(check) for word, check in words.items() if word in CHECKED}
        )

    def mistakes(self, value: Any) -> Iterator[tuple[Path, str, Any, str]]:
        """Yield (path of the value, keyword, the keyword's argument, name) for each mistake; `name` is the missing or unknown key.

        Nulls count as absent. Lengths are in characters; patterns are RE2's. TooMuchError beyond the budget.
        """
        self._known.clear()
        found = _set(value)
        for error in _distinct(self._class(self._schema).iter_errors(found)):
            yield from _parts(error)

    def _reference(self, validator: Any, reference: str, instance: Any, _schema: Any) -> Iterator[ValidationError]:
        key = id(instance), reference  # the document outlives its check, so no other value gets this id
        if key not in self._known:
            self._known[key] = _distinct(validator.descend(instance, target(self._schema, reference)[1]))
        self._steps.take(len(self._known[key]))
        return map(ValidationError.create_from, self._known[key])

    def _counted(self, check: Callable[..., Any]) -> Callable[..., Any]:
        """Return the check of a keyword that ignores nulls and counts the values that it examines."""

        def checked(validator: Any, wanted: Any, instance: Any, schema: Any) -> Any:
            self._steps.take(1 + len(wanted) if isinstance(wanted, dict | list) else 1)
            return () if instance is None else check(validator, wanted, instance, schema) or ()

        return checked


def _distinct(errors: Iterable[ValidationError]) -> list[ValidationError]:
    """Return the errors without those that repeat another about the same value."""
    found = {(tuple(error.relative_path), error.validator, id(error.validator_value), error.message): error for error in errors}
    return [*found.values()]


def _set(value: Any) -> Any:
    """Return a value without the keys of maps that are null."""
    if isinstance(value, dict):
        return {key: _set(one) for key, one in value.items() if one is not None}
    return [_set(one) for one in value] if isinstance(value, list) else value


def _parts(error: Any) -> Iterator[tuple[Path, str, Any, str]]:
    path, word = tuple(error.absolute_path), error.validator
    if word == "required":
        yield path, word, None, error.message
    elif word == "additionalProperties" and isinstance(error.instance, dict) and error.validator_value is False:
        known = error.schema.get("properties", {})
        for name in error.instance:
            if name not in known:
                yield (*path, name), word, list(known), name
    else:
        yield path, word or "false", error.validator_value, ""


def _required(_validator: Any, wanted: Any, instance: Any, _schema: Any) -> Iterator[ValidationError]:
    """Yield one mistake per absent key, with its name as the message."""
    for name in wanted if isinstance(instance, dict) else ():
        if name not in instance:
            yield ValidationError(name)


def _properties(validator: Any, wanted: dict[str, Any], instance: Any, _schema: Any) -> Iterator[ValidationError]:
    """Yield one mistake per key whose schema is `false`, at its path, which the library leaves out."""
    for name, schema in wanted.items() if isinstance(instance, dict) else ():
        if name in instance and schema is False:
            yield ValidationError("false", validator="false", path=(name,))
        elif name in instance:
            yield from validator.descend(instance[name], schema, path=name, schema_path=name)


def _pattern(_validator: Any, pattern: Any, instance: Any, _schema: Any) -> Iterator[ValidationError]:
    if isinstance(instance, str):
        try:
            found = regexp.matches(pattern, instance)
        except regexp.PatternError as error:
            yield ValidationError(error.message)
            return
        if not found:
            yield ValidationError("pattern")


def _multiple_of(_validator: Any, wanted: Any, instance: Any, _schema: Any) -> Iterator[ValidationError]:
    """Check as decimal numbers: 0.3 is a multiple of 0.1."""
    if isinstance(instance, int | float) and not isinstance(instance, bool):
        value = _exact(instance)
        if value is None or value % (_exact(wanted) or 1):
            yield ValidationError("multipleOf")


def _exact(value: float) -> Fraction | None:
    """Return a number as it is written; None for one that is not finite."""
    if isinstance(value, int):
        return Fraction(int(value))
    return Fraction(Decimal(float.__repr__(value))) if math.isfinite(value) else None


def _unique_items(_validator: Any, wanted: Any, instance: Any, _schema: Any) -> Iterator[ValidationError]:
    if wanted and isinstance(instance, list) and len(set(map(_comparable, instance))) < len(instance):
        yield ValidationError("uniqueItems")


def _comparable(value: Any) -> Any:
    """Return a form in which equal values are equal: 1 and 1.0 are, 1 and true are not."""
    if isinstance(value, dict):
        return "map", frozenset((key, _comparable(one)) for key, one in value.items())
    if isinstance(value, list):
        return "list", tuple(map(_comparable, value))
    return isinstance(value, bool), value


_KEYWORDS: dict[str, Any] = {
    **_BASE.VALIDATORS,
    "properties": _properties,
    "required": _required,
    "pattern": _pattern,
    "multipleOf": _multiple_of,
    "uniqueItems": _unique_items,
}
