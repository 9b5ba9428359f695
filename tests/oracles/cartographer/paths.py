"""Random paths: most follow the data they are for, in every spelling; some lead astray, and some are then damaged."""

from __future__ import annotations

import re
from typing import Any

from tests.oracles.cartographer.data import UNSET, Data

TERMINATORS = re.compile(r"([ \t.,\[\]$@{}])")
LITERALS = [
    "80",
    "80.0",
    "2.5",
    "5",
    "-3",
    "true",
    "false",
    "'x'",
    '"main"',
    "'R&D <now>'",
    '"\\u00e4€"',
    "@.name",
    "0.5.1",
    "x",
]
OPERATORS = {"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}
ODD = [
    "[]",
    "[-]",
    "[1:2:3:4]",
    "[99999999999999999999]",
    ".",
    "..",
    "['']",
    " 5",
    " 2.5",
    " true",
    ' "t"',
    " 'u\\n'",
    " end",
    "[(]",
]
DAMAGE = "[]().'\"\\,:*?@$ {}=<>-x0é"
LIST_TURNS = ("index", "negative index", "slice", "step", "filter", "list wildcard", "list union")
GO_NAME, GO_NAMES = "Go name", ("Spec", "UID", "URL", "Name", "ObjectMeta", "Env", "Raw", "Format")
LIKELY = ("spec", "env", "resources", "serviceClaims", "build", *["generation", "creationTimestamp"] * 5)
KINDS = {
    "resources": "quantities",
    "env": "env",
    "serviceClaims": "claims",
    "creationTimestamp": "time",
    "generation": "integer",
}


class Paths(Data):
    """Random paths and templates. `features` collects what the current question uses."""

    features: set[str]

    def path(self, data: Any) -> str:
        """A path into the data, as one writes it in a template."""
        found = self._follow(data, 0)
        if self.maybe(0.06):
            found = self._damaged(found)
        return self._wrapped(found)

    def _follow(self, data: Any, depth: int) -> str:
        if self.maybe(0.025):
            self.features.add("odd part")
            return self.dice.choice(ODD) + (self._follow(data, depth + 1) if self.maybe(0.3) else "")
        if depth and (self.maybe(0.1) or depth > 7):
            return ""
        if isinstance(data, dict) and data:
            return self._into_map(data, depth)
        if isinstance(data, list):
            return self._into_list(data, depth)
        return self._astray() if not depth or self.maybe(0.05) else ""

    def _into_map(self, data: dict[str, Any], depth: int) -> str:
        turn = self.dice.choices((self._known, self._unknown, self._deep, self._all, self._several), weights=(80, 9, 6, 6, 6))[
            0
        ]
        return (turn if depth else self._known)(data, depth)

    def _known(self, data: dict[str, Any], depth: int) -> str:
        key = self.dice.choice([*data, *[key for key in LIKELY if key in data] * 4])
        self.features.update({KINDS[key]} if key in KINDS else ())
        return self._field(key) + self._follow(data[key], depth + 1)

    def _unknown(self, data: dict[str, Any], depth: int) -> str:
        """A field that is not there, or that only an owner's Go type has."""
        if self.maybe(0.18):
            self.features.add(GO_NAME)
            return self._field(self.dice.choice(GO_NAMES))
        self.features.add("unset field")
        key = self.dice.choice([name for name in UNSET if name not in data])
        return self._field(key) + self._follow(self.dice.choice([None, None, [], {"name": "x"}]), depth + 1)

    def _all(self, data: dict[str, Any], depth: int) -> str:
        self.features.add("map wildcard")
        return self.dice.choice([".*", "[*]", ".*"]) + self._follow(next(iter(data.values())), depth + 1)

    def _several(self, data: dict[str, Any], depth: int) -> str:
        self.features.add("union")
        keys = [self.dice.choice([*data, *["ghost"] * 4]) for _ in range(self.dice.randint(1, 2))]
        quoted = [f"'{self._escaped(key)}'" for key in [*keys, "ghost"]]
        return "[" + self.dice.choice([",", ", ", " , "]).join(quoted) + "]" + self._follow(data.get(keys[0]), depth + 1)

    def _deep(self, data: dict[str, Any], depth: int) -> str:
        self.features.add("recursive")
        key, below = self._below(data)
        return f"..{self._escaped(key)}" + self._follow(below, depth + 1)

    def _below(self, data: Any) -> tuple[str, Any]:
        """A key somewhere below, and what is there."""
        found: list[tuple[str, Any]] = []
        stack = [data]
        while stack:
            value = stack.pop()
            if isinstance(value, dict):
                found += list(value.items())
                stack += value.values()
            elif isinstance(value, list):
                stack += value
        return self.dice.choice(found)

    def _into_list(self, data: list[Any], depth: int) -> str:
        size = len(data)
        kind = self.dice.choices(LIST_TURNS, weights=(4, 3, 3, 3, 18, 2, 2))[0]
        self.features.add(kind)
        if kind == "filter":
            return self._filter(data, depth)
        if kind == "list union":
            return f"[{self._index(size)}, {self._index(size)}]" + self._tail(data, depth)
        if kind == "list wildcard":
            return "[*]" + self._tail(data, depth)
        if kind == "slice":
            return f"[{self._bound(size)}:{self._bound(size)}]" + self._tail(data, depth)
        if kind == "step":
            return f"[{self._bound(size)}:{self._bound(size)}:{self.dice.choice(['', 1, 2, 3, 0, -1])}]" + self._tail(
                data, depth
            )
        index = self._index(size) if kind == "index" else -self.dice.randint(1, max(size, 1))
        if not -size <= index < size:
            self.features.add("out of bounds")
            return f"[{index}]" + self._tail(data, depth)
        return f"[{index}]" + self._follow(data[index], depth + 1)

    def _tail(self, data: list[Any], depth: int) -> str:
        return self._follow(data[0], depth + 1) if data else ""

    def _index(self, size: int) -> int:
        return self.dice.randrange(size) if size and self.maybe(0.85) else self.dice.choice([size, size + 3, -size - 1])

    def _bound(self, size: int) -> str:
        return str(self.dice.choice(["", "", 0, 1, size, size - 1, -1, -size, size + 1]))

    def _filter(self, data: list[Any], depth: int) -> str:
        maps = [entry for entry in data if isinstance(entry, dict) and entry]
        entry = self.dice.choice(maps) if maps else {"name": "x"}
        key = self.dice.choice([*entry, *[key for key in ("name", "a") if key in entry] * 3])
        left = (
            self.dice.choice(["@", "@", "@", ""]) + self._field(key) + (self._follow(entry[key], 6) if self.maybe(0.1) else "")
        )
        below = self._follow(entry, depth + 1)
        if self.maybe(0.22):
            self.features.add("filter exists")
            if self.maybe(0.5):
                self.features.add("filter exists with an error")
                left += self.dice.choice(["[7]", "[0][7]", " word", " end", "[2:1]", "[?(@.x==1.0", "['a','b'][0]", "[*].a[0]"])
            return f"[?({left})]" + below
        operator = self.dice.choice([*OPERATORS, "=="]) if self.maybe(0.87) else "="
        self.features.add(f"filter {OPERATORS.get(operator, 'unknown operator')}")
        blank = " " if self.maybe(0.2) else ""
        return f"[?({left}{blank}{operator}{blank}{self._literal(entry[key])})]" + below

    def _literal(self, value: Any) -> str:
        if self.maybe(0.12) or value is None or isinstance(value, dict | list):
            return self.dice.choice(LITERALS)
        if isinstance(value, bool):
            self.features.add("filter boolean")
            return str(value).lower()
        if isinstance(value, str):
            quote = self.dice.choice("'\"")
            self.features.add("filter double quotes" if quote == '"' else "filter single quotes")
            return quote + value.replace("\\", "\\\\").replace(quote, f"\\{quote}") + quote
        self.features.add("filter number")
        shown = repr(float(value)) if self.maybe(0.7) else repr(value)
        return shown if "e" not in shown else "1.5"

    def _field(self, key: str) -> str:
        if "." in key:
            self.features.add("escaped dot")
        if "-" in key or "/" in key:
            self.features.add("dash or slash")
        if self.maybe(0.2):
            self.features.add("quoted key")
            return f"['{self._escaped(key)}']"
        if self.maybe(0.02):
            self.features.add("double-quoted key")
            return f'["{key}"]'
        return "." + self._escaped(key)

    def _escaped(self, key: str) -> str:
        if self.maybe(0.03):
            self.features.add("missing escape")
            return key
        if self.maybe(0.03):
            self.features.add("needless escape")
            return "".join(f"\\{char}" for char in key)
        return TERMINATORS.sub(r"\\\1", key)

    def _astray(self) -> str:
        return self.dice.choice([".ghost", "[0]", "[*]", ".*", "..", "[?(@.x)]", "['a','b']", "..name"])

    def _wrapped(self, path: str) -> str:
        roll = self.dice.random()
        if roll < 0.06:
            self.features.add("braces")
            return "{" + path + "}"
        if roll < 0.12:
            self.features.add("leading dot")
            return path
        if roll < 0.16:
            self.features.add("one brace")
            return self.dice.choice([path[1:] + "}", "{" + path, path[1:] + " }", path + "{.a}"])
        if roll < 0.19:
            self.features.add("blanks")
            return self.dice.choice([f" {path[1:]}", f"{path[1:]} ", f"{path} ", path.replace(".", " .")])
        return path.removeprefix(".")

    def _damaged(self, path: str) -> str:
        self.features.add("damaged")
        for _ in range(self.dice.randint(1, 2)):
            place = self.dice.randint(0, len(path))
            path = path[:place] + self.dice.choice([*DAMAGE, ""]) + path[place + self.dice.randint(0, 1) :]
        return path
