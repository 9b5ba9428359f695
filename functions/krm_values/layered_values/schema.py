"""A JSON Schema: which faults it has, and its defaults, which are the lowest layer. `validator` checks documents by it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.limits import Budget
from krm_values._data.pointer import ABSENT, get, parts_of, to_field
from krm_values._data.record import record
from krm_values._data.shown import cut, described
from krm_values._krm.item import is_secret
from krm_values._run.traced import Assigned, Map, atoms, elements, joined_losers, listed
from krm_values.layered_values.tree import SCHEMA, WRONG_REFERENCE, OriginOf, Reference, tree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any, TypeAlias

    from krm_values._data.pointer import Path
    from krm_values._krm.findings import Report
    from krm_values._krm.item import Item
    from krm_values._run.traced import Node

    _Placed: TypeAlias = tuple[Any, Path]  # a schema, with its path in the whole one

MOST = 1_000_000
"""Steps of a schema in a run: values that its defaults examine or fill, and keywords that are checked."""
_DEEPEST = 200
_DIGITS = 10  # of an index of a list, at most
_STEPS = 9  # of a loop that are shown
PATTERN_WORK = 1_000  # instructions of a pattern times bytes of a string that count as a step
_EXPLAINED = 100  # steps in which the default below a value is found
_FILLED = 3  # steps of a value that is filled, beside those of its schema


@record
class Schema:
    """A JSON Schema, None if there is none. path: of it in its source. item: the object that holds it, unless that is the config.

    says: the origins of its source. config: the field of the functionConfig that has it or names it. is_field: whether it is a field of a
    resource, which has no references.
    """

    data: Any = None
    says: OriginOf = OriginOf(SCHEMA, config=(SCHEMA,))
    path: Path = ()
    item: Item | None = None
    config: Path = (SCHEMA,)
    is_field: bool = False


def check(schema: Schema, report: Report, *, references: bool) -> None:
    """Report the faults of a schema, and what of it is not checked. references: whether defaults may be references."""
    item = schema.item
    quotes = item is None or not is_secret(item)  # of one in a Secret only keywords

    def place(path: Path) -> tuple[str, Path]:
        whole = (*schema.config, *path)
        return (to_field(whole), whole) if item is None else (to_field(path) or ".", schema.config)

    forms = [*_forms(schema.data)]
    if references and not schema.is_field:
        for path in _wrong_references(forms):
            shown, at = place(path)
            report.error("reference", "50", f"`{shown}` of the schema: {WRONG_REFERENCE}", item, config=at)
    faults = [fault for path, form in forms for fault in _faults(form, path, schema.data)]
    for is_error, path, text in (*faults, *_unread_patterns(forms)):
        shown, at = place(path)
        said = f"`{shown}` of the schema: {text if quotes else text.partition('; found ')[0]}"
        if is_error:
            report.error("schema", "59", said, item, config=at)
        else:
            report.warning("schema-unchecked", "59", said, item, config=at)
    for path, loop in _loops(schema.data, forms):
        shown, at = place(path)
        text = "`$ref` leads back to the schema that it is in, without a step into the value"
        report.error("schema", "59", f"`{shown}` of the schema: {text}{f': {loop}' if quotes else ''}", item, config=at)


def _forms(root: Any) -> Iterator[tuple[Path, Any]]:
    """Yield what is taken for a schema, each once: the whole, the schemas in it, and what a `$ref` leads to, wherever that is."""
    seen: set[int] = set()
    left: list[tuple[Path, Any]] = [((), root)]
    while left:
        path, form = left.pop()
        if isinstance(form, (dict, list)) and id(form) in seen:
            continue
        seen.add(id(form))
        yield path, form
        if isinstance(form, dict):
            left += [*_parts(root, path, form)][::-1]


def _parts(root: Any, path: Path, form: dict[str, Any]) -> Iterator[tuple[Path, Any]]:
    for word, value in form.items():
        if word in _ONES:
            yield (*path, word), value
        elif word in _LISTS and isinstance(value, list):
            yield from (((*path, word, index), part) for index, part in enumerate(value))
        elif word in _MAPS and isinstance(value, dict):
            yield from (((*path, word, key), part) for key, part in value.items())
        elif word == "$ref" and not _reference(value, root):
            yield target(root, value)


def _wrong_references(forms: Iterable[tuple[Path, Any]]) -> Iterator[Path]:
    """Yield the paths of maps in defaults that have the key of a reference but are not one."""
    for path, form in forms:
        wrong: list[Path] = []
        if isinstance(form, dict):
            tree(form.get("default"), None, (*path, "default"), wrong.append)
        yield from wrong


CHECKED = [
    "type",
    "properties",
    "required",
    "additionalProperties",
    "patternProperties",
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
_MAPS = ("properties", "patternProperties", "$defs", "definitions")  # of schemas
_LISTS = ("allOf", "anyOf", "oneOf")
_ONES = ("items", "additionalProperties", "not")
_TYPES = ("null", "boolean", "object", "array", "number", "string", "integer")
_COUNTS = ("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties")
_NUMBERS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")


def _faults(form: Any, path: Path, root: Any) -> Iterator[tuple[bool, Path, str]]:
    """Yield (whether it is an error, path in the schema, text) for each fault of a schema itself, and for what is not checked."""
    if isinstance(form, bool) and path:
        return
    if not isinstance(form, dict):
        yield True, path, f"a schema must be a map; found {described(form)}"
        return
    for word, value in form.items():
        at = (*path, word)
        if word in UNCHECKED or word.startswith("x-"):
            if not word.startswith("x-"):
                yield False, at, f"the keyword `{word}` is not checked"
        elif word not in CHECKED and word not in SILENT:
            yield (
                True,
                at,
                f"`{cut(word)}` is not a keyword of JSON Schema{suggest.hint(word, [*CHECKED, *SILENT, *UNCHECKED])}",
            )
        elif must := _must(word, value, root):
            yield True, at, f"`{word}` must be {must}; found {described(value)}"


def _unread_patterns(forms: Iterable[tuple[Path, Any]]) -> Iterator[tuple[bool, Path, str]]:
    for path, form in forms:
        patterns = form.get("patternProperties") if isinstance(form, dict) else None
        for pattern in patterns if isinstance(patterns, dict) else ():
            if must := _pattern(pattern):
                yield False, (*path, "patternProperties", pattern), f"is not checked: it must be {must}"


def _must(word: str, value: Any, root: Any) -> str:
    """Return what the value of a keyword must be, "" if it is valid."""
    if word == "pattern":
        return _pattern(value)
    if word == "$ref":
        return _reference(value, root)
    for words, must, fits in _ALLOWED:
        if word in words:
            return "" if fits(value) else must
    return ""


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def _is_type(value: Any) -> bool:
    words = value if isinstance(value, list) else [value]
    return bool(words) and all(isinstance(one, str) and one in _TYPES for one in words)


def _pattern(value: Any) -> str:
    from krm_values._go import regexp  # noqa: PLC0415 - most schemas have no pattern

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
    return "" if target(root, value)[1] is not ABSENT else "a place that this schema has"


_ALLOWED: list[tuple[tuple[str, ...], str, Callable[[Any], bool]]] = [
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


def _loops(root: Any, forms: Iterable[tuple[Path, Any]]) -> Iterator[tuple[Path, str]]:
    """Yield each reference that closes a loop: its path in the schema, and the schemas of the loop."""
    done: set[int] = set()
    for path, form in forms:
        if isinstance(form, dict) and id(form) not in done:
            yield from _search(root, path, form, done)


def target(root: Any, reference: str) -> tuple[Path, Any]:
    """Return the path that a `$ref` names, and the schema there; ABSENT if there is none."""
    path: list[str | int] = []
    value: Any = root
    for name in parts_of(reference):
        is_index = isinstance(value, list) and name.isdecimal() and name.isascii() and len(name) < _DIGITS
        path.append(int(name) if is_index else name)
        value = get(value, (path[-1],), ABSENT)
        if value is ABSENT:
            break
    return tuple(path), value


def _search(root: Any, path: Path, form: Any, done: set[int]) -> Iterator[tuple[Path, str]]:
    """Yield the loops that are reachable from a schema, each once."""
    way, on = [(path, form, _applied(root, path, form))], {id(form): 0}  # `on`: the index of a schema on the way
    while way:
        _, here, edges = way[-1]
        at, below, found = next(edges, ((), (), None))
        if found is None:
            way.pop()
            del on[id(here)]
            done.add(id(here))
        elif id(found) in on:
            begin = on[id(found)]
            shown = [f"`{to_field(one) or '.'}`" for one in [*(one for one, _, _ in way[begin : begin + _STEPS]), below]]
            if len(way) - begin > _STEPS:
                shown.insert(-1, "...")
            yield at, " -> ".join(shown)
        elif id(found) not in done:
            on[id(found)] = len(way)
            way.append((below, found, _applied(root, below, found)))


def _applied(root: Any, path: Path, form: Any) -> Iterator[tuple[Path, Path, Any]]:
    """Yield the schemas that apply to the same value: the path of the keyword, the path of the schema, and the schema."""
    if isinstance(form.get("$ref"), str):
        below, found = target(root, form["$ref"])
        if isinstance(found, dict):
            yield (*path, "$ref"), below, found
    for word in _LISTS:
        for index, part in enumerate(form[word] if isinstance(form.get(word), list) else ()):
            if isinstance(part, dict):
                yield (*path, word, index), (*path, word, index), part
    if isinstance(form.get("not"), dict):
        yield (*path, "not"), (*path, "not"), form["not"]


def with_defaults(document: Map, schema: Schema, steps: Budget, *, references: bool) -> tuple[Map, bool]:
    """Return the tree with the defaults that its maps lack, and whether there are references among them; the tree is not changed.

    steps: the budget of the schema; TooManyStepsError beyond it. references: whether a default may be one.
    """
    made = _Defaults(schema, steps, may_refer=references and not schema.is_field)
    return made.map(document, [(schema.data, ())], 0), made.has_references


class _Defaults:
    __slots__ = ("_may_refer", "_schema", "_steps", "has_references")

    def __init__(self, schema: Schema, steps: Budget, *, may_refer: bool) -> None:
        self._schema, self._steps, self._may_refer = schema, steps, may_refer
        self.has_references = False

    def _applied(self, schemas: list[_Placed]) -> Iterator[_Placed]:
        return ((form, place) for form, place in applied(self._schema.data, schemas, self._steps) if form is not False)

    def map(self, node: Map, schemas: list[_Placed], depth: int) -> Map:
        """Return a map with the defaults of schemas, each given with its path in the whole schema."""
        result = node.like(node)
        parts: dict[str, list[_Placed]] = {}
        forms = [*self._applied(schemas)]
        for form, place in forms:
            for key, part in form.get("properties", {}).items():
                self._steps.take()
                parts.setdefault(key, []).append((part, (*place, "properties", key)))
                if key not in result:
                    self._fill(result, key, parts[key][-1])
        for form, place in forms:
            if "additionalProperties" in form or "patternProperties" in form:
                for key in result:
                    further = further_parts(form, key, self._steps)
                    parts.setdefault(key, []).extend(
                        (part, (*place, *path)) for part, path in further if isinstance(part, dict)
                    )
        for key, found in parts.items():
            if key in result:
                result[key] = made = self._node(result[key], found, depth + 1)
                is_set = key in node and isinstance(made, Assigned) and made.layer is not self._schema.says
                if is_set and (lost := self._lost(found)):
                    result.losers[key] = joined_losers(result.losers.get(key), (self._tree(*lost), None))
        return result

    def _fill(self, result: Map, key: str, part: _Placed) -> None:
        """Set a key to the first default of its schema."""
        for form, place in self._applied([part]):
            if "default" in form:
                self._steps.take(_FILLED)
                result[key] = made = self._tree(form, place)
                self.has_references |= any(isinstance(leaf.value, Reference) for _, leaf in atoms(made))
                return

    def _lost(self, schemas: list[_Placed]) -> _Placed | None:
        """Return the schema whose default a value overrides, and its path. What is only explained takes no steps of the run."""
        steps = Budget(_EXPLAINED, lambda: TooManyStepsError(""))
        try:
            return next((one for one in applied(self._schema.data, schemas, steps) if one[0] and "default" in one[0]), None)
        except TooManyStepsError:
            return None

    def _tree(self, form: dict[str, Any], place: Path) -> Node:
        """Return the default of a schema at a path; its check has reported wrong references."""
        path = (*self._schema.path, *place, "default")
        return tree(form["default"], self._schema.says, path, (lambda _: None) if self._may_refer else None)

    def _node(self, node: Node, schemas: list[_Placed], depth: int) -> Node:
        if depth > _DEEPEST:
            return node
        if isinstance(node, Map):
            return self.map(node, schemas, depth)
        found = elements(node)
        if not any(isinstance(one, Map) for one in found):
            return node
        items = [(form["items"], (*place, "items")) for form, place in self._applied(schemas) if "items" in form]
        if not items:
            return node
        return listed([self._node(element, items, depth + 1) for element in found], node)


def further_parts(form: dict[str, Any], key: str, steps: Budget) -> list[_Placed]:
    """Return the schemas that `patternProperties` and `additionalProperties` have for a key of a map, with their paths in the schema.

    A pattern that RE2 does not know may match, so nothing is additional then.
    """
    steps.take()
    found: list[_Placed] = []
    is_known = key in form.get("properties", ())
    for pattern, part in form.get("patternProperties", {}).items():
        matches = _matches(pattern, key, steps)
        is_known |= matches is not False
        if matches:
            found.append((part, ("patternProperties", pattern)))
    if not is_known and "additionalProperties" in form:
        found.append((form["additionalProperties"], ("additionalProperties",)))
    return found


def _matches(pattern: str, key: str, steps: Budget) -> bool | None:
    """Return whether a pattern matches a key; None if that cannot be told."""
    from krm_values._go import regexp  # noqa: PLC0415 - most schemas have no pattern

    try:
        steps.take(len(key) * regexp.size(pattern) // PATTERN_WORK)
        return regexp.matches(pattern, key)
    except regexp.PatternError:
        return None


def applied(root: Any, schemas: Iterable[_Placed], steps: Budget) -> Iterator[_Placed]:
    """Yield the schemas and those that apply beside them, each once and with its path: the targets of `$ref`, and all of `allOf`."""
    seen: set[int] = set()
    left = [*schemas][::-1]
    while left:
        schema, at = left.pop()
        if schema is True or id(schema) in seen:
            continue
        seen.add(id(schema))
        steps.take()
        yield schema, at
        if schema is False:
            continue
        left += [(part, (*at, "allOf", number)) for number, part in enumerate(schema.get("allOf", ()))][::-1]
        if "$ref" in schema:
            steps.take(schema["$ref"].count("/"))
            path, found = target(root, schema["$ref"])
            left.append((found, path))


_TOO_MANY = (
    f"takes more than {MOST:,} steps on the values: its `$ref`s or defaults multiply; write fewer of them into each other"
)


class TooManyStepsError(Exception):
    """A schema that takes too many steps; its text says so."""


def steps_of_schema() -> Budget:
    """Return the budget of steps for the schema of a run."""
    return Budget(MOST, lambda: TooManyStepsError(_TOO_MANY))
