"""Documents that hold a marker where a value stands and that are broken somewhere, each from a seed."""

from __future__ import annotations

import random
import re

SPELLINGS = (
    "@@", "*@@", "&@@", "&@@ x", "&@@ *@@", "!@@", "!@@ x", "!!@@ x", "!<@@> x", "!@@! x", "!h!@@ x", '"@@', "'@@", '"@@" x', "'@@'x'",
    '"\\q@@"', '"\\x@@"', '"\\u@@"', "|@@", ">@@", "|9@@", "| @@", "[@@", "{@@", "{@@, @@}", "{@@: 1, @@: 2}", "[@@}", "@@: x: y", "@@: [",
    "%@@", "@@@", "`@@", "? @@", "- @@", "- [@@", "<<: *@@", "{<<: @@}", "!!int @@", "!!float @@", "!!bool @@", "!!binary @@!",
    "!!timestamp @@", "!!null @@", "@@\x07", "@@\t: x", "\t@@", '"@@\\', "@@ # x", "#@@", "@@\n@@", "@@\n  @@: x", "ENC[@@]", "1@@", "0x@@",
    "{{ @@", "$(@@", "'@@\n\n", "@@\n---\n@@", "@@\n...\n@@", "@@\n%@@ x", "|\n@@", "\ufeff@@", "@@ \u2028 @@: [", "!!str\n@@: x", "https://u:@@@h",
)  # fmt: skip
"""How a value may be written so that a parser stumbles over it."""

DOCUMENTS = {
    "a Secret": """\
apiVersion: v1
kind: Secret
metadata:
  name: s
  namespace: n
  annotations: {a: b}
type: Opaque
stringData:
  values: @1
  password: @2
  list:
  - @3
data:
  other: @4
""",
    "a Secret in braces": """\
{"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s"},
 "stringData": {"values": @1, "password": @2,
  "more": @3}, "data": {"other": @4}}
""",
    "a Secret without a kind": """\
apiVersion: v1
metadata:
  name: s
stringData:
  values: @1
  password: @2
data: {a: @3, b: @4}
""",
    "a kind behind the values": """\
stringData:
  values: @1
  password: @2
data:
  a: @3
  b: @4
metadata: {name: s}
apiVersion: v1
kind: Secret
""",
    "a list of Secrets": """\
apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: Secret
  metadata: {name: s}
  stringData:
    values: @1
    password: @2
- apiVersion: v1
  kind: Secret
  metadata: {name: t}
  data: {values: @3,
    b: @4}
""",
}

CREDENTIALS = """\
nexus:
  type: usernamePassword
  data:
    username: @1
    password: @2
vault:
  type: secret
  data:
    secret: @3
    more: [@4]
"""

_SIGNS = ": {}[]\"'*&!|>%@`#-?,\t\n\\"
_PLACE = re.compile(r"@([1-4])")


def document(text: str, marker: str, seed: int) -> str:
    """The text with a marker at each of its places, one or two of them spelt so that they cannot be read, or the text damaged."""
    dice = random.Random(seed)
    broken = set(dice.sample("1234", dice.choice((1, 1, 2))))
    spelt = {place: dice.choice(SPELLINGS) if place in broken else '"@@"' for place in "1234"}
    filled = _PLACE.sub(lambda found: spelt[found[1]].replace("@@", "\0"), text)
    for _ in range(dice.choice((0, 0, 1, 2))):
        filled = _damaged(filled, dice)
    return filled.replace("\0", marker)


def _damaged(text: str, dice: random.Random) -> str:
    """The text with a sign more or less, or a line twice, gone or shifted. Keys keep their names."""
    lines = text.split("\n")
    at, number = dice.randrange(len(text)), dice.randrange(len(lines))
    match dice.randrange(6):
        case 0:
            return text[:at] + dice.choice(_SIGNS) + text[at:]
        case 1:
            return text[:at] + text[at + 1 :] if text[at] != "\0" else text
        case 2:
            lines.insert(number, lines[number])
        case 3:
            del lines[number]
        case 4:
            lines[number] = dice.choice((" ", "   ", "\t")) + lines[number]
        case _:
            lines[number] = lines[number].lstrip(" ")
    return "\n".join(lines)
