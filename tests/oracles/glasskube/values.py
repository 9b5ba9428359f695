"""Random texts and JSON, and whether two JSON values are written alike."""

from __future__ import annotations

import json
import random
from typing import Any

from krm_values._data.scalars import read_plain
from krm_values._go.encoding_json import number_text

KEYS = ["a", "b", "c", "", "0", "1", "-", "a/b", "m~n", "~1", "é", "a b", "%20", "<x>", "-1", "01"]
NUMBERS = [
    "0",
    "1",
    "-1",
    "7",
    "1.0",
    "1.50",
    "1e3",
    "1E-7",
    "0.00001",
    "-0",
    "-0.0",
    "12345678901234567890",
    "9007199254740993",
    "1e21",
    "123456.789",
    "1e300",
    "3.14",
]
TEXTS = ["", "a", "b", "1", "true", "null", "é", "日本", "😀", "<&>", "a/b", " ", "\n", "\t", '"', "\\", "\u2028", "\x7f", "'"]


def text_of(dice: random.Random, depth: int = 0) -> str:
    """The text of a random JSON value."""
    roll = dice.random()
    if depth < 3 and roll < 0.3:
        keys = dice.sample(KEYS, dice.randint(0, 4))
        return "{" + ", ".join(f"{json.dumps(key)}: {text_of(dice, depth + 1)}" for key in keys) + "}"
    if depth < 3 and roll < 0.5:
        return "[" + ",".join(text_of(dice, depth + 1) for _ in range(dice.randint(0, 4))) + "]"
    if roll < 0.7:
        return json.dumps(dice.choice(TEXTS), ensure_ascii=dice.random() < 0.5)
    return dice.choice(NUMBERS) if roll < 0.88 else dice.choice(["true", "false", "null", "null"])


def read(text: str) -> Any:
    """The value of a JSON text that is a resource's: `-0` is 0."""
    return json.loads(text, parse_float=read_plain, parse_int=read_plain)


def held(text: str) -> Any:
    """The value of a JSON text that upstream holds or writes: `-0` is a float."""
    return json.loads(text, parse_float=_number, parse_int=_number)


def written(value: Any) -> str:
    """JSON as an API server holds it: numbers as Go writes them, whatever the manifest had."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{written(key)}:{written(entry)}" for key, entry in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(written, value)) + "]"
    return json.dumps(value) if isinstance(value, str | bool) or value is None else number_text(value)


def same(a: Any, b: Any) -> bool:
    """Whether two values are the same, numbers by their texts."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, bool) or isinstance(b, bool) or not (isinstance(a, int | float) and isinstance(b, int | float)):
        return type(a) is type(b) and a == b
    return number_text(a) == number_text(b)


def _number(text: str) -> Any:
    return -0.0 if text == "-0" else read_plain(text)
