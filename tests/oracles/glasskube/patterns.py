"""Random patterns and texts."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from krm_values._go import regexp as pattern

ATOMS = [
    "a", "b", "é", "日", ".", r"\d", r"\w", r"\s", r"\D", r"\W", r"\S", "[a-c]", "[^a]", r"[\d-]", "[[:alpha:]]", "[^[:space:]]", r"\pL",
    r"\p{Greek}", r"\PN", "^", "$", r"\b", r"\B", r"\A", r"\z", "(a|b)", "(?:ab)", "(?i)", "(?s:.)", "(?P<n>a)", "(?<n>a)", r"\.", r"\x41",
    r"\x{1F600}", r"\Qa+\E", "(?m:^a$)", "(?U)a+", r"\n", r"\t", "k", "K", "ß", "1", "-", " ", r"\-", r"[\]a]", "[]a]", r"\075", "|", "()", "{",
    "a{,2}", "}", "]", r"\pN", r"[\pL\d_.-]+", "(?i)k", r"\/", r"\@", "(?-s).", "[a\\-z]", r"\v", r"\f", r"\a", r"(?i:É)", "[^\\n]",
]  # fmt: skip
BAD = [
    "(", ")", "[", "[b-a]", "*", "a**", r"\1", r"\C", r"\Z", "(?=a)", "(?!a)", "(?<=a)", "(?P=n)", "a++", "a{2}{3}", "x{1001}", r"\u0041", "(?#c)",
    "(?>a)", r"\8", r"\pX", "[[:foo:]]", r"\x{110000}", r"\Qa", "\\", r"\E", "(?z)", "a{2,1}", r"\Q\C\E", r"\\C", "((a{100}){10}){2}", "(?P<n>a)(?P<n>b)",
    "(?P<1>a)", "(?i", r"\p", "(a{1000}){2}", r"\h", r"\R", r"\X", "(?|a)", "[a-\\d]", "(?x)a b",
]  # fmt: skip
REPEATS = ["", "", "", "", "*", "+", "?", "*?", "+?", "??", "{2}", "{1,3}", "{0,}", "{2,5}?", "{0}"]
LETTERS = [*list("aabbcAB1-_. \n\tkK/@"), "é", "É", "日", "ß", "ſ", "K", "٣", "😀", "\x00", "\x7f", "α", "\u2028"]


@dataclass
class Pattern:
    pattern: str
    texts: list[str]


def make(dice: random.Random) -> Pattern:
    """A pattern, wrong now and then, and some texts."""
    pieces = [dice.choice(ATOMS) + dice.choice(REPEATS) for _ in range(dice.randint(1, 5))]
    if dice.random() < 0.25:
        pieces.insert(dice.randint(0, len(pieces)), dice.choice(BAD))
    return Pattern("".join(pieces), ["".join(dice.choice(LETTERS) for _ in range(dice.randint(0, 8))) for _ in range(6)])


def question(made: Pattern) -> object:
    """For the oracle."""
    return {"pattern": made.pattern, "texts": made.texts}


def judge(made: Pattern, answer: dict[str, Any], found: Any) -> None:
    """Count, and tell a difference."""
    theirs = answer.get("value")
    found.taken += theirs is not None
    try:
        ours = [pattern.matches(made.pattern, text) for text in made.texts]
    except pattern.PatternError as error:
        if theirs is not None:
            found.refused[error.message] += 1
        return
    if ours != theirs:
        found.differences.append(f"{made}: upstream {answer}, ours {ours}")
