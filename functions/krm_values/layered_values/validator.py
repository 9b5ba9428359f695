"""Checks merged documents by a JSON Schema.

Each value is checked by all schemas that apply to it, each once: those of its parent's keyword, and through `$ref` and `allOf`. Nothing is
called per level of a value, so it may nest as deeply as a text; only `anyOf`, `oneOf` and `not` are.
"""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.data_edits import key_of
from krm_values._data.pointer import to_field
from krm_values._data.shown import cut, described
from krm_values._go import regexp
from krm_values._krm.item import is_secret
from krm_values._run.traced import Assigned, Map, member, origin, plain
from krm_values._yaml.emit import flow
from krm_values.layered_values.schema import PATTERN_WORK, TooManyStepsError, applied, further_parts
from krm_values.layered_values.tree import first_leaf, line_of, place_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any, TypeAlias

    from krm_values._data.limits import Budget
    from krm_values._data.pointer import Path
    from krm_values._krm.findings import Report
    from krm_values.layered_values.schema import Schema
    from krm_values.layered_values.tree import Layer

    Mistake: TypeAlias = tuple[Path, str, Any]  # path of the value, keyword, the keyword's argument

_MOST_NESTED = 210  # more than the levels of a text; each is three calls within each other
_TOO_NESTED = f"applies more than {_MOST_NESTED} of `anyOf`, `oneOf` and `not` within each other to a value: write fewer of them into each other"
_ALTERNATIVES = ("anyOf", "oneOf", "not")


class Validator:
    """A schema whose checks are counted."""

    __slots__ = ("_enums", "_fits", "_is_secret", "_nested", "_schema", "_shown", "_steps")

    def __init__(self, schema: Schema, steps: Budget) -> None:
        """Of a schema in a Secret, messages quote only keywords. steps: its budget."""
        self._schema, self._steps, self._nested = schema, steps, 0
        self._is_secret = schema.item is not None and is_secret(schema.item)
        self._fits: dict[tuple[int, int], bool] = {}
        self._enums: dict[int, set[object]] = {}
        self._shown: dict[int, str] = {}

    def check(self, tree: Map, layers: tuple[Layer, ...], report: Report) -> None:
        """Report the mistakes of a document. Nulls count as absent. TooManyStepsError beyond the budget."""
        self._fits.clear()
        self._nested = 0
        document = _without_nulls(plain(tree))  # it outlives the check, so an `id` means one value
        names = suggest.listed([layer.name for layer in layers])
        for path, word, wanted in self._mistakes(document, self._schema.data):
            if word == "required":
                self._report_absent(tree, names, path, report)
            else:
                self._report_unfit(tree, path, word, wanted, report)

    def _mistakes(self, value: Any, schema: Any) -> Iterator[Mistake]:
        """Yield the mistakes of a value and all that is in it."""
        left: list[tuple[Path, Any, list[Any]]] = [((), value, [schema])]
        while left:
            path, value, schemas = left.pop()
            below: dict[str | int, list[Any]] = {}
            for form, _ in applied(self._schema.data, [(form, ()) for form in schemas], self._steps):
                if form is False:
                    yield path, "false", None
                elif value is not None:
                    yield from self._of_keywords(path, value, form, below)
            left += [((*path, part), value[part], below[part]) for part in reversed(below)]

    def _of_keywords(
        self, path: Path, value: Any, form: dict[str, Any], below: dict[str | int, list[Any]]
    ) -> Iterator[Mistake]:
        """Yield the mistakes of a value alone, and add the schemas of what is in it to `below`."""
        self._steps.take(1 + len(form))
        if isinstance(value, dict):
            yield from self._of_map(path, value, form, below)
        elif isinstance(value, list) and "items" in form:
            prefix = form.get("prefixItems")
            first = len(prefix) if isinstance(prefix, list) else 0
            if form["items"] is False and len(value) > first:
                yield path, "items", False
            elif form["items"] is not True:
                self._steps.take(len(value))
                for index in range(first, len(value)):
                    below.setdefault(index, []).append(form["items"])
        for word, wanted in form.items():
            if word in _ALTERNATIVES:
                schemas, most = ([wanted], 1) if word == "not" else (wanted, 2 if word == "oneOf" else 1)
                is_wrong = self._count(schemas, value, most) != (0 if word == "not" else 1)
            elif check := _KEYWORDS.get(word):
                is_wrong = check(wanted, value)
            else:
                is_wrong = self._is_wrong(word, wanted, value)
            if is_wrong:
                yield path, word, wanted

    def _of_map(
        self, path: Path, value: dict[str, Any], form: dict[str, Any], below: dict[str | int, list[Any]]
    ) -> Iterator[Mistake]:
        known, required = form.get("properties", {}), form.get("required", ())
        self._steps.take(len(value) + len(required))
        yield from (((*path, name), "required", None) for name in dict.fromkeys(required) if name not in value)
        has_further = "patternProperties" in form or form.get("additionalProperties", True) is not True
        for name in value:
            parts: list[tuple[Any, Path]] = [(known[name], ("properties",))] if name in known else []
            parts += further_parts(form, name, self._steps) if has_further else []
            for part, place in parts:
                if part is False and place == ("additionalProperties",):
                    yield (*path, name), "additionalProperties", known
                elif part is False:
                    yield (*path, name), "false", None
                elif part is not True:
                    below.setdefault(name, []).append(part)

    def _is_wrong(self, word: str, wanted: Any, value: Any) -> bool:
        """Return whether a value does not fit a keyword whose check takes more than a step."""
        match word:
            case "enum" | "const":
                return self._key(value) not in self._allowed(word, wanted)
            case "uniqueItems":
                return bool(wanted and isinstance(value, list) and len({*map(self._key, value)}) < len(value))
            case "pattern":
                return isinstance(value, str) and not self._matches(wanted, value)
        return False

    def _count(self, schemas: list[Any], value: Any, most: int) -> int:
        """Return how many of the schemas a value fits; from `most` on no more are tried."""
        found = 0
        for form in schemas:
            key = id(value), id(form)
            if key not in self._fits:
                if self._nested == _MOST_NESTED:
                    raise TooManyStepsError(_TOO_NESTED)
                self._nested += 1
                self._fits[key] = next(self._mistakes(value, form), None) is None
                self._nested -= 1
            self._steps.take()
            found += self._fits[key]
            if found == most:
                break
        return found

    def _key(self, value: Any) -> object:
        self._steps.take(_size(value))
        return key_of(value)

    def _allowed(self, word: str, wanted: Any) -> set[object]:
        if id(wanted) not in self._enums:
            self._enums[id(wanted)] = {*map(self._key, wanted if word == "enum" else [wanted])}
        return self._enums[id(wanted)]

    def _matches(self, pattern: str, text: str) -> bool:
        """Return whether a pattern matches; False if it takes too many steps."""
        try:
            self._steps.take(len(text) * regexp.size(pattern) // PATTERN_WORK)
            return regexp.matches(pattern, text)
        except regexp.PatternError:
            return False

    def _report_absent(self, tree: Map, names: str, path: Path, report: Report) -> None:
        is_null = isinstance(member(tree, path), Assigned)
        why = "no layer sets it, or a null takes it out" if is_null else "no layer sets it"
        text = f"`{to_field(path)}`: is required by the schema (`required`) and {why}; layers: {names}"
        report.error("schema", "54", text, config=self._schema.config)

    def _report_unfit(self, tree: Map, path: Path, word: str, wanted: Any, report: Report) -> None:
        node = member(tree, path)
        leaf = first_leaf(node)
        at = origin(leaf) if leaf is not None else None
        of_layer = f" of layer {at.layer}{line_of(at)}" if at is not None else ""
        text = f"`{to_field(path) or '.'}`{of_layer}: {self._must(word, wanted, path)}"
        if node is not None and (not isinstance(node, Map) or (at is not None and not node)):
            text += "; found {found}"  # which is hidden if it comes from a Secret
        elif at is not None:
            text += f"; found {described({})}"
        report.error("schema", "57", text, found=at, **place_of(at))

    def _must(self, word: str, wanted: Any, path: Path) -> str:
        if word == "additionalProperties":
            hint = suggest.hint(str(path[-1]), wanted) if path and not self._is_secret else ""
            return f"is not a value that the schema knows (`additionalProperties`){hint}"
        if word == "false":
            return "must not be set: its schema is `false`"
        if self._is_secret or isinstance(wanted, (dict, bool)) or word in ("anyOf", "oneOf"):
            return f"must fit `{word}` of the schema"
        if word == "type":
            return f"must be of type {suggest.alternatives([*dict.fromkeys(wanted)] if isinstance(wanted, list) else [wanted])} (`type`)"
        if id(wanted) not in self._shown:
            self._shown[id(wanted)] = cut(flow(wanted))
        return f"must fit `{word}: {self._shown[id(wanted)]}`"


def _without_nulls(value: Any) -> Any:
    """Return a value without the keys of maps that are null."""
    if isinstance(value, dict):
        return {key: _without_nulls(one) for key, one in value.items() if one is not None}
    return [_without_nulls(one) for one in value] if isinstance(value, list) else value


def _exact(value: float) -> Fraction | None:
    """Return a number as it is written; None for one that is not finite."""
    if isinstance(value, int):
        return Fraction(int(value))
    return Fraction(Decimal(float.__repr__(value))) if math.isfinite(value) else None


def _size(value: Any) -> int:
    """Return how many values and, of strings, characters by the hundred there are in a value."""
    if isinstance(value, str):
        return 1 + len(value) // 100
    below: Iterable[Any] = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + sum(map(_size, below))


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_of(word: str, value: Any) -> bool:
    """Return whether a value is of a type; a number without a fraction is an integer."""
    if word == "integer":
        return _is_number(value) and (isinstance(value, int) or value.is_integer())
    if word == "number":
        return _is_number(value)
    return word != "null" and isinstance(value, {"boolean": bool, "object": dict, "array": list, "string": str}[word])


def _is_no_multiple(wanted: Any, value: Any) -> bool:
    """Compare as decimal numbers: 0.3 is a multiple of 0.1."""
    number = _exact(value) if _is_number(value) else 0
    return number is None or number % (_exact(wanted) or 1) != 0


_KEYWORDS: dict[str, Callable[[Any, Any], bool]] = {
    "type": lambda wanted, value: not any(_is_of(word, value) for word in (wanted if isinstance(wanted, list) else [wanted])),
    "minimum": lambda wanted, value: _is_number(value) and value < wanted,
    "maximum": lambda wanted, value: _is_number(value) and value > wanted,
    "exclusiveMinimum": lambda wanted, value: _is_number(value) and value <= wanted,
    "exclusiveMaximum": lambda wanted, value: _is_number(value) and value >= wanted,
    "multipleOf": _is_no_multiple,
    "minLength": lambda wanted, value: isinstance(value, str) and len(value) < wanted,
    "maxLength": lambda wanted, value: isinstance(value, str) and len(value) > wanted,
    "minItems": lambda wanted, value: isinstance(value, list) and len(value) < wanted,
    "maxItems": lambda wanted, value: isinstance(value, list) and len(value) > wanted,
    "minProperties": lambda wanted, value: isinstance(value, dict) and len(value) < wanted,
    "maxProperties": lambda wanted, value: isinstance(value, dict) and len(value) > wanted,
}
"""Of keywords that take one step: whether a value does not fit."""
