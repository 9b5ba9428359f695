"""Checks merged documents by a JSON Schema. The only importer of `jsonschema`, which is loaded only if there is a schema."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING

from jsonschema import validators
from jsonschema.exceptions import ValidationError

from krm_values._data import suggest
from krm_values._data.pointer import to_field
from krm_values._data.shown import described
from krm_values._go import regexp
from krm_values._krm.item import is_secret
from krm_values._run.merge import Assigned, origin
from krm_values._yaml.emit import flow
from krm_values.layered_values.schema import CHECKED, target
from krm_values.layered_values.tree import find, first_leaf, line_of, place_of, plain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    from krm_values._data.limits import Budget
    from krm_values._data.pointer import Path
    from krm_values._krm.findings import Report
    from krm_values._run.merge import Tree
    from krm_values.layered_values.schema import Schema
    from krm_values.layered_values.tree import Layer

_BASE = validators.validator_for({"$schema": "https://json-schema.org/draft/2020-12/schema"})


class Validator:
    """A compiled schema. Results of a `$ref` on a value are cached while a document is checked, and every keyword is counted."""

    __slots__ = ("_is_secret", "_known", "_schema", "_steps", "_validator")

    def __init__(self, schema: Schema, steps: Budget) -> None:
        """Compile a schema. Of a schema in a Secret, messages quote only keywords. steps: its budget."""
        self._schema, self._steps = schema, steps
        self._is_secret = schema.item is not None and is_secret(schema.item)
        self._known: dict[tuple[int, str], list[ValidationError]] = {}
        words = {**_KEYWORDS, "$ref": self._reference}
        checks = {word: self._counted(check) for word, check in words.items() if word in CHECKED}
        self._validator: Any = validators.create(meta_schema={}, validators=checks)(schema.data)

    def check(self, tree: Tree, layers: tuple[Layer, ...], report: Report) -> None:
        """Report the mistakes of a document. Nulls count as absent. TooManyStepsError beyond the budget."""
        self._known.clear()
        document = _without_nulls(plain(tree))
        for error in _distinct(self._validator.iter_errors(document)):
            for path, word, wanted in _mistakes(error):
                if word == "required":
                    self._report_absent(tree, layers, path, report)
                else:
                    self._report_unfit(tree, path, word, wanted, report)

    def _report_absent(self, tree: Tree, layers: tuple[Layer, ...], path: Path, report: Report) -> None:
        is_null = isinstance(find(tree, path), Assigned)
        why = "no layer sets it, or a null takes it out" if is_null else "no layer sets it"
        named = suggest.listed([layer.name for layer in layers])
        text = f"`{to_field(path)}`: is required by the schema (`required`) and {why}; layers: {named}"
        report.error("schema", "54", text, config=self._schema.config)

    def _report_unfit(self, tree: Tree, path: Path, word: str, wanted: Any, report: Report) -> None:
        node = find(tree, path)
        leaf = first_leaf(node)
        at = origin(leaf) if leaf is not None else None
        of_layer = f" of layer {at.layer}{line_of(at)}" if at is not None else ""
        text = f"`{to_field(path) or '.'}`{of_layer}: {_must(word, {} if self._is_secret else wanted, path)}"
        if isinstance(node, Assigned):
            text += "; found {found}"  # which is hidden if it comes from a Secret
        elif at is not None:
            text += f"; found {described(plain(node))}"  # type: ignore[arg-type]
        report.error("schema", "57", text, found=at, **place_of(at))

    def _reference(self, validator: Any, reference: str, instance: Any, _schema: Any) -> Iterator[ValidationError]:
        key = id(instance), reference  # the document outlives its check, so no other value gets this id
        if key not in self._known:
            self._known[key] = _distinct(validator.descend(instance, target(self._schema.data, reference)[1]))
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


def _without_nulls(value: Any) -> Any:
    """Return a value without the keys of maps that are null."""
    if isinstance(value, dict):
        return {key: _without_nulls(one) for key, one in value.items() if one is not None}
    return [_without_nulls(one) for one in value] if isinstance(value, list) else value


def _mistakes(error: ValidationError) -> Iterator[tuple[Path, str, Any]]:
    """Yield (path of the value, keyword, the keyword's argument) for each mistake of an error: per unknown key one."""
    path, word = tuple(error.absolute_path), str(error.validator or "false")
    if word == "required":
        yield (*path, error.message), word, None
    elif word == "additionalProperties" and isinstance(error.instance, dict) and error.validator_value is False:
        known = error.schema.get("properties", {})
        yield from (((*path, name), word, list(known)) for name in error.instance if name not in known)
    else:
        yield path, word, error.validator_value


def _must(word: str, wanted: Any, path: Path) -> str:
    if word == "additionalProperties":
        known = wanted if isinstance(wanted, list) else []
        hint = suggest.hint(str(path[-1]), known) if path else ""
        return f"is not a value that the schema knows (`additionalProperties`){hint}"
    if word == "false":
        return "must not be set: its schema is `false`"
    if word == "type":
        return f"must be of type {suggest.alternatives(wanted if isinstance(wanted, list) else [wanted])} (`type`)"
    if isinstance(wanted, dict | bool) or word in ("anyOf", "oneOf", "allOf"):
        return f"must fit `{word}` of the schema"
    return f"must fit `{word}: {flow(wanted)}`"


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
