"""Random scalars, plain and tagged: numbers in every form that some reader has, words, dates, and what nearly is one of them."""

from __future__ import annotations

import random

WORDS = [
    "y",
    "Y",
    "n",
    "N",
    "yes",
    "Yes",
    "YES",
    "no",
    "No",
    "NO",
    "on",
    "On",
    "ON",
    "off",
    "Off",
    "OFF",
    "true",
    "True",
    "TRUE",
    "false",
    "False",
    "FALSE",
    "null",
    "Null",
    "NULL",
    "~",
    "tRue",
    "yEs",
    "a",
    "x.y",
    "v1",
]
SPECIAL = [".inf", ".Inf", ".INF", "-.inf", "+.Inf", "+.inf", ".nan", ".NaN", ".NAN", "+.nan", ".iNf", "inf", "nan", "Infinity"]
DATES = ["2024-02-29", "2023-02-29", "2024-2-9", "2024-01-01T10:00:00Z", "1:30", "1:30:45", "190:20:30", "12:30.5", "1:2"]
ODD = [
    "=",
    "<<",
    ".",
    "+",
    "-",
    "+-",
    "--",
    "_",
    "_1",
    "1_",
    "0x",
    "0b",
    "0o",
    "0o8",
    "0b2",
    "0xg",
    "1,000",
    "10Gi",
    "5m",
    "1.2.3",
    "1.2.3.4",
    "e3",
    ".e3",
    "1e",
    "1e+",
    "._5",
    "-._5",
    "+_5",
    "5.",
    "5.e3",
    "0x1p4",
    "--1",
    "+-1",
]
NUMBERS = [
    "0775",
    "-0775",
    "+0775",
    "0123",
    "0_7",
    "0777_",
    "1_000",
    "1__0",
    "18446744073709551615",
    "18446744073709551616",
    "0b11",
    "0B11",
    "-0b11",
    "0o17",
    "+0o17",
    "0O17",
    "-0o17",
    "0x1F",
    "0X1F",
    "0x_1F",
    "-0x1F",
    ".5",
    "-.5",
    "1e3",
    "1E3",
    "12e03",
    "012.5",
    "09.5",
    "08",
    "-08",
    "1_0.5",
    "+1",
    "-0",
    "00",
    "5.0",
    "-0.0",
    "0b-11",
    "0b+11",
    "-0b+1",
    "0o-17",
    "0o+17",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "-9223372036854775809",
    "+9223372036854775808",
    "+18446744073709551615",
    "0xffffffffffffffff",
    "0xfffffffffffffffff",
    "01777777777777777777777",
    "02000000000000000000000",
    "1e400",
    "-1e400",
    "1e-400",
    "1e21",
    "1e20",
    "123456789012345678901234567890",
    "9007199254740993",
    "0.1",
    "3.14159265358979323846",
    "1.10",
    "2.50",
]
TAGS = [
    "!!str",
    "!!int",
    "!!float",
    "!!bool",
    "!!null",
    "!!timestamp",
    "!!binary",
    "!",
    "!x",
    "!!set",
    "!<tag:yaml.org,2002:int>",
]
BASE64 = ["aGk=", "aGk", "4pyT", "/w==", "@@", ""]
_DIGITS = {
    "": "0123456789",
    "0": "01234567",
    "0x": "0123456789abcdefABCDEF",
    "0X": "0123456789abcdef",
    "0o": "01234567",
    "0b": "01",
}
_ANY = "0123456789+-._eExXoObBfF"


class Scalars:
    """A seeded stream of scalars as they are written."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def next(self) -> str:
        """One scalar: plain, in quotes, or behind a tag."""
        text = self.text()
        if self.random.random() < 0.7:
            return text
        if self.random.random() < 0.5:
            text = self.random.choice([f"'{text}'", f'"{text}"'])
        return f"{self.random.choice(TAGS)} {text}" if self.random.random() < 0.8 else text

    def text(self) -> str:
        """The text of a scalar without quotes and tag."""
        kind = self.random.random()
        if kind < 0.3:
            return self.random.choice(self.random.choice([NUMBERS, NUMBERS, WORDS, SPECIAL, DATES, ODD, BASE64]))
        if kind < 0.7:
            return self.number()
        if kind < 0.85:
            return self.damaged(self.random.choice([*NUMBERS, self.number()]))
        return "".join(self.random.choices(_ANY, k=self.random.randint(1, 6)))

    def number(self) -> str:
        """A number, or nearly one."""
        prefix = self.random.choice(["", "", "", "0", "0x", "0X", "0o", "0b"])
        digits = "".join(self.random.choices(_DIGITS[prefix], k=self.random.choice([1, 2, 3, 5, 16, 17, 20, 22, 64])))
        if self.random.random() < 0.2:
            at = self.random.randint(0, len(digits))
            digits = digits[:at] + self.random.choice(["_", "__"]) + digits[at:]
        if prefix in ("", "0") and self.random.random() < 0.3:
            digits += "." + "".join(self.random.choices("0123456789_", k=self.random.randint(0, 4)))
        if prefix in ("", "0") and self.random.random() < 0.3:
            digits += self.random.choice("eE") + self.random.choice(["", "+", "-"]) + str(self.random.randint(0, 330))
        return self.random.choice(["", "", "", "-", "+"]) + prefix + digits

    def damaged(self, text: str) -> str:
        """The text with a character more, less or changed."""
        at, cut = self.random.randint(0, len(text)), self.random.randint(0, 1)
        return text[:at] + self.random.choice([*_ANY, ""]) + text[at + cut :]
