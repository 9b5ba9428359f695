"""The merged document: defaults, references, nulls and the schema [42, 50-59]."""

from __future__ import annotations

import re
from typing import Any

from tests.reference.layered_values import paths
from tests.reference.layered_values.faults import Findings, Stop
from tests.reference.layered_values.scalars import Plain
from tests.reference.layered_values.tree import REFERENCE, Value, plain, same, tree

Json = Any
BROKEN = object()
"""What a reference that leads nowhere is: an error that follows from it is not another one."""


def filled(value: Value, schema: Json) -> Value:
    """A value with the defaults of absent keys [55]."""
    if not isinstance(schema, dict):
        return value
    if value.sort == "list":
        return Value([filled(member, schema.get("items")) for member in value.data], value.layer, value.secret, value.literal)
    if value.sort != "map":
        return value
    found = dict(value.data)
    for key, inner in schema.get("properties", {}).items():
        if key not in found and "default" in inner:
            found[key] = tree(inner["default"], "schema", secret=False, literal=False)
        if key in found:
            found[key] = filled(found[key], inner)
    return Value(found, value.layer, value.secret, value.literal)


NOWHERE: tuple[paths.Step, ...] = ()


class References:
    """Follows `{$value: PATH}` in one document [50-52]."""

    def __init__(self, document: Value, findings: Findings) -> None:
        self.document = document
        self.findings = findings

    def resolved(self, value: Value, place: tuple[paths.Step, ...] = (), asked: tuple[Json, ...] = ()) -> Value:
        """A value without references. `place`: where it is in the document; `asked`: the places that are being resolved."""
        if value.reference:
            return self._followed(value, place, asked)
        if value.sort == "map":
            data: Json = {key: self.resolved(member, (*place, key), asked) for key, member in value.data.items()}
        elif value.sort == "list":
            data = [self.resolved(member, (*place, number), asked) for number, member in enumerate(value.data)]
        else:
            return value
        return Value(data, value.layer, value.secret, value.literal)

    def _followed(self, value: Value, place: tuple[paths.Step, ...], asked: tuple[Json, ...]) -> Value:
        try:
            found = self._target(value, place, asked)
        except Stop as stop:
            self.findings.error(str(stop))
            return Value(BROKEN, value.layer)
        return found

    def _target(self, value: Value, place: tuple[paths.Step, ...], asked: tuple[Json, ...]) -> Value:
        path = value.data[REFERENCE].data
        if len(value.data) > 1 or not isinstance(path, str):
            raise Stop("reference")
        if place in asked:
            raise Stop("cycle")
        steps = paths.parse(path)
        if steps == place[: len(steps)]:
            raise Stop("cycle")
        target, at = self._walk(steps, (*asked, place))
        found = self.resolved(target, at, (*asked, place))
        return _marked(found) if value.secret else found

    def _walk(self, steps: tuple[paths.Step, ...], asked: tuple[Json, ...]) -> tuple[Value, tuple[paths.Step, ...]]:
        """What is at a path, and where it is, through other references."""
        value, at = self.document, NOWHERE
        for step in steps:
            value, at = self._through(value, at, asked)
            if (isinstance(step, str) and value.sort == "map" and step in value.data) or (
                isinstance(step, int) and value.sort == "list" and step < len(value.data)
            ):
                value, at = value.data[step], (*at, step)
            else:
                raise Stop("reference")
        return value, at

    def _through(
        self, value: Value, at: tuple[paths.Step, ...], asked: tuple[Json, ...]
    ) -> tuple[Value, tuple[paths.Step, ...]]:
        while value.reference:
            path = value.data[REFERENCE].data
            if len(value.data) > 1 or not isinstance(path, str):
                raise Stop("reference")
            if at in asked:
                raise Stop("cycle")
            asked = (*asked, at)
            value, at = self._walk(paths.parse(path), asked)
        return value, at


def _marked(value: Value) -> Value:
    """A value that a Secret's reference led to."""
    data = value.data
    if value.sort == "map":
        data = {key: _marked(member) for key, member in data.items()}
    elif value.sort == "list":
        data = [_marked(member) for member in data]
    return Value(data, value.layer, secret=True, literal=value.literal)


def without_nulls(value: Value) -> Value:
    """Without keys whose value is null [42]; elements stay."""
    if value.sort == "map":
        kept = {key: without_nulls(member) for key, member in value.data.items() if member.data is not None}
        return Value(kept, value.layer, value.secret, value.literal)
    if value.sort == "list":
        return Value([without_nulls(member) for member in value.data], value.layer, value.secret, value.literal)
    return value


def valid(value: Json, schema: Json) -> bool:
    """Whether plain data meets a schema; a null counts as not set [54, 56]."""
    if value is None:
        return True
    numbers, texts = isinstance(value, Plain) and not value.boolean, isinstance(value, str)
    maps, lists = isinstance(value, dict), isinstance(value, list)
    checks = {
        "type": lambda given: any(_is(value, one) for one in (given if isinstance(given, list) else [given])),
        "enum": lambda given: any(same(value, one) for one in given),
        "const": lambda given: same(value, given),
        "minimum": lambda given: not numbers or value.value >= given.value,
        "maximum": lambda given: not numbers or value.value <= given.value,
        "exclusiveMinimum": lambda given: not numbers or value.value > given.value,
        "multipleOf": lambda given: not numbers or value.value % given.value == 0,
        "minLength": lambda given: not texts or len(value) >= given.value,
        "maxLength": lambda given: not texts or len(value) <= given.value,
        "pattern": lambda given: not texts or re.search(given, value) is not None,
        "minItems": lambda given: not lists or len(value) >= given.value,
        "maxItems": lambda given: not lists or len(value) <= given.value,
        "uniqueItems": lambda given: (
            not lists or not given.value or not any(same(a, b) for n, a in enumerate(value) for b in value[:n])
        ),
        "items": lambda given: not lists or all(valid(member, given) for member in value),
        "required": lambda given: not maps or all(value.get(key) is not None for key in given),
        "properties": lambda given: not maps or all(valid(value.get(key), inner) for key, inner in given.items()),
        "additionalProperties": lambda given: not maps or _additional(value, schema, given),
        "allOf": lambda given: all(valid(value, inner) for inner in given),
        "anyOf": lambda given: any(valid(value, inner) for inner in given),
        "oneOf": lambda given: sum(valid(value, inner) for inner in given) == 1,
        "not": lambda given: not valid(value, given),
    }
    return all(checks[word](given) for word, given in schema.items() if word in checks)


def _additional(value: Json, schema: Json, given: Json) -> bool:
    others = [member for key, member in value.items() if key not in schema.get("properties", {}) and member is not None]
    return not others if isinstance(given, Plain) else all(valid(member, given) for member in others)


def _is(value: Json, name: str) -> bool:
    if isinstance(value, Plain):
        whole = not value.boolean and float(value.value).is_integer()
        return name == "boolean" if value.boolean else name == "number" or (name == "integer" and whole)
    return name == {dict: "object", list: "array", str: "string"}[type(value)]


def finished(merged: Value, config: Json, findings: Findings) -> Value:
    """The document that targets read [51, 55]."""
    schema = config.get("schema")
    document = filled(merged, schema)
    if config.get("references", Plain("true", value=True)).value:
        document = filled(References(document, findings).resolved(document), schema)
    if config.get("nulls") == "remove":
        document = without_nulls(document)
    if schema is not None and not findings.errors & {"reference", "cycle"} and not valid(plain(document), schema):
        findings.error("schema")
    return document


def broken(value: Value) -> bool:
    """Whether a reference in a value leads nowhere."""
    members = value.data.values() if value.sort == "map" else value.data if value.sort == "list" else ()
    return value.data is BROKEN or any(map(broken, members))
