"""Random odd texts, as nobody should write them: half of them well-formed, half of these then damaged."""

from __future__ import annotations

import random
import re

SCALARS = [
    "y",
    "Y",
    "n",
    "N",
    "yes",
    "Yes",
    "YES",
    "no",
    "on",
    "On",
    "off",
    "OFF",
    "true",
    "True",
    "TRUE",
    "false",
    "null",
    "Null",
    "NULL",
    "~",
    "tRue",
    "yEs",
    "nUll",
    "0",
    "1",
    "-1",
    "+1",
    "08",
    "09",
    "007",
    "0644",
    "-012",
    "+07",
    "0o17",
    "0O17",
    "0o8",
    "0x1F",
    "0X1f",
    "0xfg",
    "-0x1",
    "0b101",
    "0B1",
    "-0b11",
    "0b2",
    "1_000",
    "1__0",
    "_1",
    "1_",
    "0_8",
    "+_5",
    "-",
    "+",
    ".",
    "._5",
    "1._5",
    "1.0",
    "1.10",
    "3.0",
    ".5",
    "+.5",
    "-.5",
    "5.",
    "5.e3",
    ".5_0",
    "._0",
    "1e3",
    "1E3",
    "1e+3",
    "1e-7",
    "1.5e300",
    "1e400",
    "-1e400",
    "1e-400",
    ".e3",
    "e3",
    "1e",
    "1e+",
    "0e0",
    "-0",
    "-0.0",
    "+0",
    "0.1",
    "1e21",
    "1e20",
    "1e6",
    "123456.5",
    "9007199254740992",
    "9007199254740993",
    "-9007199254740993",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "-9223372036854775809",
    "18446744073709551615",
    "18446744073709551616",
    "+18446744073709551615",
    "0777777777777777777777",
    "0xffffffffffffffff",
    "0xfffffffffffffffff",
    "100000000000000000000",
    "3.141592653589793238",
    "0.30000000000000004",
    ".inf",
    "-.inf",
    "+.inf",
    ".Inf",
    ".INF",
    ".nan",
    ".NaN",
    ".NAN",
    "inf",
    "nan",
    "Infinity",
    ".Infinity",
    "NaN",
    "0x1p4",
    "1p4",
    "2024-02-29",
    "2023-02-29",
    "2024-2-9",
    "2024-13-01",
    "2024-01-01T10:00:00Z",
    "2024-01-01t10:00:00+01:00",
    "2024-01-01T10:00:00",
    "10000-01-01",
    "12:30",
    "12:30:45",
    "190:20:30",
    "1:2",
    "=",
    "<<",
    "<<<",
    "a",
    "b",
    "key",
    "value",
    "x.y",
    "a-b",
    "a_b",
    "a/b",
    "http://x:80/y",
    "a:b",
    "a#b",
    "ENC[AES256]",
    "1,000",
    "0,5",
    "é",
    "日本",
    "😀",
    "\ufeff",
]
SYNTAX = ["?", "-a", "?a", ":a", "%a", "@a", "`a", "!a", "&a", "*a", "[", "}", "{", "]", ",", "-", "a:"]
PHRASES = ["a b", "2024-01-01 10:00:00", "2024-01-01  10:00:00.5", "a #b", " a", "a ", "", "a\tb", "- a", "x, y", "1 2", "a?b"]
TAGS = [
    "!!str",
    "!!int",
    "!!float",
    "!!bool",
    "!!null",
    "!!timestamp",
    "!!binary",
    "!!merge",
    "!!map",
    "!!seq",
    "!!set",
    "!x",
    "!",
    "!<tag:yaml.org,2002:int>",
    "!e!x",
    "!!str,x",
]
ANY = ["!!str", "!", "!x"]  # tags that take every scalar
ESCAPES = [
    "\\n",
    "\\t",
    "\\/",
    "\\x41",
    "\\u00e9",
    "\\U0001F600",
    "\\ud83d",
    "\\e",
    "\\_",
    "\\'",
    "\\N",
    "\\L",
    "\\0",
    "\\q",
    "\\\n   ",
    '\\"',
    "\\\\",
]
PIECES = [
    *"\t\n :-?,[]{}#&*!|>'\"%@`\\.0yn~",
    "\n\n",
    "---\n",
    "\n---\n",
    "...\n",
    "\n...\n",
    "%YAML 1.1\n---\n",
    "%YAML 1.2\n---\n",
    "%TAG !e! x:\n---\n",
]
PIECES += [
    "\r\n",
    "\r",
    " #c\n",
    "<<: ",
    "? ",
    ": ",
    "- ",
    "&a ",
    "*a",
    "!!str ",
    "|\n",
    ">-\n",
    "\ufeff",
    "\u2028",
    "\x85",
    "\x7f",
    "\x01",
]


class Texts:
    """A seeded stream of texts."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.anchors: list[str] = []

    def next(self) -> str:
        """One text."""
        self.anchors = []
        text = self.node(0, 0) if self.chance(0.15) else self.block_map(0, 0).lstrip("\n")
        if self.chance(0.1):
            text = self.pick(["---\n", "# c\n", "%YAML 1.1\n---\n", "\ufeff", "%TAG !e! tag:yaml.org,2002:\n---\n"]) + text
        if self.chance(0.1):
            text += self.pick(["\n---\n", "\n---\nb: 1\n", "\n...\n", "\n--- x\n...", "\n---\n@\n", "\n...\n@", "\n# end"])
        if self.chance(0.03):
            text = text.replace("\n", self.pick(["\r\n", "\r"]))
        text = text.replace("\ufeff\ufeff", "\ufeff")
        return self.damaged(text) if self.chance(0.35) else text

    def pick(self, choices: list[str]) -> str:
        return self.random.choice(choices)

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def damaged(self, text: str) -> str:
        for _ in range(self.random.randint(1, 2)):
            at = self.random.randint(0, len(text))
            cut = self.random.choice([0, 0, 0, 1, 1, 3])
            text = text[:at] + (self.pick(PIECES) if self.chance(0.8) else "") + text[at + cut :]
        return re.sub("^\ufeff+", "\ufeff", text)

    def node(self, depth: int, indent: int) -> str:
        """A value behind a key or dash: on its line, or on those below."""
        kind = self.random.random()
        if depth > 3 or kind < 0.55:
            return self.properties() + self.scalar(indent)
        if kind < 0.65 and self.anchors:
            return "*" + self.pick(self.anchors)
        if kind < 0.75:
            return self.properties(collection=True) + self.flow(depth)
        return self.properties(collection=True) + (self.block_map if self.chance(0.7) else self.block_list)(depth + 1, indent)

    def properties(self, *, collection: bool = False) -> str:
        text = ""
        if self.chance(0.08):
            name = self.pick(["a", "b", "c-1", "d_2"])
            self.anchors.append(name)
            text += f"&{name} "
        if self.chance(0.03):
            text += self.pick(TAGS if collection or self.chance(0.3) else ANY) + " "
        return text

    def scalar(self, indent: int = 0, *, flow: bool = False) -> str:
        text = self.pick(SCALARS) if self.chance(0.85) else self.pick(SYNTAX if self.chance(0.1) else PHRASES)
        style = self.random.random()
        if style < 0.65:
            return text
        if style < 0.75:
            return "'" + text.replace("'", "''") + "'"
        if style < 0.87:
            return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + (self.pick(ESCAPES) if self.chance(0.4) else "") + '"'
        if flow or style > 0.96:
            return text + "\n" + " " * (indent + 1) + self.pick(SCALARS)
        lines = "".join(
            " " * (indent + 2 + self.random.choice([0, 0, 0, 1])) + self.pick(SCALARS) + "\n"
            for _ in range(self.random.randint(0, 3))
        )
        return (
            self.pick(["|", ">", "|-", ">+", "|+", "|2", ">1-"])
            + self.pick(["\n", " # c\n", "\n\n"])
            + lines.removesuffix("\n")
        )

    def key(self) -> str:
        if self.chance(0.05):
            return "<<"
        if self.chance(0.75):
            return self.pick(["a", "b", "c", "k", "sops", "y", "on", "1", "1.5", "'x'", '"1"', "true", "8"])
        if self.chance(0.04) and self.anchors:
            return "*" + self.pick(self.anchors) + " "
        return self.properties() + (self.scalar().split("\n")[0] or "''")

    def block_map(self, depth: int, indent: int) -> str:
        pad = "\n" + " " * indent
        entries = []
        for _ in range(self.random.randint(1, 4)):
            key = self.key()
            merged = key == "<<" and self.anchors and self.chance(0.8)
            value = (
                self.pick(["*" + self.pick(self.anchors), "[*" + ", *".join(self.anchors) + "]"])
                if merged
                else self.node(depth, indent + 2)
            )
            entries.append(f"? {key}{pad}: {value}" if self.chance(0.03) else f"{key}: {value}")
        return pad + pad.join(entries)

    def block_list(self, depth: int, indent: int) -> str:
        pad = "\n" + " " * (indent + self.random.choice([0, 0, 2]))
        return pad + pad.join("- " + self.node(depth, indent + 4) for _ in range(self.random.randint(1, 3)))

    def flow(self, depth: int) -> str:
        inner = [
            self.flow(depth + 1) if depth < 3 and self.chance(0.2) else self.properties() + self.scalar(flow=True)
            for _ in range(self.random.randint(0, 3))
        ]
        comma = self.pick([", ", ",", " , "])
        if self.chance(0.5):
            return "[" + comma.join(inner) + self.pick(["", ",", " "]) + "]"
        pairs = [self.key() + self.pick([": ", ":", " : ", ""]) + value for value in inner]
        return "{" + comma.join(pairs) + "}"
