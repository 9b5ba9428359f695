"""Values checked by JSON Schema: the one importer of `jsonschema`, which is loaded only where there is a schema."""

from __future__ import annotations

from jsonschema import validators
from jsonschema.exceptions import ValidationError

from krm_values._golang import regexp
from krm_values.layered_values.schema.keywords import CHECKED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from krm_values._data.pointer import Path

_BASE = validators.validator_for({"$schema": "https://json-schema.org/draft/2020-12/schema"})


def mistakes(schema: Any, value: Any) -> Iterator[tuple[Path, str, Any, str]]:
    """(path of the value, keyword, what the keyword wants, name) of each mistake, `name` being the key that is missing or unknown.

    Nulls count as not set. Lengths are of characters; patterns are RE2's.
    """
    for error in _VALIDATOR(schema).iter_errors(_set(value)):
        yield from _parts(error)


def _set(value: Any) -> Any:
    """A value without the keys of maps that are null."""
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
    """One mistake per absent key, its name as the message."""
    for name in wanted if isinstance(instance, dict) else ():
        if name not in instance:
            yield ValidationError(name)


def _pattern(_validator: Any, pattern: Any, instance: Any, _schema: Any) -> Iterator[ValidationError]:
    if isinstance(instance, str):
        try:
            found = regexp.matches(pattern, instance)
        except regexp.PatternError as error:
            yield ValidationError(error.message)
            return
        if not found:
            yield ValidationError("pattern")


def _of_set(check: Callable[..., Any]) -> Callable[..., Any]:
    """A keyword that does not look at nulls."""

    def checked(validator: Any, wanted: Any, instance: Any, schema: Any) -> Any:
        return () if instance is None else check(validator, wanted, instance, schema) or ()

    return checked


_KEYWORDS: dict[str, Any] = {**_BASE.VALIDATORS, "required": _required, "pattern": _pattern}
_VALIDATOR = validators.create(
    meta_schema={}, validators={word: _of_set(check) for word, check in _KEYWORDS.items() if word in CHECKED}
)
