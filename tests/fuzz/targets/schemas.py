"""Schemas of `layered-values` from anybody: an input is a seed, from which a schema and a document are made.

Every keyword has any value, often one of another type; references lead anywhere, also in circles; patterns would backtrack for ever;
numbers are huge; the values of a Secret are never shown.
"""

from __future__ import annotations

import json
from random import Random
from typing import Any

from krm_values.layered_values.schema import CHECKED, SILENT, UNCHECKED
from tests.fuzz.target import Target, require
from tests.fuzz.targets.functions import served

COUNT = 2_000
HIDDEN = "Hs6dLq1v"
_LONGEST = 6_000  # characters of a line: a value, an `enum` and a path, and what is said of them
_WORDS = [*CHECKED, *CHECKED, *CHECKED, *SILENT, *UNCHECKED, "tpye", "x-more", "$ref", "", "a.b", "~", "ключ"]
_KEYS = ["a", "b", "c", "l", "a.b", "a/b~c", "", "0", "$value", "$ref", HIDDEN]
_PLACES = ["#", "#/", "#/properties/a", "#/$defs/a", "#/$defs/b", "#/allOf/0", "#/enum/0", "#/default", "#/const", "#/items"]
_REFERENCES = [
    *_PLACES,
    *_PLACES,
    "#/not",
    "#a",
    "https://example.com/s.json",
    "file:///etc/passwd",
    "#/allOf/" + "9" * 5_000,
    "#" + "/a" * 9_000,
]
_DEFINED = ["#/$defs/a", "#/$defs/b", "#/$defs/c"]
_PATTERNS = [
    "(a+)+$",
    "(a|a)*b",
    "^(([a-z])+.)+[A-Z]([a-z])+$",
    "(",
    "a{1000}{1000}",
    "(?=a)",
    r"\d+",
    ".*" * 500,
    "x" * 3_000,
    r"\1",
    "[",
    HIDDEN,
]
_NUMBERS: list[Any] = [0, 1, -1, 1.5, 0.1, 1e308, 1e-308, 2**63, -(2**64), 10**400, 1e16, -0.0, True]
_STRINGS = ["", "a", "a" * 40 + "!", "x" * 2_000, "1", "true", "2024-01-01", "\u202e", "##[error]", HIDDEN]
_DRAFTS = ["http://json-schema.org/draft-04/schema#", "https://json-schema.org/draft/2020-12/schema", "x", ""]
_MAPS, _LISTS, _ONES = (
    ("properties", "$defs", "definitions", "patternProperties"),
    ("allOf", "anyOf", "oneOf"),
    ("items", "not", "additionalProperties"),
)
_OF_NUMBERS = (
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
)
_TYPES = ["string", "integer", "number", "object", "array", "boolean", "null"]


def value(random: Random, depth: int) -> Any:
    """Any value."""
    kind = random.random()
    if depth and kind < 0.25:
        return {random.choice(_KEYS): value(random, depth - 1) for _ in range(random.randrange(5))}
    if depth and kind < 0.45:
        return [value(random, depth - 1) for _ in range(random.choice((0, 1, 2, 3, 12)))]
    return random.choice([random.choice(_NUMBERS), random.choice(_STRINGS), None, False])


def schema(random: Random, depth: int, wild: float) -> Any:
    """A schema; now and then anything else. wild: how often a keyword is anything, and its value of another type."""
    if random.random() < wild:
        return random.choice([True, False, value(random, 1)])
    words = _WORDS if random.random() < 5 * wild else CHECKED
    return {word: _argument(random, word, depth, wild) for word in random.choices(words, k=random.randrange(1, 5))}


def _argument(random: Random, word: str, depth: int, wild: float) -> Any:
    if random.random() < wild:
        return value(random, 2)
    if word in _MAPS or word in _LISTS or word in _ONES:
        if not depth:
            return {} if word not in _LISTS else [{}]
        below = [schema(random, depth - 1, wild) for _ in range(random.randrange(1, 4))]
        return below[0] if word in _ONES else below if word in _LISTS else {random.choice(_KEYS): form for form in below}
    if word in _OF_NUMBERS:
        return random.choice(_NUMBERS if wild else [1, 2, 3])
    chosen: dict[str, Any] = {
        "type": random.choice([random.choice(_TYPES), random.sample(_TYPES, 2), ["string"] * 500]),
        "required": random.choices(_KEYS, k=2) * random.choice((1, 1, 300)),
        "pattern": random.choice(_PATTERNS if wild else _PATTERNS[:3]),
        "$ref": random.choice(_REFERENCES if wild else _DEFINED),
        "$schema": random.choice(_DRAFTS),
        "enum": [value(random, 2) for _ in range(random.choice((0, 2, 40)))],
    }
    return chosen.get(word, value(random, 2) if word != "uniqueItems" else True)


def _nested(random: Random, form: Any) -> Any:
    """A schema or a value that nests deeply."""
    for _ in range(random.choice((0, 0, 0, 60, 150, 400))):
        form = random.choice(({"not": form}, {"anyOf": [form, True]}, {"items": form}, {"properties": {"a": form}}))
    return form


def given(seed: bytes) -> bytes:
    """The ResourceList of a seed."""
    random = Random(seed)
    wild = random.choice((0.0, 0.04))
    form, held = schema(random, 4, wild), {random.choice(_KEYS): value(random, 4) for _ in range(4)}
    form = _nested(random, form) if wild else {**form, "$defs": {name: schema(random, 2, wild) for name in "abc"}}
    kind = random.choice(("ConfigMap", "Secret"))
    layer = {"configMap": "v"} if kind == "ConfigMap" else {"secret": "v"}
    spec: dict[str, Any] = {"layers": [layer], "targets": [{"configMap" if kind == "ConfigMap" else "secret": "out"}]}
    own = random.random() < 0.5
    spec.update({"schema": form} if own else {"schemaFrom": {"secret": "s"}})
    if not own or kind == "Secret":
        spec["references"] = random.random() < 0.5
    text, data = json.dumps(form), json.dumps(held)
    items = [
        {
            "apiVersion": "v1",
            "kind": kind,
            "metadata": {"name": "v"},
            "data" if kind == "ConfigMap" else "stringData": {"v": data},
        },
        {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s"}, "stringData": {"s": text}},
    ]
    config = {"apiVersion": "krm-values.dev/v1alpha1", "kind": "LayeredValues", "metadata": {"name": "c"}, "spec": spec}
    found = {"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "functionConfig": config, "items": items}
    return json.dumps(found).encode()


def check(data: bytes) -> str:
    """A run ends with 0 or 1, each finding is of a bounded length, and what is in a Secret alone is not in one."""
    stdin = given(data)
    code, _, err = served("layered-values", stdin)
    require(code in (0, 1), f"exit {code}")
    for line in err.splitlines():
        require(len(line) <= _LONGEST, f"a line of {len(line)} characters: {line[:200]}")
    spec = json.loads(stdin)["functionConfig"]["spec"]
    if "secret" in spec["layers"][0] and "schemaFrom" in spec:
        require(f'"{HIDDEN}"' not in err, f"a value of a Secret is shown: {err[max(err.find(HIDDEN) - 200, 0) :][:300]}")
    return "error" if code else "good"


TARGET = Target("schemas", lambda: [b"%d" % number for number in range(COUNT)], check, seconds=20)
