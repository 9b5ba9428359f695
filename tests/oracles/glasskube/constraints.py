"""Random definitions and values."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from krm_values.glasskube_values.constraints import violations

NUMBERS = [
    *["0", "1", "-1", "+7", "007", "12", "3", "2", "-0", "05"] * 2, "0", "1", "-1", "+7", "007", "12", "-0", "+0", "100", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
    "1" * 30, "0" * 30 + "5", "-" + "0" * 25 + "9", "99999999999999999999", "", " 1", "1 ", "1\n", "1.0", "1e3", "0x1F", "1_000", "٣", "+", "-", "--1", "1a",
]  # fmt: skip
BOOLEANS = [
    "true",
    "false",
    "1",
    "t",
    "T",
    "TRUE",
    "true",
    "True",
    "0",
    "f",
    "F",
    "FALSE",
    "false",
    "False",
    "tRue",
    "yes",
    "",
    " true",
    "on",
    "10",
    "truE",
]
TEXTS = ["", "a", "aa", "é", "日本", "😀😀", "a\n", "1", "x" * 20, " ", "q", "sk-abc", "true", "reed", "moss", "Reed"]
PATTERNS = [
    "^a",
    "a$",
    "^[1-9]0$",
    "sk-.+",
    r"^\d+$",
    r"^$|^q",
    "(",
    "(?=a)",
    "é{2}",
    "^.{1,3}$",
    r"\z",
    "",
    "(?i)REED",
    "^true$",
    r"^[+-]?\d{1,3}$",
]
LEAST = [None, None, None, None, -(1 << 63), -1, 0, 1, 2, 3]
MOST = [None, None, None, None, (1 << 63) - 1, 100, 12, 5, 3, 1]


@dataclass
class Constrained:
    type: str
    options: list[str]
    limits: dict[str, Any]
    text: str


def make(dice: random.Random) -> Constrained:
    """A definition and a value of mostly its sort."""
    kind = dice.choice(["text", "number", "options", "boolean", "text", "number"] * 4 + ["colour"])
    limits: dict[str, Any] = {
        "min": dice.choice(LEAST),
        "max": dice.choice(MOST),
        "minLength": dice.choice(LEAST),
        "maxLength": dice.choice(MOST),
    }
    limits["pattern"] = dice.choice(PATTERNS) if dice.random() < 0.2 else None
    pool = {"text": TEXTS, "number": NUMBERS, "boolean": BOOLEANS}.get(kind, TEXTS)
    text = dice.choice(pool if dice.random() < 0.85 else [*TEXTS, *NUMBERS, *BOOLEANS])
    return Constrained(kind, dice.sample(TEXTS, dice.choice([0, 2, 12, 14])), limits, text)


def question(made: Constrained) -> object:
    """For the oracle."""
    return {"type": made.type, "options": made.options, **made.limits, "text": made.text}


def judge(made: Constrained, answer: dict[str, Any], found: Any) -> None:
    """Count, and tell a difference."""
    limits = {name: limit for name, limit in made.limits.items() if limit is not None}
    ours = [one.constraint for one in violations(made.type, made.text, made.options, limits)]
    found.taken += answer["value"] == []
    if sorted(ours) != sorted(answer["value"]):
        found.differences.append(f"{made}: upstream {answer}, ours {ours}")
